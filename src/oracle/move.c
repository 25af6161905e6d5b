/*
 * The mover: see move.h. PECAN section 6.1.
 *
 * Meaning:     a walk runs the set as threads would, and always takes the earliest step of the
 *              recorded order that can happen. An order that is known beforehand is a need. The
 *              walk itself finds out which thread holds a lock.
 * Learning:    when no runner can continue, some of them wait for each other in a cycle. If the
 *              cycle consists of needs alone, there is no order. If one runner waits for a lock,
 *              then the holder must stop before it takes the lock: the acquisition inherits the
 *              holder's need (the rule of the outermost lock, as far as that lock is in the way).
 *              If that is too much, the other section must come first, and that is then true of
 *              every order.
 * Cost:        each walk is linear in the set. The number of walks and of their steps is bounded.
 * Relies on:   the set contains everything that its events need (hybrid.c closes it).
 * Not handled: data. Each wait keeps the signal that served it in the recorded run.
 */
#include "oracle/move_internal.h"
#include "base/assert.h"

#define WALKS_MAX 64
#define STEPS_MAX (1u << 19) /* of all walks together */
struct fr_mover *fr_mover_new(const struct fr_model *m, const struct fr_causality *c)
{
	struct fr_mover *x = fr_xcalloc(1, sizeof(*x));

	x->m = m;
	x->c = c;
	x->runner_of = fr_xcalloc(m->nthreads, sizeof(*x->runner_of));
	x->lock = fr_xcalloc(m->cls[FR_C_LOCK].n, sizeof(*x->lock));
	x->flag_at = fr_xcalloc(m->cls[FR_C_FLAG].n, sizeof(*x->flag_at));
	x->flag_epoch = fr_xcalloc(m->cls[FR_C_FLAG].n, sizeof(*x->flag_epoch));
	return x;
}

void fr_mover_free(struct fr_mover *x)
{
	if (!x)
		return;
	free(x->runner_of);
	free(x->lock);
	free(x->flag_at);
	free(x->flag_epoch);
	fr_vec_free(&x->runner);
	fr_vec_free(&x->need);
	fr_vec_free(&x->given);
	fr_vec_free(&x->section);
	fr_vec_free(&x->heap);
	free(x);
}

void fr_mover_begin(struct fr_mover *x, const struct fr_prefix *f)
{
	x->f = f;
	x->given.n = x->ngiven = x->section.n = 0;
}

void fr_mover_need(struct fr_mover *x, fr_ev after, fr_ev before)
{
	fr_assert(after < x->m->n && before < x->m->n);
	if (fr_head(x->m, after) == fr_head(x->m, before))
		return;
	fr_assert(x->given.n >= x->ngiven);
	x->given.n = x->ngiven++;
	fr_vec_push(&x->given, (struct fr_need){fr_head(x->m, after), before});
	fr_assert_slow(x->given.n == x->ngiven);
}

void fr_mover_section(struct fr_mover *x, fr_ev acquire, fr_ev release)
{
	fr_assert_slow(fr_op_class[x->m->ev[acquire].op] == FR_C_LOCK && release > acquire);
	fr_vec_push(&x->section, (struct fr_section){acquire, release});
}

/* ---- when all runners stand ---- */

static bool is_shared(const struct fr_mover *x, fr_ev acquire)
{
	return x->m->ev[acquire].op == FR_OP_ACQUIRE_SHARED;
}

/* Returns the section that blocks a runner: acquired and not released. NULL: none does. */
static const struct fr_section *holder(const struct fr_mover *x, const struct fr_runner *r)
{
	fr_assert_slow(r->standing == FR_STANDS_FOR_LOCK);
	FR_VEC_FOREACH (s, &x->section)
		if (x->m->ev[s->acquire].obj == r->lock && fr_move_done(x, s->acquire) &&
		    (s->release == FR_NO_EV || !fr_move_done(x, s->release)) &&
		    !(is_shared(x, s->acquire) && is_shared(x, r->next)))
			return s;
	return NULL;
}

/* Returns the runner that r waits for. NULL: no runner of the set can let r continue. */
static struct fr_runner *stands_for(const struct fr_mover *x, const struct fr_runner *r)
{
	const struct fr_section *s;
	uint32_t t;
	struct fr_runner *u;

