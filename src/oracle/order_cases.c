/*
 * A trial order of what must be in breaks a rule: two sections overlap, or a read finds a wrong
 * value. There are a few ways to repair that, one of which every answer has: one section before the
 * other; one of the read's sources; a write not between a read and its source. Each is tried with
 * all that it forces (order_force.h), in recorded order first.
 *
 * The fault that led nowhere most often is repaired first, and the search starts again from time to
 * time with what it has learnt about that: a refutation then stays small when its cause is (the
 * weighted degrees of constraint solvers). The last way of a fault is no case but a consequence: it
 * is kept without a place to come back to, at the bottom for good.
 *
 * Not here: failed tries, conditions, semaphores: when only those are broken, the answer is unknown
 * and the clauses (order_enc.h) take over.
 */
#include "oracle/order_cases.h"
#include "oracle/order_force.h"

#define RESTART 64 /* cases before the first one */

struct way {
	uint32_t a, b;	       /* an edge; or */
	uint32_t read, source; /* a read takes this source */
};
struct ways {
	struct way *v;
	size_t n, cap;
};

static void add_edge_way(struct ways *w, uint32_t a, uint32_t b)
{
	if (a != FR_NODE_NONE && b != FR_SEG_CUT)
		fr_vec_push(w, (struct way){a, b, FR_NODE_NONE, 0});
}

/* The order that was recorded first. */
static void recorded_first(struct ways *w)
{
	if (w->n == 2 && w->v[0].a > w->v[0].b && w->v[1].a < w->v[1].b) {
		struct way t = w->v[0];

		w->v[0] = w->v[1];
		w->v[1] = t;
	}
}

static void find_sources(const struct fr_cases *b, uint32_t read, struct ways *ret)
{
	const struct fr_seg *s = b->po->s;
	const struct fr_seg_read *r = &s->read.v[read];
	const struct fr_seg_cell *c = &s->cell.v[r->cell];
	uint32_t max = c->wfirst[s->nthreads] - c->wfirst[0] + 1;
	uint32_t *src = fr_xmalloc((size_t)max * sizeof(*src));
	uint32_t n = fr_force_sources(b->po, r, src, max);

	for (uint32_t i = 0; i < n; i++)
		if (src[i] == r->saw)
			fr_vec_push(ret, (struct way){0, 0, read, src[i]});
	/* then those that must be in anyway, then the others; near ones first: they come last */
	for (unsigned in = 2; in--;) {
		for (uint32_t i = n; i--;) {
			bool is_in =
			    src[i] == FR_SEG_CUT || fr_po_is_in(b->po, s->write.v[src[i]].node);

			if (src[i] != r->saw && is_in == in)
				fr_vec_push(ret, (struct way){0, 0, read, src[i]});
		}
	}
	free(src);
}

static void find_ways(const struct fr_cases *b, const struct fr_fault *f, struct ways *ret)
{
	const struct fr_seg *s = b->po->s;

	ret->n = 0;
	if (f->kind == FR_FAULT_LOCK) {
		const struct fr_seg_section *x = &s->section.v[f->a], *y = &s->section.v[f->b];

		add_edge_way(ret, x->rel, y->acq);
		add_edge_way(ret, y->rel, x->acq);
		recorded_first(ret);
	} else if (b->po->source[f->a] == FR_NODE_NONE) {
		find_sources(b, f->a, ret);
	} else {
		uint32_t w = b->po->source[f->a], bad = s->write.v[f->b].node;

		add_edge_way(ret, s->read.v[f->a].node, bad);
		if (w != FR_SEG_CUT)
			add_edge_way(ret, bad, s->write.v[w].node);
		recorded_first(ret);
	}
}

static bool take(struct fr_cases *b, const struct way *w)
{
	if (w->read == FR_NODE_NONE) {
		if (!fr_po_add(b->po, w->a, w->b))
			return false;
	} else {
		fr_po_set(b->po, &b->po->source[w->read], w->source);
		fr_po_set(b->po, &b->po->some[2 * (size_t)w->read], FR_NODE_NONE);
	}
	return fr_force(b->po);
}

static uint32_t *weight_of(struct fr_cases *b, const struct fr_fault *f, bool second)
{
	if (f->kind == FR_FAULT_READ)
		return &b->weight[b->po->s->section.n + f->a];
	return &b->weight[second ? f->b : f->a];
}

static void add_weight(struct fr_cases *b, const struct fr_fault *f)
{
	++*weight_of(b, f, false);
	++*weight_of(b, f, true);
}

/* The heaviest fault that can be repaired here, the earliest of those. */
static bool choose(struct fr_cases *b, struct fr_fault *ret)
{
	uint32_t best = 0;
	bool found = false;

	FR_VEC_FOREACH (f, &b->x->fault) {
		uint32_t w;

		if (f->kind != FR_FAULT_LOCK && f->kind != FR_FAULT_READ)
			continue;
		w = *weight_of(b, f, false) + *weight_of(b, f, true);
		if (!found || w > best) {
			*ret = *f;
			best = w;
			found = true;
		}
	}
	return found;
}

static bool try_order(struct fr_cases *b)
{
	for (uint32_t t = 0; t < b->po->s->nthreads; t++)
		b->x->count[t] = b->po->lo[t];
	return fr_trial_sort(b->x, b->po, NULL, 0) && fr_trial_check(b->x);
}

/* Everything that follows from here; the order is as it was if the answer is no. */
static enum fr_answer explore(struct fr_cases *b, uint64_t *left)
{
	struct ways w = {0};
	enum fr_answer answer = FR_UNKNOWN;

	for (;;) {
		struct fr_fault f;
		size_t i;

		if (try_order(b)) {
			answer = FR_FEASIBLE;
			break;
		}
		if (!choose(b, &f) || !*left || !b->limit || b->is_late(b->arg))
			break;
		find_ways(b, &f, &w);
		for (i = 0; i + 1 < w.n; i++) {
			struct fr_po_mark m = fr_po_mark(b->po);

			b->cases++;
			b->limit -= !!b->limit;
			*left -= !!*left;
			answer = take(b, &w.v[i]) ? explore(b, left) : FR_INFEASIBLE;
			if (answer != FR_INFEASIBLE) {
				if (answer == FR_UNKNOWN)
					fr_po_undo(b->po, m);
				break;
			}
			fr_po_undo(b->po, m);
			add_weight(b, &f);
		}
		if (i + 1 < w.n)
			break;
		if (!w.n || !take(b, &w.v[i])) {
			add_weight(b, &f);
			answer = FR_INFEASIBLE;
			break;
		}
	}
	fr_vec_free(&w);
	return answer;
}

enum fr_answer fr_cases_search(struct fr_cases *b)
{
	enum fr_answer answer = FR_UNKNOWN;
	uint64_t restart = RESTART;

	b->po->log = true;
	b->weight = fr_xcalloc(b->po->s->section.n + b->po->s->read.n + 1, sizeof(uint32_t));
	while (answer == FR_UNKNOWN && b->limit && !b->is_late(b->arg)) {
		uint64_t left = restart, before = b->cases;

		answer = explore(b, &left);
		if (left) /* ended for another reason than that the time for a new start came */
			break;
		b->restarts += b->cases > before;
		restart += restart / 2;
	}
	b->po->log = false;
	free(b->weight);
	return answer;
}
