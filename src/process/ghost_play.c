/* The process of the ghost: see ghost.h. The program may write anything into the shared file. */
#include "process/ghost.h"
#include "base/assert.h"
#include "base/mem.h"
#include "format/ghost_file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define PATIENCE_S 5 /* for a connection to the program, which listens */
#define BACKLOG 128

struct played {
	int fd;		 /* -1: not connected yet, or no more */
	uint64_t target; /* bytes that shall be sent in all */
	uint64_t sent;
	bool end, close, reset; /* after these */
	bool over, room;	/* `room`: waits for room to send */
	int listens;		/* listening socket that the program is about to connect to; -1 */
};

static struct fr_ghost_file *file;
static const uint8_t *bytes;
static uint64_t nbytes;
static struct played *state;
static uint32_t npeers, opened;
static int epoll_fd;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct fr_ghost_peer *peer(uint32_t i)
{
	return &fr_ghost_peers(file)[i];
}

static void watch(uint32_t i, int fd, bool room, bool again)
{
	struct epoll_event e = {.events = EPOLLIN | (room ? EPOLLOUT : 0), .data.u64 = i};

	epoll_ctl(epoll_fd, again ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &e);
}

static void drop(uint32_t i)
{
	if (state[i].fd >= 0)
		close(state[i].fd);
	state[i].fd = -1;
}

/* ---- sending ---- */

/* The next bytes of the stream of a peer after the first `from`; *ret_n: their number. */
static const uint8_t *next_bytes(const struct fr_ghost_peer *p, uint64_t from, uint64_t to,
				 size_t *ret_n)
{
	const struct fr_ghost_piece *piece = fr_ghost_pieces(file) + p->piece;

	for (uint32_t i = 0; i < p->npieces; i++, piece++) {
		if (from >= piece->n) {
			from -= piece->n;
			to -= piece->n;
			continue;
		}
		if (piece->offset > nbytes || piece->n > nbytes - piece->offset)
			break;
		*ret_n = (size_t)fr_min(piece->n, to) - (size_t)from;
		return bytes + piece->offset + from;
	}
	return NULL;
}

static uint8_t waste[65536];

static void take_from(uint32_t i)
{
	ssize_t n = 1;

	while (state[i].fd >= 0 && n > 0)
		n = read(state[i].fd, waste, sizeof(waste));
	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		epoll_ctl(epoll_fd, EPOLL_CTL_DEL, state[i].fd, NULL);
}

/* Ends the peer's part. To close a connection with unread bytes would break it. */
static void finish(uint32_t i)
{
	const struct linger at_once = {.l_onoff = 1};
	struct played *s = &state[i];

	if (s->fd < 0 || (!s->end && !s->reset))
		return;
	if (s->reset) {
		setsockopt(s->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
		drop(i);
	} else if (s->close || !peer(i)->type) {
		if (peer(i)->type)
			take_from(i);
		drop(i);
	} else if (!s->over) {
		shutdown(s->fd, SHUT_WR);
	}
	s->over = true;
}

/* Sends as much as shall be sent and there is room for. */
static void push(uint32_t i)
{
	struct played *s = &state[i];
	bool room = false;

	while (s->fd >= 0 && s->sent < s->target) {
		size_t n = 0;
		const uint8_t *p = next_bytes(peer(i), s->sent, s->target, &n);
		ssize_t k = !p		    ? 0
			    : peer(i)->type ? send(s->fd, p, n, MSG_NOSIGNAL | MSG_DONTWAIT)
					    : write(s->fd, p, n);

		if (k < 0 && errno == EINTR)
			continue;
		room = k < 0 && errno == EAGAIN;
		if (k <= 0)
			break;
		s->sent += (uint64_t)k;
	}
	if (s->fd >= 0 && room != s->room && peer(i)->type)
		watch(i, s->fd, room, true);
	s->room = room;
	if (!room)
		finish(i);
}

/* ---- connecting ---- */

static void connected(uint32_t i, int fd)
{
	fr_assert(i < npeers && fd >= 0);
	fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK);
	state[i].fd = fd;
	watch(i, fd, false, false);
	push(i);
}