	fr_assert_slow(r->standing != FR_READY && r->pos < r->end);
	if (r->standing == FR_STANDS_FOR_EVER)
		return NULL;
	if (r->standing == FR_STANDS_FOR_LOCK) {
		s = holder(x, r);
		if (!s)
			return NULL;
		t = x->m->ev[s->acquire].thread;
	} else {
		t = x->m->ev[r->event].thread;
	}
	if (x->f->thread[t].epoch != x->f->epoch)
		return NULL;
	u = &x->runner.v[x->runner_of[t]];
	return u->pos < u->end ? u : NULL;
}

/* Returns a runner in a cycle of runners that wait for one another. NULL: there is no cycle. */
static struct fr_runner *find_cycle(const struct fr_mover *x)
{
	struct fr_runner *r = NULL;

	FR_VEC_FOREACH (i, &x->runner)
		if (i->pos < i->end) {
			r = i;
			break;
		}
	for (size_t n = 0; r && n <= x->runner.n; n++)
		r = stands_for(x, r);
	return r;
}

static fr_ev release_in_set(const struct fr_mover *x, fr_ev acquire)
{
	fr_ev release = fr_release_of(x->c, acquire);

	return release != FR_NO_EV && fr_prefix_has(x->f, release) ? release : FR_NO_EV;
}

/* `u` waits for the lock that `t` took with `acquire`, and t waits for something else. Delays the
   acquisition. False: no such delay exists. */
static bool make_wait(struct fr_mover *x, const struct fr_runner *u, const struct fr_runner *t,
		      fr_ev acquire, bool far)
{
	const struct fr_section *s = t->standing == FR_STANDS_FOR_LOCK ? holder(x, t) : NULL;
	fr_ev before = FR_NO_EV;

	fr_assert(u->standing == FR_STANDS_FOR_LOCK && t->standing != FR_READY);
	fr_assert(x->m->ev[acquire].thread == t->thread && x->m->ev[acquire].obj == u->lock);
	if (acquire < x->f->floor)
		return false;
	if (!far)
		before = release_in_set(x, u->next);
	else if (t->standing == FR_STANDS_FOR_EVENT)
		before = t->event;
	else if (s)
		before = s->release;
	if (before == FR_NO_EV)
		return false;
	fr_vec_push(&x->given, (struct fr_need){fr_head(x->m, acquire), before});
	return true;
}

/* Does a need order the acquisition before the next step of r? Then to delay it leads nowhere. */
static bool comes_first(const struct fr_mover *x, fr_ev acquire, const struct fr_runner *r)
{
	FR_VEC_FOREACH (n, &x->given)
		if (x->m->ev[n->after].thread == r->thread && n->after <= r->next &&
		    x->m->ev[n->before].thread == x->m->ev[acquire].thread && n->before >= acquire)
			return true;
	return false;
}

/* Chooses a lock of the cycle to be acquired later. False: there is none. */
static bool learn(struct fr_mover *x, bool far)
{
	struct fr_runner *first = find_cycle(x), *u = first, *best = NULL;
	fr_ev best_acquire = 0;
	bool best_recorded = false;

	if (!first)
		return false;
	do {
		const struct fr_section *s =
		    u->standing == FR_STANDS_FOR_LOCK ? holder(x, u) : NULL;

		if (s && s->acquire >= x->f->floor && !comes_first(x, s->acquire, u)) {
			/* Prefer to keep the recorded order of the two sections. */
			bool recorded = u->next < s->acquire;

			if (!best || recorded > best_recorded ||
			    (recorded == best_recorded && s->acquire > best_acquire)) {
				best = u;
				best_acquire = s->acquire;
				best_recorded = recorded;
			}
		}
		u = stands_for(x, u);
		fr_assert(u && u->standing != FR_READY); /* it is in a cycle */
	} while (u != first);
	return best && make_wait(x, best, stands_for(x, best), best_acquire, far);
}

enum fr_moved fr_mover_go(struct fr_mover *x, bool far, struct fr_schedule *ret,
			  uint32_t *ret_events)
{
	enum fr_moved r = FR_MOVE_LONG;

	fr_assert(x->ngiven <= x->given.n);
	x->given.n = x->ngiven;
	x->steps = 0;
	for (unsigned n = 0; n < WALKS_MAX && x->steps < STEPS_MAX; n++) {
		if (fr_move_walk(x, ret)) {
			r = FR_MOVED;
			break;
		}
		if (!learn(x, far)) {
			r = FR_MOVE_STUCK;
			break;
		}
	}
	*ret_events += x->steps;
	return r;
}
