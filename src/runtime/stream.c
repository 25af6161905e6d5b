/* See stream.h. */
#include "stream.h"
#include "ctl_input.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define NOBODY FR_STREAM
#define PAIRS 4096 /* a power of two */

/* ---- keys ---- */

/* The two ends of socket pairs, by their numbers. What finds no room is nobody's. */
static struct {
	_Atomic uint64_t inode, key;
} pairs[PAIRS];

static uint64_t key_of(uint64_t number)
{
	return NOBODY | fr_hash_mix(0, number) >> 18 | 1;
}

static void remember(uint64_t inode, uint64_t key)
{
	for (uint64_t h = fr_hash_mix(0, inode), i = 0; i < 16; i++) {
		uint64_t was = 0, at = (h + i) % PAIRS;

		if (atomic_compare_exchange_strong(&pairs[at].inode, &was, inode) || was == inode) {
			atomic_store(&pairs[at].key, key);
			return;
		}
	}
}

static uint64_t recall(uint64_t inode)
{
	for (uint64_t h = fr_hash_mix(0, inode), i = 0; i < 16; i++)
		if (atomic_load(&pairs[(h + i) % PAIRS].inode) == inode)
			return atomic_load(&pairs[(h + i) % PAIRS].key);
	return NOBODY;
}

void frt_stream_pair(const int end[2])
{
	int saved = errno;
	struct stat a, b;

	if (fstat(end[0], &a) == 0 && fstat(end[1], &b) == 0) {
		remember(a.st_ino, key_of(a.st_ino));
		remember(b.st_ino, key_of(a.st_ino));
	}
	errno = saved;
}

/* The names of both ends, in either order. */
static uint64_t connection(int fd)
{
	struct sockaddr_storage a, b;
	socklen_t na = sizeof(a), nb = sizeof(b);
	uint64_t names;

	if (getsockname(fd, (struct sockaddr *)&a, &na) < 0 ||
	    getpeername(fd, (struct sockaddr *)&b, &nb) < 0 || na > sizeof(a) || nb > sizeof(b))
		return NOBODY;
	/* Without names any two could be the ends of one. */
	names = fr_hash(0, &a, na) + fr_hash(0, &b, nb);
	return key_of(names);
}

static uint64_t key(int fd)
{
	uint64_t k = NOBODY;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return NOBODY;
	switch (st.st_mode & S_IFMT) {
	case S_IFSOCK:
		k = recall(st.st_ino);
		return k == NOBODY ? connection(fd) : k;
	case S_IFIFO:
		return key_of(st.st_ino);
	case 0: /* event counters and the like: all of them have one number */
		return key_of(st.st_ino);
	default:
		return NOBODY;
	}
}

/* ---- giving ---- */

int frt_stream_give(int fd)
{
	int saved = errno, cancel = PTHREAD_CANCEL_ENABLE;
	struct frt_thread *t = frt_self;

	if (!t)
		return cancel;
	if (frt_controlled()) {
		/* It must come to its end: nobody else has the turn meanwhile. */
		pthread_testcancel();
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
		frt_ctl_hold(t);
	}
	frt_sync(t, FR_EV_USER_RELEASE, 0, (void *)(uintptr_t)key(fd));
	errno = saved;
	return cancel;
}

void frt_stream_given(int from_give)
{
	int saved = errno;

	if (!frt_controlled() || !frt_self)
		return;
	frt_ctl_settle(NULL);
	pthread_setcancelstate(from_give, NULL);
	errno = saved;
}

/* ---- getting ---- */

bool frt_stream_ask(struct frt_thread *t, unsigned what, int fd, size_t *n)
{
	uint64_t hash;
	int64_t r;

	if (!frt_controlled() || !t)
		return true;
	if (frt_ctl_recorded(t, what, &r, &hash)) {
		if (r == -EAGAIN || r == -EINTR) {
			errno = (int)-r;
			return false;
		}
		if (n && r > 0 && (uint64_t)r < *n)
			*n = (size_t)r;
	} else if (fd >= 0 && !(fcntl(fd, F_GETFL) & O_NONBLOCK)) {
		while (frt_ctl_await(t, &(struct pollfd){.fd = fd, .events = POLLIN}, 1, -1))
			; /* as with SA_RESTART */
	}
	return true;
}

void frt_stream_got(struct frt_thread *t, int fd)
{
	int saved = errno;

	frt_sync(t, FR_EV_USER_ACQUIRE, 0, (void *)(uintptr_t)key(fd));
	errno = saved;
}
