/*
 * The repairs of a fault: see order_repairs.h.
 *
 * A read with many sources is not tried with each of them, because in a long run most of them are
 * far away and impossible for one reason. One source, in the middle of those of its thread, comes
 * before the read or does not.
 *
 * The other rules count or look for something at one step: the units of a semaphore, the holder of
 * a lock, the signal of a wait. If the trial breaks such a rule, then in every solution something
 * that comes after the step now comes before it, or the other way round. Program order leaves one
 * weakest such change in each thread: the first node that could be pulled before the step, and the
 * last one that could be pushed behind it.
 */
#include "oracle/order_repairs.h"
#include "base/assert.h"
#include "oracle/order_force.h"
#include <string.h>

#define REPAIRS 16 /* repairs of a fault that are counted */
#define FEW 3	   /* up to this number, the sources of a read are tried one by one */

static void add_edge(struct fr_repairs *w, uint32_t a, uint32_t b)
{
	if (a != FR_NODE_NONE && b != FR_SEG_CUT)
		fr_vec_push(w, (struct fr_repair){a, b, FR_NODE_NONE, 0});
}

/* Puts the edges in recorded order first. */
static void recorded_first(struct fr_repairs *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		struct fr_repair t = w->v[i];

		if (t.a > t.b)
			continue;
		w->v[i] = w->v[n];
		w->v[n++] = t;
	}
}

/* Finds the thread with most of the sources, which are grouped by thread. Returns their number;
   *ret is the index of the first one. */
static uint32_t longest(const struct fr_seg *s, const uint32_t *src, uint32_t n, uint32_t *ret)
{
	uint32_t most = 0;

	for (uint32_t i = src[0] == FR_SEG_CUT, k; i < n; i = k) {
		uint32_t t = s->thread[s->write.v[src[i]].node];

		for (k = i + 1; k < n && s->thread[s->write.v[src[k]].node] == t;)
			k++;
		if (k - i > most) {
			most = k - i;
			*ret = i;
		}
	}
	return most;
}

/* Adds each source as a repair. If there are many, adds two halves: a middle source comes before
   the read, or after it. */
