/*
 * The steps of the model machine: for each kind of event its precondition and its effect. The rules
 * are those of model/model.h, one case each (GPredict III, ExceptioNULL definition 3.4).
 *
 * Waits: each signal serves at most one wait. Waits are served in the order in which they return,
 * each by the earliest unused signal since it began. Signals are points and waits are intervals, so
 * this finds a matching whenever one exists. The machine keeps no more unused signals than threads
 * wait, and keeps the latest: a later signal serves every wait that an earlier one does.
 *
 * Not modelled: which thread a signal would really have woken; fairness; time.
 */
#include "model/machine.h"
#include <errno.h>

#define set fr_machine_set
#define thread_at fr_machine_thread

fr_ev fr_machine_next(const struct fr_machine *x, uint32_t thread)
{
	const struct fr_mthread *t = &x->m->thread[thread];
	const uint32_t *w = x->w + thread_at(x, thread);

	return w[FR_TW_MADE] && w[FR_TW_NEXT] < t->n ? t->ev[w[FR_TW_NEXT]] : FR_NO_EV;
}

bool fr_machine_done(const struct fr_machine *x, fr_ev e)
{
	const struct fr_mthread *t = &x->m->thread[x->m->ev[e].thread];
	uint32_t next = x->w[thread_at(x, x->m->ev[e].thread)];

	fr_assert_slow(next <= t->n);
	return next == t->n || e < t->ev[next];
}

/* ---- locks ---- */

static int lock_failed(const struct fr_machine *x, fr_ev e, const char *must, struct fr_err *reterr)
{
	uint32_t lock = x->m->ev[e].obj;
	const uint32_t *w = x->w + x->lock + lock * FR_LW_WORDS;

	fr_assert(w[FR_LW_OWNER] <= x->m->nthreads);
	if (w[FR_LW_OWNER])
		return fr_err_say(reterr, -EINVAL, STEP "%s lock %u, but thread %s holds it",
				  STEP_ARGS(x, e), must, lock,
				  x->m->thread[w[FR_LW_OWNER] - 1].path);
	if (!w[FR_LW_SHARED])
		return fr_err_say(reterr, -EINVAL, STEP "%s lock %u, but no thread does",
				  STEP_ARGS(x, e), must, lock);
	return fr_err_say(reterr, -EINVAL,
			  STEP "%s lock %u, but %u thread%s it shared and none alone",
			  STEP_ARGS(x, e), must, lock, w[FR_LW_SHARED],
			  w[FR_LW_SHARED] == 1 ? " holds" : "s hold");
}

static int do_lock(struct fr_machine *x, fr_ev e, struct fr_err *reterr)
{
	const struct fr_mev *v = &x->m->ev[e];
	uint32_t at = x->lock + v->obj * FR_LW_WORDS;
	uint32_t owner = x->w[at + FR_LW_OWNER], shared = x->w[at + FR_LW_SHARED];

	fr_assert(!(owner && shared));
	switch (v->op) {
	case FR_OP_ACQUIRE:
		if (owner || shared)
			return lock_failed(x, e, "no thread may hold", reterr);
		set(x, at + FR_LW_OWNER, v->thread + 1u);
		return 0;
	case FR_OP_ACQUIRE_SHARED:
		if (owner)
			return lock_failed(x, e, "no thread may hold alone", reterr);
		set(x, at + FR_LW_SHARED, shared + 1);
		return 0;
	case FR_OP_RELEASE:
		if (owner != v->thread + 1u)
			return lock_failed(x, e, "the thread must hold", reterr);
		set(x, at + FR_LW_OWNER, 0);
		return 0;
	case FR_OP_RELEASE_SHARED:
		if (!shared)
			return lock_failed(x, e, "the thread must share", reterr);
		set(x, at + FR_LW_SHARED, shared - 1);
		return 0;
	case FR_OP_ACQUIRE_FAILED:
		if (!owner && !shared)
			return lock_failed(x, e, "some thread must hold", reterr);
		return 0;
	default:
		fr_assert(v->op == FR_OP_ACQUIRE_SHARED_FAILED);
		if (!owner)
			return lock_failed(x, e, "some thread must hold alone", reterr);
		return 0;
	}
}

