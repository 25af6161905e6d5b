/*
 * The mover: one walk through the set. It always runs the thread whose next step is the earliest in
 * the recorded order and can happen. A standing thread is in the list of the runner or lock that it
 * waits for, so that the cost of a step is the number of threads that it wakes.
 */
#include "oracle/move_internal.h"
#include "base/assert.h"

static void make_ready(struct fr_mover *x, uint32_t i)
{
	fr_ev e = x->runner.v[i].next;
	size_t k = x->heap.n;

	fr_assert_slow(x->runner.v[i].pos < x->runner.v[i].end && x->heap.n < x->runner.n);
	fr_vec_push(&x->heap, i);
	for (; k && x->runner.v[x->heap.v[(k - 1) / 2]].next > e; k = (k - 1) / 2)
		x->heap.v[k] = x->heap.v[(k - 1) / 2];
	x->heap.v[k] = i;
}

static uint32_t take_earliest(struct fr_mover *x)
{
	uint32_t first = x->heap.v[0], i = x->heap.v[--x->heap.n];
	size_t k = 0, n = x->heap.n;

	for (;;) {
		size_t c = 2 * k + 1;

		if (c + 1 < n &&
		    x->runner.v[x->heap.v[c + 1]].next < x->runner.v[x->heap.v[c]].next)
			c++;
		if (c >= n || x->runner.v[x->heap.v[c]].next >= x->runner.v[i].next)
			break;
		x->heap.v[k] = x->heap.v[c];
		k = c;
	}
	x->heap.v[k] = i;
	return first;
}

static void wake(struct fr_mover *x, uint32_t *list)
{
	while (*list != FR_NO_RUNNER) {
		struct fr_runner *r = &x->runner.v[*list];
		uint32_t i = *list;

		*list = r->other;
		make_ready(x, i);
	}
}

/* Wakes the runners that wait for an event of r that has happened. */
static void wake_behind(struct fr_mover *x, struct fr_runner *r)
{
	for (uint32_t *p = &r->waiter; *p != FR_NO_RUNNER;) {
		uint32_t i = *p;

		fr_assert_slow(x->runner.v[i].standing == FR_STANDS_FOR_EVENT);
		if (x->runner.v[i].event >= r->next) {
			p = &x->runner.v[i].other;
			continue;
		}
		*p = x->runner.v[i].other;
		make_ready(x, i);
	}
}

static void add_waiter(struct fr_mover *x, uint32_t i)
{
	struct fr_runner *r = &x->runner.v[i];
	uint32_t *list, t;

	fr_assert_slow(r->standing != FR_READY);
	if (r->standing == FR_STANDS_FOR_EVER)
		return;
	if (r->standing == FR_STANDS_FOR_LOCK) {
		list = &fr_move_lock_of(x, r->lock)->waiter;
	} else {
		t = x->m->ev[r->event].thread;
		if (x->f->thread[t].epoch != x->f->epoch) {
			r->standing = FR_STANDS_FOR_EVER; /* not in the set */
			return;
		}
		list = &x->runner.v[x->runner_of[t]].waiter;
	}
	r->other = *list;
	*list = i;
}

static void change_lock(struct fr_mover *x, const struct fr_mev *v)
{
	struct fr_move_lock *l = fr_move_lock_of(x, v->obj);

	switch (v->op) {
	case FR_OP_ACQUIRE:
		l->owned = true;
		break;
	case FR_OP_ACQUIRE_SHARED:
		l->shared++;
		break;
	case FR_OP_RELEASE:
		l->owned = false;
		wake(x, &l->waiter);
		break;
	case FR_OP_RELEASE_SHARED:
		l->shared -= l->shared > 0;
		wake(x, &l->waiter);
		break;
	default:
		break;
	}
}

/* Performs the runner's next step. */
static void perform(struct fr_mover *x, struct fr_runner *r, struct fr_schedule *ret)
{
	const struct fr_mthread *t = &x->m->thread[r->thread];
	fr_ev e = r->next;

	fr_vec_push(&ret->step, e);
	do {
		r->pos++;
		if (fr_op_class[x->m->ev[e].op] == FR_C_LOCK)
			change_lock(x, &x->m->ev[e]);
		e++;
	} while (e < x->m->n && x->m->ev[e].flags & FR_F_PART);
	fr_assert_slow(r->pos <= r->end); /* the set holds whole steps */
	r->next = r->pos < t->n ? t->ev[r->pos] : FR_NO_EV;
	x->steps++;
	wake_behind(x, r);
}