static void find_sources(const struct fr_po *po, uint32_t read, struct fr_repairs *ret)
{
	const struct fr_seg *s = po->s;
	const struct fr_seg_read *r = &s->read.v[read];
	const struct fr_seg_cell *c = &s->cell.v[r->cell];
	uint32_t max = c->wfirst[s->nthreads] - c->wfirst[0] + 1, at = 0, most;
	uint32_t *src = fr_xmalloc((size_t)max * sizeof(*src));
	uint32_t n = fr_force_sources(po, r, src, max);

	fr_assert(fr_po_is_in(po, r->node));
	if (n > FEW && (most = longest(s, src, n, &at)) > 1) {
		uint32_t w = s->write.v[src[at + most / 2]].node;

		add_edge(ret, w, r->node);
		add_edge(ret, r->node, w);
		free(src);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		if (src[i] == r->saw)
			fr_vec_push(ret, (struct fr_repair){0, 0, read, src[i]});
	/* Then the sources that must be in anyway, then the others. Near sources are last in the
	   list, so the loop runs backwards. */
	for (unsigned in = 2; in--;) {
		for (uint32_t i = n; i--;) {
			bool is_in =
			    src[i] == FR_SEG_CUT || fr_po_is_in(po, s->write.v[src[i]].node);

			if (src[i] != r->saw && is_in == in)
				fr_vec_push(ret, (struct fr_repair){0, 0, read, src[i]});
		}
	}
	free(src);
}

/* ---- changes at one step ---- */

struct nodes {
	uint32_t *v;
	size_t n, cap;
};

/* Adds, for each thread, the first of the nodes that the trial does not run before `at`. The nodes
   of a thread are in program order. */
static void pull(const struct fr_po *po, const struct fr_trial *x, const struct nodes *node,
		 uint32_t at, struct fr_repairs *ret)
{
	for (uint32_t t = 0; t < x->s->nthreads; t++) {
		for (size_t i = 0; i < node->n; i++) {
			uint32_t n = node->v[i];

			if (x->s->thread[n] != t || x->rank[n] <= x->rank[at])
				continue;
			if (!fr_po_is_out(po, n) && !fr_po_le(po, at, n))
				add_edge(ret, n, at);
			break;
		}
	}
}

/* Adds, for each thread, the last of the nodes that the trial runs before `at`. */
static void push(const struct fr_po *po, const struct fr_trial *x, const struct nodes *node,
		 uint32_t at, struct fr_repairs *ret)
{
	for (uint32_t t = 0; t < x->s->nthreads; t++) {
		for (size_t i = node->n; i--;) {
			uint32_t n = node->v[i];

			if (x->s->thread[n] != t || x->rank[n] >= x->rank[at])
				continue;
			if (!fr_po_le(po, n, at))
				add_edge(ret, at, n);
			break;
		}
	}
}

/* A section must begin before the failed try-lock, or end after it. */
static void find_holders(const struct fr_po *po, const struct fr_trial *x,
			 const struct fr_seg_try *f, struct fr_repairs *ret)
{
	const struct fr_seg *s = x->s;
	const uint32_t *first = s->lock.v[f->lock].first;
	struct nodes begin = {0}, end = {0};

	fr_assert(x->rank[f->node] != FR_NODE_NONE);
	for (uint32_t i = first[0]; i < first[s->nthreads]; i++) {
		const struct fr_seg_section *a = &s->section.v[i];

		if (f->shared && a->shared)
			continue;
		if (a->acq != FR_SEG_CUT)
			fr_vec_push(&begin, a->acq);
		if (a->rel != FR_NODE_NONE)
			fr_vec_push(&end, a->rel);
	}
	pull(po, x, &begin, f->node, ret);
	push(po, x, &end, f->node, ret);
	fr_vec_free(&begin);
	fr_vec_free(&end);
}

/* A semaphore at one of its steps: a wait needs posts before it and no waits, a failed wait the
   contrary. */
struct repair_units {
	struct nodes more, fewer;
	int64_t need; /* by how many `more` must exceed `fewer` before the step, at least */
};

static struct repair_units units_at(const struct fr_seg_sem *c, bool failed)
{
	struct nodes wait = {c->wait.v, c->wait.n, 0}, post = {c->post.v, c->post.n, 0};

	return failed ? (struct repair_units){wait, post, c->count}
		      : (struct repair_units){post, wait, 1 - (int64_t)c->count};
}

static bool can_be_before(const struct fr_po *po, uint32_t n, uint32_t at)
{
	return n != at && !fr_po_is_out(po, n) && !fr_po_le(po, at, n);
}

static bool is_before(const struct fr_po *po, uint32_t n, uint32_t at)
{
	return n != at && fr_po_le(po, n, at);
}

/* If all changes that are still possible leave nothing over, each of them is needed: adds the first
   one. Returns true if it has added one, or if even all changes are not enough. */
static bool find_needed(const struct fr_po *po, const struct repair_units *u, uint32_t at,
			struct fr_repairs *ret)
{
	int64_t over = -u->need;

	for (size_t i = 0; i < u->more.n; i++)
		over += can_be_before(po, u->more.v[i], at);
	for (size_t i = 0; i < u->fewer.n; i++)
		over -= is_before(po, u->fewer.v[i], at);
	for (size_t i = 0; i < u->more.n && !over && !ret->n; i++)
		if (can_be_before(po, u->more.v[i], at) && !is_before(po, u->more.v[i], at))
			add_edge(ret, u->more.v[i], at);
	for (size_t i = 0; i < u->fewer.n && !over && !ret->n; i++)
		if (can_be_before(po, u->fewer.v[i], at) && !is_before(po, u->fewer.v[i], at))
			add_edge(ret, at, u->fewer.v[i]);
	return over < 0 || ret->n;
}

static void find_units(const struct fr_po *po, const struct fr_trial *x, const struct fr_seg_sem *c,
		       uint32_t at, struct fr_repairs *ret)
{
	struct repair_units wait = units_at(c, false), failed = units_at(c, true), *u = &wait;

	FR_VEC_FOREACH (n, &c->wait)
		if (fr_po_is_in(po, *n) && find_needed(po, &wait, *n, ret))
			return;
	FR_VEC_FOREACH (n, &c->failed) {
		if (fr_po_is_in(po, *n) && find_needed(po, &failed, *n, ret))
			return;
		if (*n == at)
			u = &failed;
	}
	pull(po, x, &u->more, at, ret);
	push(po, x, &u->fewer, at, ret);
}

/* ---- conditions ---- */

/* Matches the waits of a condition with the signals of a trial. If it fails, the visited waits are
   those that compete for too few signals. */
struct matching {
	const struct fr_trial *x;
	const struct fr_seg_cond *c;
	uint32_t *by;  /* by signal: the wait that it serves, + 1 */
	bool *visited; /* by wait */
};

static bool is_served(const struct matching *m, const struct fr_seg_wait *w, size_t signal)
{
	const struct fr_seg_signal *g = &m->c->signal.v[signal];
	int64_t at = fr_trial_when(m->x, g->node, g->ev);

	return at > fr_trial_when(m->x, w->begin, w->begin_ev) &&
	       at < fr_trial_when(m->x, w->node, w->ev);
}

/* Finds a signal for the wait; other waits may have to change theirs. False: there is none, and the
   visited waits are more than the signals that can serve them. */
static bool match(struct matching *m, uint32_t wait)
{
	m->visited[wait] = true;
	for (size_t g = 0; g < m->c->signal.n; g++) {
		if (!is_served(m, &m->c->wait.v[wait], g))
			continue;
		if (m->c->signal.v[g].broadcast)
			return true;
		fr_assert(m->by[g] <= m->c->wait.n);
		if (!m->by[g] || (!m->visited[m->by[g] - 1] && match(m, m->by[g] - 1))) {
			m->by[g] = wait + 1;
			return true;
		}
	}
	return false;
}

/* One of the visited waits needs another signal: one that comes after the wait returned, or before
   it began. */
static void find_signals(const struct fr_po *po, const struct matching *m, struct fr_repairs *ret)
{
	struct nodes signal = {0};

	FR_VEC_FOREACH (g, &m->c->signal)
		if (g->node != FR_SEG_CUT)
			fr_vec_push(&signal, g->node);
	for (size_t i = 0; i < m->c->wait.n; i++) {
		const struct fr_seg_wait *w = &m->c->wait.v[i];

		if (m->visited[i] && w->node != FR_SEG_CUT)
			pull(po, m->x, &signal, w->node, ret);
		if (m->visited[i] && w->begin != FR_SEG_CUT)
			push(po, m->x, &signal, w->begin, ret);
	}
	fr_vec_free(&signal);
}

static void find_served(const struct fr_po *po, const struct fr_trial *x,
			const struct fr_seg_cond *c, struct fr_repairs *ret)
{
	struct matching m = {.x = x, .c = c};
	bool all = true;

	m.by = fr_xcalloc(c->signal.n + 1, sizeof(*m.by));
	m.visited = fr_xcalloc(c->wait.n + 1, sizeof(*m.visited));
	for (uint32_t i = 0; i < c->wait.n && all; i++) {
		if (fr_trial_when(x, c->wait.v[i].node, c->wait.v[i].ev) == INT64_MAX)
			continue;
		memset(m.visited, 0, c->wait.n * sizeof(*m.visited));
		all = match(&m, i);
	}
	fr_assert(!all);
	find_signals(po, &m, ret);
	free(m.by);
	free(m.visited);
}

/* ---- all faults ---- */

static void find_order(const struct fr_po *po, const struct fr_fault *f, struct fr_repairs *ret)
{
	const struct fr_seg *s = po->s;
	uint32_t w = po->source[f->a], bad;

	fr_assert_slow(f->b < s->write.n);
	bad = s->write.v[f->b].node;
	add_edge(ret, s->read.v[f->a].node, bad);
	if (w != FR_SEG_CUT)
		add_edge(ret, bad, s->write.v[w].node);
}

void fr_repairs_find(const struct fr_po *po, const struct fr_trial *x, const struct fr_fault *f,
		     struct fr_repairs *ret)
{
	const struct fr_seg *s = po->s;

	ret->n = 0;
	switch (f->kind) {
	case FR_FAULT_LOCK:
		add_edge(ret, s->section.v[f->a].rel, s->section.v[f->b].acq);
		add_edge(ret, s->section.v[f->b].rel, s->section.v[f->a].acq);
		break;
	case FR_FAULT_READ:
		if (po->source[f->a] == FR_NODE_NONE)
			find_sources(po, f->a, ret);
		else
			find_order(po, f, ret);
		break;
	case FR_FAULT_TRY:
		find_holders(po, x, &s->try.v[f->a], ret);
		break;
	case FR_FAULT_SEM:
		find_units(po, x, &s->sem.v[f->a], f->b, ret);
		break;
	case FR_FAULT_COND:
		find_served(po, x, &s->cond.v[f->a], ret);
		break;
	case FR_FAULT_AFTER: {
		const struct fr_seg_after *a = &s->after.v[f->a];

		pull(po, x, &(struct nodes){a->any.v, a->any.n, 0}, a->node, ret);
		break;
	}
	}
	FR_VEC_FOREACH (w, ret)
		fr_assert(w->read != FR_NODE_NONE ? po->source[w->read] == FR_NODE_NONE
						  : w->a < s->n && w->b < s->n && w->a != w->b);
	if (ret->n && ret->v[0].read == FR_NODE_NONE)
		recorded_first(ret);
}

/* Counts the repairs of a fault, up to REPAIRS. */
uint32_t fr_repairs_count(const struct fr_po *po, const struct fr_fault *f)
{
	uint32_t src[REPAIRS];

	if (f->kind == FR_FAULT_LOCK)
		return 2;
	if (f->kind != FR_FAULT_READ)
		return 2 * po->s->nthreads;
	if (po->source[f->a] != FR_NODE_NONE)
		return 2;
	return fr_force_sources(po, &po->s->read.v[f->a], src, REPAIRS);
}
