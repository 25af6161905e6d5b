/*
 * Keeps what comes from outside: see peer.h. The records go straight to the mapped file, because
 * they are large and rare; the trace has the length and the hash of each read.
 */
#include "peer.h"
#include "runtime/control/ctl_ghost.h"
#include "runtime/control/ctl_input.h"
#include "real.h"
#include "rt_assert.h"
#include "rt_input.h"
#include "rt_pool.h"
#include "socket_name.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define FRT_PEERS_AT ((void *)UINT64_C(0x230000000000))
#define FDS 16384
#define PORTS 65536
#define PATIENCE_MS 200
_Static_assert(PORTS == UINT16_MAX + 1, "a bit for each port");

bool frt_peers;

static struct fr_peers_header *file; /* NULL: nothing is recorded */

static _Atomic uint32_t peer_of[FDS]; /* 1 + number; 0: none */
static _Atomic uint32_t numbers;
static struct {
	_Atomic uint64_t sent;
	_Atomic uint16_t flags; /* FR_PEER_* */
	uint16_t port;		/* FR_PEER_UNSURE: the port at the other end */
	uint8_t type;
	int fd;	      /* the last one */
	uint64_t key; /* of the address of a socket for datagrams, or of a FIFO */
} states[FR_PEERS_MOST];
#define LISTENS 0x4000

/* Ports of this program: on which it listens, and from which it connects to itself. */
static _Atomic uint64_t listening[PORTS / 64], connected[PORTS / 64], datagrams[PORTS / 64];
static _Atomic uint32_t connecting; /* threads that connect to the program itself */

/* Hashes of addresses to which the program itself sends datagrams, and of FIFOs that it writes. */
#define NAMES 4096 /* a power of two */
static _Atomic uint64_t own_names[NAMES];
_Static_assert(!(NAMES & (NAMES - 1)), "a power of two");
_Static_assert(FR_PEERS_LIMIT <= UINT32_MAX, "the size of a record is a word of 32 bits");

static void add_name(uint64_t hash)
{
	for (uint64_t i = 0; hash && i < NAMES; i++) {
		uint64_t was = 0, at = (hash + i) % NAMES;

		if (atomic_compare_exchange_strong(&own_names[at], &was, hash) || was == hash)
			return;
	}
}

static bool has_name(uint64_t hash)
{
	for (uint64_t i = 0; hash && i < NAMES; i++) {
		uint64_t was = atomic_load(&own_names[(hash + i) % NAMES]);

		if (!was || was == hash)
			return was;
	}
	return false;
}

static bool has_port(const _Atomic uint64_t *set, uint16_t port)
{
	return atomic_load(&set[port / 64]) >> port % 64 & 1;
}

static void add_port(_Atomic uint64_t *set, uint16_t port)
{
	atomic_fetch_or(&set[port / 64], UINT64_C(1) << port % 64);
}

static void drop_port(_Atomic uint64_t *set, uint16_t port)
{
	atomic_fetch_and(&set[port / 64], ~(UINT64_C(1) << port % 64));
}

bool frt_peers_attach(const char *path)
{
	int fd = frt_open_shared(path);
	struct fr_peers_header *h;

	frt_assert(!file && !frt_peers);
	if (fd < 0)
		return false;
	h = mmap(FRT_PEERS_AT, FR_PEERS_LIMIT, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
		 fd, 0);
	close(fd);
	if (h == MAP_FAILED)
		return false;
	if (h->magic != FR_PEERS_MAGIC || h->version != FR_PEERS_VERSION ||
	    h->limit > FR_PEERS_LIMIT) {
		munmap(h, FR_PEERS_LIMIT);
		return false;
	}
	file = h;
	frt_peers = true;
	return true;
}

void frt_peers_off(void)
{
	if (file)
		munmap(file, FR_PEERS_LIMIT);
	file = NULL;
	frt_peers = false;
}

/* ---- records ---- */

static void put_address(struct fr_peer_address *to, const struct frt_socket_name *n)
{
	_Static_assert(sizeof(to->bytes) <= UINT16_MAX, "its length in `len`");
	to->len = (uint16_t)(n->len <= sizeof(to->bytes) ? n->len : 0);
	memcpy(to->bytes, &n->all, to->len);
}

