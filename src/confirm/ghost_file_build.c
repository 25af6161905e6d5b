/* See ghost_file_build.h. */
#include "confirm/ghost_file_build.h"
#include "base/assert.h"
#include "base/io.h"
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- once for all executions ---- */

static char *why_not(const struct fr_peers *p)
{
	if (p->lost)
		return fr_xasprintf("the run folder does not have all that they sent");
	FR_VEC_FOREACH (s, &p->step) {
		if (s->flags & FR_PEER_CHILD)
			return fr_xasprintf("some may be children of the program");
		if (s->what == FR_PEER_ACCEPT && s->result < 0)
			return fr_xasprintf("a listening socket was open at the start");
	}
	return NULL;
}

void fr_ghosts_open(struct fr_ghosts *g, const char *dir, const struct fr_trace *t, char **ret_why)
{
	struct fr_err err = {0};

	*g = (struct fr_ghosts){0};
	*ret_why = NULL;
	if (fr_peers_read(dir, &g->peers, &err) < 0)
		*ret_why = fr_xstrdup(err.msg);
	else
		*ret_why = why_not(&g->peers);
	FR_VEC_FOREACH (th, &t->thread) {
		while (g->thread.n < th->id && g->thread.n < FR_POOL_MAX_THREADS)
			fr_vec_push(&g->thread, NULL);
		if (th->id && th->id <= g->thread.n && !g->thread.v[th->id - 1])
			g->thread.v[th->id - 1] = fr_xstrdup(th->path);
	}
	if (strlen(t->run.cwd) < sizeof(g->folder))
		strcpy(g->folder, t->run.cwd);
	g->signal = t->run.asked ? t->run.signal : 0;
}

void fr_ghosts_close(struct fr_ghosts *g)
{
	fr_peers_free(&g->peers);
	FR_VEC_FOREACH (t, &g->thread)
		free(*t);
	fr_vec_free(&g->thread);
	*g = (struct fr_ghosts){.peers.fd = -1};
}

bool fr_ghosts_any(const struct fr_ghosts *g)
{
	return g->peers.npeers != 0;
}

/* ---- addresses ---- */

/* Removes all but the host from an internet address. False: it is none, or of loopback. */
static bool host_of(struct fr_peer_address *a)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	memcpy(&in, a->bytes, sizeof(in));
	memcpy(&in6, a->bytes, sizeof(in6));
	if (a->len >= sizeof(in) && in.sin_family == AF_INET) {
		in.sin_port = 0;
		memcpy(a->bytes, &in, sizeof(in));
		a->len = sizeof(in);
		return in.sin_addr.s_addr && (in.sin_addr.s_addr & 0xff) != 127;
	}
	if (a->len < sizeof(in6) || in6.sin6_family != AF_INET6)
		return false;
	in6.sin6_port = 0;
	in6.sin6_flowinfo = 0;
	memcpy(a->bytes, &in6, sizeof(in6));
	a->len = sizeof(in6);
	if (IN6_IS_ADDR_V4MAPPED(&in6.sin6_addr)) {
		struct sockaddr_in v4 = {.sin_family = AF_INET};

		memcpy(&v4.sin_addr, in6.sin6_addr.s6_addr + 12, sizeof(v4.sin_addr));
		memcpy(a->bytes, &v4, sizeof(v4));
		a->len = sizeof(v4);
		return v4.sin_addr.s_addr && (v4.sin_addr.s_addr & 0xff) != 127;
	}
	return !IN6_IS_ADDR_UNSPECIFIED(&in6.sin6_addr) && !IN6_IS_ADDR_LOOPBACK(&in6.sin6_addr) &&
	       !IN6_IS_ADDR_LINKLOCAL(&in6.sin6_addr);
}

static void add_host(fr_ghost_addresses *to, struct fr_peer_address a)
{
	if (!host_of(&a))
		return;
	FR_VEC_FOREACH (x, to)
		if (x->len == a.len && !memcmp(x->bytes, a.bytes, a.len))
			return;
	fr_vec_push(to, a);
}

