/*
 * Calls on descriptors, beside those of wrap_io.c, that give, get or observe something: messages,
 * copies inside the kernel, message queues, counters, timers, locks on open files. libc_kernel.c
 * records their effect on the program's memory, for calls of instrumented code only.
 *
 * Decided:   locks of the process (fcntl F_SETLK, lockf) impose no order, because the kernel grants
 *            them to all threads of the process at once. Locks of an open file (flock, F_OFD_SETLK)
 *            do.
 * Coarse:    two threads that use one open file for flock do not exclude each other, and are
 *            ordered all the same. bind, listen and connect are ordered by port, whatever the
 *            address.
 */
#include "runtime/control/ctl_timer.h"
#include "runtime/control/ctl_input.h"
#include "runtime/core/rt_input.h"
#include "runtime/core/kernel.h"
#include "runtime/core/peer.h"
#include "runtime/core/rt_stream.h"
#include "wrap.h"
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/file.h>

/* A call that gives to one key. */
#define GIVE(key, call)                         \
	({                                      \
		struct frt_give g;              \
		__auto_type r = 0 ? (call) : 0; \
                                                \
		frt_give_begin(&g);             \
		frt_give(&g, key);              \
		r = (call);                     \
		frt_give_end(&g);               \
		r;                              \
	})

/* ---- messages ---- */

static size_t length(const struct msghdr *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->msg_iovlen; i++)
		n += m->msg_iov[i].iov_len;
	return n;
}

/* Hash of the first n bytes of a message. */
static uint64_t content(uint64_t hash, const struct msghdr *m, size_t n)
{
	for (size_t i = 0; n && i < m->msg_iovlen; i++) {
		size_t part = m->msg_iov[i].iov_len < n ? m->msg_iov[i].iov_len : n;

		hash = fr_hash(hash, m->msg_iov[i].iov_base, part);
		n -= part;
	}
	return hash;
}

ssize_t frt_wrap_sendmsg(int fd, const struct msghdr *m, int flags)
{
	struct frt_give g;
	size_t all;
	ssize_t r = -1;

	frt_give_begin(&g);
	if (!g.t)
		return REAL(sendmsg)(fd, m, flags);
	all = length(m);
	frt_peer_sends_to(g.t, fd, m->msg_name, m->msg_namelen);
	frt_give(&g, frt_key_out(fd, m->msg_name, m->msg_namelen));
	if (frt_stream_room(g.t, &(size_t){all}))
		r = REAL(sendmsg)(fd, m, flags);
	frt_peer_sent_to(g.t, fd, m->msg_name, r);
	frt_stream_took(frt_asking(), r, all);
	frt_give_end(&g);
	return r;
}

int frt_wrap_sendmmsg(int fd, struct mmsghdr *m, unsigned n, int flags)
{
	struct frt_give g;
	int r;

	frt_give_begin(&g);
	for (unsigned i = 0; g.t && i < n; i++)
		frt_give(&g, frt_key_out(fd, m[i].msg_hdr.msg_name, m[i].msg_hdr.msg_namelen));
	r = REAL(sendmmsg)(fd, m, n, flags);
	frt_give_end(&g);
	return r;
}

ssize_t frt_wrap_recvmsg(int fd, struct msghdr *m, int flags)
{
	struct frt_thread *t = frt_asking();
	ssize_t r = -1;

	if (frt_stream_ask(t, FR_INPUT_READ, fd, !(flags & MSG_DONTWAIT), NULL))
		r = REAL(recvmsg)(fd, m, flags);
	t = frt_asking();
	if (t) {
		frt_peer_read(t, fd, r, m->msg_iov, m->msg_iovlen, flags, m->msg_name,
			      m->msg_namelen);
		frt_input_read(t, fd, r, r > 0 ? content(0, m, (size_t)r) : 0);
		frt_stream_got(t, fd);
	}
	return r;
}

int frt_wrap_recvmmsg(int fd, struct mmsghdr *m, unsigned n, int flags, struct timespec *timeout)
{
	struct frt_thread *t = frt_asking();
	uint64_t hash = 0;
	int r = -1;

	if (frt_stream_ask(t, FR_INPUT_READ, fd, !(flags & MSG_DONTWAIT) && !timeout, NULL))
		r = REAL(recvmmsg)(fd, m, n, flags, timeout);
	t = frt_asking();
	if (!t)
		return r;
	if (r > 0)
		frt_peer_missed(fd);
	for (int i = 0; i < r; i++)
		hash = content(hash, &m[i].msg_hdr, m[i].msg_len);
	frt_input_read(t, fd, r, hash);
	frt_stream_got(t, fd);
	return r;
}

