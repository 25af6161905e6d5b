/*
 * Computes the keys of kernel.h.
 *
 * Cost: one fstat for each call, and for sockets up to three more calls.
 * Not handled: a connection that passes through another process, a forwarded port, two mounts that
 * show one file under different device numbers.
 */
#include "kernel.h"
#include "peer.h"
#include "real.h"
#include "rt_assert.h"
#include <errno.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#define PAIRS 4096 /* a power of two */
#define NUMBERS 4096
#define PROBES 16
#define PTMX_MAJOR 5
#define PTMX_MINOR 2
#define PTS_MAJOR 136
#define PTS_MAJORS 8

_Static_assert(!(PAIRS & (PAIRS - 1)) && PROBES <= PAIRS, "a search wraps around");
_Static_assert(FRT_KEY_NONE >> 46 == 2, "above the 44 bits of the hash and two more");

uint64_t frt_key(enum frt_key_kind kind, uint64_t a, uint64_t b)
{
	uint64_t h = fr_hash_mix(fr_hash_mix(fr_hash_mix(0, kind + 1), a), b) >> 20 << 2;
	bool quick = kind == FRT_KEY_REGULAR || kind == FRT_KEY_NAME || kind == FRT_KEY_REMOVED ||
		     kind == FRT_KEY_IPC || kind == FRT_KEY_LOADER;

	frt_assert(kind >= FRT_KEY_FILE && kind <= FRT_KEY_LOADER);
	return FRT_KEY_NONE | h | (quick ? 2 : 0) | 1;
}

uint64_t frt_key_inode(unsigned mode, uint64_t inode, uint64_t device)
{
	return frt_key(S_ISREG(mode) ? FRT_KEY_REGULAR : FRT_KEY_FILE, inode, device);
}

/* ---- eventfds and timerfds whose creation was seen ---- */

/*
 * All anonymous descriptors have one inode, so identities come from the calls that make them. A
 * descriptor without an identity may be another number of one that has one (dup, SCM_RIGHTS). So
 * every release of a descriptor with an identity also releases the common key, which descriptors
 * without identity acquire. Once one without an identity has released, all of them acquire the
 * common key.
 */
static _Atomic uint32_t identity[NUMBERS]; /* by descriptor; 0: none */
static _Atomic uint32_t identities;
static _Atomic bool mixed;

void frt_key_made(int fd)
{
	if (fd >= 0 && fd < NUMBERS)
		atomic_store(&identity[fd], atomic_fetch_add(&identities, 1) + 1);
}

void frt_key_copied(int from, int to)
{
	uint32_t id = from >= 0 && from < NUMBERS ? atomic_load(&identity[from]) : 0;

	if (to >= 0 && to < NUMBERS)
		atomic_store(&identity[to], id);
	frt_peer_copied(from, to);
}

/* The lowest bit separates keys with an identity from all others. */
static uint64_t anonymous_key(int fd, bool in)
{
	uint32_t id = fd < NUMBERS ? atomic_load(&identity[fd]) : 0;

	if (!in && !id)
		atomic_store(&mixed, true);
	if (!id || (in && atomic_load(&mixed)))
		return frt_key(FRT_KEY_ANON, 0, 0);
	frt_assert(id <= atomic_load(&identities));
	return frt_key(FRT_KEY_ANON, id, 0) & ~UINT64_C(1);
}

/* ---- connections whose start was seen ---- */

/* Keyed by the socket's inode. An end for which there is no room is known by its address alone. */
static struct {
	_Atomic uint64_t inode, key;
	_Atomic bool pair; /* socketpair made it: its peer was here, too */
} ends[PAIRS];

static void remember(uint64_t inode, uint64_t key, bool pair)
{
	frt_assert(key > FRT_KEY_NONE);
	for (uint64_t h = fr_hash_mix(0, inode), i = 0; i < PROBES; i++) {
		uint64_t was = 0, at = (h + i) % PAIRS;

		if (atomic_compare_exchange_strong(&ends[at].inode, &was, inode) || was == inode) {
			atomic_store(&ends[at].pair, pair);
			atomic_store(&ends[at].key, key);
			return;
		}
	}
}

