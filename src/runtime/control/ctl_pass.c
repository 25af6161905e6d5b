/*
 * Hands the turn over: the thread that has it wakes the next one and parks.
 *
 * Invariant: either one thread is FR_CTL_RUNNING and executes the controller, or none is, `current`
 *            is 0, and the first thread that comes back from outside takes the turn.
 *
 * A thread may wait outside of control (for a file lock, for another process). The tool notices and
 * makes a parked thread its deputy (deputise in src/process/turn_watch.c). The waiting thread has
 * then lost its turn, and asks for the next one at its next hook. Before other threads run ahead of
 * it, frt_ctl_stays_away asks the kernel whether it still sleeps: their last steps may have woken
 * it.
 *
 * libc frees a thread's memory after its last hook. The next thread waits for that, so that
 * addresses do not depend on the time it takes.
 */
#include "ctl_timer.h"
#include "ctl_turn.h"
#include "runtime/core/emit.h"
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>

static uint32_t ending; /* kernel thread that is about to end */

static void give(struct frt_ctl_thread *c)
{
	uint32_t i = c->t->id - 1, s = frt_ctl_status(c);

	frt_assert(s != FR_CTL_NONE && s != FR_CTL_RUNNING);
	frt_ctl_set_status(c, FR_CTL_RUNNING);
	atomic_store(&frt_ctl->current, i + 1);
	atomic_fetch_add_explicit(&frt_ctl->switches, 1, memory_order_relaxed);
	/* A thread that has not parked yet finds FR_GO_ON. On one processor that happens every
	   other time, and saves a system call. */
	if (atomic_exchange(&frt_ctl->go[i], FR_GO_ON) == FR_GO_WAITS)
		frt_ctl_futex(&frt_ctl->go[i], FUTEX_WAKE, 1);
}

void frt_ctl_pass(struct frt_ctl_thread *c)
{
	if (c) {
		give(c);
		return;
	}
	frt_ctl_timers_to_kernel();
	atomic_store(&frt_ctl->current, 0);
	/* A thread may have come back meanwhile and found the turn taken. */
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++) {
		uint32_t nobody = 0;

		if (atomic_load(&frt_ctl->status[i]) == FR_CTL_READY &&
		    frt_ctl_threads[i].t->limit == 0 &&
		    atomic_compare_exchange_strong(&frt_ctl->current, &nobody, i + 1)) {
			struct frt_ctl_thread *self = &frt_ctl_threads[i];

			c = frt_ctl_choose(self->t);
			if (c) {
				give(c);
				return;
			}
			atomic_store(&frt_ctl->current, 0);
		}
	}
}

long frt_ctl_task_file(uint32_t tid, const char *name, char *to, size_t size)
{
	static const char before[] = "/proc/self/task/";
	char path[64], digits[12], *p = path, *d = digits;
	long fd, n;

	for (const char *s = before; *s;)
		*p++ = *s++;
	do
		*d++ = (char)('0' + tid % 10);
	while (tid /= 10);
	while (d > digits)
		*p++ = *--d;
	while (*name)
		*p++ = *name++;
	frt_assert(p < path + sizeof(path));
	*p = 0;
	fd = syscall(SYS_openat, (long)AT_FDCWD, path, (long)(O_RDONLY | O_CLOEXEC));
	if (fd < 0)
		return 0;
	n = syscall(SYS_read, fd, to, size);
	syscall(SYS_close, fd);
	return n > 0 ? n : 0;
}

/* The thread's state, behind its name in /proc/self/task/TID/stat. 0: the thread is gone. */
static char state_of(uint32_t tid)
{
	char text[256];
	long n = frt_ctl_task_file(tid, "/stat", text, sizeof(text));

	while (n > 0 && text[n - 1] != ')')
		n--;
	return n <= 0 || n + 1 >= (long)sizeof(text) ? 0 : text[n + 1];
}

bool frt_ctl_stays_away(const struct frt_ctl_thread *c)
{
	char state;

	for (int i = 0; i < 100000; i++) {
		if (frt_ctl_status(c) != FR_CTL_AWAY)
			return false;
		state = state_of(c->t->os_tid);
		if (state != 'R' && state != 'D')
			return frt_ctl_status(c) == FR_CTL_AWAY;
		syscall(SYS_sched_yield);
	}
	return true;
}

/* Runs in a parked thread: passes the turn on for the thread that is away. */
static void deputise(void)
{
	uint32_t id = atomic_exchange(&frt_ctl->away, 0), running = FR_CTL_RUNNING;
	struct frt_ctl_thread *c;

	if (!id || id > frt_ctl_count() || atomic_load(&frt_ctl->current) != id)
		return;
	c = &frt_ctl_threads[id - 1];
	if (!atomic_compare_exchange_strong(&frt_ctl->status[id - 1], &running, FR_CTL_AWAY))
		return;
	frt_assert(c->t && frt_ctl_parked);
	c->t->limit = 0; /* makes its next hook call frt_ctl_hook */
	frt_ctl_pass(frt_ctl_choose(c->t));
}

