/*
 * The schedule checker. It runs the model machine (model/machine.h) along the recorded order to the
 * cut, then performs the schedule's steps. It tests whether the targets are next, the edges hold
 * and the read sees its write, and undoes the steps.
 *
 * Invariant:   between two checks, the machine has performed exactly the first `done` events of the
 *              recorded order, and the next event begins a step.
 * Going back:  the journal undoes events as far as it reaches. Beyond that, the machine starts from
 *              the nearest saved state, or from the beginning. It also uses a saved state to go far
 *              ahead. States are saved at regular distances, and all of them together take half a
 *              byte per event.
 * Not handled: whether a pending target could then happen. An acquisition of a deadlock cannot.
 */
#include "oracle/check.h"
#include "base/assert.h"
#include "model/machine.h"
#include <errno.h>
#include <string.h>

#define MARK_EVERY 256
#define NEAR 512 /* events before a cut that go into the journal, for small steps back */
#define KEPT_MAX 1024
/* in all saved states together, unless half a byte per event is more */
#define KEPT_WORDS (1u << 18)

struct fr_checker {
	const struct fr_model *m;
	struct fr_machine x;
	fr_ev done;
	bool blind;	      /* argument of the next check: reads may see any value */
	const fr_ev *relaxed; /* argument of the next check: these reads may */
	uint32_t nrelaxed;
	const struct fr_mask *mask;   /* argument of the next check */
	uint32_t *kept[KEPT_MAX + 1]; /* state after about i * distance events; 0 = the start */
	fr_ev kept_done[KEPT_MAX + 1];
	uint32_t nkept; /* limit of saved states, the start not counted */
	fr_ev distance;
};

static uint32_t *copy(const struct fr_machine *x)
{
	return memcpy(fr_xmalloc((size_t)x->nw * sizeof(*x->w)), x->w,
		      (size_t)x->nw * sizeof(*x->w));
}

struct fr_checker *fr_checker_new(const struct fr_model *m)
{
	struct fr_checker *c = fr_xcalloc(1, sizeof(*c));

	c->m = m;
	fr_machine_init(&c->x, m);
	c->kept[0] = copy(&c->x);
	c->nkept = (m->n / 8 > KEPT_WORDS ? m->n / 8 : KEPT_WORDS) / c->x.nw;
	c->nkept = fr_min(c->nkept, (uint32_t)KEPT_MAX);
	c->distance = m->n / (c->nkept + 1) + 1;
	fr_assert((uint64_t)c->distance * (c->nkept + 1) > m->n);
	fr_machine_checkpoint(&c->x, 0);
	return c;
}

void fr_checker_free(struct fr_checker *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i <= KEPT_MAX; i++)
		free(c->kept[i]);
	fr_machine_destroy(&c->x);
	free(c);
}

/* Has the machine performed the first `done` events, as far as their neighbours tell? */
static bool stands_at_done(const struct fr_checker *c)
{
	return (!c->done || fr_machine_done(&c->x, c->done - 1)) &&
	       (c->done == c->m->n || !fr_machine_done(&c->x, c->done));
}

static void keep(struct fr_checker *c)
{
	uint32_t i = c->done / c->distance;

	fr_assert_slow(stands_at_done(c));
	if (!i || i > c->nkept || c->kept[i])
		return;
	c->kept[i] = copy(&c->x);
	c->kept_done[i] = c->done;
}

/* Returns the index of the last saved state at or before the cut. */
static uint32_t nearest(const struct fr_checker *c, fr_ev cut)
{
	uint32_t i = cut / c->distance;

	if (i > c->nkept)
		i = c->nkept;
	fr_assert(c->kept[0] && !c->kept_done[0]);
	while (!c->kept[i] || c->kept_done[i] > cut)
		i--;
	return i;
}

static void restore(struct fr_checker *c, uint32_t i)
{
	fr_assert(i <= c->nkept && c->kept[i]);
	memcpy(c->x.w, c->kept[i], (size_t)c->x.nw * sizeof(*c->x.w));
	c->x.njournal = 0;
	c->done = c->kept_done[i];
	fr_machine_checkpoint(&c->x, c->done);
}

/* Brings the machine close to the cut, but not past it. */
static void jump(struct fr_checker *c, fr_ev cut)
{
	uint32_t i = nearest(c, cut);
	fr_ev done;

	if (cut < c->done) {
		done = fr_machine_back(&c->x, cut);
		if (done != FR_NO_EV) {
			c->done = done;
			return;
		}
	} else if (c->kept_done[i] <= c->done) {
		return;
	}
	restore(c, i);
}

