/*
 * Waits when no thread can run, and decides whether the run hangs.
 *
 * Order:     events from outside come first, then the earliest timeout or timer. If neither exists,
 *            the run hangs.
 * Outside:   children, threads that forerun does not control, threads blocked in system calls,
 *            objects that other processes share, descriptors with another process at their end, and
 *            signals that a thread waits for. While one of them exists, virtual time keeps step
 *            with real time: a timeout of ten seconds waits for a child that answers after one.
 *            Otherwise a sleep takes no real time.
 * Bounded:   if nothing comes within `patience` and no timeout is due, the run is given up
 *            (FR_PHASE_OUTSIDE): it may hang, or something outside may be slow. A run that is
 *            recorded is never given up. It hangs only if the program has no handler of a
 *            signal that may come from outside, or if each thread waits for one of a cycle of
 *            mutexes and joins (format/signal_wakes.h). A recording without a
 *            fixed order follows the same rule (src/process/hang_watch.c).
 * Turn:      the thread that finds no thread to run waits here for all of them and keeps the turn.
 * Inside:    pipes, ends of socketpair, eventfds and timerfds that the program made. If a child has
 *            one open, the child counts as outside.
 * Not known: processes that are no children and share nothing but a file lock or a socket. The
 *            thread that waits for those is blocked in a system call or waits for input. Children
 *            of children that have ended: the tool looks for them (fr_orphans_alive in
 *            src/confirm/end_orphans.c).
 */
#include "ctl_ghost.h"
#include "ctl_poll.h"
#include "ctl_timer.h"
#include "ctl_turn.h"
#include "format/signal_wakes.h"
#include "runtime/core/kernel.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define SLICE_MIN_NS 200000
#define SLICE_MAX_NS 20000000
#define CHILD_SHARE 5  /* part of the patience for a signal of a child: a finding may need many */
#define MOST 256       /* descriptors watched at once; the others are polled in between */
#define PERIODIC 20000 /* stop after this many expiries of repeating timers that helped no thread */

/* Sources that act by themselves. A signal may never come, so no sleep takes real time for it. */
#define ACTORS (~FR_OUTSIDE_SIGNAL)

/* ---- outside: children, other threads, other processes ---- */

/* 1: such a child is alive; 0: all such children are dead; -1: there is none. */
static int child_state(long type, long id)
{
	siginfo_t info = {0};

	if (syscall(SYS_waitid, type, id, &info, (long)(WEXITED | WNOHANG | WNOWAIT | __WALL),
		    NULL) < 0)
		return -1;
	return info.si_pid == 0;
}

/* True if a child of the thread is alive. Some other child is dead. */
static bool has_living(uint32_t tid)
{
	char text[1024];
	long n = frt_ctl_task_file(tid, "/children", text, sizeof(text)), pid = 0;

	for (long i = 0; i < n; i++) {
		if (text[i] >= '0' && text[i] <= '9') {
			pid = pid * 10 + (text[i] - '0');
			continue;
		}
		if (pid && child_state(P_PID, pid) == 1)
			return true;
		pid = 0;
	}
	return false;
}

static bool has_child(void)
{
	int any = child_state(P_ALL, 0);

	if (any)
		return any > 0;
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (frt_ctl_threads[i].t && has_living(frt_ctl_threads[i].t->os_tid))
			return true;
	return false;
}

static long links_alone; /* links of /proc/self/task that belong to no thread */

/* /proc/self/task has one link for each thread of the process. */
static long thread_links(void)
{
	struct stat st;

	return syscall(SYS_newfstatat, -100L, "/proc/self/task", &st, 0L) < 0 ? 0
									      : (long)st.st_nlink;
}

static bool has_threads(void)
{
	long links = thread_links(), ours = 0;

	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++) {
		const struct frt_thread *t = frt_ctl_threads[i].t;
		uint32_t s = t ? frt_ctl_status(&frt_ctl_threads[i]) : FR_CTL_NONE;
		bool gone = s == FR_CTL_NONE;

		/* A thread that is over may be the one that runs this, or the main thread, whose
		   entry stays until the process ends. */
		if (s == FR_CTL_OVER)
			gone = syscall(SYS_tgkill, syscall(SYS_getpid), (long)t->os_tid, 0L) < 0;
		ours += !gone;
	}
	return links && links - links_alone > ours;
}

#define INHERITED 64
static uint64_t inherited[INHERITED]; /* inodes of pipes that were open at the start */