/* ---- conditions ---- */

/* Removes unused signal i of the condition. */
static void take_signal(struct fr_machine *x, uint32_t at, uint32_t i)
{
	uint32_t n = x->w[at + FR_CW_FREE];

	fr_assert(i < n);
	for (; i + 1 < n; i++)
		set(x, at + FR_CW_WORDS + i, x->w[at + FR_CW_WORDS + i + 1]);
	set(x, at + FR_CW_FREE, n - 1);
}

static int do_wait(struct fr_machine *x, fr_ev e, struct fr_err *reterr)
{
	const struct fr_mev *v = &x->m->ev[e];
	uint32_t at = x->cond[v->obj], th = thread_at(x, v->thread), i, n;
	uint32_t since = x->w[th + FR_TW_SINCE];

	if (!since || x->w[th + FR_TW_COND] != v->obj)
		return fr_err_say(reterr, -EINVAL, STEP "the thread does not wait for condition %u",
				  STEP_ARGS(x, e), v->obj);
	if (!(v->flags & FR_F_TIMEOUT) && x->w[at + FR_CW_BROADCAST] <= since) {
		n = x->w[at + FR_CW_FREE];
		for (i = 0; i < n && x->w[at + FR_CW_WORDS + i] < since; i++)
			;
		if (i == n)
			return fr_err_say(reterr, -EINVAL,
					  STEP "condition %u must have been signalled since the "
					       "wait began, but no signal is left for it",
					  STEP_ARGS(x, e), v->obj);
		take_signal(x, at, i);
	}
	fr_assert(x->w[at + FR_CW_WAITING]); /* this thread */
	set(x, th + FR_TW_SINCE, 0);
	n = x->w[at + FR_CW_WAITING] - 1;
	set(x, at + FR_CW_WAITING, n);
	if (x->w[at + FR_CW_FREE] > n)
		take_signal(x, at, 0);
	fr_assert(x->w[at + FR_CW_FREE] <= n);
	return 0;
}

static int do_cond(struct fr_machine *x, fr_ev e, struct fr_err *reterr)
{
	const struct fr_mev *v = &x->m->ev[e];
	uint32_t at = x->cond[v->obj], th = thread_at(x, v->thread);
	uint32_t now = x->w[FR_W_NOW] + 1;

	set(x, FR_W_NOW, now);
	switch (v->op) {
	case FR_OP_WAIT_BEGIN:
		if (x->w[th + FR_TW_SINCE])
			return fr_err_say(reterr, -EINVAL, STEP "the thread waits already",
					  STEP_ARGS(x, e));
		set(x, th + FR_TW_SINCE, now);
		set(x, th + FR_TW_COND, v->obj);
		set(x, at + FR_CW_WAITING, x->w[at + FR_CW_WAITING] + 1);
		return 0;
	case FR_OP_SIGNAL:
		if (!x->w[at + FR_CW_WAITING])
			return 0;
		fr_assert(x->w[at + FR_CW_FREE] <= x->w[at + FR_CW_WAITING]);
		if (x->w[at + FR_CW_FREE] == x->w[at + FR_CW_WAITING])
			take_signal(x, at, 0);
		set(x, at + FR_CW_WORDS + x->w[at + FR_CW_FREE], now);
		set(x, at + FR_CW_FREE, x->w[at + FR_CW_FREE] + 1);
		return 0;
	case FR_OP_BROADCAST:
		set(x, at + FR_CW_BROADCAST, now);
		return 0;
	default:
		fr_assert(v->op == FR_OP_WAIT);
		return do_wait(x, e, reterr);
	}
}

/* ---- counts and order ---- */