static uint64_t recall(uint64_t inode)
{
	for (uint64_t h = fr_hash_mix(0, inode), i = 0; i < PROBES; i++)
		if (atomic_load(&ends[(h + i) % PAIRS].inode) == inode)
			return atomic_load(&ends[(h + i) % PAIRS].key);
	return 0;
}

bool frt_key_is_pair(uint64_t inode)
{
	for (uint64_t h = fr_hash_mix(0, inode), i = 0; i < PROBES; i++)
		if (atomic_load(&ends[(h + i) % PAIRS].inode) == inode)
			return atomic_load(&ends[(h + i) % PAIRS].pair);
	return false;
}

void frt_key_pair(const int end[2])
{
	int saved = errno;
	struct stat a, b;

	if (fstat(end[0], &a) == 0 && fstat(end[1], &b) == 0) {
		remember(a.st_ino, frt_key(FRT_KEY_PAIR, a.st_ino, 0), true);
		remember(b.st_ino, frt_key(FRT_KEY_PAIR, a.st_ino, 0), true);
	}
	errno = saved;
}

/* ---- addresses ---- */

uint64_t frt_key_name(const char *path)
{
	size_t end, from;

	if (!path)
		return FRT_KEY_NONE;
	for (end = 0; path[end]; end++)
		;
	while (end > 1 && path[end - 1] == '/')
		end--;
	for (from = end; from && path[from - 1] != '/'; from--)
		;
	return frt_key(FRT_KEY_NAME, fr_hash(0, path + from, end - from), 0);
}

uint64_t frt_key_address(const void *address, socklen_t n)
{
	const struct sockaddr *a = address;

	if (!a || n < sizeof(a->sa_family))
		return FRT_KEY_NONE;
	if (a->sa_family == AF_INET && n >= sizeof(struct sockaddr_in))
		return frt_key(FRT_KEY_PORT, ((const struct sockaddr_in *)address)->sin_port, 0);
	if (a->sa_family == AF_INET6 && n >= __builtin_offsetof(struct sockaddr_in6, sin6_scope_id))
		return frt_key(FRT_KEY_PORT, ((const struct sockaddr_in6 *)address)->sin6_port, 0);
	if (a->sa_family == AF_UNIX) {
		const struct sockaddr_un *u = address;
		size_t room = n - __builtin_offsetof(struct sockaddr_un, sun_path);
		char path[sizeof(u->sun_path) + 1] = "";

		if (n <= __builtin_offsetof(struct sockaddr_un, sun_path))
			return frt_key(FRT_KEY_NAME, 0, 0); /* without a name */
		if (room > sizeof(u->sun_path))
			room = sizeof(u->sun_path);
		if (!u->sun_path[0]) /* abstract */
			return frt_key(FRT_KEY_NAME, fr_hash(0, u->sun_path, room), 1);
		for (size_t i = 0; i < room; i++)
			path[i] = u->sun_path[i];
		return frt_key_name(path);
	}
	return frt_key(FRT_KEY_FAMILY, a->sa_family, 0);
}

static uint64_t local(int fd)
{
	struct sockaddr_storage a;
	socklen_t n = sizeof(a);

	return getsockname(fd, (struct sockaddr *)&a, &n) < 0 || n > sizeof(a)
		   ? FRT_KEY_NONE
		   : frt_key_address(&a, n);
}

static uint64_t peer(int fd)
{
	struct sockaddr_storage a;
	socklen_t n = sizeof(a);

	return getpeername(fd, (struct sockaddr *)&a, &n) < 0 || n > sizeof(a)
		   ? FRT_KEY_NONE
		   : frt_key_address(&a, n);
}

uint64_t frt_key_bound(int fd)
{
	int saved = errno;
	uint64_t k = local(fd);

	errno = saved;
	return k;
}

/* The key of the names of both ends, in either order. Ends without a name share one key. A socket
   without a peer may be one that others connect to. */