static bool is_named(const struct fr_peer_address *a)
{
	return a->len > sizeof(sa_family_t);
}

static int socket_of(const struct fr_ghost_peer *p, const struct fr_peer_address *a)
{
	sa_family_t family;
	int fd, on = 1;

	memcpy(&family, a->bytes, sizeof(family));
	fd = socket(family, p->type | SOCK_CLOEXEC, 0);
	if (fd >= 0)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	return fd;
}

/* A socket in the file system that exists already is replaced: this is the box's own copy. */
static int bind_to(int fd, const struct fr_peer_address *a)
{
	const struct sockaddr_un *u = (const void *)a->bytes;
	char path[sizeof(u->sun_path) + 1] = "";
	struct stat st;

	if (u->sun_family == AF_UNIX && u->sun_path[0]) {
		memcpy(path, u->sun_path,
		       fr_min(sizeof(u->sun_path), a->len - sizeof(sa_family_t)));
		if (lstat(path, &st) == 0 && S_ISSOCK(st.st_mode))
			unlink(path);
	}
	return bind(fd, (const struct sockaddr *)a->bytes, a->len);
}

static int open_peer(uint32_t i)
{
	struct timeval patience = {.tv_sec = PATIENCE_S};
	struct fr_ghost_peer *p = peer(i);
	int fd, r = 0;

	if (!is_named(&p->address.local))
		return -EADDRNOTAVAIL;
	fd = socket_of(p, &p->address.local);
	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (is_named(&p->address.remote))
		bind_to(fd, &p->address.remote); /* if not, the kernel chooses an address */
	if (connect(fd, (const struct sockaddr *)p->address.local.bytes, p->address.local.len) < 0)
		r = -errno;
	if (r < 0) {
		close(fd);
		return r;
	}
	connected(i, fd);
	atomic_store(&p->opened, ++opened);
	return 0;
}

static bool same(const struct fr_peer_address *a, const struct fr_peer_address *b)
{
	return a->len == b->len && !memcmp(a->bytes, b->bytes, a->len);
}

/* The descriptor that listens at the address; -1: none does yet. */
static int listens_at(const struct fr_peer_address *a)
{
	for (uint32_t i = 0; i < npeers; i++)
		if (state[i].listens >= 0 && same(&peer(i)->address.remote, a))
			return state[i].listens;
	return -1;
}

#define IS_LISTENER (UINT64_C(1) << 32)
#define IS_SENDER (UINT64_C(1) << 33)

static int listen_for(uint32_t i)
{
	struct fr_ghost_peer *p = peer(i);
	int fd = listens_at(&p->address.remote), r = 0;
	struct epoll_event e = {.events = EPOLLIN, .data.u64 = IS_LISTENER | i};

	if (fd < 0) {
		fd = socket_of(p, &p->address.remote);
		if (fd < 0)
			return -errno;
		if (bind_to(fd, &p->address.remote) < 0 || listen(fd, BACKLOG) < 0 ||
		    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &e) < 0)
			r = -errno;
		if (r < 0) {
			close(fd);
			return r;
		}
		fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK);
	}
	state[i].listens = fd;
	atomic_store(&p->opened, ++opened);
	return 0;
}

/* The program has connected: finds the peer that it means, by the program's recorded address, or
   the first that waits. */
static void accept_from(uint32_t i)
{
	int listener = state[i].listens, fd;
	struct fr_peer_address from = {0};
	struct sockaddr_storage a;
	socklen_t n = sizeof(a);
	uint32_t best = UINT32_MAX, when = UINT32_MAX;

	fd = accept4(listener, (struct sockaddr *)&a, &n, SOCK_CLOEXEC);
	if (fd < 0)
		return;
	_Static_assert(sizeof(from.bytes) >= sizeof(a), "room for any address");
	from.len = (uint16_t)n;
	memcpy(from.bytes, &a, fr_min((size_t)n, sizeof(a)));
	for (uint32_t k = 0; k < npeers; k++) {
		const struct fr_ghost_peer *p = peer(k);
		uint32_t at = atomic_load(&p->opened);

		if (p->what != FR_PEER_CONNECT || state[k].listens != listener ||
		    state[k].fd >= 0 || state[k].over || !at)
			continue;
		if (from.len > sizeof(sa_family_t) && same(&p->address.local, &from))
			at = 0;
		if (at < when) {
			best = k;
			when = at;
		}
	}
	if (best == UINT32_MAX)
		close(fd);
	else
		connected(best, fd);
}

