/*
 * Search by cases. A trial order of the events that must be in breaks a rule: two sections overlap,
 * or a read sees a wrong value. Such a fault has a few repairs (order_repairs.h), and every
 * solution contains one of them: one section comes before the other, a read takes one of its
 * sources, and so on. The search tries each repair with everything that it forces (order_force.h),
 * in recorded order first.
 *
 * The choice of the next fault decides how long a proof of infeasibility grows. The search probes
 * the faults that failed often and have few repairs: it applies each repair with everything that it
 * forces, and undoes it. It drops impossible repairs, and everything that the remaining ones have
 * in common holds anyway. The next fault is the one with the fewest repairs left, and among those
 * the one whose repairs force most. The search restarts from time to time and keeps the weights of
 * the faults (the weighted degrees of constraint solvers). The last repair of a fault is a
 * consequence, not a case: the search keeps it without a checkpoint to return to, and at the bottom
 * for good.
 *
 * Invariant: each repair adds an order that the trial contradicts, so the search ends.
 */
#include "oracle/order_cases.h"
#include "base/assert.h"
#include "oracle/order_force.h"
#include "oracle/order_repairs.h"

#define PROBES 8   /* faults that are probed before one is chosen */
#define RESTART 64 /* cases before the first restart */

static bool take(struct fr_cases *b, const struct fr_repair *w)
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

/* The weights are those of the sections, the reads, the failed try-locks, and so on. */
static uint32_t *weight_of(struct fr_cases *b, const struct fr_fault *f, bool second)
{
	const struct fr_seg *s = b->po->s;
	const size_t first[] = {
	    [FR_FAULT_LOCK] = 0,
	    [FR_FAULT_READ] = s->section.n,
	    [FR_FAULT_TRY] = s->section.n + s->read.n,
	    [FR_FAULT_SEM] = s->section.n + s->read.n + s->try.n,
	    [FR_FAULT_COND] = s->section.n + s->read.n + s->try.n + s->sem.n,
	    [FR_FAULT_AFTER] = s->section.n + s->read.n + s->try.n + s->sem.n + s->cond.n,
	};

	return &b->weight[first[f->kind] + (second && f->kind == FR_FAULT_LOCK ? f->b : f->a)];
}

static void add_weight(struct fr_cases *b, const struct fr_fault *f)
{
	++*weight_of(b, f, false);
	++*weight_of(b, f, true);
}

/* Chooses the faults with the most weight per repair, the latest first: early events are
   mostly possible as recorded, and tell little about the targets. */
static size_t choose(struct fr_cases *b, struct fr_fault *ret)
{
	double score[PROBES];
	size_t n = 0;

	for (size_t q = b->x->fault.n; q--;) {
		const struct fr_fault *f = &b->x->fault.v[q];
		double w;
		size_t i;

		w = (*weight_of(b, f, false) + *weight_of(b, f, true) + 1.0) /
		    fr_repairs_count(b->po, f);
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

/* Keeps the repairs that forced orders alone do not exclude, and adds their common orders.
   *ret_gain is the smallest number of changes that one of them forces. False: no solution. */
static bool probe(struct fr_cases *b, const struct fr_fault *f, struct fr_repairs *w,
		  size_t *ret_gain)
{
	size_t n = 0;

	fr_repairs_find(b->po, b->x, f, w);
	for (size_t i = 0; i < w->n; i++) {
		struct fr_po_checkpoint m = fr_po_checkpoint(b->po);

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
		 struct fr_repairs *w)
{
	struct fr_repairs other = {0}, t;
	size_t gain = 0, most = 0;

	w->n = SIZE_MAX;
	for (size_t i = 0; i < n && w->n > 1 && !(i && b->out_of_time(b->arg)); i++) {
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
	fr_assert(w->n != SIZE_MAX); /* it probes one at least */
	return true;
}

/* Searches everything below the present order, and adds orders to it. On FR_INFEASIBLE these are of
   no use: the caller undoes them. */
static enum fr_answer explore(struct fr_cases *b, uint64_t *left)
{
	struct fr_repairs w = {0};
	enum fr_answer answer = FR_UNKNOWN;

	for (;;) {
		struct fr_fault f = {0}, fault[PROBES];
		size_t i, n;

		if (b->out_of_time(b->arg)) /* fr_force may have ended early */
			break;
		if (fr_trial_run(b->x, b->po)) {
			answer = FR_FEASIBLE;
			break;
		}
		if (!*left || !b->limit)
			break;
		n = choose(b, fault);
		fr_assert(n);
		if (!pick(b, fault, n, &f, &w)) {
			answer = FR_INFEASIBLE;
			break;
		}
		for (i = 0; i + 1 < w.n; i++) {
			struct fr_po_checkpoint m = fr_po_checkpoint(b->po);

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
	const struct fr_seg *s = b->po->s;
	enum fr_answer answer = FR_UNKNOWN;
	uint64_t restart = RESTART;

	fr_assert(b->po->forced && b->po->log && b->po->s == b->x->s);
	b->weight =
	    fr_xcalloc(s->section.n + s->read.n + s->try.n + s->sem.n + s->cond.n + s->after.n + 1,
		       sizeof(uint32_t));
	b->common = fr_xmalloc(((size_t)s->n * s->nthreads + 1) * sizeof(uint32_t));
	b->lo = fr_xmalloc(((size_t)s->nthreads + 1) * sizeof(uint32_t));
	b->hi = fr_xmalloc(((size_t)s->nthreads + 1) * sizeof(uint32_t));
	while (answer == FR_UNKNOWN && b->limit && !b->out_of_time(b->arg)) {
		uint64_t left = restart, before = b->cases;

		answer = explore(b, &left);
		if (left) /* the search did not end because of a restart */
			break;
		b->restarts += b->cases > before;
		restart += restart / 2;
	}
	fr_assert(answer != FR_FEASIBLE || !b->x->fault.n);
	free(b->weight);
	free(b->common);
	free(b->lo);
	free(b->hi);
	return answer;
}
