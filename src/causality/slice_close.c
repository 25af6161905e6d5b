/*
 * Finds the free reads that matter to a candidate, to a fixpoint.
 *
 * State:  for each free read site and thread a limit: its READs below the limit matter. Limits only
 *         grow.
 * Start:  the free reads before a target, in its thread, that reach the target's execution; the
 *         same for the events of edges, and for the value of the write that a read must see.
 * Step:   a READ that matters and is before a target must find a reliable write. The writes that it
 *         saw in the recorded run become reliable: the free reads that reach them matter, up to the
 *         write. `covered` says how far the threads' reads that matter always have been followed.
 * Doubts: if a READ of a location matters and may be in the reordering, the free reads that decide
 *         about a write to this location matter, all of them.
 *
 * The steps are a choice, which makes more candidates feasible; the start and the doubts are
 * necessary (slice.h). So only events that must-happen-before orders before the targets are
 * followed, not those that a read or a lock needs.
 */
#include "base/assert.h"
#include "causality/slice_internal.h"
#include <string.h>

void fr_slice_state_init(const struct fr_slice *s, struct fr_slice_state *x)
{
	*x = (struct fr_slice_state){.limit = fr_xcalloc(s->reads.n + 1, sizeof(fr_ev)),
				     .covered = fr_xcalloc(s->m->nthreads + 1, sizeof(fr_ev))};
}

void fr_slice_state_free(struct fr_slice_state *x)
{
	FR_VEC_FOREACH (w, &x->whole) {
		free(w->limit);
		free(w->covered);
	}
	fr_vec_free(&x->whole);
	free(x->limit);
	free(x->covered);
	fr_vec_free(&x->todo);
}

/* Raises the limit of a list. Its READs in between matter now. */
static void raise(const struct fr_slice *s, struct fr_slice_state *x,
		  const struct fr_slice_reads *r, fr_ev limit)
{
	fr_ev *at = &x->limit[r - s->reads.v];
	uint32_t i;

	if (limit <= *at)
		return;
	i = r->from + fr_list_lower(s->list + r->from, r->end - r->from, *at);
	for (; i < r->end && s->list[i] < limit; i++)
		fr_vec_push(&x->todo, s->list[i]);
	*at = limit;
}

/* The reads of a set matter in a thread, below an event. */
static void require(const struct fr_slice *s, struct fr_slice_state *x, uint32_t set,
		    uint32_t thread, fr_ev limit)
{
	struct fr_slice_set v = fr_slice_reach_set(s->reach, set);

	x->work += v.n;
	for (uint32_t i = 0; i < v.n; i++) {
		const struct fr_slice_reads *r = fr_slice_reads_of(s, thread, v.v[i]);

		if (r)
			raise(s, x, r, limit);
	}
}

/* Follows the reads of a thread below an event. */
static void cover(const struct fr_slice *s, struct fr_slice_state *x, uint32_t thread, fr_ev limit)
{
	uint32_t n = (uint32_t)s->followed[thread].n, i;

	if (limit <= x->covered[thread])
		return;
	if (n) {
		const fr_ev *v = s->followed[thread].v;

		for (i = fr_list_lower(v, n, x->covered[thread]); i < n && v[i] < limit; i++)
			fr_vec_push(&x->todo, v[i]);
	}
	x->covered[thread] = limit;
}

/* Makes the writes reliable that the READs of the list saw in the recorded run. */
static void follow(const struct fr_slice *s, struct fr_slice_state *x)
{
	while (x->todo.n) {
		fr_ev e = x->todo.v[--x->todo.n], w[8];
		uint32_t n = fr_writers_since(s->c, e, 0, w);

		x->work++;
		while (n--) {
			const struct fr_mev *v = &s->m->ev[w[n]];
			uint32_t support = fr_slice_support(s, w[n]);

			if (support)
				require(s, x, support, v->thread, w[n]);
			cover(s, x, v->thread, w[n]);
		}
	}
}

/* Must e come after a target, so that no reordering for the candidate contains it? */
static bool is_after(const struct fr_slice *s, const struct fr_candidate *what, fr_ev e)
{
	for (uint32_t i = 0; i < what->npending; i++) {
		fr_ev target = what->pending[i];

		if (fr_head(s->m, e) == target || fr_mhb(s->c, target, e))
			return true;
	}
	return false;
}

