/* Implements rt_stream.h. */
#include "rt_stream.h"
#include "runtime/control/ctl_ghost.h"
#include "runtime/control/ctl_input.h"
#include "runtime/control/ctl_timer.h"
#include "runtime/control/ctl_turn.h"
#include "rt_assert.h"
#include "rt_input.h"
#include "kernel.h"
#include "peer.h"
#include "public.h"
#include "real.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>

/* ---- calls that give ---- */

/*
 * In the recorded run, one thread at a time is in a call that gives to an object, so that the
 * stamps show which of two threads was first. On a busy machine the other thread may lose the
 * processor in the middle of its call. Only the first waiting thread waits, and not for long: the
 * thread in the call may itself wait for room, or be gone, or be the same thread, which is now in a
 * handler.
 */
#define LOCKS 64
#define ROOM_MS 1000 /* how long a reader outside of this program may take to make room */
#define TRIES 200
#define PAUSES 200 /* of the first waiting thread; others do not pause */
#define PAUSES_QUICK 20000
#define PAUSE_NS 100000
#define STUCK (UINT32_C(1) << 31)

/* The thread in the call. Objects whose calls never wait have separate locks. */
static _Atomic uint32_t busy[2][LOCKS];

static bool enter(_Atomic uint32_t *lock, const struct frt_thread *t, unsigned pauses)
{
	struct timespec pause = {.tv_nsec = PAUSE_NS};
	int saved = errno;
	uint32_t holder = 0;

	frt_assert(t->os_tid && !(t->os_tid & STUCK));
	for (unsigned i = 0; i < TRIES + pauses; i++) {
		holder = 0;
		if (atomic_compare_exchange_strong_explicit(
			lock, &holder, t->os_tid, memory_order_acquire, memory_order_relaxed))
			return true;
		if (holder & STUCK || holder == t->os_tid)
			return false;
		if (i >= TRIES)
			syscall(SYS_nanosleep, &pause, NULL);
		else if (i >= TRIES / 2)
			sched_yield();
		errno = saved;
	}
	atomic_compare_exchange_strong(lock, &holder, holder | STUCK);
	return false;
}

/* Signals that the kernel sends when a descriptor or a queue gets data; bit n - 1 for signal n. */
static _Atomic uint64_t notices;
static _Atomic bool watching; /* the program has an inotify instance */

void frt_stream_notice(int sig)
{
	if (sig >= 1 && sig <= 64)
		atomic_fetch_or(&notices, UINT64_C(1) << (sig - 1));
}

void frt_stream_watch(void)
{
	atomic_store(&watching, true);
}

void frt_give_begin(struct frt_give *g)
{
	*g = (struct frt_give){.t = frt_asking(), .cancel = PTHREAD_CANCEL_ENABLE};
	if (!g->t || !frt_controlled())
		return;
	frt_ctl_hold(g->t);
	g->held = true;
}

static void enter_key(struct frt_give *g, uint64_t key)
{
	bool quick = frt_key_quick(key);
	_Atomic uint32_t *lock = &busy[quick][key / 4 % LOCKS];

	if (key != FRT_KEY_NONE && !g->waits && !g->lock &&
	    enter(lock, g->t, quick ? PAUSES_QUICK : PAUSES))
		g->lock = lock;
}

void frt_see(struct frt_give *g, uint64_t key)
{
	*g = (struct frt_give){.t = frt_asking()};
	if (g->t && !frt_controlled())
		enter_key(g, key);
}

/* Enters the locks in the order of their addresses, as frt_give_second does. */
uint64_t frt_see_names(void)
{
	struct frt_thread *t = frt_asking();
	uint64_t entered = 0;

	_Static_assert(LOCKS == 64, "one bit for each lock");
	if (!t || frt_controlled())
		return 0;
	for (int i = 0; i < LOCKS; i++)
		if (enter(&busy[1][i], t, PAUSES_QUICK))
			entered |= UINT64_C(1) << i;
	return entered;
}

void frt_seen_names(uint64_t entered)
{
	for (int i = 0; i < LOCKS; i++)
		if (entered >> i & 1)
			atomic_store_explicit(&busy[1][i], 0, memory_order_release);
}

static void release(struct frt_thread *t, uint64_t key)
{
	frt_sync(t, FR_EV_USER_RELEASE, 0, (void *)(uintptr_t)key);
}

/* Enters the locks in the order of their addresses, so that two such calls do not wait for each
   other. Afterwards frt_give_alone(g, a) enters the other lock, or none. */