/* Runs along the recorded order up to event `to`, which begins a step. */
static int run_along(struct fr_checker *c, fr_ev to, struct fr_err *reterr)
{
	fr_assert(c->x.recorded && to <= c->m->n);
	fr_assert(to == c->m->n || !(c->m->ev[to].flags & FR_F_PART));
	fr_assert(c->done <= to);
	while (c->done < to) {
		fr_ev next = to - c->done > MARK_EVERY ? c->done + MARK_EVERY : to;
		int r;

		while (next < to && c->m->ev[next].flags & FR_F_PART)
			next++;
		r = fr_machine_along(&c->x, c->done, next, reterr);
		if (r < 0) { /* the machine stopped inside a step: restart it */
			restore(c, 0);
			return r;
		}
		c->done = next;
		if (!c->x.quiet)
			fr_machine_checkpoint(&c->x, next);
		keep(c);
	}
	fr_assert(c->done == to);
	return 0;
}

/* Brings the machine to the cut, which begins a step. Far before the cut it keeps no journal. */
static int run_to(struct fr_checker *c, fr_ev cut, struct fr_err *reterr)
{
	int r = 0;

	jump(c, cut);
	fr_assert(c->done <= cut && !c->x.quiet);
	c->x.recorded = true;
	if (cut - c->done > 2 * NEAR) {
		c->x.quiet = true;
		r = run_along(c, fr_head(c->m, cut - NEAR), reterr);
		c->x.quiet = false;
		if (r < 0)
			return r;
		c->x.njournal = 0;
		fr_machine_checkpoint(&c->x, c->done);
	}
	return run_along(c, cut, reterr);
}

static int check_steps(struct fr_checker *c, const struct fr_schedule *s, struct fr_err *reterr)
{
	struct fr_err why;

	c->x.recorded = false;
	for (size_t i = 0; i < s->step.n; i++) {
		fr_ev e = s->step.v[i];

		if (e >= c->m->n || c->m->ev[e].flags & FR_F_PART)
			return fr_err_say(reterr, -EINVAL, "step %zu: event %u %s", i, e,
					  e >= c->m->n ? "is not in the run"
						       : "is part of a step, not its head");
		if (fr_machine_step(&c->x, e, &why) < 0)
			return fr_err_say(reterr, -EINVAL, "step %zu: %s", i, why.msg);
	}
	return 0;
}

static int check_pending(const struct fr_checker *c, const struct fr_candidate *what,
			 struct fr_err *reterr)
{
	for (uint32_t i = 0; i < what->npending; i++) {
		fr_ev e = what->pending[i], next;
		uint32_t t;

		if (e >= c->m->n || c->m->ev[e].flags & FR_F_PART)
			return fr_err_say(reterr, -EINVAL, "target %u: event %u %s", i, e,
					  e >= c->m->n ? "is not in the run"
						       : "is part of a step, not its head");
		t = c->m->ev[e].thread;
		next = fr_machine_next(&c->x, t);
		if (next == e)
			continue;
		if (next != FR_NO_EV)
			return fr_err_say(reterr, -EINVAL,
					  "target %u: event %u must be next in thread %s, but %u "
					  "(%s) is",
					  i, e, c->m->thread[t].path, next,
					  fr_op_name[c->m->ev[next].op]);
		return fr_err_say(reterr, -EINVAL,
				  "target %u: event %u must be next, but thread %s %s", i, e,
				  c->m->thread[t].path,
				  fr_machine_done(&c->x, e) ? "has ended" : "was not created");
	}
	return 0;
}

/* Returns a key that sorts performed events by their position in the reordering. */
static uint64_t position(const struct fr_checker *c, const struct fr_schedule *s, fr_ev e)
{
	fr_ev head = fr_head(c->m, e);

	fr_assert(fr_machine_done(&c->x, e));
	if (e < s->cut)
		return e;
	for (size_t i = 0; i < s->step.n; i++)
		if (s->step.v[i] == head)
			return ((uint64_t)s->cut + i) << 32 | (e - head);
	fr_assert(false);
	return 0;
}

static int check_edges(const struct fr_checker *c, const struct fr_schedule *s,
		       const struct fr_candidate *what, struct fr_err *reterr)
{
	for (uint32_t i = 0; i < what->nedges; i++) {
		fr_ev a = what->edge[i].before, b = what->edge[i].after;

		if (a >= c->m->n || b >= c->m->n)
			return fr_err_say(reterr, -EINVAL, "edge %u: event %u is not in the run", i,
					  a >= c->m->n ? a : b);
		if (!fr_machine_done(&c->x, a))
			return fr_err_say(reterr, -EINVAL, "edge %u: event %u must have happened",
					  i, a);
		if (fr_is_pending(what, fr_head(c->m, b)))
			continue;
		if (!fr_machine_done(&c->x, b))
			return fr_err_say(reterr, -EINVAL, "edge %u: event %u must have happened",
					  i, b);
		if (position(c, s, a) >= position(c, s, b))
			return fr_err_say(reterr, -EINVAL,
					  "edge %u: event %u must be before event %u", i, a, b);
	}
	return 0;
}