/* Does a READ of the location matter that may be in the reordering? what: NULL for any. */
static bool in_doubt(const struct fr_slice *s, const struct fr_candidate *what,
		     const struct fr_slice_state *x, const struct fr_slice_doubt *d)
{
	if (what && what->sees.on && s->m->ev[what->sees.read].obj == d->loc)
		return true;
	for (uint32_t i = 0; i < d->nfirst; i++)
		if (!what || !is_after(s, what, s->watch.v[d->first + i]))
			return true;
	for (uint32_t i = 0; i < d->nsites; i++)
		for (uint32_t t = 0; t < s->m->nthreads; t++) {
			const struct fr_slice_reads *r =
			    fr_slice_reads_of(s, t, s->watch.v[d->site + i]);

			if (r && x->limit[r - s->reads.v] > s->list[r->from])
				return true;
		}
	return false;
}

/* The limits if all reads of a set matter, in all threads, with the consequences. Computed once for
   a set: a candidate in doubt unites them with its own. */
static const struct fr_slice_whole *whole_of(const struct fr_slice *s, struct fr_slice_state *x,
					     uint32_t set)
{
	struct fr_slice_set v = fr_slice_reach_set(s->reach, set);
	struct fr_slice_state y;

	FR_VEC_FOREACH (w, &x->whole)
		if (w->set == set)
			return w;
	fr_slice_state_init(s, &y);
	for (uint32_t i = 0; i < v.n; i++)
		for (uint32_t t = 0; t < s->m->nthreads; t++) {
			const struct fr_slice_reads *r = fr_slice_reads_of(s, t, v.v[i]);

			if (r)
				raise(s, &y, r, s->m->n);
		}
	follow(s, &y);
	x->work += y.work;
	fr_vec_push(&x->whole,
		    ((struct fr_slice_whole){set, fr_steal(y.limit), fr_steal(y.covered)}));
	fr_slice_state_free(&y);
	return &x->whole.v[x->whole.n - 1];
}

/* All reads of the set matter, in all threads. True: that was not so before. */
static bool require_all(const struct fr_slice *s, struct fr_slice_state *x, uint32_t set)
{
	const struct fr_slice_whole *w = whole_of(s, x, set);
	bool more = false;

	for (size_t i = 0; i < s->reads.n; i++) {
		more |= x->limit[i] < w->limit[i];
		x->limit[i] = fr_max(x->limit[i], w->limit[i]);
	}
	for (uint32_t t = 0; t < s->m->nthreads; t++)
		x->covered[t] = fr_max(x->covered[t], w->covered[t]);
	x->work += s->reads.n;
	return more;
}

static void settle(const struct fr_slice *s, const struct fr_candidate *what,
		   struct fr_slice_state *x)
{
	bool more;

	do {
		follow(s, x);
		more = false;
		FR_VEC_FOREACH (d, &s->doubt)
			if (in_doubt(s, what, x, d))
				more |= require_all(s, x, d->set);
	} while (more);
	fr_assert(!x->todo.n);
}

/* The execution of the step that contains e; `limit`: reads below it. */
static void require_step(const struct fr_slice *s, struct fr_slice_state *x, fr_ev e, fr_ev limit)
{
	fr_ev head = fr_head(s->m, e);

	do {
		require(s, x, s->execute[s->m->ev[head].site], s->m->ev[e].thread, limit);
		head++;
	} while (head < s->m->n && s->m->ev[head].flags & FR_F_PART);
}

static void add_need(struct fr_slice_needs *ret, uint32_t thread, uint32_t set)
{
	if (set)
		fr_vec_push(ret, (uint64_t)thread << 32 | set);
}