void frt_give_second(struct frt_give *g, uint64_t a, uint64_t b)
{
	_Atomic uint32_t *la = &busy[1][a / 4 % LOCKS], *lb = &busy[1][b / 4 % LOCKS];

	frt_assert(!g->gives && !g->lock && !g->second);
	if (!g->t || frt_controlled() || a == FRT_KEY_NONE || b == FRT_KEY_NONE || la == lb)
		return;
	if (la < lb && enter(la, g->t, PAUSES_QUICK))
		g->lock = la;
	if (enter(lb, g->t, PAUSES_QUICK))
		g->second = lb;
}

void frt_give_alone(struct frt_give *g, uint64_t key)
{
	if (!g->t || g->gives)
		return;
	if (frt_controlled()) {
		/* The thread may end here; then it holds nothing any more. */
		if (frt_ctl_cancelled(g->t))
			frt_ctl_let_go(g->t);
		pthread_testcancel();
		/* The call must complete: no other thread has the turn meanwhile. */
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &g->cancel);
	} else {
		enter_key(g, key);
	}
	g->gives = true;
}

void frt_give(struct frt_give *g, uint64_t key)
{
	int saved = errno;
	uint64_t signals = atomic_load(&notices);

	if (!g->t)
		return;
	frt_give_alone(g, key);
	release(g->t, key);
	for (int sig = 1; signals; sig++, signals >>= 1)
		if (signals & 1)
			release(g->t, (uint64_t)sig);
	if (atomic_load(&watching) || frt_key_is_identity(key))
		release(g->t, frt_key(FRT_KEY_ANON, 0, 0));
	errno = saved;
}

void frt_give_end(struct frt_give *g)
{
	int saved = errno;

	frt_assert((!g->lock && !g->second) || g->t);
	if (g->lock)
		atomic_store_explicit(g->lock, 0, memory_order_release);
	if (g->second)
		atomic_store_explicit(g->second, 0, memory_order_release);
	/* A handler may have forked, and frt_self is then another one. */
	if (g->held && frt_controlled() && frt_self) {
		frt_ctl_settle(NULL);
		if (g->gives)
			pthread_setcancelstate(g->cancel, NULL);
	}
	errno = saved;
}

bool frt_stream_room(struct frt_thread *t, size_t *n)
{
	uint64_t hash;
	int64_t r;

	if (!frt_controlled() || !t || !frt_ctl_recorded(t, FR_INPUT_WRITE, &r, &hash))
		return true;
	if (r == -EAGAIN || r == -EINTR) {
		errno = (int)-r;
		return false;
	}
	if (r > 0 && (uint64_t)r < *n)
		*n = (size_t)r;
	return true;
}

ssize_t frt_stream_took(struct frt_thread *t, ssize_t r, size_t n)
{
	if (t && (r < 0 || (size_t)r < n))
		frt_input_result(t, FR_INPUT_WRITE, r, 0);
	return r;
}

ssize_t frt_stream_write(int fd, const void *from, size_t n)
{
	struct pollfd room = {.fd = fd, .events = POLLOUT};
	struct frt_thread *t = frt_asking();
	size_t all = n;
	ssize_t r = -1, more;

	if (!frt_stream_room(t, &n))
		return frt_stream_took(t, r, all);
	frt_assert(n <= all);
	r = REAL(write)(fd, from, n);
	/* In the recorded run there was room for n bytes. */
	while (t && frt_controlled() && !frt_ctl_free() &&
	       (r < 0 ? errno == EAGAIN : (size_t)r < n) && fcntl(fd, F_GETFL) & O_NONBLOCK &&
	       poll(&room, 1, ROOM_MS) > 0) {
		size_t done = r > 0 ? (size_t)r : 0;

		more = REAL(write)(fd, (const char *)from + done, n - done);
		if (more < 0 && errno != EAGAIN)
			break;
		r = more > 0 ? (ssize_t)done + more : r;
	}
	frt_peer_sent(fd, r);
	return frt_stream_took(t, r, all);
}

/* A signal stays pending, so the signalfd that shows it may not exist yet. */
void frt_stream_signal(struct frt_thread *t)
{
	release(t, frt_key(FRT_KEY_ANON, 0, 0));
}

/* ---- descriptor numbers ---- */

static _Atomic uint32_t numbering;

int frt_stream_number(void)
{
	struct frt_thread *t = frt_asking();

	return t && !frt_controlled() && enter(&numbering, t, PAUSES);
}

void frt_stream_numbered(int from_number)
{
	int saved = errno;

	if (frt_asking())
		frt_take(frt_asking(), FRT_KEY_NONE);
	if (from_number)
		atomic_store_explicit(&numbering, 0, memory_order_release);
	errno = saved;
}

/* ---- calls that get ---- */