void fr_ghosts_addresses(const struct fr_ghosts *g, fr_ghost_addresses *to)
{
	FR_VEC_FOREACH (s, &g->peers.step) {
		struct fr_peer_addresses a;

		if (s->flags & FR_PEER_FROM) {
			memcpy(&a.local, g->peers.bytes + s->at, sizeof(a.local));
			add_host(to, a.local);
		} else if (s->type && (s->what == FR_PEER_ACCEPT || s->what == FR_PEER_CONNECT ||
				       s->what == FR_PEER_LISTEN || s->what == FR_PEER_SOCKET)) {
			fr_peers_addresses(&g->peers, s, &a);
			add_host(to, a.local);
			add_host(to, a.remote);
		}
	}
}

/* ---- the steps ---- */

struct draft_call {
	uint32_t thread; /* index in the control file */
	struct fr_ghost_call c;
};

struct ghost_draft {
	const struct fr_ghosts *g;
	uint32_t *thread;     /* by pool id - 1: index in the control file, UINT32_MAX: not in it */
	uint32_t *next;	      /* by step: the peer's next READ; for a listener's READY, an ACCEPT */
	uint64_t *total;      /* by peer: bytes so far */
	bool *ended, *closes; /* closes: the program saw that it closed the connection */
	FR_VEC(struct draft_call) call;
	FR_VEC(struct fr_ghost_action) action;
	FR_VEC(struct fr_ghost_peer) peer;
	FR_VEC(struct fr_ghost_piece) piece; /* grouped by peer at the end */
	FR_VEC(uint32_t) owner;		     /* of each piece */
	FR_VEC(uint32_t) fd;		     /* descriptors of ORDER */
};

static void find_threads(struct ghost_draft *d, const struct fr_control_file_handle *f)
{
	d->thread = fr_xcalloc(d->g->thread.n + 1, sizeof(*d->thread));
	for (size_t i = 0; i < d->g->thread.n; i++) {
		d->thread[i] = UINT32_MAX;
		for (uint32_t k = 0; d->g->thread.v[i] && k < f->nthreads; k++)
			if (!strcmp(f->thread[k], d->g->thread.v[i]))
				d->thread[i] = k;
	}
}

/* The next connection to a listener after step i that the same thread accepts, else any. */
static uint32_t next_accepted(const struct fr_peers *p, size_t i)
{
	const struct fr_peer_step *ready = &p->step.v[i];
	uint32_t any = UINT32_MAX;

	for (size_t k = i + 1; k < p->step.n; k++) {
		const struct fr_peer_step *s = &p->step.v[k];

		if (s->what != FR_PEER_ACCEPT || s->result != ready->peer)
			continue;
		if (s->thread == ready->thread)
			return (uint32_t)k;
		any = fr_min(any, (uint32_t)k);
	}
	return any;
}

static void find_next(struct ghost_draft *d)
{
	const struct fr_peers *p = &d->g->peers;
	uint32_t *latest = fr_xmalloc((p->npeers + 1) * sizeof(*latest));

	memset(latest, 0xff, (p->npeers + 1) * sizeof(*latest));
	d->next = fr_xcalloc(p->step.n + 1, sizeof(*d->next));
	for (size_t i = p->step.n; i--;) {
		const struct fr_peer_step *s = &p->step.v[i];

		d->next[i] = UINT32_MAX;
		if (s->peer == FR_PEER_NONE)
			continue;
		if (s->what == FR_PEER_READY && d->peer.v[s->peer].what == FR_PEER_LISTEN)
			d->next[i] = next_accepted(p, i);
		else
			d->next[i] = latest[s->peer];
		if (s->what == FR_PEER_READ)
			latest[s->peer] = (uint32_t)i;
	}
	free(latest);
}