/* ---- pieces at an offset of a file ---- */

#define PWRITEV(name, params, args)                                     \
	ssize_t frt_wrap_##name params                                  \
	{                                                               \
		return GIVE(frt_key_out(fd, NULL, 0), REAL(name) args); \
	}
#define PREADV(name, params, args)                                                         \
	ssize_t frt_wrap_##name params                                                     \
	{                                                                                  \
		struct msghdr m = {.msg_iov = (struct iovec *)v, .msg_iovlen = (size_t)n}; \
		struct frt_give g;                                                         \
		ssize_t r;                                                                 \
                                                                                           \
		frt_see(&g, frt_key_file(fd));                                             \
		r = REAL(name) args;                                                       \
		if (frt_asking()) {                                                        \
			frt_input_read(frt_asking(), fd, r,                                \
				       r > 0 ? content(0, &m, (size_t)r) : 0);             \
			frt_stream_got(frt_asking(), fd);                                  \
		}                                                                          \
		frt_give_end(&g);                                                          \
		return r;                                                                  \
	}

PWRITEV(pwritev, (int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at))
PWRITEV(pwritev64, (int fd, const struct iovec *v, int n, off64_t at), (fd, v, n, at))
PWRITEV(pwritev2, (int fd, const struct iovec *v, int n, off_t at, int flags),
	(fd, v, n, at, flags))
PREADV(preadv, (int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at))
PREADV(preadv64, (int fd, const struct iovec *v, int n, off64_t at), (fd, v, n, at))
PREADV(preadv2, (int fd, const struct iovec *v, int n, off_t at, int flags), (fd, v, n, at, flags))

/* ---- from one descriptor to another ---- */

#define COPY(name, params, args)                                              \
	ssize_t frt_wrap_##name params                                        \
	{                                                                     \
		ssize_t r = GIVE(frt_key_out(out, NULL, 0), REAL(name) args); \
                                                                              \
		frt_peer_sent(out, r);                                        \
		if (r > 0)                                                    \
			frt_peer_missed(in);                                  \
		frt_take_here(frt_key_in(in));                                \
		return r;                                                     \
	}

COPY(splice, (int in, off64_t *from, int out, off64_t *to, size_t n, unsigned flags),
     (in, from, out, to, n, flags))
COPY(tee, (int in, int out, size_t n, unsigned flags), (in, out, n, flags))
COPY(sendfile, (int out, int in, off_t *from, size_t n), (out, in, from, n))
COPY(sendfile64, (int out, int in, off64_t *from, size_t n), (out, in, from, n))
COPY(copy_file_range, (int in, off64_t *from, int out, off64_t *to, size_t n, unsigned flags),
     (in, from, out, to, n, flags))

ssize_t frt_wrap_vmsplice(int fd, const struct iovec *v, size_t n, unsigned flags)
{
	ssize_t r = GIVE(frt_key_out(fd, NULL, 0), REAL(vmsplice)(fd, v, n, flags));

	frt_take_here(frt_key_in(fd));
	return r;
}

/* ---- message queues ---- */

/* A message needs room. The first messages find it; later ones get it from the threads that
   receive, so a queue of one message is a lock. Messages are counted by key. Queues that share a
   counter are ordered a little earlier than necessary. */
#define COUNTERS 64

static uint32_t sent[COUNTERS];

static uint64_t room(uint64_t key)
{
	return frt_key(FRT_KEY_MSG, key, 1);
}

static void sends(struct frt_give *g, mqd_t q)
{
	frt_give_begin(g);
	if (!g->t)
		return;
	g->waits = true; /* for room */
	frt_give(g, frt_key_out(q, NULL, 0));
}

static int has_sent(struct frt_give *g, mqd_t q, int r)
{
	struct frt_thread *t = frt_asking();
	struct mq_attr attr = {0};
	int saved = errno;

	if (t) {
		uint64_t k = frt_key_in(q);
		uint32_t n = __atomic_fetch_add(&sent[k / 4 % COUNTERS], r == 0, __ATOMIC_RELAXED);

		REAL(mq_getattr)(q, &attr);
		frt_take(t, n >= (uint64_t)attr.mq_maxmsg ? room(k) : FRT_KEY_NONE);
	}
	frt_give_end(g);
	errno = saved;
	return r;
}