static void add_step_needs(const struct fr_slice *s, fr_ev e, struct fr_slice_needs *ret)
{
	fr_ev head = fr_head(s->m, e);

	do {
		add_need(ret, s->m->ev[e].thread, s->execute[s->m->ev[head].site]);
		head++;
	} while (head < s->m->n && s->m->ev[head].flags & FR_F_PART);
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void fr_slice_close_needs(const struct fr_slice *s, const struct fr_candidate *what,
			  struct fr_slice_needs *ret)
{
	size_t n = 0;

	ret->n = 0;
	for (uint32_t i = 0; i < what->npending; i++)
		add_step_needs(s, what->pending[i], ret);
	for (uint32_t i = 0; i < what->nedges; i++) {
		add_step_needs(s, what->edge[i].before, ret);
		add_step_needs(s, what->edge[i].after, ret);
	}
	if (what->sees.on && what->sees.write != FR_NO_EV)
		add_need(ret, s->m->ev[what->sees.write].thread,
			 fr_slice_support(s, what->sees.write));
	if (ret->n)
		qsort(ret->v, ret->n, sizeof(*ret->v), by_number);
	FR_VEC_FOREACH (x, ret)
		if (!n || ret->v[n - 1] != *x)
			ret->v[n++] = *x;
	ret->n = n;
}

static void require_targets(const struct fr_slice *s, const struct fr_candidate *what,
			    struct fr_slice_state *x)
{
	for (uint32_t i = 0; i < what->npending; i++)
		require_step(s, x, what->pending[i], what->pending[i]);
	for (uint32_t i = 0; i < what->nedges; i++) {
		fr_ev before = what->edge[i].before, after = what->edge[i].after;

		require_step(s, x, before, before);
		require_step(s, x, after, after);
	}
	if (what->sees.on && what->sees.write != FR_NO_EV) {
		fr_ev w = what->sees.write;

		require(s, x, fr_slice_support(s, w), s->m->ev[w].thread, w);
	}
}

/* Everything that must happen before e is in the reordering. */
static void cover_past(const struct fr_slice *s, struct fr_slice_state *x, fr_ev e)
{
	for (uint32_t t = 0; t < s->m->nthreads; t++) {
		fr_ev last;

		if (t == s->m->ev[e].thread || !s->followed[t].n)
			continue;
		last = fr_mhb_last(s->c, e, t);
		if (last != FR_NO_EV)
			cover(s, x, t, last + 1);
	}
	cover(s, x, s->m->ev[e].thread, e);
}

void fr_slice_close(const struct fr_slice *s, const struct fr_candidate *what,
		    struct fr_slice_state *x)
{
	memset(x->limit, 0, s->reads.n * sizeof(*x->limit));
	memset(x->covered, 0, s->m->nthreads * sizeof(*x->covered));
	x->todo.n = 0;
	x->work += s->reads.n + s->m->nthreads + s->doubt.n;
	require_targets(s, what, x);
	for (uint32_t i = 0; i < what->npending; i++)
		cover_past(s, x, what->pending[i]);
	for (uint32_t i = 0; i < what->nedges; i++)
		cover_past(s, x, what->edge[i].before);
	settle(s, what, x);
}

void fr_slice_close_events(const struct fr_slice *s, const fr_ev *ev, uint32_t n,
			   struct fr_slice_state *x)
{
	memset(x->limit, 0, s->reads.n * sizeof(*x->limit));
	memset(x->covered, 0, s->m->nthreads * sizeof(*x->covered));
	x->todo.n = 0;
	x->work += s->reads.n + s->m->nthreads + s->doubt.n;
	for (uint32_t i = 0; i < n; i++) {
		require_step(s, x, ev[i], ev[i]);
		cover_past(s, x, ev[i]);
	}
	settle(s, NULL, x);
}

void fr_slice_close_most(const struct fr_slice *s, struct fr_slice_state *x)
{
	for (uint32_t t = 0; t < s->m->nthreads; t++)
		cover(s, x, t, s->m->n);
	/* Otherwise each candidate that is in doubt would follow these reads anew. */
	FR_VEC_FOREACH (d, &s->doubt)
		require_all(s, x, d->set);
	settle(s, NULL, x);
}

void fr_slice_close_whole(const struct fr_slice *s, const struct fr_slice_needs *needs,
			  struct fr_slice_state *x)
{
	FR_VEC_FOREACH (k, needs)
		require(s, x, (uint32_t)*k, (uint32_t)(*k >> 32), s->m->n);
	settle(s, NULL, x);
}

void fr_slice_close_round(const struct fr_slice *s, struct fr_slice_state *x)
{
	FR_VEC_FOREACH (r, &s->reads) {
		fr_ev *at = &x->limit[r - s->reads.v];
		uint32_t n = fr_list_lower(s->list + r->from, r->end - r->from, *at);

		*at = n ? s->list[r->from + n - 1] + 1 : 0;
	}
}