static uint64_t connection(int fd)
{
	uint64_t a = local(fd), b = peer(fd);

	return a == FRT_KEY_NONE || b == FRT_KEY_NONE ? a : frt_key(FRT_KEY_PAIR, a + b, 1);
}

/* Is the other end of this Unix socket in another process? Such ends have no names that could tell
   them apart. */
static bool is_foreign(int fd)
{
	struct ucred c = {0};
	socklen_t n = sizeof(c);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &c, &n) == 0 && c.pid > 0 &&
	       c.pid != getpid();
}

void frt_key_connected(int fd)
{
	int saved = errno, type = 0;
	socklen_t n = sizeof(type);
	struct stat st;
	uint64_t k;

	if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &n) == 0 && type != SOCK_DGRAM &&
	    peer(fd) != FRT_KEY_NONE && fstat(fd, &st) == 0 && (k = connection(fd)) != FRT_KEY_NONE)
		remember(st.st_ino, is_foreign(fd) ? frt_key(FRT_KEY_PAIR, st.st_ino, 2) : k,
			 false);
	errno = saved;
}

/* ---- descriptors ---- */

static uint64_t socket_key(int fd, uint64_t inode, bool in, const void *to, socklen_t len)
{
	uint64_t k = recall(inode);
	int type = 0;
	socklen_t n = sizeof(type);

	if (k)
		return k;
	if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &n) < 0)
		return FRT_KEY_NONE;
	if (type == SOCK_STREAM || type == SOCK_SEQPACKET)
		return connection(fd);
	/* A datagram goes from any socket to the one that has the address. */
	return in ? local(fd) : to ? frt_key_address(to, len) : peer(fd);
}

static uint64_t terminal_key(int fd, const struct stat *st)
{
	unsigned n;

	if (major(st->st_rdev) >= PTS_MAJOR && major(st->st_rdev) < PTS_MAJOR + PTS_MAJORS)
		return frt_key(FRT_KEY_PTY,
			       (major(st->st_rdev) - PTS_MAJOR) * 256 + minor(st->st_rdev), 0);
	if (major(st->st_rdev) == PTMX_MAJOR && minor(st->st_rdev) == PTMX_MINOR &&
	    syscall(SYS_ioctl, fd, TIOCGPTN, &n) == 0)
		return frt_key(FRT_KEY_PTY, n, 0);
	return FRT_KEY_NONE;
}

static uint64_t key(int fd, bool in, const void *to, socklen_t len)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return FRT_KEY_NONE;
	switch (st.st_mode & S_IFMT) {
	case S_IFSOCK:
		return socket_key(fd, st.st_ino, in, to, len);
	case S_IFIFO:
	case S_IFREG:
	case S_IFDIR:
		return frt_key_inode(st.st_mode, st.st_ino, st.st_dev);
	case S_IFCHR:
		return terminal_key(fd, &st);
	case 0: /* eventfds and the like */
		return anonymous_key(fd, in);
	default:
		return FRT_KEY_NONE;
	}
}

uint64_t frt_key_in(int fd)
{
	int saved = errno;
	uint64_t k = key(fd, true, NULL, 0);

	errno = saved;
	return k;
}

uint64_t frt_key_file(int fd)
{
	int saved = errno;
	struct stat st;
	bool is = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);

	errno = saved;
	return is ? frt_key_inode(st.st_mode, st.st_ino, st.st_dev) : FRT_KEY_NONE;
}

uint64_t frt_key_out(int fd, const void *to, socklen_t n)
{
	int saved = errno;
	uint64_t k = key(fd, false, to, n);

	errno = saved;
	return k;
}

uint64_t frt_key_path(int dir, const char *path)
{
	int saved = errno;
	struct stat st;
	uint64_t k = FRT_KEY_NONE;

	if (path && REAL(fstatat)(dir, path, &st, 0) == 0)
		k = frt_key_inode(st.st_mode, st.st_ino, st.st_dev);
	errno = saved;
	return k;
}