/* Waits until the recorder has backed the file up to `end`. False: it cannot. */
static bool reserved(uint64_t end)
{
	const struct timespec patience = {.tv_nsec = PATIENCE_MS * 1000 * 1000};

	while (atomic_load(&file->reserved) < end) {
		uint32_t seen = atomic_load(&file->grown);

		if (atomic_load(&file->full) || end > file->limit)
			return false;
		atomic_fetch_add(&frt_pool->full_wake, 1);
		syscall(SYS_futex, &frt_pool->full_wake, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
		if (atomic_load(&file->reserved) < end &&
		    syscall(SYS_futex, &file->grown, FUTEX_WAIT, seen, &patience, NULL, 0) < 0 &&
		    errno == ETIMEDOUT && frt_recorder_gone())
			return false;
	}
	return true;
}

static void lose(void)
{
	if (!file)
		return;
	atomic_fetch_add(&file->lost, 1);
	frt_count(FR_RTC_lost_peers, 1);
}

/* Reserves a record with n bytes of data; NULL: there is no room. The caller calls publish. */
static struct fr_peer_record *record(struct frt_thread *t, unsigned what, uint32_t peer, size_t n,
				     uint64_t *ret_size)
{
	uint64_t size = (sizeof(struct fr_peer_record) + n + 7) & ~UINT64_C(7), at;
	struct fr_peer_record *r;

	frt_assert(peer == FR_PEER_NONE || peer < FR_PEERS_MOST);
	if (!file)
		return NULL;
	if (size > file->limit) {
		lose();
		return NULL;
	}
	at = atomic_fetch_add(&file->used, size);
	if (!reserved(at + size)) {
		lose();
		return NULL;
	}
	r = (struct fr_peer_record *)((char *)file + at);
	frt_assert(at % 8 == 0 && !atomic_load(&r->size)); /* not published: the file grew here */
	r->what = (uint8_t)what;
	r->peer = peer;
	if (what == FR_PEER_LISTEN)
		atomic_fetch_add(&file->listeners, 1);
	else if (what == FR_PEER_ACCEPT || what == FR_PEER_CONNECT || what == FR_PEER_READ)
		atomic_fetch_add(&file->steps, 1);
	r->thread = t->id;
	r->hook = t->hook;
	if (peer != FR_PEER_NONE) {
		r->type = states[peer].type;
		r->flags = (uint16_t)(atomic_load(&states[peer].flags) & ~LISTENS);
		r->sent = atomic_load(&states[peer].sent);
	}
	*ret_size = size;
	return r;
}

static void publish(struct fr_peer_record *r, uint64_t size)
{
	frt_assert(size >= sizeof(*r) && size <= FR_PEERS_LIMIT);
	atomic_store_explicit(&r->size, (uint32_t)size, memory_order_release);
}

static void put_at(struct frt_thread *t, uint64_t hook, unsigned what, uint32_t peer,
		   int64_t result)
{
	uint64_t size;
	struct fr_peer_record *r = record(t, what, peer, 0, &size);

	if (!r)
		return;
	r->hook = hook;
	r->result = result;
	publish(r, size);
}

static void put(struct frt_thread *t, unsigned what, uint32_t peer, int64_t result)
{
	put_at(t, t->hook, what, peer, result);
}

static void put_names_at(struct frt_thread *t, uint64_t hook, unsigned what, uint32_t peer,
			 int64_t result, const struct frt_socket_name *local,
			 const struct frt_socket_name *remote)
{
	uint64_t size;
	struct fr_peer_record *r = record(t, what, peer, sizeof(struct fr_peer_addresses), &size);
	struct fr_peer_addresses *a;

	if (!r)
		return;
	a = (struct fr_peer_addresses *)(r + 1);
	put_address(&a->local, local);
	put_address(&a->remote, remote);
	r->hook = hook;
	r->result = result;
	publish(r, size);
}

static void put_names(struct frt_thread *t, unsigned what, uint32_t peer, int64_t result,
		      const struct frt_socket_name *local, const struct frt_socket_name *remote)
{
	put_names_at(t, t->hook, what, peer, result, local, remote);
}

/* ---- the table ---- */

static uint32_t find(int fd)
{
	return fd >= 0 && fd < FDS ? atomic_load(&peer_of[fd]) : 0;
}

static void name_it(int fd, uint32_t peer)
{
	if (peer < FR_PEERS_MOST)
		states[peer].fd = fd;
	if (fd >= 0 && fd < FDS)
		atomic_store(&peer_of[fd], peer == FR_PEER_NONE ? 0 : peer + 1);
	else
		lose();
}

/* Returns the number of a new peer, FR_PEER_NONE: there are too many. */
static uint32_t new_peer(int fd, unsigned flags)
{
	uint32_t peer = atomic_fetch_add(&numbers, 1);

	if (peer >= FR_PEERS_MOST) {
		lose();
		name_it(fd, FR_PEER_NONE);
		return FR_PEER_NONE;
	}
	states[peer].type = frt_socket_type(fd);
	atomic_store(&states[peer].flags, flags);
	name_it(fd, peer);
	return peer;
}

void frt_peer_copied(int from, int to)
{
	uint32_t was = find(to);

	if (!frt_peers || to < 0 || to >= FDS)
		return;
	if (from < 0 && was && atomic_load(&states[was - 1].flags) & FR_PEER_OWN)
		drop_port(connected, states[was - 1].port);
	atomic_store(&peer_of[to], find(from));
}

static bool forked(void)
{
	return atomic_load(&frt_pool->counters[FR_RTC_forks]) != 0;
}

/* ---- connections ---- */

void frt_peer_listens(struct frt_thread *t, int fd, int r)
{
	struct frt_socket_name local, none = {0};
	int saved = errno;
	uint32_t peer;

	if (!frt_peers || !t || r < 0)
		return;
	local = frt_socket_name(fd, false);
	if (frt_socket_is_internet(&local))
		add_port(listening, frt_socket_port(&local));
	if (frt_ctl_ghost) {
		name_it(fd, frt_ctl_ghost_listens(&local.a, local.len));
	} else if (!find(fd)) {
		peer = new_peer(fd, LISTENS);
		if (peer != FR_PEER_NONE)
			put_names(t, FR_PEER_LISTEN, peer, 0, &local, &none);
	}
	errno = saved;
}

/* The flags of an accepted connection. */
static unsigned accepted_flags(int fd, const struct frt_socket_name *local,
			       const struct frt_socket_name *remote)
{
	unsigned flags = forked() ? FR_PEER_CHILD : 0;

	if (!frt_socket_is_internet(remote))
		return frt_socket_is_self(fd) ? FR_PEER_OWN : flags;
	if (!frt_socket_same_host(remote, local))
		return 0;
	if (has_port(connected, frt_socket_port(remote)))
		return FR_PEER_OWN;
	return flags | (atomic_load(&connecting) ? FR_PEER_UNSURE : 0);
}

static void accepted(struct frt_thread *t, int listener, int fd)
{
	struct frt_socket_name local = frt_socket_name(fd, false),
			       remote = frt_socket_name(fd, true);
	unsigned flags = accepted_flags(fd, &local, &remote);
	uint32_t peer = new_peer(fd, flags), from = find(listener);

	if (peer == FR_PEER_NONE)
		return;
	states[peer].port = frt_socket_port(&remote);
	if (!(flags & FR_PEER_OWN))
		put_names(t, FR_PEER_ACCEPT, peer, from ? (int64_t)from - 1 : -1, &local, &remote);
}

void frt_peer_accepted(struct frt_thread *t, int listener, int r)
{
	int saved = errno;

	if (!frt_peers || !t || r < 0)
		return;
	if (frt_ctl_ghost)
		name_it(r, frt_ctl_ghost_accepted(t, find(listener)));
	else
		accepted(t, listener, r);
	errno = saved;
}

bool frt_peer_connects(struct frt_thread *t, int fd, const struct sockaddr *to, socklen_t n)
{
	struct frt_socket_name remote = frt_socket_name_from(to, n);
	int saved = errno;
	bool own = frt_peers && t && frt_socket_is_internet(&remote) &&
		   has_port(listening, frt_socket_port(&remote)) &&
		   frt_socket_type(fd) == SOCK_STREAM;

	if (own)
		atomic_fetch_add(&connecting, 1);
	if (frt_peers && t && frt_ctl_ghost)
		frt_ctl_ghost_connects(t, fd);
	errno = saved;
	return own;
}

static void connected_to(struct frt_thread *t, int fd, const struct frt_socket_name *remote, int r,
			 int error, bool own)
{
	struct frt_socket_name local = frt_socket_name(fd, false);
	unsigned flags;
	uint32_t peer;

	own = own || (r == 0 && !frt_socket_is_internet(remote) && frt_socket_is_self(fd));
	flags = own ? FR_PEER_OWN : forked() ? FR_PEER_CHILD : 0;
	peer = new_peer(fd, flags);
	if (peer == FR_PEER_NONE)
		return;
	states[peer].port = frt_socket_port(&local);
	if (states[peer].type == SOCK_DGRAM) {
		add_name(frt_socket_hash(remote));
		states[peer].key = frt_socket_hash(&local);
		add_port(datagrams, frt_socket_port(&local));
	}
	if (own && frt_socket_is_internet(&local))
		add_port(connected, frt_socket_port(&local));
	if (!own || frt_socket_is_internet(&local)) /* its port */
		put_names(t, FR_PEER_CONNECT, peer, -error, &local, remote);
}

void frt_peer_connected(struct frt_thread *t, int fd, const struct sockaddr *to, socklen_t n, int r,
			bool own)
{
	int saved = errno;
	struct frt_socket_name remote = frt_socket_name_from(to, n);

	if (!frt_peers || !t || !remote.len)
		return;
	if (r == 0 || saved == EINPROGRESS || saved == ECONNREFUSED) {
		if (frt_ctl_ghost)
			name_it(fd, frt_ctl_ghost_connected(t, to, n));
		else
			connected_to(t, fd, &remote, r, r < 0 ? saved : 0, own);
	}
	if (own)
		atomic_fetch_sub(&connecting, 1);
	errno = saved;
}

/* A socket for datagrams has an address now. */
static void new_datagrams(struct frt_thread *t, int fd, const struct frt_socket_name *local)
{
	struct frt_socket_name none = {0};
	uint32_t peer = new_peer(fd, 0);

	if (peer == FR_PEER_NONE)
		return;
	states[peer].key = frt_socket_hash(local);
	if (frt_socket_is_internet(local))
		add_port(datagrams, frt_socket_port(local));
	put_names(t, FR_PEER_SOCKET, peer, 0, local, &none);
}

void frt_peer_binds(struct frt_thread *t, int fd, const struct sockaddr **to, socklen_t *n,
		    struct sockaddr_storage *room)
{
	struct frt_socket_name asked = frt_socket_name_from(*to, *to ? *n : 0);
	int saved = errno;

	if (frt_peers && t && frt_ctl_ghost && frt_socket_is_internet(&asked) &&
	    !frt_socket_port(&asked))
		frt_ctl_ghost_binds(t, to, n, room);
	errno = saved;
	(void)fd;
}

void frt_peer_bound(struct frt_thread *t, int fd, const struct sockaddr *to, socklen_t n, int r)
{
	struct frt_socket_name asked = frt_socket_name_from(to, to ? n : 0), local, none = {0};
	int saved = errno;

	if (!frt_peers || !t || r < 0 || !asked.len)
		return;
	local = frt_socket_name(fd, false);
	if (frt_ctl_ghost) {
		if (frt_socket_type(fd) == SOCK_DGRAM)
			name_it(fd, frt_ctl_ghost_socket(&local.a, local.len));
		errno = saved;
		return;
	}
	if (frt_socket_type(fd) == SOCK_DGRAM)
		new_datagrams(t, fd, &local);
	else if (frt_socket_is_internet(&asked) && !frt_socket_port(&asked))
		put_names(t, FR_PEER_BIND, FR_PEER_NONE, 0, &local, &none);
	errno = saved;
}

void frt_peer_sends_to(struct frt_thread *t, int fd, const struct sockaddr *to, socklen_t n)
{
	struct frt_socket_name remote = frt_socket_name_from(to, to ? n : 0);
	int saved = errno;

	if (!frt_peers || !t || !remote.len || frt_socket_type(fd) != SOCK_DGRAM)
		return;
	add_name(frt_socket_hash(&remote));
	if (frt_ctl_ghost && !find(fd))
		frt_ctl_ghost_connects(t, fd);
	errno = saved;
}

void frt_peer_sent_to(struct frt_thread *t, int fd, const struct sockaddr *to, ssize_t r)
{
	int saved = errno;

	if (frt_peers && t && to && r >= 0 && !find(fd) && frt_socket_type(fd) == SOCK_DGRAM) {
		struct frt_socket_name local = frt_socket_name(fd, false);

		if (frt_ctl_ghost)
			name_it(fd, frt_ctl_ghost_socket(&local.a, local.len));
		else
			new_datagrams(t, fd, &local);
	}
	frt_peer_sent(fd, r);
	errno = saved;
}

/* ---- FIFOs ---- */

void frt_peer_fifo_opens(struct frt_thread *t, const char *path, int flags)
{
	struct stat st;
	int saved = errno;

	if (!frt_peers || !t)
		return;
	if (!frt_ctl_ghost && (flags & O_ACCMODE) != O_RDONLY &&
	    syscall(SYS_newfstatat, (long)AT_FDCWD, path, &st, 0L) == 0)
		add_name(fr_hash_mix(st.st_ino, st.st_dev) | 1);
	frt_ctl_ghost_due(t);
	errno = saved;
}

void frt_peer_fifo_opened(struct frt_thread *t, uint64_t hook, const char *path, int flags, int fd)
{
	struct frt_socket_name local = {0}, none = {0};
	bool writes = (flags & O_ACCMODE) == O_WRONLY;
	int saved = errno;
	size_t n = 0;
	struct stat st;
	uint32_t peer;

	if (!frt_peers || !t || fd < 0 || fstat(fd, &st) < 0 || !S_ISFIFO(st.st_mode) ||
	    (flags & O_ACCMODE) == O_RDWR)
		return;
	while (path[n])
		n++;
	if (frt_ctl_ghost) {
		name_it(fd, frt_ctl_ghost_fifo(path, n));
	} else if (n < sizeof(local.all)) {
		peer = new_peer(fd, writes ? FR_PEER_WRITES : 0);
		if (peer == FR_PEER_NONE)
			return;
		states[peer].type = 0;
		states[peer].key = fr_hash_mix(st.st_ino, st.st_dev) | 1;
		local.len = (socklen_t)n + 1;
		memcpy(&local.all, path, n);
		put_names_at(t, hook, FR_PEER_SOCKET, peer, 0, &local, &none);
	} else {
		lose();
	}
	errno = saved;
}

/* ---- bytes ---- */

/* A connection of which the program may have both ends is clear once something has come. */
static bool is_own(uint32_t peer)
{
	unsigned flags;

	frt_assert(peer < FR_PEERS_MOST);
	flags = atomic_load(&states[peer].flags);
	if (flags & FR_PEER_UNSURE) {
		flags &= ~FR_PEER_UNSURE;
		if (has_port(connected, states[peer].port))
			flags |= FR_PEER_OWN;
		atomic_store(&states[peer].flags, flags);
	}
	if (!states[peer].type && !(flags & FR_PEER_WRITES))
		return has_name(states[peer].key);
	return flags & FR_PEER_OWN;
}

/* Did a socket of the program itself send this datagram? */
static bool is_own_datagram(uint32_t peer, const struct frt_socket_name *from)
{
	if (!from->len || !frt_socket_is_internet(from)) /* the sender may have no name */
		return has_name(states[peer].key);
	return has_port(datagrams, frt_socket_port(from));
}

static bool is_end(ssize_t r, int error)
{
	return !r || (r < 0 && (error == ECONNRESET || error == EPIPE || error == ETIMEDOUT));
}

static void keep(struct frt_thread *t, uint64_t hook, uint32_t peer, ssize_t r,
		 const struct iovec *v, size_t n, int flags, const struct frt_socket_name *from)
{
	struct fr_peer_record *x;
	uint64_t size;
	size_t left = (size_t)r;
	char *to;

	x = record(t, flags & MSG_PEEK ? FR_PEER_PEEK : FR_PEER_READ, peer,
		   left + (from ? sizeof(struct fr_peer_address) : 0), &size);
	if (!x)
		return;
	to = (char *)(x + 1);
	if (from) {
		x->flags |= FR_PEER_FROM;
		put_address((struct fr_peer_address *)to, from);
		to += sizeof(struct fr_peer_address);
	}
	for (size_t i = 0; i < n && left; i++) {
		size_t part = v[i].iov_len < left ? v[i].iov_len : left;

		memcpy(to, v[i].iov_base, part);
		to += part;
		left -= part;
	}
	frt_assert(to <= (char *)x + size);
	x->hook = hook;
	x->result = r - (ssize_t)left;
	publish(x, size);
}

void frt_peer_read(struct frt_thread *t, int fd, ssize_t r, const struct iovec *v, size_t n,
		   int flags, const void *from, socklen_t nfrom)
{
	uint32_t peer = find(fd);
	struct frt_socket_name sender;
	int saved = errno;

	if (!peer-- || states[peer].type != SOCK_DGRAM) {
		frt_peer_read_at(t, t ? t->hook : 0, fd, r, v, n, flags);
		return;
	}
	if (!file || !t || r < 0 || flags & (MSG_ERRQUEUE | MSG_PEEK))
		return;
	sender = from ? frt_socket_name_from(from, nfrom) : frt_socket_name(fd, true);
	if (!is_own_datagram(peer, &sender))
		keep(t, t->hook, peer, r, v, n, flags, &sender);
	errno = saved;
}

void frt_peer_read_at(struct frt_thread *t, uint64_t hook, int fd, ssize_t r, const struct iovec *v,
		      size_t n, int flags)
{
	uint32_t peer = find(fd);
	int saved = errno;

	if (!file || !t || !peer-- || is_own(peer) || flags & MSG_ERRQUEUE)
		return;
	if (r > 0)
		keep(t, hook, peer, r, v, n, flags, NULL);
	else if (is_end(r, saved) && n && v[0].iov_len)
		put_at(t, hook, FR_PEER_READ, peer, r < 0 ? -saved : 0);
	errno = saved;
}

bool frt_peer_ready(struct frt_thread *t, int fd, unsigned events, bool alone)
{
	uint32_t peer = find(fd);
	struct fr_peer_record *r;
	uint64_t size;

	/* Of datagrams it is not known yet whose they are. */
	if (!file || !t || !peer-- ||
	    (states[peer].type == SOCK_DGRAM ? has_name(states[peer].key) : is_own(peer)))
		return false;
	r = record(t, FR_PEER_READY, peer, 0, &size);
	if (!r)
		return false;
	r->result = events;
	if (alone) {
		r->flags |= FR_PEER_ALONE;
		r->sent = (uint64_t)fd;
	}
	publish(r, size);
	return true;
}

void frt_peer_order(struct frt_thread *t, const uint32_t *fds, size_t n)
{
	struct fr_peer_record *r;
	uint64_t size;

	if (!file || !atomic_load(&numbers)) /* nothing comes from outside */
		return;
	r = record(t, FR_PEER_ORDER, FR_PEER_NONE, n * sizeof(*fds), &size);
	if (!r)
		return;
	memcpy(r + 1, fds, n * sizeof(*fds));
	r->result = (int64_t)n;
	publish(r, size);
}

void frt_peer_sent(int fd, ssize_t r)
{
	struct frt_thread *t = frt_asking();
	uint32_t peer = find(fd);
	int saved = errno;

	if (!t || !peer--)
		return;
	if (frt_ctl_ghost) {
		frt_ctl_ghost_sent(peer, r > 0 ? (uint64_t)r : 0);
	} else if (r > 0) {
		atomic_fetch_add(&states[peer].sent, (uint64_t)r);
	} else if (r < 0 && is_end(r, saved) && file && !is_own(peer)) {
		put(t, FR_PEER_FAIL, peer, -saved);
	}
	errno = saved;
}

void frt_peer_missed(int fd)
{
	uint32_t peer = find(fd);

	if (file && peer && !is_own(peer - 1))
		lose();
}

void frt_peer_signal(struct frt_thread *t, int sig)
{
	if (file && t)
		put(t, FR_PEER_SIGNAL, FR_PEER_NONE, sig);
}

bool frt_peer_datagrams(int fd)
{
	uint32_t peer = find(fd);

	return file && peer && states[peer - 1].type == SOCK_DGRAM;
}

/* ---- in a re-execution ---- */

#define AWAIT_MS 1000

void frt_peer_arrived(uint32_t peer)
{
	if (peer < FR_PEERS_MOST && find(states[peer].fd) == peer + 1)
		frt_peer_await(states[peer].fd, 0);
}

/* The kernel passes the bytes on as soon as it has a processor for that. */
void frt_peer_await(int fd, size_t n)
{
	int saved = errno, have;

	if (!frt_ctl_ghost || !find(fd))
		return;
	for (unsigned i = 0; i < AWAIT_MS; i++) {
		struct pollfd p = {.fd = fd, .events = POLLIN};

		have = 0;
		if (poll(&p, 1, i ? 1 : AWAIT_MS) <= 0 || p.revents & ~POLLIN || !n ||
		    syscall(SYS_ioctl, fd, FIONREAD, &have) < 0 || (size_t)have >= n)
			break;
		syscall(SYS_sched_yield);
	}
	errno = saved;
}