void frt_ctl_idle_begin(void)
{
	struct stat st;

	links_alone = thread_links();
	links_alone -= links_alone > 0;
	for (int fd = 0; fd < INHERITED; fd++)
		if (syscall(SYS_fstat, (long)fd, &st) == 0 && S_ISFIFO(st.st_mode))
			inherited[fd] = st.st_ino;
}

static bool starts_with(const char *s, long n, const char *with)
{
	for (; *with; with++, s++, n--)
		if (n <= 0 || *s != *with)
			return false;
	return true;
}

/* FR_OUTSIDE_INPUT or _SIGNAL if this descriptor can deliver data of another process. */
static uint32_t comes_from(int fd)
{
	char path[32] = "/proc/self/fd/", name[64], digits[12], *p = path + 14, *d = digits;
	struct stat st;
	long n;

	if (fd < 0)
		return 0;
	do
		*d++ = (char)('0' + fd % 10);
	while (fd /= 10);
	while (d > digits)
		*p++ = *--d;
	frt_assert(p < path + sizeof(path));
	*p = 0;
	n = syscall(SYS_readlinkat, -100L, path, name, sizeof(name));
	if (starts_with(name, n, "anon_inode:[signalfd]"))
		return FR_OUTSIDE_SIGNAL;
	if (starts_with(name, n, "anon_inode:[eventfd]") ||
	    starts_with(name, n, "anon_inode:[timerfd]"))
		return 0;
	if (syscall(SYS_newfstatat, -100L, path, &st, 0L) < 0)
		return FR_OUTSIDE_INPUT;
	if (starts_with(name, n, "socket:["))
		return frt_key_is_pair(st.st_ino) ? 0 : FR_OUTSIDE_INPUT;
	if (!starts_with(name, n, "pipe:["))
		return FR_OUTSIDE_INPUT;
	for (int i = 0; i < INHERITED; i++)
		if (inherited[i] == st.st_ino)
			return FR_OUTSIDE_INPUT;
	return 0;
}

static uint64_t hex(const char *s, long n, long *at)
{
	uint64_t v = 0;

	for (; *at < n; ++*at) {
		char c = s[*at];

		if (c >= '0' && c <= '9')
			v = v << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			v = v << 4 | (uint64_t)(c - 'a' + 10);
		else
			break;
	}
	++*at;
	return v;
}

/* Parses a line of /proc/self/maps, "lo-hi rwxs offset device inode name". *ret: a process that is
   no child may share this memory, because it is shared and has a name other than /dev/zero, that of
   MAP_ANONYMOUS. False: addr is not in this mapping. */
static bool has_name(const char *line, long n, uint64_t addr, bool *ret)
{
	static const char anonymous[] = "/dev/zero";
	long at = 0;
	uint64_t lo = hex(line, n, &at), hi = hex(line, n, &at);

	if (addr < lo || addr >= hi)
		return false;
	*ret = at + 3 < n && line[at + 3] == 's';
	for (; at < n && line[at] != '/';)
		at++;
	*ret = *ret && !starts_with(line + at, n - at, anonymous);
	return true;
}

static bool is_named(const void *obj)
{
	char text[4096];
	long fd = REAL(syscall)(SYS_openat, -100L, "/proc/self/maps", (long)O_RDONLY | O_CLOEXEC);
	long have = 0, n;
	bool named = true, found = false;

	while (fd >= 0 && !found &&
	       (n = REAL(syscall)(SYS_read, fd, text + have, sizeof(text) - (size_t)have)) > 0) {
		long from = 0;

		have += n;
		frt_assert(have <= (long)sizeof(text));
		for (long i = 0; i < have && !found; i++)
			if (text[i] == '\n') {
				found = has_name(text + from, i - from, (uintptr_t)obj, &named);
				from = i + 1;
			}
		for (long i = from; i < have; i++)
			text[i - from] = text[i];
		have -= from;
	}
	if (fd >= 0)
		REAL(syscall)(SYS_close, fd);
	return named;
}

/* Everything outside except the objects and descriptors that blocked threads wait for. */
static uint32_t actors(void)
{
	uint32_t why = 0;

	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (frt_ctl_threads[i].t && frt_ctl_status(&frt_ctl_threads[i]) == FR_CTL_AWAY)
			why |= FR_OUTSIDE_AWAY;
	if (has_child())
		why |= FR_OUTSIDE_CHILD;
	if (has_threads())
		why |= FR_OUTSIDE_THREADS;
	if (frt_ctl->recording && frt_ctl_timer_in_kernel())
		why |= FR_OUTSIDE_TIMER;
	return why;
}