/* ---- requests ---- */

/* ---- datagrams and FIFOs ---- */

static bool is_datagrams(const struct fr_ghost_peer *p)
{
	return p->type == SOCK_DGRAM;
}

/* Sockets from which the ghost sends datagrams, by their addresses. */
static struct {
	struct fr_peer_address a;
	int fd;
} *senders;
static size_t nsenders;

/* Returns a socket with this address; -errno. */
static int sender(const struct fr_ghost_peer *p, const struct fr_peer_address *from)
{
	const struct fr_peer_address *like = is_named(from) ? from : &p->address.local;
	int fd;

	for (size_t i = 0; i < nsenders; i++)
		if (same(&senders[i].a, from))
			return senders[i].fd;
	fd = socket_of(p, like);
	if (fd < 0)
		return -errno;
	if (is_named(from) && bind_to(fd, from) < 0) {
		int r = -errno;

		close(fd);
		return r;
	}
	fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK);
	senders = fr_xrealloc(senders, nsenders + 1, sizeof(*senders));
	senders[nsenders].a = *from;
	senders[nsenders++].fd = fd;
	epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd,
		  &(struct epoll_event){.events = EPOLLIN, .data.u64 = IS_SENDER | (uint32_t)fd});
	return fd;
}

/* The address of a datagram's sender. */
static struct fr_peer_address sender_of(const struct fr_ghost_piece *piece)
{
	struct fr_peer_address a = {0};

	if (piece->from && piece->from <= nbytes && sizeof(a) <= nbytes - piece->from)
		memcpy(&a, bytes + piece->from, sizeof(a));
	if (a.len > sizeof(a.bytes))
		a.len = 0;
	return a;
}

static int send_datagrams(uint32_t i, uint64_t upto)
{
	const struct fr_ghost_peer *p = peer(i);
	const struct fr_peer_address *to = &p->address.local;

	for (; state[i].sent < upto && state[i].sent < p->npieces; state[i].sent++) {
		const struct fr_ghost_piece *piece =
		    fr_ghost_pieces(file) + p->piece + state[i].sent;
		struct fr_peer_address from = sender_of(piece);
		int fd = sender(p, &from);

		if (fd < 0)
			return fd;
		if (piece->offset > nbytes || piece->n > nbytes - piece->offset)
			return -EINVAL;
		if (sendto(fd, bytes + piece->offset, piece->n, MSG_NOSIGNAL,
			   (const struct sockaddr *)to->bytes, to->len) < 0)
			return -errno;
	}
	return 0;
}

/* Has a socket at each address from which a datagram comes, or to which the program connects. */
static int receive_datagrams(uint32_t i)
{
	const struct fr_ghost_peer *p = peer(i);
	int r = 0;

	for (uint32_t k = 0; k < p->npieces && r >= 0; k++) {
		struct fr_peer_address from = sender_of(fr_ghost_pieces(file) + p->piece + k);

		r = is_named(&from) ? sender(p, &from) : 0;
	}
	if (r >= 0 && is_named(&p->address.remote))
		r = sender(p, &p->address.remote);
	atomic_store(&peer(i)->opened, ++opened);
	return r < 0 ? r : 0;
}

/* The ghost has both ends open, so that neither side waits for the other. */
static int open_fifo(uint32_t i)
{
	struct fr_ghost_peer *p = peer(i);
	char path[sizeof(p->address.local.bytes) + 1] = "";
	int fd;

	memcpy(path, p->address.local.bytes,
	       fr_min(sizeof(path) - 1, (size_t)p->address.local.len));
	fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	state[i].fd = fd;
	if (p->flags & FR_PEER_WRITES)
		watch(i, fd, false, false);
	atomic_store(&p->opened, ++opened);
	return 0;
}