static int do_sem(struct fr_machine *x, fr_ev e, struct fr_err *reterr)
{
	const struct fr_mev *v = &x->m->ev[e];
	uint32_t at = x->sem + v->obj, count = x->w[at];

	if (v->op == FR_OP_SEM_POST) {
		set(x, at, count + 1);
		return 0;
	}
	if ((v->op == FR_OP_SEM_WAIT) != (count > 0))
		return fr_err_say(
		    reterr, -EINVAL, STEP "the count of semaphore %u must be %szero, but is %u",
		    STEP_ARGS(x, e), v->obj, v->op == FR_OP_SEM_WAIT ? "above " : "", count);
	if (v->op == FR_OP_SEM_WAIT)
		set(x, at, count - 1);
	return 0;
}

static int do_barrier(struct fr_machine *x, fr_ev e, struct fr_err *reterr)
{
	const struct fr_mev *v = &x->m->ev[e];
	const struct fr_mclass *c = &x->m->cls[FR_C_BARRIER];
	bool enter = v->op == FR_OP_BARRIER_ENTER;
	uint32_t before = enter ? c->obj[v->obj].aux : v->obj + 1; /* object + 1, 0 = none */

	if (before && x->w[x->barrier + before - 1] < c->obj[before - 1].count)
		return fr_err_say(reterr, -EINVAL,
				  STEP "all %u threads must have entered barrier %u, but %u %s",
				  STEP_ARGS(x, e), c->obj[before - 1].count, before - 1,
				  x->w[x->barrier + before - 1],
				  x->w[x->barrier + before - 1] == 1 ? "has" : "have");
	if (enter)
		set(x, x->barrier + v->obj, x->w[x->barrier + v->obj] + 1);
	return 0;
}

static int do_flag(struct fr_machine *x, fr_ev e, struct fr_err *reterr)
{
	const struct fr_mclass *c = &x->m->cls[FR_C_FLAG];
	uint32_t flag = x->m->ev[e].obj;

	if (x->recorded)
		return 0;
	for (uint32_t i = c->first[flag]; i < c->first[flag + 1] && c->list[i] < e; i++)
		if (x->m->ev[c->list[i]].op == FR_OP_RELEASE_ALL && !fr_machine_done(x, c->list[i]))
			return fr_err_say(reterr, -EINVAL,
					  STEP "release %u of flag %u must have happened, "
					       "but thread %s has not done it",
					  STEP_ARGS(x, e), c->list[i], flag,
					  x->m->thread[x->m->ev[c->list[i]].thread].path);
	return 0;
}

static int do_join(const struct fr_machine *x, fr_ev e, struct fr_err *reterr)
{
	uint32_t t = x->m->ev[e].obj;
	const uint32_t *w = x->w + thread_at(x, t);

	if (!w[FR_TW_MADE])
		return fr_err_say(reterr, -EINVAL,
				  STEP "thread %s must have been created, but was not",
				  STEP_ARGS(x, e), x->m->thread[t].path);
	fr_assert(w[FR_TW_NEXT] <= x->m->thread[t].n);
	if (w[FR_TW_NEXT] < x->m->thread[t].n)
		return fr_err_say(
		    reterr, -EINVAL, STEP "thread %s must have done its %u events, but did %u",
		    STEP_ARGS(x, e), x->m->thread[t].path, x->m->thread[t].n, w[FR_TW_NEXT]);
	return 0;
}

/* Has the object of the access been freed too early, or not been allocated? */
static int check_life(const struct fr_machine *x, fr_ev e, struct fr_err *reterr)
{
	fr_ev alloc = fr_model_alloc(x->m, e);
	const struct fr_mclass *k = &x->m->cls[FR_C_HEAP];
	uint32_t obj = x->m->cls[FR_C_LOC].obj[x->m->ev[e].obj].aux; /* + 1 */

	fr_assert_slow(!x->recorded && obj <= k->n);
	if (alloc != FR_NO_EV && !fr_machine_done(x, alloc))
		return fr_err_say(reterr, -EINVAL,
				  STEP
				  "object %u must have been allocated by event %u, but was not",
				  STEP_ARGS(x, e), obj - 1, alloc);
	for (uint32_t i = obj ? k->first[obj] : 0; obj && i-- > k->first[obj - 1];)
		if (x->m->ev[k->list[i]].op == FR_OP_FREE && k->list[i] > e &&
		    fr_machine_done(x, k->list[i]))
			return fr_err_say(reterr, -EINVAL,
					  STEP "object %u must not have been freed, but event %u "
					       "freed it",
					  STEP_ARGS(x, e), obj - 1, k->list[i]);
	return 0;
}

