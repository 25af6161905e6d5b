/*
 * Transfers of bytes through descriptors, by all code: records the order that the calls impose, and
 * the data that was read as an input. libc_io.c records their effect on the program's memory, for
 * calls of instrumented code only. read itself is in wrap_read.c.
 */
#include "runtime/core/rt_input.h"
#include "runtime/core/kernel.h"
#include "runtime/core/peer.h"
#include "runtime/core/rt_stream.h"
#include "wrap.h"
#include <string.h>

/* ---- calls that give ---- */

#define GIVE(ret, name, params, args, key) \
	ret frt_wrap_##name params         \
	{                                  \
		struct frt_give g;         \
		ret r;                     \
                                           \
		frt_give_begin(&g);        \
		if (g.t)                   \
			frt_give(&g, key); \
		r = args;                  \
		frt_give_end(&g);          \
		return r;                  \
	}

/* There may be too little room: sends the same amount as in the recorded run. */
static ssize_t sends(int fd, const void *from, size_t n, int flags)
{
	size_t all = n;
	ssize_t r = -1;

	if (frt_stream_room(frt_asking(), &n))
		r = REAL(send)(fd, from, n, flags);
	frt_peer_sent(fd, r);
	return frt_stream_took(frt_asking(), r, all);
}

static ssize_t writes(int fd, const struct iovec *v, int n)
{
	size_t all = 0;
	ssize_t r = -1;

	if (!frt_asking())
		return REAL(writev)(fd, v, n);
	for (int i = 0; i < n; i++)
		all += v[i].iov_len;
	if (frt_stream_room(frt_asking(), &(size_t){all}))
		r = REAL(writev)(fd, v, n);
	frt_peer_sent(fd, r);
	return frt_stream_took(frt_asking(), r, all);
}

static ssize_t sends_to(int fd, const void *from, size_t n, int flags, const struct sockaddr *peer,
			socklen_t len)
{
	ssize_t r;

	frt_peer_sends_to(frt_asking(), fd, peer, len);
	r = REAL(sendto)(fd, from, n, flags, peer, len);
	frt_peer_sent_to(frt_asking(), fd, peer, r);
	return r;
}

GIVE(ssize_t, write, (int fd, const void *from, size_t n), frt_stream_write(fd, from, n),
     frt_key_out(fd, NULL, 0))
GIVE(ssize_t, pwrite, (int fd, const void *from, size_t n, off_t at), REAL(pwrite)(fd, from, n, at),
     frt_key_out(fd, NULL, 0))
GIVE(ssize_t, pwrite64, (int fd, const void *from, size_t n, off64_t at),
     REAL(pwrite64)(fd, from, n, at), frt_key_out(fd, NULL, 0))
GIVE(ssize_t, writev, (int fd, const struct iovec *v, int n), writes(fd, v, n),
     frt_key_out(fd, NULL, 0))
GIVE(ssize_t, send, (int fd, const void *from, size_t n, int flags), sends(fd, from, n, flags),
     frt_key_out(fd, NULL, 0))
GIVE(ssize_t, sendto,
     (int fd, const void *from, size_t n, int flags, const struct sockaddr *peer, socklen_t len),
     sends_to(fd, from, n, flags, peer, len), frt_key_out(fd, peer, len))
GIVE(int, shutdown, (int fd, int how), REAL(shutdown)(fd, how), frt_key_out(fd, NULL, 0))

int frt_wrap_connect(int fd, const struct sockaddr *peer, socklen_t len)
{
	uint64_t key = frt_key_address(peer, len);
	struct frt_give g;
	bool own;
	int r;

	frt_give_begin(&g);
	frt_give(&g, key);
	own = frt_peer_connects(g.t, fd, peer, len);
	r = REAL(connect)(fd, peer, len);
	frt_peer_connected(g.t, fd, peer, len, r, own);
	frt_give_end(&g);
	frt_named_connected(r, peer, len);
	if (frt_asking())
		frt_take(frt_asking(), key);
	if (frt_asking() && r == 0)
		frt_key_connected(fd);
	return r;
}

/* ---- calls that get ---- */

/* r bytes of n came; the length of a truncated datagram exceeds its buffer. */
static ssize_t got_from(int fd, const void *to, size_t n, ssize_t r, int flags, const void *from,
			socklen_t nfrom)
{
	struct frt_thread *t = frt_asking();
	struct iovec piece = {(void *)to, n};

	if (!t)
		return r;
	frt_peer_read(t, fd, r, &piece, 1, flags, from, nfrom);
	if (r > 0 && (size_t)r < n)
		n = (size_t)r;
	frt_input_read(t, fd, r, r > 0 ? fr_hash(0, to, n) : 0);
	frt_stream_got(t, fd);
	return r;
}