static int by_after(const void *a, const void *b)
{
	const struct fr_need *x = a, *y = b;

	return (x->after > y->after) - (x->after < y->after);
}

/* Sorts the needs so that those of each runner are contiguous and ascending. */
static void sort_needs(struct fr_mover *x)
{
	FR_CLEANUP(fr_freep) uint32_t *n = fr_xcalloc(x->runner.n + 1, sizeof(*n));
	uint32_t sum = 0;

	x->need.n = 0;
	fr_vec_reserve(&x->need, x->given.n);
	FR_VEC_FOREACH (w, &x->given)
		if (fr_prefix_has(x->f, w->after) && w->after >= x->f->floor)
			n[x->runner_of[x->m->ev[w->after].thread]]++;
	FR_VEC_FOREACH (r, &x->runner) {
		r->need = r->needs = sum;
		sum += n[r - x->runner.v];
	}
	x->need.n = sum;
	FR_VEC_FOREACH (w, &x->given)
		if (fr_prefix_has(x->f, w->after) && w->after >= x->f->floor) {
			struct fr_runner *r = &x->runner.v[x->runner_of[x->m->ev[w->after].thread]];

			x->need.v[r->needs++] = *w;
		}
	fr_assert(!x->runner.n || x->runner.v[x->runner.n - 1].needs == sum);
	FR_VEC_FOREACH (r, &x->runner)
		if (r->needs - r->need > 1)
			qsort(x->need.v + r->need, r->needs - r->need, sizeof(*x->need.v),
			      by_after);
}

static void start(struct fr_mover *x)
{
	x->epoch++;
	fr_assert(x->epoch);
	x->runner.n = x->heap.n = 0;
	FR_VEC_FOREACH (t, &x->f->touched) {
		const struct fr_prefix_thread *f = &x->f->thread[*t];
		const struct fr_mthread *th = &x->m->thread[*t];

		fr_assert(f->epoch == x->f->epoch && f->from <= f->end && f->end <= th->n);
		x->runner_of[*t] = (uint32_t)x->runner.n;
		fr_vec_push(&x->runner,
			    (struct fr_runner){.thread = *t,
					       .pos = f->from,
					       .end = f->end,
					       .next = f->from < th->n ? th->ev[f->from] : FR_NO_EV,
					       .waiter = FR_NO_RUNNER});
	}
	sort_needs(x);
	FR_VEC_FOREACH (s, &x->section)
		if (s->acquire < x->f->floor)
			change_lock(x, &x->m->ev[s->acquire]);
	for (uint32_t i = 0; i < x->runner.n; i++)
		if (x->runner.v[i].pos < x->runner.v[i].end)
			make_ready(x, i);
}

/* Asserts that `left` runners have steps left, and that the schedule has the others. */
static void assert_walked(const struct fr_mover *x, const struct fr_schedule *s, uint32_t left)
{
	uint32_t n = 0;
	size_t events = 0;

	FR_VEC_FOREACH (r, &x->runner) {
		fr_assert(r->pos <= r->end && r->need <= r->needs);
		n += r->pos < r->end;
		events += r->pos - x->f->thread[r->thread].from;
	}
	fr_assert(n == left && s->step.n <= events);
}

bool fr_move_walk(struct fr_mover *x, struct fr_schedule *ret)
{
	uint32_t left = 0;

	start(x);
	ret->step.n = 0;
	left = (uint32_t)x->heap.n;
	while (x->heap.n) {
		uint32_t i = take_earliest(x);
		struct fr_runner *r = &x->runner.v[i];

		for (;;) {
			if (r->pos >= r->end) {
				fr_assert(left && r->pos == r->end);
				left--;
				break;
			}
			if (x->heap.n && x->runner.v[x->heap.v[0]].next < r->next) {
				make_ready(x, i);
				break;
			}
			if (!fr_move_can_go(x, r)) {
				add_waiter(x, i);
				break;
			}
			perform(x, r, ret);
		}
	}
	assert_walked(x, ret, left);
	return !left;
}