static uint32_t outside(void)
{
	uint32_t why = actors();

	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++) {
		const struct frt_ctl_thread *c = &frt_ctl_threads[i];

		if (!c->t || frt_ctl_status(c) != FR_CTL_BLOCKED)
			continue;
		if (c->shared && (why & FR_OUTSIDE_CHILD || is_named(c->obj)))
			why |= FR_OUTSIDE_SHARED;
		for (unsigned k = 0; c->fds && k < c->nfds; k++)
			why |= comes_from(c->fds[k].fd);
	}
	return why;
}

/* ---- waiting in real time ---- */

static uint64_t real_now(void)
{
	struct timespec ts = {0};

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* Waits until a descriptor is ready, `ns` have passed, or virtual time reaches `deadline`. Virtual
   time moves as well. Returns the real time that it took. */
static uint64_t wait_slice(uint64_t ns, uint64_t deadline)
{
	struct pollfd all[MOST];
	struct timespec ts;
	uint64_t begin = real_now(), took;
	unsigned n = 0;

	for (uint32_t i = 0, k = frt_ctl_count(); i < k; i++) {
		const struct frt_ctl_thread *c = &frt_ctl_threads[i];

		if (!c->t || !c->fds || frt_ctl_status(c) != FR_CTL_BLOCKED)
			continue;
		for (unsigned j = 0; j < c->nfds && n < MOST; j++)
			all[n++] = c->fds[j];
	}
	frt_assert(n <= MOST);
	if (deadline > frt_ctl_vtime && deadline - frt_ctl_vtime < ns)
		ns = deadline - frt_ctl_vtime;
	ts = (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
	syscall(SYS_ppoll, all, (unsigned long)n, &ts, NULL, 8L);
	atomic_fetch_add(&frt_ctl->beats, 1);
	took = real_now() - begin;
	frt_ctl_vtime += deadline > frt_ctl_vtime && took > deadline - frt_ctl_vtime
			     ? deadline - frt_ctl_vtime
			     : took;
	return took;
}

void frt_ctl_wait_real(uint64_t until)
{
	while (frt_ctl_vtime < until && actors())
		wait_slice(SLICE_MAX_NS, until);
}

bool frt_ctl_may_come(const struct frt_ctl_thread *c)
{
	return c->shared || has_threads();
}

bool frt_ctl_wait_outside(struct frt_ctl_thread *c)
{
	uint64_t ns = c->slice ? c->slice : SLICE_MIN_NS;

	c->slice = ns < SLICE_MAX_NS ? ns * 2 : ns;
	c->waited += wait_slice(ns, c->timed ? c->until : UINT64_MAX);
	return c->timed || c->waited < frt_ctl->patience;
}

bool frt_ctl_is_child(long pid)
{
	return child_state(P_PID, pid) >= 0;
}

/* A child may send the signal and end between two checks: `last` checks once more. */
bool frt_ctl_child_may_send(struct frt_thread *t, struct frt_ctl_wait *w)
{
	if (atomic_load(&frt_ctl->world.n))
		return false;
	if (w->last || w->waited >= frt_ctl->patience / CHILD_SHARE) {
		frt_ctl_signal_missing(t);
		return false;
	}
	w->last = !has_child();
	if (!w->last) {
		w->slice = w->slice ? w->slice : SLICE_MIN_NS;
		w->waited += wait_slice(w->slice, UINT64_MAX);
		w->slice = w->slice < SLICE_MAX_NS ? w->slice * 2 : w->slice;
	}
	return true;
}

/* ---- no thread can run ---- */

/* Number of hooks that all threads have executed: grows while the program progresses. */
static uint64_t progress(void)
{
	uint64_t sum = 0;

	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (frt_ctl_threads[i].t)
			sum += frt_ctl_threads[i].t->hook;
	return sum;
}

/* The blocked thread with the earliest timeout. */
static struct frt_ctl_thread *earliest(uint64_t *ret)
{
	struct frt_ctl_thread *first = NULL;

	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++) {
		struct frt_ctl_thread *c = &frt_ctl_threads[i];

		if (c->t && c->timed && frt_ctl_status(c) == FR_CTL_BLOCKED &&
		    (!first || c->until < first->until))
			first = c;
	}
	frt_assert(!first || first->t);
	if (first)
		*ret = first->until;
	return first;
}

/* Lets threads try again whose waits may end without a call that the runtime sees. libc releases
   locks by itself, but nobody wakes a futex of the program by itself: such a wait returns to the
   program, which would wait again for ever. */
static void look_again(uint32_t why)
{
	frt_ctl_cond_foreign();
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++) {
		struct frt_ctl_thread *c = &frt_ctl_threads[i];
		bool lock = fr_event_is(c->kind) & FR_IS_ACQUIRE || c->kind == FR_EV_SEM_WAIT;
		bool futex = c->kind == FR_EV_FUTEX_WAIT;

		if (c->t && c->obj &&
		    (c->shared || (lock && frt_ctl->recording) ||
		     ((lock || futex) && why & FR_OUTSIDE_THREADS)))
			frt_ctl_ready(c);
	}
}