int frt_wrap_mq_send(mqd_t q, const char *from, size_t n, unsigned priority)
{
	struct frt_give g;

	sends(&g, q);
	return has_sent(&g, q, REAL(mq_send)(q, from, n, priority));
}

int frt_wrap_mq_timedsend(mqd_t q, const char *from, size_t n, unsigned priority,
			  const struct timespec *until)
{
	struct frt_give g;

	sends(&g, q);
	return has_sent(&g, q, REAL(mq_timedsend)(q, from, n, priority, until));
}

/* Receiving makes room, if there is a message. */
static void receives(mqd_t q)
{
	struct frt_thread *t = frt_asking();

	if (t)
		frt_sync(t, FR_EV_USER_RELEASE, 0, (void *)(uintptr_t)room(frt_key_in(q)));
}

static ssize_t received(mqd_t q, const char *to, ssize_t r)
{
	struct frt_thread *t = frt_asking();

	if (t) {
		frt_input_read(t, q, r, r > 0 ? fr_hash(0, to, (size_t)r) : 0);
		frt_stream_got(t, q);
	}
	return r;
}

ssize_t frt_wrap_mq_receive(mqd_t q, char *to, size_t n, unsigned *priority)
{
	ssize_t r = -1;

	receives(q);
	if (frt_stream_ask(frt_asking(), FR_INPUT_READ, q, true, NULL))
		r = REAL(mq_receive)(q, to, n, priority);
	return received(q, to, r);
}

ssize_t frt_wrap_mq_timedreceive(mqd_t q, char *to, size_t n, unsigned *priority,
				 const struct timespec *until)
{
	ssize_t r = -1;

	receives(q);
	if (frt_stream_ask(frt_asking(), FR_INPUT_READ, q, false, NULL))
		r = REAL(mq_timedreceive)(q, to, n, priority, until);
	return received(q, to, r);
}

/* The number of messages shows what other threads did. */
int frt_wrap_mq_getattr(mqd_t q, struct mq_attr *attr)
{
	int r = REAL(mq_getattr)(q, attr);

	frt_take_here(frt_key_in(q));
	return r;
}

/* A message may now send a signal. Threads that libc makes are not recorded. */
int frt_wrap_mq_notify(mqd_t q, const struct sigevent *event)
{
	if (event && event->sigev_notify == SIGEV_THREAD)
		frt_unmodelled("mq_notify");
	if (event && event->sigev_notify == SIGEV_SIGNAL)
		frt_stream_notice(event->sigev_signo);
	return GIVE(frt_key_out(q, NULL, 0), REAL(mq_notify)(q, event));
}

int frt_wrap_mq_close(mqd_t q)
{
	return GIVE(frt_key_out(q, NULL, 0), REAL(mq_close)(q));
}

/* ---- counters, timers, watches ---- */

int frt_wrap_eventfd(unsigned value, int flags)
{
	int number = frt_stream_number(), r = REAL(eventfd)(value, flags);

	frt_key_made(r);
	frt_stream_numbered(number);
	return r;
}

int frt_wrap_eventfd_write(int fd, eventfd_t value)
{
	return GIVE(frt_key_out(fd, NULL, 0), REAL(eventfd_write)(fd, value));
}

int frt_wrap_eventfd_read(int fd, eventfd_t *value)
{
	struct frt_thread *t = frt_asking();
	int r = -1;

	if (frt_stream_ask(t, FR_INPUT_READ, fd, true, NULL))
		r = REAL(eventfd_read)(fd, value);
	t = frt_asking();
	if (t) {
		frt_input_read(t, fd, r, r < 0 ? 0 : *value);
		frt_stream_got(t, fd);
	}
	return r;
}

int frt_wrap_timerfd_settime(int fd, int flags, const struct itimerspec *to, struct itimerspec *was)
{
	return GIVE(frt_key_out(fd, NULL, 0), frt_timerfd_set(fd, flags, to, was));
}

int frt_wrap_timerfd_gettime(int fd, struct itimerspec *now)
{
	int r = frt_timerfd_get(fd, now);

	frt_take_here(frt_key_in(fd));
	return r;
}

#define WATCH(name, params, args)               \
	int frt_wrap_##name params              \
	{                                       \
		int n = frt_stream_number(), r; \
                                                \
		frt_stream_watch();             \
		r = REAL(name) args;            \
		frt_stream_numbered(n);         \
		return r;                       \
	}

