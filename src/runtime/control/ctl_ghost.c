/* See ctl_ghost.h. */
#include "ctl_ghost.h"
#include "ctl_input.h"
#include "ctl_turn.h"
#include "runtime/core/peer.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#define FRT_GHOST_AT ((void *)UINT64_C(0x240000000000))

struct fr_ghost_file *frt_ctl_ghost;

bool frt_ctl_ghost_attach(const char *path)
{
	int fd = frt_open_shared(path);
	struct fr_ghost_file *g = MAP_FAILED;
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && (uint64_t)st.st_size >= sizeof(*g))
		g = mmap(FRT_GHOST_AT, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			 0);
	if (fd >= 0)
		close(fd);
	if (g == MAP_FAILED || g->magic != FR_GHOST_MAGIC || g->size != (uint64_t)st.st_size)
		return false;
	frt_ctl_ghost = g;
	return true;
}

void frt_ctl_ghost_off(void)
{
	frt_ctl_ghost = NULL;
}

static struct fr_ghost_peer *peer_at(uint32_t i)
{
	frt_assert(i < frt_ctl_ghost->npeers);
	return &fr_ghost_peers(frt_ctl_ghost)[i];
}

/* ---- the mailbox ---- */

static void sleep_while(_Atomic uint32_t *word, uint32_t value)
{
	syscall(SYS_futex, word, (long)FUTEX_WAIT, (long)value, NULL, NULL, 0L);
}

/* Waits until the ghost lives. False: it could not be started, or has died. */
static bool lives(struct fr_ghost_file *g)
{
	while (atomic_load(&g->state) == FR_GHOST_NEW)
		sleep_while(&g->state, FR_GHOST_NEW);
	return atomic_load(&g->state) == FR_GHOST_READY;
}

/* Returns 0 or -errno. */
static int request(unsigned does, uint32_t peer, uint64_t upto)
{
	struct fr_ghost_file *g = frt_ctl_ghost;
	uint32_t number, answered;
	int saved = errno, r = -EIO;

	atomic_fetch_add(&frt_ctl->asks_ghost, 1);
	if (lives(g)) {
		g->does = does;
		g->peer = peer;
		g->upto = upto;
		number = atomic_fetch_add(&g->asked, 1) + 1;
		syscall(SYS_futex, &g->asked, (long)FUTEX_WAKE, 1L, NULL, NULL, 0L);
		while ((answered = atomic_load(&g->answered)) != number &&
		       atomic_load(&g->state) == FR_GHOST_READY)
			sleep_while(&g->answered, answered);
		r = answered == number ? g->result : -EIO;
	}
	atomic_fetch_sub(&frt_ctl->asks_ghost, 1);
	errno = saved;
	return r;
}

/* Is this step of the peer over? */
static bool is_done(const struct fr_ghost_peer *p, unsigned does, uint64_t upto)
{
	switch (does) {
	case FR_GHOST_OPEN:
	case FR_GHOST_LISTEN:
		return atomic_load(&p->opened);
	case FR_GHOST_SEND:
		return atomic_load(&p->delivered) >= upto;
	case FR_GHOST_END:
		return atomic_load(&p->ended) > upto;
	default:
		return atomic_load(&p->ended) == 2;
	}
}

static void act(struct frt_thread *t, unsigned does, uint32_t peer, uint64_t upto)
{
	int r;

	if (!does || peer == FR_PEER_NONE || is_done(peer_at(peer), does, upto))
		return;
	r = request(does, peer, upto);
	if (r < 0)
		frt_ctl_peer_missing(t, -r);
	else if (does != FR_GHOST_LISTEN)
		frt_peer_arrived(does == FR_GHOST_OPEN ? peer_at(peer)->listener : peer);
}

/* ---- under the schedule ---- */

static uint32_t cursors[FR_POOL_MAX_THREADS]; /* by pool id - 1: calls that are over */

/* The calls of a thread; *ret_n: their number. */
static const struct fr_ghost_call *calls_of(const struct frt_thread *t, uint32_t *ret_n)
{
	uint32_t known = frt_ctl_thread(t)->known;
	const struct fr_ghost_thread *x;

	*ret_n = 0;
	if (known == UINT32_MAX || known >= frt_ctl_ghost->nthreads)
		return NULL;
	x = &fr_ghost_threads(frt_ctl_ghost)[known];
	*ret_n = x->n;
	return fr_ghost_calls(frt_ctl_ghost) + x->first;
}

/* The recorded call that t is about to make, or makes. NULL: it is another one. */
static const struct fr_ghost_call *call_of(const struct frt_thread *t, unsigned what)
{
	uint32_t n, lo = 0, hi;
	const struct fr_ghost_call *c = calls_of(t, &n);

	for (hi = n; lo < hi;) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (c[mid].hook < t->hook)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; !frt_ctl_free() && lo < n && c[lo].hook == t->hook; lo++)
		if (c[lo].what == what)
			return &c[lo];
	return NULL;
}