/* Is each event that must stay apart out, or before the first one? */
static int check_apart(const struct fr_checker *c, const struct fr_schedule *s,
		       const struct fr_candidate *what, struct fr_err *reterr)
{
	for (uint32_t i = 0; i < what->napart; i++) {
		fr_ev e = what->apart[i];

		if (e >= c->m->n || (what->first != FR_NO_EV && what->first >= c->m->n))
			return fr_err_say(reterr, -EINVAL, "apart %u: not in the run", i);
		if (!fr_machine_done(&c->x, e))
			continue;
		if (what->first == FR_NO_EV)
			return fr_err_say(reterr, -EINVAL, "event %u must not happen", e);
		if (!fr_machine_done(&c->x, what->first))
			return fr_err_say(reterr, -EINVAL, "event %u must have happened",
					  what->first);
		if (position(c, s, e) >= position(c, s, what->first))
			return fr_err_say(reterr, -EINVAL,
					  "event %u must not happen after event %u", e,
					  what->first);
	}
	return 0;
}

/* Do the bytes hold the value of the write, or nothing that the run wrote? */
static int check_sees(const struct fr_checker *c, const struct fr_candidate *what,
		      struct fr_err *reterr)
{
	uint32_t loc = c->m->ev[what->sees.read].obj, bytes = fr_machine_bytes(&c->x, loc);
	unsigned mask = fr_sees_bytes(c->m, what);

	fr_assert(mask && fr_is_pending(what, fr_head(c->m, what->sees.read)));
	for (unsigned i = 0; i < 8; i++) {
		uint32_t cell = c->x.w[bytes ? bytes + i : c->x.loc + loc];
		bool initial = cell & FR_CELL_INITIAL;

		if (!(mask >> i & 1) ||
		    (what->sees.write == FR_NO_EV ? initial : cell == what->sees.write))
			continue;
		if (initial)
			return fr_err_say(reterr, -EINVAL,
					  "event %u must see event %u, but byte %u of location %u "
					  "was not written",
					  what->sees.read, what->sees.write, i, loc);
		return fr_err_say(reterr, -EINVAL,
				  "event %u must see %s, but event %u wrote byte %u of location %u",
				  what->sees.read,
				  what->sees.write == FR_NO_EV ? "the initial value"
							       : "another write",
				  cell, i, loc);
	}
	return 0;
}

static int check_sees_shape(const struct fr_checker *c, const struct fr_candidate *what,
			    struct fr_err *reterr)
{
	fr_ev r = what->sees.read, w = what->sees.write;

	if (r >= c->m->n || c->m->ev[r].op != FR_OP_READ || !fr_is_pending(what, fr_head(c->m, r)))
		return fr_err_say(reterr, -EINVAL, "event %u is no read of a target", r);
	if (w == FR_NO_EV)
		return 0;
	if (w >= c->m->n || c->m->ev[w].op != FR_OP_WRITE || c->m->ev[w].obj != c->m->ev[r].obj ||
	    !(c->m->ev[w].mask & c->m->ev[r].mask))
		return fr_err_say(reterr, -EINVAL, "event %u is no write that event %u can see", w,
				  r);
	return 0;
}

static int check_shape(const struct fr_checker *c, const struct fr_schedule *s,
		       const struct fr_candidate *what, struct fr_err *reterr)
{
	if (s->cut > c->m->n || (s->cut < c->m->n && c->m->ev[s->cut].flags & FR_F_PART))
		return fr_err_say(reterr, -EINVAL, "the cut at event %u %s", s->cut,
				  s->cut > c->m->n ? "is after the run" : "divides a step");
	if (what->npending > FR_TARGETS || what->nedges > FR_EDGES)
		return fr_err_say(reterr, -EINVAL, "a candidate of %u targets and %u edges",
				  what->npending, what->nedges);
	for (uint32_t i = 0; i < what->npending; i++)
		for (uint32_t k = 0; k < i; k++)
			if (what->pending[i] == what->pending[k])
				return fr_err_say(reterr, -EINVAL,
						  "event %u is a target more than once",
						  what->pending[i]);
	return what->sees.on ? check_sees_shape(c, what, reterr) : 0;
}