WATCH(inotify_init, (void), ())
WATCH(inotify_init1, (int flags), (flags))

/* ---- locks of open files, and other commands of fcntl ---- */

int frt_wrap_flock(int fd, int how)
{
	uint64_t k = frt_key_in(fd);
	struct frt_thread *t;
	struct frt_give g;
	int r = -1;

	frt_give_begin(&g);
	g.waits = !(how & (LOCK_NB | LOCK_UN));
	frt_give(&g, how & LOCK_SH ? FRT_KEY_NONE : k);
	if (frt_stream_ask(g.t, FR_INPUT_READY, -1, false, NULL))
		r = REAL(flock)(fd, how);
	t = frt_asking();
	if (t) {
		frt_input_result(t, FR_INPUT_READY, r, 0);
		frt_take(t, how & LOCK_UN ? FRT_KEY_NONE : k);
	}
	frt_give_end(&g);
	return r;
}

static int ofd_lock(int fd, int command, struct flock *lock)
{
	uint64_t k = frt_key_in(fd);
	bool shared = lock && lock->l_type == F_RDLCK, unlock = lock && lock->l_type == F_UNLCK;
	struct frt_thread *t;
	struct frt_give g;
	int r = -1;

	frt_give_begin(&g);
	g.waits = command == F_OFD_SETLKW && !unlock;
	frt_give(&g, shared || command == F_OFD_GETLK ? FRT_KEY_NONE : k);
	if (frt_stream_ask(g.t, FR_INPUT_READY, -1, false, NULL))
		r = REAL(fcntl)(fd, command, lock);
	t = frt_asking();
	if (t) {
		frt_input_result(t, FR_INPUT_READY, r, 0);
		frt_take(t, unlock && command != F_OFD_GETLK ? FRT_KEY_NONE : k);
	}
	frt_give_end(&g);
	return r;
}

static int control(int fd, int command, void *arg)
{
	switch (command) {
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
	case F_OFD_GETLK:
		return ofd_lock(fd, command, arg);
	case F_SETFL:
		if ((uintptr_t)arg & O_ASYNC)
			frt_stream_notice(SIGIO);
		break;
	case F_SETSIG:
		frt_stream_notice((int)(uintptr_t)arg);
		break;
	default:
		break;
	}
	return REAL(fcntl)(fd, command, arg);
}

int frt_wrap_fcntl(int fd, int command, ...)
{
	void *arg;
	va_list ap;

	va_start(ap, command);
	arg = va_arg(ap, void *);
	va_end(ap);
	return control(fd, command, arg);
}

__attribute__((alias("frt_wrap_fcntl"))) int frt_wrap_fcntl64(int fd, int command, ...);

/* The program learns the number of unread bytes: the same as in the recorded run. */
static void waiting(int fd, int *n)
{
	struct frt_thread *t = frt_asking();
	int64_t was = *n;
	uint64_t hash;

	if (!t)
		return;
	if (frt_controlled() && frt_ctl_recorded(t, FR_INPUT_READY, &was, &hash) && was >= 0)
		*n = (int)was;
	frt_input_result(t, FR_INPUT_READY, *n, 0);
	frt_take(t, frt_key_in(fd));
}

int frt_wrap_ioctl(int fd, unsigned long request, ...)
{
	void *arg;
	va_list ap;
	int r;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	r = REAL(ioctl)(fd, request, arg);
	if (request == FIONREAD && r == 0)
		waiting(fd, arg);
	return r;
}

/* ---- sockets that other sockets connect to ---- */

int frt_wrap_bind(int fd, const struct sockaddr *address, socklen_t n)
{
	uint64_t k = frt_key_address(address, n);
	const struct sockaddr *to = address;
	struct sockaddr_storage room;
	socklen_t size = n;
	int r;

	frt_named_binds(address, n);
	frt_peer_binds(frt_asking(), fd, &to, &size, &room);
	r = GIVE(k, REAL(bind)(fd, to, size));
	frt_peer_bound(frt_asking(), fd, address, n, r);

	frt_named_bound(r, address, n);
	frt_take_here(k); /* the address may be in use */
	return r;
}

int frt_wrap_listen(int fd, int backlog)
{
	int r = GIVE(frt_key_bound(fd), REAL(listen)(fd, backlog));

	frt_peer_listens(frt_asking(), fd, r);
	return r;
}
