/*
 * The mover: can a thread's next step happen, after the steps of this walk? If not, the thread
 * stands for an event that must come first, or for a lock.
 *
 * Relies on: thread lists are ascending, so an event has happened if it is smaller than the next
 * event of its thread.
 */
#include "oracle/move_internal.h"
#include "base/assert.h"

/* Returns the first event of the object's list with this op that has not happened, or FR_NO_EV. */
static fr_ev not_done(const struct fr_mover *x, enum fr_class class, uint32_t obj, unsigned op)
{
	const struct fr_mclass *k = &x->m->cls[class];

	for (uint32_t i = k->first[obj]; i < k->first[obj + 1]; i++)
		if (x->m->ev[k->list[i]].op == op && !fr_move_done(x, k->list[i]))
			return k->list[i];
	return FR_NO_EV;
}

/* Returns the first release of e's flag before e that has not happened, or FR_NO_EV. */
static fr_ev not_released(struct fr_mover *x, fr_ev e)
{
	const struct fr_mclass *k = &x->m->cls[FR_C_FLAG];
	uint32_t flag = x->m->ev[e].obj, first = k->first[flag], end = k->first[flag + 1];
	uint32_t *at = &x->flag_at[flag];

	if (x->flag_epoch[flag] != x->epoch) {
		x->flag_epoch[flag] = x->epoch;
		*at = first + fr_list_lower(k->list + first, end - first, x->f->floor);
	}
	for (; *at < end && k->list[*at] < e; ++*at)
		if (x->m->ev[k->list[*at]].op == FR_OP_RELEASE_ALL &&
		    !fr_move_done(x, k->list[*at]))
			return k->list[*at];
	return FR_NO_EV;
}

/* Returns an event that must precede e by the meaning of e and has not happened, or FR_NO_EV. */
static fr_ev waits_for(struct fr_mover *x, fr_ev e)
{
	const struct fr_mev *v = &x->m->ev[e];
	const struct fr_mthread *t;
	uint32_t before;
	fr_ev w = FR_NO_EV;

	switch (v->op) {
	case FR_OP_READ:
	case FR_OP_WRITE:
		w = fr_model_alloc(x->m, e);
		break;
	case FR_OP_BARRIER_ENTER:
		before = x->m->cls[FR_C_BARRIER].obj[v->obj].aux;
		return before ? not_done(x, FR_C_BARRIER, before - 1, FR_OP_BARRIER_ENTER)
			      : FR_NO_EV;
	case FR_OP_BARRIER_LEAVE:
		return not_done(x, FR_C_BARRIER, v->obj, FR_OP_BARRIER_ENTER);
	case FR_OP_ONCE_DONE:
		return not_done(x, FR_C_ONCE, v->obj, FR_OP_ONCE_END);
	case FR_OP_JOIN:
		t = &x->m->thread[v->obj];
		w = t->n ? t->ev[t->n - 1] : t->create;
		break;
	case FR_OP_ACQUIRE_ALL:
		return not_released(x, e);
	default:
		break;
	}
	return w != FR_NO_EV && !fr_move_done(x, w) ? w : FR_NO_EV;
}

/* Does the lock allow e? If not, the runner stands for the lock. */
static bool lock_allows(struct fr_mover *x, struct fr_runner *r, fr_ev e)
{
	const struct fr_mev *v = &x->m->ev[e];
	const struct fr_move_lock *l = fr_move_lock_of(x, v->obj);

	r->lock = v->obj;
	switch (v->op) {
	case FR_OP_ACQUIRE:
		r->standing = l->owned || l->shared ? FR_STANDS_FOR_LOCK : FR_READY;
		break;
	case FR_OP_ACQUIRE_SHARED:
		r->standing = l->owned ? FR_STANDS_FOR_LOCK : FR_READY;
		break;
	case FR_OP_ACQUIRE_FAILED:
		r->standing = l->owned || l->shared ? FR_READY : FR_STANDS_FOR_EVER;
		break;
	case FR_OP_ACQUIRE_SHARED_FAILED:
		r->standing = l->owned ? FR_READY : FR_STANDS_FOR_EVER;
		break;
	default:
		fr_assert_slow(v->op == FR_OP_RELEASE || v->op == FR_OP_RELEASE_SHARED);
		break;
	}
	return r->standing == FR_READY;
}

static bool stand_for(struct fr_runner *r, fr_ev e)
{
	fr_assert_slow(e != FR_NO_EV);
	r->standing = FR_STANDS_FOR_EVENT;
	r->event = e;
	return false;
}

bool fr_move_can_go(struct fr_mover *x, struct fr_runner *r)
{
	fr_ev e = r->next, w;

	fr_assert_slow(r->pos < r->end && e == x->m->thread[r->thread].ev[r->pos]);
	r->standing = FR_READY;
	if (!r->pos && x->m->thread[r->thread].create != FR_NO_EV &&
	    !fr_move_done(x, x->m->thread[r->thread].create))
		return stand_for(r, x->m->thread[r->thread].create);
	for (; r->need < r->needs && x->need.v[r->need].after <= e; r->need++)
		if (!fr_move_done(x, x->need.v[r->need].before))
			return stand_for(r, x->need.v[r->need].before);
	do {
		w = waits_for(x, e);
		if (w != FR_NO_EV)
			return stand_for(r, w);
		if (fr_op_class[x->m->ev[e].op] == FR_C_LOCK && !lock_allows(x, r, e))
			return false;
	} while (++e < x->m->n && x->m->ev[e].flags & FR_F_PART);
	return true;
}