int fr_checker_check(struct fr_checker *c, const struct fr_schedule *s,
		     const struct fr_candidate *what, struct fr_err *reterr)
{
	uint32_t back;
	int r;

	fr_assert(!c->x.blind && stands_at_done(c));
	r = check_shape(c, s, what, reterr);
	if (r < 0)
		return r;
	r = run_to(c, s->cut, reterr);
	if (r < 0)
		return r;
	back = c->x.njournal;
	c->x.blind = c->blind;
	c->x.relaxed = c->relaxed;
	c->x.nrelaxed = c->nrelaxed;
	c->x.mask = c->mask;
	c->x.cut = s->cut;
	r = check_steps(c, s, reterr);
	c->x.blind = false;
	c->x.nrelaxed = 0;
	c->x.mask = NULL;
	if (r == 0)
		r = check_pending(c, what, reterr);
	if (r == 0)
		r = check_edges(c, s, what, reterr);
	if (r == 0)
		r = check_apart(c, s, what, reterr);
	if (r == 0 && what->sees.on)
		r = check_sees(c, what, reterr);
	fr_machine_undo(&c->x, back);
	fr_assert(c->x.njournal == back && stands_at_done(c));
	return r;
}

#define REST_MAX (1u << 22) /* events after the cut: the journal holds their changes */

/* Takes the remaining steps. In each round, a thread goes on as far as it can. */
static bool take_rest(struct fr_checker *c)
{
	const struct fr_model *m = c->m;
	bool more = true, ended = false;
	struct fr_err err;

	while (more && !ended) {
		more = false;
		ended = true;
		for (fr_ev e = c->x.cut; e < m->n; e++)
			if (!(m->ev[e].flags & FR_F_PART) && !fr_machine_done(&c->x, e)) {
				if (fr_machine_next(&c->x, m->ev[e].thread) == e &&
				    fr_machine_step(&c->x, e, &err) == 0)
					more = true;
				else
					ended = false;
			}
	}
	return ended;
}

bool fr_checker_completes(struct fr_checker *c, const struct fr_mask *mask,
			  const struct fr_schedule *s, const struct fr_candidate *what)
{
	struct fr_err err;
	uint32_t back;
	bool ok = c->m->n - s->cut <= REST_MAX && run_to(c, s->cut, &err) == 0;

	if (!ok)
		return false;
	back = c->x.njournal;
	c->x.mask = mask;
	c->x.cut = s->cut;
	ok = check_steps(c, s, &err) == 0;
	for (uint32_t i = 0; ok && i < what->npending; i++)
		ok = fr_machine_step(&c->x, what->pending[i], &err) == 0;
	ok = ok && take_rest(c);
	c->x.mask = NULL;
	fr_machine_undo(&c->x, back);
	fr_assert(stands_at_done(c));
	return ok;
}

int fr_checker_check_sliced(struct fr_checker *c, const struct fr_mask *mask,
			    const struct fr_schedule *s, const struct fr_candidate *what,
			    struct fr_err *reterr)
{
	int r;

	fr_assert(!c->mask);
	c->mask = mask;
	r = fr_checker_check(c, s, what, reterr);
	c->mask = NULL;
	return r;
}

int fr_checker_check_blind(struct fr_checker *c, const struct fr_schedule *s,
			   const struct fr_candidate *what, uint32_t *ret_differ,
			   struct fr_err *reterr)
{
	int r;

	fr_assert(!c->blind);
	c->x.differ = 0;
	c->blind = true;
	r = fr_checker_check(c, s, what, reterr);
	c->blind = false;
	if (r == 0)
		*ret_differ = c->x.differ;
	return r;
}

int fr_checker_check_relaxed(struct fr_checker *c, const struct fr_mask *mask,
			     const struct fr_schedule *s, const struct fr_candidate *what,
			     const fr_ev *read, uint32_t n, struct fr_err *reterr)
{
	int r;

	fr_assert(!c->blind && !c->nrelaxed && n <= FR_RELAX_MAX);
	for (uint32_t i = 0; i < n; i++) {
		fr_assert(read[i] < c->m->n && c->m->ev[read[i]].op == FR_OP_READ);
		fr_assert(!i || read[i - 1] < read[i]);
	}
	c->x.differ = 0;
	c->relaxed = read;
	c->nrelaxed = n;
	r = fr_checker_check_sliced(c, mask, s, what, reterr);
	c->relaxed = NULL;
	c->nrelaxed = 0;
	if (r == 0 && c->x.differ != n)
		return fr_err_say(reterr, -EINVAL, "%u reads must differ, but %u do", n,
				  c->x.differ);
	return r;
}