static ssize_t got(int fd, const void *to, size_t n, ssize_t r, int flags)
{
	return got_from(fd, to, n, r, flags, NULL, 0);
}

#define PREAD(name, type)                                            \
	ssize_t frt_wrap_##name(int fd, void *to, size_t n, type at) \
	{                                                            \
		struct frt_give g;                                   \
		ssize_t r;                                           \
                                                                     \
		if (!frt_asking())                                   \
			return REAL(name)(fd, to, n, at);            \
		frt_see(&g, frt_key_file(fd));                       \
		r = got(fd, to, n, REAL(name)(fd, to, n, at), 0);    \
		frt_give_end(&g);                                    \
		return r;                                            \
	}

PREAD(pread, off_t)
PREAD(pread64, off64_t)

ssize_t frt_wrap_recv(int fd, void *to, size_t n, int flags)
{
	enum frt_ask ask;
	ssize_t r = -1;

	if (frt_peer_datagrams(fd))
		return frt_wrap_recvfrom(fd, to, n, flags, NULL, NULL);
	ask = frt_stream_ask(frt_asking(), FR_INPUT_READ, fd, !(flags & MSG_DONTWAIT),
			     flags & MSG_WAITALL ? NULL : &n);
	if (ask)
		r = REAL(recv)(fd, to, n,
			       ask == FRT_DO_ALL ? (flags & ~MSG_DONTWAIT) | MSG_WAITALL : flags);
	return got(fd, to, n, r, flags);
}

ssize_t frt_wrap_recvfrom(int fd, void *restrict to, size_t n, int flags,
			  struct sockaddr *restrict peer, socklen_t *restrict len)
{
	struct sockaddr_storage from;
	socklen_t nfrom = sizeof(from), room = peer && len ? *len : 0;
	bool asks = frt_peer_datagrams(fd);
	ssize_t r = -1;

	if (frt_stream_ask(frt_asking(), FR_INPUT_READ, fd, !(flags & MSG_DONTWAIT),
			   flags & MSG_WAITALL ? NULL : &n))
		r = asks ? REAL(recvfrom)(fd, to, n, flags, (struct sockaddr *)&from, &nfrom)
			 : REAL(recvfrom)(fd, to, n, flags, peer, len);
	if (asks && r >= 0 && peer && len) {
		memcpy(peer, &from, nfrom < room ? nfrom : room);
		*len = nfrom;
	}
	return got_from(fd, to, n, r, flags, asks ? &from : NULL, nfrom);
}

ssize_t frt_wrap_readv(int fd, const struct iovec *v, int n)
{
	struct frt_thread *t = frt_asking();
	ssize_t r = frt_stream_ask(t, FR_INPUT_READ, fd, true, NULL) ? REAL(readv)(fd, v, n) : -1;
	size_t left = r > 0 ? (size_t)r : 0;
	uint64_t hash = 0;

	t = frt_asking();
	frt_peer_read(t, fd, r, v, n > 0 ? (size_t)n : 0, 0, NULL, 0);
	for (int i = 0; t && i < n && left; i++) {
		size_t part = v[i].iov_len < left ? v[i].iov_len : left;

		hash = fr_hash(hash, v[i].iov_base, part);
		left -= part;
	}
	if (t) {
		frt_input_read(t, fd, r, hash);
		frt_stream_got(t, fd);
	}
	return r;
}

/* ---- descriptors made and closed ---- */

int frt_wrap_socketpair(int domain, int type, int protocol, int end[2])
{
	int number = frt_stream_number(), r = REAL(socketpair)(domain, type, protocol, end);

	frt_stream_numbered(number);
	if (r == 0 && frt_asking())
		frt_key_pair(end);
	return r;
}

int frt_wrap_pipe(int end[2])
{
	int number = frt_stream_number(), r = REAL(pipe)(end);

	frt_stream_numbered(number);
	return r;
}

int frt_wrap_pipe2(int end[2], int flags)
{
	int number = frt_stream_number(), r = REAL(pipe2)(end, flags);

	frt_stream_numbered(number);
	return r;
}

int frt_wrap_socket(int domain, int type, int protocol)
{
	int number = frt_stream_number(), r = REAL(socket)(domain, type, protocol);

	frt_peer_copied(-1, r);
	frt_stream_numbered(number);
	return r;
}

int frt_wrap_close(int fd)
{
	int number = frt_stream_number(), r;
	struct frt_give g;

	frt_stdio_redirects(fd);
	frt_give_begin(&g);
	if (g.t)
		frt_give(&g, frt_key_out(fd, NULL, 0));
	frt_key_copied(-1, fd);
	r = REAL(close)(fd);
	frt_give_end(&g);
	frt_stream_numbered(number);
	return r;
}