/* The peers with their addresses, and the addresses that the kernel chose. */
static void add_peers(struct ghost_draft *d)
{
	const struct fr_peers *p = &d->g->peers;
	struct fr_ghost_peer none = {0};

	for (uint32_t i = 0; i < p->npeers; i++)
		fr_vec_push(&d->peer, none);
	FR_VEC_FOREACH (s, &p->step) {
		struct fr_ghost_peer x = {.what = s->what,
					  .type = s->type,
					  .flags = s->flags,
					  .listener = (uint32_t)s->result};

		if (s->what != FR_PEER_LISTEN && s->what != FR_PEER_ACCEPT &&
		    s->what != FR_PEER_CONNECT && s->what != FR_PEER_BIND &&
		    s->what != FR_PEER_SOCKET)
			continue;
		fr_peers_addresses(p, s, &x.address);
		if (s->peer == FR_PEER_NONE)
			fr_vec_push(&d->peer, x);
		else
			d->peer.v[s->peer] = x;
	}
}

static void add_call(struct ghost_draft *d, const struct fr_peer_step *s, unsigned does,
		     uint32_t peer, uint64_t upto)
{
	struct draft_call x = {.c = {.hook = s->hook,
				     .upto = upto,
				     .peer = peer,
				     .does = (uint16_t)does,
				     .what = s->what}};

	if (!s->thread || s->thread > d->g->thread.n)
		return;
	x.thread = d->thread[s->thread - 1];
	if (x.thread != UINT32_MAX)
		fr_vec_push(&d->call, x);
}

static void add_step(struct ghost_draft *d, const struct fr_peer_step *s, unsigned does,
		     uint64_t upto)
{
	struct fr_ghost_action a = {
	    .upto = upto, .sent = s->sent, .peer = s->peer, .does = (uint16_t)does};

	fr_vec_push(&d->action, a);
	if (s->peer != FR_PEER_NONE)
		add_call(d, s, does, s->peer, upto);
}

static void add_read(struct ghost_draft *d, const struct fr_peer_step *s)
{
	uint64_t head = s->flags & FR_PEER_FROM ? sizeof(struct fr_peer_address) : 0;
	struct fr_ghost_piece x = {
	    .offset = s->at + head, .n = (uint64_t)s->result, .from = head ? s->at : 0};

	if (head) {
		fr_vec_push(&d->piece, x);
		fr_vec_push(&d->owner, s->peer);
		add_step(d, s, FR_GHOST_SEND, ++d->total[s->peer]);
	} else if (s->result > 0) {
		fr_vec_push(&d->piece, x);
		fr_vec_push(&d->owner, s->peer);
		d->total[s->peer] += x.n;
		add_step(d, s, FR_GHOST_SEND, d->total[s->peer]);
	} else if (!d->ended[s->peer]) {
		d->ended[s->peer] = true;
		add_step(d, s, s->result ? FR_GHOST_RESET : FR_GHOST_END, d->closes[s->peer]);
	}
}

/* A descriptor was ready: the call needs what the program found there later. */
static void add_ready(struct ghost_draft *d, const struct fr_peer_step *s, uint32_t next)
{
	const struct fr_peer_step *x = next == UINT32_MAX ? NULL : &d->g->peers.step.v[next];
	bool closes = s->result & (POLLHUP | POLLERR);

	d->closes[s->peer] |= closes;
	if (d->peer.v[s->peer].what == FR_PEER_LISTEN) {
		if (x)
			add_call(d, s, FR_GHOST_OPEN, x->peer, 0);
	} else if (x && x->flags & FR_PEER_FROM) {
		add_call(d, s, FR_GHOST_SEND, s->peer, d->total[s->peer] + 1);
	} else if (d->peer.v[s->peer].type == SOCK_DGRAM) {
		return; /* a datagram of the program itself */
	} else if (x && x->result > 0) {
		add_call(d, s, FR_GHOST_SEND, s->peer, d->total[s->peer] + (uint64_t)x->result);
		if (closes) /* the bytes that it sent before are still there */
			add_call(d, s, FR_GHOST_END, s->peer, 1);
	} else if (closes || !d->ended[s->peer] || !x) {
		add_call(d, s, x && x->result < 0 ? FR_GHOST_RESET : FR_GHOST_END, s->peer, closes);
	}
}