/* How long a call on this socket waits: SO_RCVTIMEO. */
static uint64_t receive_limit(int fd)
{
	struct timeval tv = {0};
	socklen_t n = sizeof(tv);
	int saved = errno;
	long r = syscall(SYS_getsockopt, (long)fd, (long)SOL_SOCKET, (long)SO_RCVTIMEO, &tv, &n);

	errno = saved;
	if (r < 0 || (!tv.tv_sec && !tv.tv_usec))
		return FRT_FOREVER;
	return (uint64_t)tv.tv_sec * 1000000000 + (uint64_t)tv.tv_usec * 1000;
}

/* May a read get a part of what one write gave? Not from datagrams, or files of the kernel whose
   records are whole. */
static bool is_stream(int fd)
{
	int type = 0, saved = errno;
	socklen_t n = sizeof(type);
	struct stat st;
	bool is =
	    fstat(fd, &st) == 0 &&
	    (S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode) ||
	     (S_ISSOCK(st.st_mode) &&
	      syscall(SYS_getsockopt, (long)fd, (long)SOL_SOCKET, (long)SO_TYPE, &type, &n) == 0 &&
	      type == SOCK_STREAM));

	errno = saved;
	return is;
}

enum frt_ask frt_stream_ask(struct frt_thread *t, unsigned what, int fd, bool waits, size_t *n)
{
	uint64_t hash;
	int64_t r;

	if (!frt_controlled() || !t)
		return FRT_DO;
	if (frt_ctl_recorded_of(t, what, fd, &r, &hash)) {
		if (r == -EAGAIN || r == -EINTR || r == -ETIMEDOUT) {
			errno = (int)-r;
			return FRT_ANSWERED;
		}
		if (waits || what == FR_INPUT_ACCEPT)
			frt_peer_await(fd, r > 0 && what == FR_INPUT_READ ? (size_t)r : 0);
		if (!n || r <= 0 || (uint64_t)r > *n || !is_stream(fd))
			return FRT_DO;
		*n = (size_t)r;
		return FRT_DO_ALL;
	}
	if (waits && fd >= 0 && !(fcntl(fd, F_GETFL) & O_NONBLOCK)) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		enum frt_await w;

		do
			w = frt_ctl_await(t, &p, 1, receive_limit(fd));
		while (w == FRT_AWAIT_HANDLED);
		if (w == FRT_AWAIT_INTR || w == FRT_AWAIT_EXPIRED) {
			errno = w == FRT_AWAIT_INTR ? EINTR : EAGAIN;
			return FRT_ANSWERED;
		}
	}
	return FRT_DO;
}

ssize_t frt_stream_read(struct frt_thread *t, int fd, void *to, size_t *n)
{
	enum frt_ask ask = frt_stream_ask(t, FR_INPUT_READ, fd, true, n);
	ssize_t r = -1, more;
	struct stat st;

	if (ask != FRT_ANSWERED)
		r = REAL(read)(fd, to, *n);
	if (ask != FRT_DO_ALL || r <= 0 || (size_t)r == *n || fstat(fd, &st) < 0)
		return r;
	/* The writer is still in its call: in the recorded run the rest was there, too. */
	if (S_ISSOCK(st.st_mode)) {
		more = REAL(recv)(fd, (char *)to + r, *n - (size_t)r, MSG_WAITALL);
		return more > 0 ? r + more : r;
	}
	while (S_ISFIFO(st.st_mode) && (size_t)r < *n &&
	       (more = REAL(read)(fd, (char *)to + r, *n - (size_t)r)) > 0)
		r += more;
	return r;
}

uint64_t frt_stream_file(FILE *f)
{
	struct frt_thread *t = frt_asking();
	struct pollfd p = {.fd = f->_fileno, .events = POLLIN};

	if (!frt_controlled() || !t || !frt_peers || f->_IO_read_ptr != f->_IO_read_end)
		return t ? t->hook : 0;
	if (!frt_ctl_free() && frt_ctl_ghost_due(t))
		frt_peer_await(p.fd, 0);
	while (frt_ctl_free() && frt_ctl_await(t, &p, 1, FRT_FOREVER) == FRT_AWAIT_HANDLED)
		;
	return t->hook;
}

void frt_take(struct frt_thread *t, uint64_t key)
{
	int saved = errno;

	frt_sync(t, FR_EV_USER_ACQUIRE, 0, (void *)(uintptr_t)key);
	errno = saved;
}

void frt_take_here(uint64_t key)
{
	struct frt_thread *t = frt_asking();

	if (t)
		frt_take(t, key);
}

void frt_stream_got(struct frt_thread *t, int fd)
{
	if (frt_controlled())
		frt_ctl_timerfd_seen(fd);
	frt_take(t, frt_key_in(fd));
}