static struct {
	uint64_t progress, waited, slice;
	/* expiries of repeating timers since the last one that helped a thread */
	uint32_t periodic;
	/* nothing outside was left, and threads at shared objects have tried once more */
	bool tried_last;
} idle;

void frt_ctl_forked(void)
{
	idle.tried_last = false;
}

void frt_ctl_helped(void)
{
	idle.periodic = 0;
}

/* The last step of a child may be a write to shared memory and a wake-up. A thread that compared
   the word before that write blocks after the wake-up. So once nothing outside is left, threads at
   shared objects try once more. Returns one that can run now, or NULL. */
static struct frt_ctl_thread *try_last(const struct frt_thread *self, uint32_t why)
{
	bool shared = false;

	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		shared |= frt_ctl_threads[i].t && frt_ctl_threads[i].shared &&
			  frt_ctl_status(&frt_ctl_threads[i]) == FR_CTL_BLOCKED;
	if (why || !shared || idle.tried_last) {
		idle.tried_last = idle.tried_last && !why;
		return NULL;
	}
	idle.tried_last = true;
	look_again(why);
	return frt_ctl_scan(self);
}

#define GHOST_NS UINT64_C(300000000)

/* How long to wait. If nothing but ghosts is outside, and they have no more steps, only bytes that
   are on their way can come. */
static uint64_t patience(uint32_t why)
{
	bool alone = frt_ctl_ghost && !(why & ~(uint32_t)(FR_OUTSIDE_INPUT | FR_OUTSIDE_SIGNAL));

	return alone && frt_ctl->patience > GHOST_NS && frt_ctl_ghost_over() ? GHOST_NS
									     : frt_ctl->patience;
}

/* Waits one slice of real time. False: the patience is used up. */
static bool wait_for_others(uint32_t why, uint64_t deadline)
{
	uint64_t now = progress();

	if (now != idle.progress || !idle.slice) {
		idle.progress = now;
		idle.waited = 0;
		idle.slice = SLICE_MIN_NS;
	}
	if (deadline == UINT64_MAX && idle.waited >= patience(why))
		return false;
	idle.waited += wait_slice(idle.slice, deadline);
	if (idle.slice < SLICE_MAX_NS)
		idle.slice *= 2;
	look_again(why);
	return true;
}

/* The signals for which the program has a handler, as the kernel lists them. */
static uint64_t caught(void)
{
	static const char key[] = "\nSigCgt:\t";
	char text[4096];
	long n = frt_ctl_task_file((uint32_t)syscall(SYS_gettid), "/status", text, sizeof(text));

	for (long i = 0; i + (long)sizeof(key) + 16 < n; i++)
		if (starts_with(text + i, n - i, key)) {
			i += (long)sizeof(key) - 1;
			return hex(text, n, &i);
		}
	return UINT64_MAX;
}

/* Does each thread wait for a thread of a cycle of mutexes and joins? */
static bool all_in_cycles(void)
{
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++) {
		const struct frt_ctl_thread *c = &frt_ctl_threads[i];
		uint32_t s = c->t ? frt_ctl_status(c) : FR_CTL_OVER, holder;

		if (s == FR_CTL_OVER || s == FR_CTL_NONE)
			continue;
		for (uint32_t k = 0; k <= n; k++) {
			if (!c->t || frt_ctl_status(c) != FR_CTL_BLOCKED || c->timed || c->shared ||
			    (c->kind != FR_EV_MUTEX_LOCK && c->kind != FR_EV_THREAD_JOIN))
				return false;
			holder = frt_ctl_holder(c->kind, c->obj);
			if (!holder)
				return false;
			c = &frt_ctl_threads[holder - 1];
		}
	}
	return true;
}

/* May a recorded run continue although no thread can run? A signal from outside may still come, and
   locks that libc releases by itself must be tried once more. */
static bool may_continue(void)
{
	return progress() != idle.progress || !idle.waited ||
	       (fr_signal_wakes(caught()) && !all_in_cycles());
}

/* True if real time must pass now. */
static bool takes_real_time(uint32_t why, uint64_t deadline)
{
	if (why & ACTORS || (why && deadline == UINT64_MAX))
		return true;
	if (!frt_ctl->recording)
		return false;
	return deadline == UINT64_MAX ? may_continue() : idle.periodic > PERIODIC;
}