static void add_connect(struct ghost_draft *d, const struct fr_peer_step *s)
{
	bool own = s->flags & FR_PEER_OWN, refused = s->result == -ECONNREFUSED;

	if (own || refused)
		add_call(d, s, 0, s->peer, 0);
	else
		add_step(d, s, FR_GHOST_LISTEN, 0);
}

static void add_order(struct ghost_draft *d, const struct fr_peer_step *s)
{
	add_call(d, s, 0, (uint32_t)s->result, d->fd.n);
	for (int64_t i = 0; i < s->result; i++) {
		uint32_t fd;

		memcpy(&fd, d->g->peers.bytes + s->at + (uint64_t)i * sizeof(fd), sizeof(fd));
		fr_vec_push(&d->fd, fd);
	}
}

/* The same for a call that found one descriptor. */
static void add_alone(struct ghost_draft *d, const struct fr_peer_step *s)
{
	struct fr_peer_step order = *s;

	order.what = FR_PEER_ORDER;
	add_call(d, &order, 0, 1, d->fd.n);
	fr_vec_push(&d->fd, (uint32_t)s->sent);
}

static void add_steps(struct ghost_draft *d)
{
	const struct fr_peers *p = &d->g->peers;
	uint32_t bound = p->npeers;

	for (size_t i = 0; i < p->step.n; i++) {
		const struct fr_peer_step *s = &p->step.v[i];

		switch (s->what) {
		case FR_PEER_ACCEPT:
			add_step(d, s, FR_GHOST_OPEN, 0);
			break;
		case FR_PEER_CONNECT:
			add_connect(d, s);
			break;
		case FR_PEER_SOCKET:
			add_step(d, s, FR_GHOST_LISTEN, 0);
			break;
		case FR_PEER_BIND:
			add_call(d, s, FR_GHOST_BIND, bound++, 0);
			break;
		case FR_PEER_READ:
			add_read(d, s);
			break;
		case FR_PEER_PEEK:
			add_call(d, s, FR_GHOST_SEND, s->peer,
				 d->total[s->peer] + (uint64_t)s->result);
			break;
		case FR_PEER_READY:
			add_ready(d, s, d->next[i]);
			if (s->flags & FR_PEER_ALONE)
				add_alone(d, s);
			break;
		case FR_PEER_FAIL:
			if (!d->ended[s->peer])
				add_step(d, s, FR_GHOST_RESET, 0);
			d->ended[s->peer] = true;
			break;
		case FR_PEER_ORDER:
			add_order(d, s);
			break;
		case FR_PEER_SIGNAL:
			add_step(d, s, FR_GHOST_SIGNAL, (uint64_t)s->result);
			break;
		default:
			break;
		}
	}
	if (d->g->signal)
		add_step(d, &(struct fr_peer_step){.peer = FR_PEER_NONE}, FR_GHOST_SIGNAL,
			 (uint64_t)d->g->signal);
}

/* ---- the file ---- */

static void fill_calls(const struct ghost_draft *d, struct fr_ghost_file *g)
{
	struct fr_ghost_thread *t = fr_ghost_threads(g);
	uint32_t at = 0;

	FR_VEC_FOREACH (c, &d->call)
		t[c->thread].n++;
	for (uint32_t i = 0; i < g->nthreads; i++) {
		t[i].first = at;
		at += t[i].n;
		t[i].n = 0;
	}
	FR_VEC_FOREACH (c, &d->call)
		fr_ghost_calls(g)[t[c->thread].first + t[c->thread].n++] = c->c;
}

static void fill_pieces(const struct ghost_draft *d, struct fr_ghost_file *g)
{
	struct fr_ghost_peer *p = fr_ghost_peers(g);
	uint32_t at = 0;

	FR_VEC_FOREACH (o, &d->owner)
		p[*o].npieces++;
	for (uint32_t i = 0; i < g->npeers; i++) {
		p[i].piece = at;
		at += p[i].npieces;
		p[i].npieces = 0;
	}
	for (size_t i = 0; i < d->piece.n; i++) {
		struct fr_ghost_peer *x = &p[d->owner.v[i]];

		fr_ghost_pieces(g)[x->piece + x->npieces++] = d->piece.v[i];
	}
}

