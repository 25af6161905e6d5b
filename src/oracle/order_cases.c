/*
 * Search by cases. A trial order of the events that must be in breaks a rule: two sections overlap,
 * or a read sees a wrong value. Such a fault has a few repairs (`ways`), and every solution
 * contains one of them: one section comes before the other, a read takes one of its sources, or a
 * write does not come between a read and its source. The search tries each repair with everything
 * that it forces (order_force.h), in recorded order first.
 *
 * A read with many sources is not tried with each of them, because in a long run most of them are
 * far away and are refuted for one reason. The search takes one source, in the middle of those of
 * its thread, and distinguishes whether that source comes before the read.
 *
 * The choice of the next fault decides how large a refutation grows. The search probes the faults
 * that failed often and have few repairs: it applies each repair with everything that it forces,
 * and undoes it. Refuted repairs are dropped, and everything that the remaining ones have in common
 * holds anyway. The next fault is the one with the fewest repairs left, and among those the one
 * whose repairs force most. The search restarts from time to time and keeps the weights of the
 * faults (the weighted degrees of constraint solvers). The last repair of a fault is a consequence,
 * not a case: the search keeps it without a mark to return to, and at the bottom for good.
 *
 * Not handled: failed try-locks, conditions and semaphores. If only those are broken, the answer is
 * FR_UNKNOWN, and the clauses (order_enc.h) take over.
 */
#include "oracle/order_cases.h"
#include "base/assert.h"
#include "oracle/order_force.h"

#define WAYS 16	   /* repairs of a fault that are counted */
#define PROBES 8   /* faults that are probed before one is chosen */
#define FEW 3	   /* up to this number, the sources of a read are tried one by one */
#define RESTART 64 /* cases before the first restart */