void frt_ctl_spend(uint64_t ns)
{
	struct frt_ctl_thread *timed;
	uint64_t deadline = 0;

	for (frt_ctl_vtime += ns; deadline <= frt_ctl_vtime;) {
		deadline = UINT64_MAX;
		timed = earliest(&deadline);
		if (timed && deadline <= frt_ctl_vtime) {
			timed->expired = true;
			frt_ctl_ready(timed);
		}
	}
}

bool frt_ctl_from_outside(const struct pollfd *fds, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (comes_from(fds[i].fd))
			return true;
	return false;
}

uint32_t frt_ctl_outside(void)
{
	uint32_t why = outside();

	atomic_store(&frt_ctl->outside, why);
	return why;
}

#define CHECK_EVERY 64

/* While threads only poll, nothing inside changes, and each check costs several system calls. */
static uint32_t look_outside(void)
{
	static uint32_t why, checks;

	if (!frt_ctl_poll_steady() || checks++ % CHECK_EVERY == 0)
		why = outside();
	return why;
}

void frt_ctl_idle_expire(bool (*skip)(const struct frt_ctl_thread *c))
{
	uint64_t deadline = UINT64_MAX;
	bool timer;

	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++) {
		const struct frt_ctl_thread *c = &frt_ctl_threads[i];

		if (c->t && c->timed && frt_ctl_status(c) == FR_CTL_BLOCKED && !skip(c) &&
		    c->until < deadline)
			deadline = c->until;
	}
	timer = frt_ctl_timer_next(&deadline);
	if (deadline == UINT64_MAX)
		return;
	if (look_outside() & ACTORS)
		wait_slice(SLICE_MAX_NS, deadline);
	else
		frt_ctl_pass_until(deadline);
	frt_ctl_spend(0);
	if (timer && frt_ctl_vtime >= deadline)
		frt_ctl_timer_fire();
}

bool frt_ctl_may_expire(const struct frt_ctl_thread *c)
{
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (&frt_ctl_threads[i] != c && frt_ctl_can_run(&frt_ctl_threads[i]))
			return false;
	return true;
}

struct frt_ctl_thread *frt_ctl_expire_next(void)
{
	uint64_t deadline;
	struct frt_ctl_thread *c = earliest(&deadline);

	if (!c || !frt_ctl_may_expire(c))
		return NULL;
	frt_ctl_pass_until(deadline);
	frt_assert(frt_ctl_vtime >= c->until);
	c->expired = true;
	return c;
}

static struct frt_ctl_thread *step(const struct frt_thread *self)
{
	uint64_t deadline = UINT64_MAX;
	struct frt_ctl_thread *timed = earliest(&deadline), *c;
	bool timer = frt_ctl_timer_next(&deadline);
	uint32_t why = look_outside();

	atomic_store(&frt_ctl->outside, why);
	c = try_last(self, why);
	if (c)
		return c;
	if (frt_ctl_ghost_next())
		return frt_ctl_scan(self);
	if (takes_real_time(why, deadline)) {
		if (!wait_for_others(why, deadline))
			frt_ctl_give_up();
		c = frt_ctl_scan(self);
		/* A thread that only tries again must not keep a timeout from expiring for ever. */
		if (frt_ctl_vtime < deadline || (c && !frt_ctl->recording))
			return c;
	} else if (deadline == UINT64_MAX) {
		bool comes = frt_ctl_signal_comes();

		c = frt_ctl_scan(self);
		if (!c && !comes)
			frt_ctl_hang();
		if (!c)
			wait_slice(SLICE_MIN_NS, deadline);
		return c;
	}
	frt_assert(deadline != UINT64_MAX);
	frt_ctl_pass_until(deadline);
	if (timer) {
		if (!timed && !why)
			frt_ctl_stalled();
		if (frt_ctl_timer_fire() && ++idle.periodic > PERIODIC && !(why & ACTORS) &&
		    !timed && !frt_ctl->recording)
			frt_ctl_hang();
		return frt_ctl_scan(self);
	}
	idle.periodic = 0;
	frt_assert(timed);
	timed->expired = true;
	return timed;
}

struct frt_ctl_thread *frt_ctl_idle(const struct frt_thread *self)
{
	struct frt_thread *was = frt_self;
	struct frt_ctl_thread *c;

	if (was) { /* keep signals, as in a parked thread */
		frt_ctl_parked = was;
		frt_self = NULL;
	}
	while (!(c = step(self)))
		;
	if (was) {
		frt_self = was;
		frt_ctl_parked = NULL;
	}
	return c;
}