static int make(const struct ghost_draft *d, uint32_t nthreads, struct fr_ghost_file_handle *ret,
		struct fr_err *reterr)
{
	uint64_t threads = (sizeof(struct fr_ghost_file) + 63) & ~UINT64_C(63);
	uint64_t calls = threads + nthreads * sizeof(struct fr_ghost_thread);
	uint64_t actions = calls + d->call.n * sizeof(struct fr_ghost_call);
	uint64_t peers = actions + d->action.n * sizeof(struct fr_ghost_action);
	uint64_t pieces = peers + d->peer.n * sizeof(struct fr_ghost_peer);
	uint64_t fds = pieces + d->piece.n * sizeof(struct fr_ghost_piece);
	struct fr_ghost_file_handle f = {.size = fds + d->fd.n * sizeof(uint32_t)};
	struct fr_ghost_file *g;
	int r = fr_io_memory("forerun-ghost", f.size, &f.fd, f.path, reterr);

	if (r < 0)
		return r;
	g = mmap(NULL, f.size, PROT_READ | PROT_WRITE, MAP_SHARED, f.fd, 0);
	if (g == MAP_FAILED) {
		r = fr_err_set(reterr, -errno, "cannot map the ghost file");
		close(f.fd);
		return r;
	}
	g->size = f.size;
	g->nthreads = nthreads;
	g->ncalls = (uint32_t)d->call.n;
	g->nactions = (uint32_t)d->action.n;
	g->npeers = (uint32_t)d->peer.n;
	g->npieces = (uint32_t)d->piece.n;
	g->threads_off = threads;
	g->calls_off = calls;
	g->actions_off = actions;
	g->peers_off = peers;
	g->pieces_off = pieces;
	g->fds_off = fds;
	g->nfds = (uint32_t)d->fd.n;
	memcpy(g->folder, d->g->folder, sizeof(g->folder));
	fill_calls(d, g);
	if (d->action.n)
		memcpy(fr_ghost_actions(g), d->action.v, d->action.n * sizeof(*d->action.v));
	if (d->peer.n)
		memcpy(fr_ghost_peers(g), d->peer.v, d->peer.n * sizeof(*d->peer.v));
	fill_pieces(d, g);
	if (d->fd.n)
		memcpy(fr_ghost_fds(g), d->fd.v, d->fd.n * sizeof(*d->fd.v));
	g->magic = FR_GHOST_MAGIC;
	f.g = g;
	*ret = f;
	return 0;
}

int fr_ghost_file_build(const struct fr_ghosts *g, const struct fr_control_file_handle *f,
			struct fr_ghost_file_handle *ret, struct fr_err *reterr)
{
	struct ghost_draft d = {.g = g};
	int r;

	fr_assert(fr_ghosts_any(g));
	find_threads(&d, f);
	add_peers(&d);
	find_next(&d);
	d.total = fr_xcalloc(g->peers.npeers + 1, sizeof(*d.total));
	d.ended = fr_xcalloc(g->peers.npeers + 1, sizeof(*d.ended));
	d.closes = fr_xcalloc(g->peers.npeers + 1, sizeof(*d.closes));
	add_steps(&d);
	r = make(&d, f->nthreads, ret, reterr);
	free(d.thread);
	free(d.next);
	free(d.total);
	free(d.ended);
	free(d.closes);
	fr_vec_free(&d.call);
	fr_vec_free(&d.action);
	fr_vec_free(&d.peer);
	fr_vec_free(&d.piece);
	fr_vec_free(&d.owner);
	fr_vec_free(&d.fd);
	return r;
}

void fr_ghost_file_fail(struct fr_ghost_file_handle *f)
{
	if (!f->g)
		return;
	atomic_store(&f->g->state, FR_GHOST_FAILED);
	syscall(SYS_futex, &f->g->state, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	syscall(SYS_futex, &f->g->answered, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void fr_ghost_file_free(struct fr_ghost_file_handle *f)
{
	if (!f->g)
		return;
	munmap(f->g, f->size);
	close(f->fd);
	*f = (struct fr_ghost_file_handle){0};
}