struct way {
	uint32_t a, b;	       /* a new edge; or */
	uint32_t read, source; /* the read (FR_NODE_NONE = none) and its new source */
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

/* Puts the recorded order first. */
static void recorded_first(struct ways *w)
{
	if (w->n == 2 && w->v[0].a > w->v[0].b && w->v[1].a < w->v[1].b) {
		struct way t = w->v[0];

		w->v[0] = w->v[1];
		w->v[1] = t;
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
static void find_sources(const struct fr_cases *b, uint32_t read, struct ways *ret)
{
	const struct fr_seg *s = b->po->s;
	const struct fr_seg_read *r = &s->read.v[read];
	const struct fr_seg_cell *c = &s->cell.v[r->cell];
	uint32_t max = c->wfirst[s->nthreads] - c->wfirst[0] + 1, at = 0, most;
	uint32_t *src = fr_xmalloc((size_t)max * sizeof(*src));
	uint32_t n = fr_force_sources(b->po, r, src, max);

	if (n > FEW && (most = longest(s, src, n, &at)) > 1) {
		uint32_t w = s->write.v[src[at + most / 2]].node;

		add_edge_way(ret, w, r->node);
		add_edge_way(ret, r->node, w);
		recorded_first(ret);
		free(src);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		if (src[i] == r->saw)
			fr_vec_push(ret, (struct way){0, 0, read, src[i]});
	/* Then the sources that must be in anyway, then the others. Near sources are last in the
	   list, so the loop runs backwards. */
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
		uint32_t w = b->po->source[f->a], bad;

		fr_assert_slow(f->kind == FR_FAULT_READ && f->b < s->write.n);
		bad = s->write.v[f->b].node;
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
		fr_assert_slow(b->po->source[w->read] == FR_NODE_NONE);
		fr_po_set(b->po, &b->po->source[w->read], w->source);
		fr_po_touch(b->po, b->po->s->read.v[w->read].node);
	}
	return fr_force(b->po);
}

static uint32_t *weight_of(struct fr_cases *b, const struct fr_fault *f, bool second)
{
	fr_assert_slow(f->kind == FR_FAULT_READ || f->kind == FR_FAULT_LOCK);
	if (f->kind == FR_FAULT_READ)
		return &b->weight[b->po->s->section.n + f->a];
	return &b->weight[second ? f->b : f->a];
}

static void add_weight(struct fr_cases *b, const struct fr_fault *f)
{
	++*weight_of(b, f, false);
	++*weight_of(b, f, true);
}

/* Counts the repairs of a fault, up to WAYS. */
static uint32_t count_ways(const struct fr_cases *b, const struct fr_fault *f)
{
	uint32_t src[WAYS];

	if (f->kind == FR_FAULT_LOCK || b->po->source[f->a] != FR_NODE_NONE)
		return 2;
	return fr_force_sources(b->po, &b->po->s->read.v[f->a], src, WAYS);
}

/* Chooses the repairable faults with the most weight per repair, the latest first: early events are
   mostly possible as recorded, and tell little about the targets. */
static size_t choose(struct fr_cases *b, struct fr_fault *ret)
{
	double score[PROBES];
	size_t n = 0;

	for (size_t q = b->x->fault.n; q--;) {
		const struct fr_fault *f = &b->x->fault.v[q];
		double w;
		size_t i;

		if (f->kind != FR_FAULT_LOCK && f->kind != FR_FAULT_READ)
			continue;
		w = (*weight_of(b, f, false) + *weight_of(b, f, true) + 1.0) / count_ways(b, f);
		if (n == PROBES && w <= score[n - 1])
			continue;
		n += n < PROBES;
		for (i = n - 1; i && score[i - 1] < w; i--) {
			score[i] = score[i - 1];
			ret[i] = ret[i - 1];
		}
		score[i] = w;
		ret[i] = *f;
	}
	return n;
}

/* Intersects `common`, `lo` and `hi` with the present order. */
static void meet(struct fr_cases *b, bool first)
{
	const struct fr_po *po = b->po;
	size_t k = po->s->nthreads, n = k * po->s->n;

	for (size_t i = 0; i < n; i++)
		b->common[i] = first || po->pred[i] < b->common[i] ? po->pred[i] : b->common[i];
	for (size_t t = 0; t < k; t++) {
		b->lo[t] = first || po->lo[t] < b->lo[t] ? po->lo[t] : b->lo[t];
		b->hi[t] = first || po->hi[t] > b->hi[t] ? po->hi[t] : b->hi[t];
	}
}

/* Adds everything that all repairs have in common: one of the repairs must hold. */
static bool take_common(struct fr_cases *b)
{
	struct fr_po *po = b->po;
	const struct fr_seg *s = po->s;
	bool news = false;

	for (uint32_t t = 0; t < s->nthreads; t++) {
		if (b->lo[t] > po->lo[t])
			fr_po_raise(po, t, b->lo[t]);
		if (b->hi[t] < po->hi[t])
			fr_po_lower(po, t, b->hi[t]);
	}
	for (uint32_t n = 0; n < s->n; n++) {
		for (uint32_t t = 0; t < s->nthreads; t++) {
			uint32_t c = b->common[(size_t)n * s->nthreads + t];

			if (c <= fr_po_pred(po, n, t))
				continue;
			news = true;
			if (!fr_po_add(po, fr_seg_at(s, t, c - 1), n))
				return false;
		}
	}
	return !news || fr_force(po);
}

/* Keeps the repairs that forced orders alone do not refute, and adds what these have in common.
   *ret_gain is the smallest number of changes that one of them forces. False: no solution. */
static bool probe(struct fr_cases *b, const struct fr_fault *f, struct ways *w, size_t *ret_gain)
{
	size_t n = 0;

	find_ways(b, f, w);
	for (size_t i = 0; i < w->n; i++) {
		struct fr_po_mark m = fr_po_mark(b->po);

		b->cases++;
		b->limit -= !!b->limit;
		if (take(b, &w->v[i])) {
			meet(b, !n);
			*ret_gain = fr_min(n ? *ret_gain : SIZE_MAX, b->po->old.n - m.old);
			w->v[n++] = w->v[i];
		} else {
			add_weight(b, f);
		}
		fr_po_undo(b->po, m);
	}
	w->n = n;
	return n && take_common(b);
}

/* Probes the faults. *best becomes the one with the fewest repairs left, and among those the one
   whose repairs force most; w holds its repairs. False: there is no solution. */
static bool pick(struct fr_cases *b, const struct fr_fault *fault, size_t n, struct fr_fault *best,
		 struct ways *w)
{
	struct ways other = {0}, t;
	size_t gain = 0, most = 0;

	w->n = SIZE_MAX;
	for (size_t i = 0; i < n && w->n > 1 && !(i && b->is_late(b->arg)); i++) {
		if (!probe(b, &fault[i], &other, &gain)) {
			add_weight(b, &fault[i]);
			fr_vec_free(&other);
			w->n = 0;
			return false;
		}
		if (other.n < w->n || (other.n == w->n && gain > most)) {
			most = gain;
			t = *w;
			*w = other;
			other = t;
			*best = fault[i];
		}
	}
	fr_vec_free(&other);
	return true;
}

static bool try_order(struct fr_cases *b)
{
	for (uint32_t t = 0; t < b->po->s->nthreads; t++)
		b->x->count[t] = b->po->lo[t];
	return fr_trial_sort(b->x, b->po, NULL, 0) && fr_trial_check(b->x);
}

/* Searches everything below the present order. On FR_INFEASIBLE the order is as before. */
static enum fr_answer explore(struct fr_cases *b, uint64_t *left)
{
	struct ways w = {0};
	enum fr_answer answer = FR_UNKNOWN;

	for (;;) {
		struct fr_fault f = {0}, fault[PROBES];
		size_t i, n;

		if (try_order(b)) {
			answer = FR_FEASIBLE;
			break;
		}
		n = choose(b, fault);
		if (!n || !*left || !b->limit || b->is_late(b->arg))
			break;
		if (!pick(b, fault, n, &f, &w)) {
			answer = FR_INFEASIBLE;
			break;
		}
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

	fr_assert(b->po->forced);
	b->weight = fr_xcalloc(b->po->s->section.n + b->po->s->read.n + 1, sizeof(uint32_t));
	b->common = fr_xmalloc(((size_t)b->po->s->n * b->po->s->nthreads + 1) * sizeof(uint32_t));
	b->lo = fr_xmalloc(((size_t)b->po->s->nthreads + 1) * sizeof(uint32_t));
	b->hi = fr_xmalloc(((size_t)b->po->s->nthreads + 1) * sizeof(uint32_t));
	while (answer == FR_UNKNOWN && b->limit && !b->is_late(b->arg)) {
		uint64_t left = restart, before = b->cases;

		answer = explore(b, &left);
		if (left) /* the search did not end because of a restart */
			break;
		b->restarts += b->cases > before;
		restart += restart / 2;
	}
	free(b->weight);
	free(b->common);
	free(b->lo);
	free(b->hi);
	return answer;
}