static int act(unsigned does, uint32_t i, uint64_t upto)
{
	int r = 0;

	if (i >= npeers)
		return -EINVAL;
	if (is_datagrams(peer(i)) && does != FR_GHOST_LISTEN) {
		if (does == FR_GHOST_SEND)
			r = send_datagrams(i, upto);
		atomic_store(&peer(i)->delivered, fr_max(upto, (uint64_t)peer(i)->delivered));
		return r;
	}
	switch (does) {
	case FR_GHOST_OPEN:
		return open_peer(i);
	case FR_GHOST_LISTEN:
		return is_datagrams(peer(i)) ? receive_datagrams(i)
		       : peer(i)->type	     ? listen_for(i)
					     : open_fifo(i);
	case FR_GHOST_SEND:
		state[i].target = fr_max(state[i].target, upto);
		push(i);
		atomic_store(&peer(i)->delivered, upto);
		return 0;
	case FR_GHOST_END:
	case FR_GHOST_RESET:
		state[i].end |= does == FR_GHOST_END;
		state[i].close |= does == FR_GHOST_END && upto;
		state[i].reset |= does == FR_GHOST_RESET;
		push(i);
		atomic_store(&peer(i)->ended, does == FR_GHOST_RESET || state[i].close ? 2 : 1);
		return 0;
	default:
		return -EINVAL;
	}
}

static void futex(_Atomic uint32_t *word, int op, uint32_t value)
{
	syscall(SYS_futex, word, op, value, NULL, NULL, 0);
}

static void serve(void)
{
	uint32_t done = 0;

	for (;;) {
		uint32_t asked = atomic_load(&file->asked);

		if (asked == done) {
			futex(&file->asked, FUTEX_WAIT, asked);
			continue;
		}
		pthread_mutex_lock(&lock);
		file->result = act(file->does, file->peer, file->upto);
		pthread_mutex_unlock(&lock);
		done = asked;
		atomic_store(&file->answered, done);
		futex(&file->answered, FUTEX_WAKE, INT_MAX);
	}
}

/* ---- the other thread ---- */

static void *take(void *arg)
{
	struct epoll_event e[16];

	for (;;) {
		int n = epoll_wait(epoll_fd, e, 16, -1);

		pthread_mutex_lock(&lock);
		for (int k = 0; k < n; k++) {
			uint32_t i = (uint32_t)e[k].data.u64;

			if (e[k].data.u64 & IS_LISTENER) {
				accept_from(i);
				continue;
			}
			if (e[k].data.u64 & IS_SENDER) {
				while (recv((int)i, waste, sizeof(waste), MSG_DONTWAIT) > 0)
					;
				continue;
			}
			push(i);
			take_from(i);
		}
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

/* ---- the start ---- */

static bool map_files(void)
{
	struct stat st;
	void *p;

	if (fstat(3, &st) < 0 || (size_t)st.st_size < sizeof(*file))
		return false;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
	if (p == MAP_FAILED)
		return false;
	file = p;
	if (fstat(4, &st) < 0 || !st.st_size)
		return false;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, 4, 0);
	bytes = p;
	nbytes = (uint64_t)st.st_size;
	return p != MAP_FAILED && file->magic == FR_GHOST_MAGIC;
}

int fr_ghost_main(void)
{
	pthread_t thread;
	uint32_t now;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_IGN);
	if (!map_files())
		return 1;
	file->folder[sizeof(file->folder) - 1] = 0;
	if (file->folder[0] && chdir(file->folder) < 0)
		return 1;
	npeers = file->npeers;
	state = fr_xcalloc(npeers + 1, sizeof(*state));
	for (uint32_t i = 0; i < npeers; i++)
		state[i].fd = state[i].listens = -1;
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (epoll_fd < 0 || pthread_create(&thread, NULL, take, NULL) != 0)
		return 1;
	now = FR_GHOST_NEW;
	if (!atomic_compare_exchange_strong(&file->state, &now, FR_GHOST_READY))
		return 1;
	futex(&file->state, FUTEX_WAKE, INT_MAX);
	serve();
	return 0;
}