bool frt_ctl_ghost_due(struct frt_thread *t)
{
	uint32_t n, *at = &cursors[t->id - 1];
	const struct fr_ghost_call *c;
	bool any = false;

	if (!frt_ctl_ghost || frt_ctl_free())
		return false;
	for (c = calls_of(t, &n); *at < n && c[*at].hook <= t->hook; ++*at)
		if (c[*at].does != FR_GHOST_BIND) {
			act(t, c[*at].does, c[*at].peer, c[*at].upto);
			any = true;
		}
	return any;
}

/* ---- numbers ---- */

static bool same_address(const struct fr_peer_address *a, const struct sockaddr *to, socklen_t n)
{
	return a->len == n && !memcmp(a->bytes, to, n);
}

uint32_t frt_ctl_ghost_listens(const struct sockaddr *local, socklen_t n)
{
	for (uint32_t i = 0; i < frt_ctl_ghost->npeers; i++) {
		struct fr_ghost_peer *p = peer_at(i);

		if (p->what == FR_PEER_LISTEN && same_address(&p->address.local, local, n)) {
			atomic_store(&p->used, 1);
			return i;
		}
	}
	return FR_PEER_NONE;
}

uint32_t frt_ctl_ghost_socket(const struct sockaddr *local, socklen_t n)
{
	for (uint32_t i = 0; i < frt_ctl_ghost->npeers; i++) {
		struct fr_ghost_peer *p = peer_at(i);

		if (p->what == FR_PEER_SOCKET && p->type && !atomic_load(&p->used) &&
		    same_address(&p->address.local, local, n)) {
			atomic_store(&p->used, 1);
			return i;
		}
	}
	return FR_PEER_NONE;
}

uint32_t frt_ctl_ghost_fifo(const char *path, size_t n)
{
	for (uint32_t i = 0; i < frt_ctl_ghost->npeers; i++) {
		struct fr_ghost_peer *p = peer_at(i);

		if (p->what == FR_PEER_SOCKET && !p->type && !atomic_load(&p->used) &&
		    p->address.local.len == n + 1 && !memcmp(p->address.local.bytes, path, n)) {
			atomic_store(&p->used, 1);
			return i;
		}
	}
	return FR_PEER_NONE;
}

/* The kernel keeps the order in which connections were made. */
uint32_t frt_ctl_ghost_accepted(struct frt_thread *t, uint32_t listener)
{
	uint32_t best = FR_PEER_NONE, opened = UINT32_MAX;

	(void)t;
	for (uint32_t i = 0; listener && i < frt_ctl_ghost->npeers; i++) {
		const struct fr_ghost_peer *p = peer_at(i);
		uint32_t when = atomic_load(&p->opened);

		if (p->what == FR_PEER_ACCEPT && p->listener == listener - 1 && when &&
		    when < opened && !atomic_load(&p->used)) {
			best = i;
			opened = when;
		}
	}
	if (best != FR_PEER_NONE)
		atomic_store(&peer_at(best)->used, 1);
	return best;
}

static socklen_t take_address(const struct fr_peer_address *a, struct sockaddr_storage *to)
{
	socklen_t n = a->len <= sizeof(*to) ? a->len : 0;

	memcpy(to, a->bytes, n);
	return n;
}

void frt_ctl_ghost_connects(struct frt_thread *t, int fd)
{
	const struct fr_ghost_call *c = call_of(t, FR_PEER_CONNECT);
	const struct fr_ghost_peer *p;
	struct sockaddr_storage local, now;
	socklen_t n, have = sizeof(now);
	int on = 1;

	frt_ctl_ghost_due(t);
	if (!c)
		c = call_of(t, FR_PEER_SOCKET);
	if (!c)
		return;
	p = peer_at(c->peer);
	n = take_address(&p->address.local, &local);
	if (!n || (local.ss_family != AF_INET && local.ss_family != AF_INET6) ||
	    getsockname(fd, (struct sockaddr *)&now, &have) < 0 ||
	    ((const uint16_t *)&now)[1]) /* it has a port */
		return;
	syscall(SYS_setsockopt, (long)fd, (long)SOL_SOCKET, (long)SO_REUSEADDR, &on,
		(long)sizeof(on));
	REAL(bind)(fd, (const struct sockaddr *)&local, n);
	on = 0;
	syscall(SYS_setsockopt, (long)fd, (long)SOL_SOCKET, (long)SO_REUSEADDR, &on,
		(long)sizeof(on));
}