static bool may_differ(const struct fr_machine *x, fr_ev e)
{
	for (uint32_t i = 0; i < x->nrelaxed; i++)
		if (x->relaxed[i] == e)
			return true;
	return false;
}

int fr_machine_event(struct fr_machine *x, fr_ev e, struct fr_err *reterr)
{
	const struct fr_mev *v = &x->m->ev[e];

	if (!x->recorded && fr_is_access(v) && check_life(x, e, reterr) < 0)
		return -EINVAL;

	switch (v->op) {
	case FR_OP_READ:
		if (!x->recorded && !fr_mask_read(x->mask, e))
			return 0;
		if (!x->blind && !may_differ(x, e))
			return fr_machine_read(x, e, reterr);
		x->differ += fr_machine_read(x, e, NULL) < 0;
		return 0;
	case FR_OP_WRITE:
		fr_machine_write(x, e);
		return 0;
	case FR_OP_ONCE_END:
		set(x, x->once + v->obj, 1);
		return 0;
	case FR_OP_ONCE_DONE:
		if (x->w[x->once + v->obj])
			return 0;
		return fr_err_say(reterr, -EINVAL, STEP "once %u must have been done, but is not",
				  STEP_ARGS(x, e), v->obj);
	case FR_OP_CREATE:
		set(x, thread_at(x, v->obj) + FR_TW_MADE, 1);
		return 0;
	case FR_OP_JOIN:
		return do_join(x, e, reterr);
	case FR_OP_ACQUIRE_ALL:
		return do_flag(x, e, reterr);
	}
	switch (fr_op_class[v->op]) {
	case FR_C_LOCK:
		return do_lock(x, e, reterr);
	case FR_C_COND:
		return do_cond(x, e, reterr);
	case FR_C_SEM:
		return do_sem(x, e, reterr);
	case FR_C_BARRIER:
		return do_barrier(x, e, reterr);
	default:
		return 0;
	}
}

int fr_machine_not_made(const struct fr_machine *x, fr_ev e, struct fr_err *reterr)
{
	fr_assert(x->m->thread[x->m->ev[e].thread].create != FR_NO_EV);
	return fr_err_say(reterr, -EINVAL,
			  STEP "the thread must have been created by event %u, but was not",
			  STEP_ARGS(x, e), x->m->thread[x->m->ev[e].thread].create);
}

int fr_machine_step(struct fr_machine *x, fr_ev e, struct fr_err *reterr)
{
	uint32_t t = x->m->ev[e].thread, back = x->njournal;
	fr_ev next = fr_machine_next(x, t);
	int r;

	fr_assert(!x->quiet && !(x->m->ev[e].flags & FR_F_PART));
	if (!x->w[thread_at(x, t) + FR_TW_MADE])
		return fr_machine_not_made(x, e, reterr);
	if (next == FR_NO_EV)
		return fr_err_say(reterr, -EINVAL, STEP "the thread has nothing left to do",
				  STEP_ARGS(x, e));
	if (next != e)
		return fr_err_say(reterr, -EINVAL, STEP "the thread's next event is %u (%s)",
				  STEP_ARGS(x, e), next, fr_op_name[x->m->ev[next].op]);
	do {
		r = fr_machine_event(x, e, reterr);
		if (r < 0) {
			fr_machine_undo(x, back);
			return r;
		}
		set(x, thread_at(x, t) + FR_TW_NEXT, x->w[thread_at(x, t) + FR_TW_NEXT] + 1);
		e++;
	} while (e < x->m->n && x->m->ev[e].flags & FR_F_PART);
	return 0;
}