static void wait_ended(void)
{
	long pid = syscall(SYS_getpid);

	for (int i = 0; i < 2000000; i++) {
		/* The main thread stays as a zombie. */
		if (ending == (uint32_t)pid ? state_of(ending) == 'Z'
					    : syscall(SYS_tgkill, pid, (long)ending, 0L) < 0)
			break;
		syscall(SYS_sched_yield);
	}
	ending = 0;
}

_Thread_local struct frt_thread *frt_ctl_parked __attribute__((tls_model("initial-exec")));

void frt_ctl_park(struct frt_thread *t)
{
	_Atomic uint32_t *go = &frt_ctl->go[t->id - 1];
	uint32_t g;

	frt_ctl_parked = t;
	frt_self = NULL;
	while ((g = atomic_exchange(go, FR_GO_WAITS)) != FR_GO_ON) {
		if (g == FR_GO_DEPUTY)
			deputise();
		else
			frt_ctl_futex(go, FUTEX_WAIT, FR_GO_WAITS);
	}
	g = frt_ctl_status(frt_ctl_thread(t)); /* AWAY: the tool has taken the turn again */
	frt_assert(g == FR_CTL_RUNNING || g == FR_CTL_AWAY);
	frt_assert(!frt_self);
	atomic_store(go, 0);
	frt_self = t;
	frt_ctl_parked = NULL;
	frt_put_turn(t);
	if (ending)
		wait_ended();
}

void frt_ctl_turn_over(struct frt_thread *t)
{
	struct frt_ctl_thread *c, *self = frt_ctl_thread(t);

	frt_ctl_set_status(self, FR_CTL_READY);
	c = frt_ctl_choose(t);
	if (c == self) {
		frt_ctl_set_status(self, FR_CTL_RUNNING);
		return;
	}
	frt_ctl_pass(c);
	frt_ctl_park(t);
}

void frt_ctl_back(struct frt_thread *t)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t), *next;
	uint32_t nobody = 0;

	if (frt_likely(frt_ctl_status(c) != FR_CTL_AWAY))
		return;
	t->limit = 0;
	frt_ctl_set_status(c, FR_CTL_READY);
	if (atomic_compare_exchange_strong(&frt_ctl->current, &nobody, t->id)) {
		next = frt_ctl_choose(t);
		if (next == c) {
			frt_ctl_set_status(c, FR_CTL_RUNNING);
			return;
		}
		frt_ctl_pass(next);
	}
	frt_ctl_park(t);
}

/* ---- threads ---- */

void frt_ctl_turn_init(struct frt_thread *t)
{
	struct frt_ctl_thread *c;

	frt_ctl_know(t, UINT32_MAX);
	atomic_store(&frt_ctl->current, t->id);
	atomic_store(&frt_ctl->status[t->id - 1], FR_CTL_RUNNING);
	frt_ctl_phase(FR_PHASE_TURNS);
	c = frt_ctl_choose(t);
	if (c != frt_ctl_thread(t)) /* a schedule begins with the main thread */
		frt_ctl_diverge(FR_DIV_NO_THREAD, t, NULL, NULL);
}

void frt_ctl_create(struct frt_thread *parent, struct frt_thread *child)
{
	uint32_t known = frt_ctl_thread(parent)->known;

	frt_ctl_know(child, known == UINT32_MAX ? UINT32_MAX - 1 : known);
	frt_assert(frt_ctl_status(frt_ctl_thread(child)) == FR_CTL_NONE);
	frt_cpu_inherit(parent, child);
	frt_ctl_set_status(frt_ctl_thread(child), FR_CTL_CREATED);
}

void frt_ctl_created(struct frt_thread *child)
{
	_Atomic uint32_t *s = &frt_ctl->status[child->id - 1];

	while (atomic_load(s) == FR_CTL_CREATED)
		frt_ctl_futex(s, FUTEX_WAIT, FR_CTL_CREATED);
	frt_ctl_has_created(child);
}

void frt_ctl_not_created(struct frt_thread *child)
{
	frt_ctl_set_status(frt_ctl_thread(child), FR_CTL_OVER);
}

void frt_ctl_begin(struct frt_thread *t)
{
	_Atomic uint32_t *s = &frt_ctl->status[t->id - 1];

	atomic_store(s, FR_CTL_READY);
	frt_ctl_futex(s, FUTEX_WAKE, INT_MAX);
	frt_ctl_park(t);
}

void frt_ctl_end(struct frt_thread *t)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t);
	uint64_t all = UINT64_MAX;

	/* A signal for the process must not go to a thread that is about to end. */
	syscall(SYS_rt_sigprocmask, (long)SIG_BLOCK, &all, NULL, sizeof(all));
	frt_ctl_back(t);
	frt_assert(frt_ctl_status(c) != FR_CTL_OVER);
	frt_ctl_set_status(c, FR_CTL_OVER);
	frt_ctl_release((const void *)(uintptr_t)t->id);
	frt_ctl_leave_robust(t);
	ending = t->os_tid;
	frt_ctl_pass(frt_ctl_choose(t));
}

bool frt_ctl_over(uint32_t id)
{
	frt_assert(id && id <= FR_POOL_MAX_THREADS);
	return atomic_load(&frt_ctl->status[id - 1]) == FR_CTL_OVER;
}