uint32_t frt_ctl_ghost_connected(struct frt_thread *t, const struct sockaddr *to, socklen_t n)
{
	const struct fr_ghost_call *c = call_of(t, FR_PEER_CONNECT);

	if (c) {
		atomic_store(&peer_at(c->peer)->used, 1);
		return c->peer;
	}
	for (uint32_t i = 0; i < frt_ctl_ghost->npeers; i++) {
		struct fr_ghost_peer *p = peer_at(i);

		if (p->what == FR_PEER_CONNECT && !(p->flags & FR_PEER_OWN) &&
		    !atomic_load(&p->used) && same_address(&p->address.remote, to, n)) {
			atomic_store(&p->used, 1);
			return i;
		}
	}
	return FR_PEER_NONE;
}

void frt_ctl_ghost_binds(struct frt_thread *t, const struct sockaddr **to, socklen_t *n,
			 struct sockaddr_storage *room)
{
	const struct fr_ghost_call *c = call_of(t, FR_PEER_BIND);
	socklen_t len;

	if (!c)
		c = call_of(t, FR_PEER_SOCKET);
	len = c ? take_address(&peer_at(c->peer)->address.local, room) : 0;
	if (!len)
		return;
	*to = (const struct sockaddr *)room;
	*n = len;
}

void frt_ctl_ghost_sent(uint32_t peer, uint64_t n)
{
	atomic_fetch_add(&peer_at(peer)->sent, n);
}

const uint32_t *frt_ctl_ghost_order(struct frt_thread *t, uint32_t *ret_n)
{
	const struct fr_ghost_call *c = frt_ctl_ghost ? call_of(t, FR_PEER_ORDER) : NULL;

	if (!c || c->upto > frt_ctl_ghost->nfds || c->peer > frt_ctl_ghost->nfds - c->upto)
		return NULL;
	*ret_n = c->peer;
	return fr_ghost_fds(frt_ctl_ghost) + c->upto;
}

/* ---- off the schedule ---- */

static uint32_t first; /* all actions before it are over */

static bool is_over(struct fr_ghost_action *a)
{
	return a->does == FR_GHOST_SIGNAL ? atomic_load(&a->over)
					  : is_done(peer_at(a->peer), a->does, a->upto);
}

/* May a step come now, if the peer's earlier steps are over? */
static bool may_come(const struct fr_ghost_action *a)
{
	const struct fr_ghost_peer *p;

	if (a->does == FR_GHOST_SIGNAL)
		return true;
	p = peer_at(a->peer);
	if (p->what == FR_PEER_ACCEPT && a->does == FR_GHOST_OPEN)
		return p->listener < frt_ctl_ghost->npeers &&
		       atomic_load(&peer_at(p->listener)->used);
	if (a->does == FR_GHOST_LISTEN)
		return true;
	return atomic_load(&p->opened) && atomic_load(&p->sent) >= a->sent;
}

/* A peer whose step cannot come yet holds its later steps back. */
static uint32_t waiting[FR_PEERS_MOST], generation;

static struct fr_ghost_action *next_action(void)
{
	struct fr_ghost_action *a = fr_ghost_actions(frt_ctl_ghost);

	while (first < frt_ctl_ghost->nactions && is_over(&a[first]))
		first++;
	generation++;
	for (uint32_t i = first; i < frt_ctl_ghost->nactions; i++) {
		uint32_t *held = a[i].peer < FR_PEERS_MOST ? &waiting[a[i].peer] : NULL;

		if (is_over(&a[i]) || (held && *held == generation))
			continue;
		if (may_come(&a[i]))
			return &a[i];
		if (held)
			*held = generation;
	}
	return NULL;
}

bool frt_ctl_ghost_next(void)
{
	struct fr_ghost_action *a;

	if (!frt_ctl_ghost || frt_ctl->recording)
		return false;
	a = next_action();
	if (!a)
		return false;
	if (a->does == FR_GHOST_SIGNAL) {
		atomic_store(&a->over, 1);
		frt_ctl_signal_timer((int)a->upto, 0);
		return true;
	}
	if (request(a->does, a->peer, a->upto) < 0) {
		frt_ctl_peer_missing(frt_ctl_parked, EIO);
		return false;
	}
	return true;
}

bool frt_ctl_ghost_over(void)
{
	return !next_action();
}

void frt_ctl_ghost_signalled(int sig)
{
	struct fr_ghost_action *a;

	if (!frt_ctl_ghost)
		return;
	a = fr_ghost_actions(frt_ctl_ghost);
	for (uint32_t i = first; i < frt_ctl_ghost->nactions; i++)
		if (a[i].does == FR_GHOST_SIGNAL && a[i].upto == (uint64_t)sig &&
		    !atomic_load(&a[i].over)) {
			atomic_store(&a[i].over, 1);
			return;
		}
}
