/*
 * Makes turns from steps. Consecutive steps of one thread form one turn, which ends at the hook of
 * its last part. Hooks that the model left out (memory of one thread alone) belong to the turn that
 * reaches them.
 */
#include "predict/schedule_build.h"
#include <stdio.h>
#include <string.h>

/* Adds a step with all its parts. */
static void add_step(struct fr_sched *s, const struct fr_model *m, fr_ev head)
{
	fr_ev e = head;

	do
		fr_order_turn(s, m, e++);
	while (e < m->n && m->ev[e].flags & FR_F_PART);
}

/* Returns the hook's details from the trace, or from the model if the trace has none. */
static struct fr_sched_hook hook(const struct fr_model *m, const struct fr_hook_details *details,
				 fr_ev e)
{
	static const uint8_t kind[FR_OP_COUNT] = {
	    [FR_OP_READ] = FR_EV_READ,
	    [FR_OP_WRITE] = FR_EV_WRITE,
	    [FR_OP_ACQUIRE] = FR_EV_MUTEX_LOCK,
	    [FR_OP_RELEASE] = FR_EV_MUTEX_UNLOCK,
	    [FR_OP_ACQUIRE_SHARED] = FR_EV_RW_RDLOCK,
	    [FR_OP_RELEASE_SHARED] = FR_EV_RW_UNLOCK,
	    [FR_OP_ACQUIRE_FAILED] = FR_EV_MUTEX_LOCK,
	    [FR_OP_ACQUIRE_SHARED_FAILED] = FR_EV_RW_RDLOCK,
	    [FR_OP_WAIT_BEGIN] = FR_EV_MUTEX_UNLOCK,
	    [FR_OP_WAIT] = FR_EV_COND_WAIT,
	    [FR_OP_SIGNAL] = FR_EV_COND_SIGNAL,
	    [FR_OP_BROADCAST] = FR_EV_COND_BROADCAST,
	    [FR_OP_SEM_WAIT] = FR_EV_SEM_WAIT,
	    [FR_OP_SEM_POST] = FR_EV_SEM_POST,
	    [FR_OP_SEM_FAILED] = FR_EV_SEM_WAIT,
	    [FR_OP_BARRIER_ENTER] = FR_EV_BARRIER_ENTER,
	    [FR_OP_BARRIER_LEAVE] = FR_EV_BARRIER_LEAVE,
	    [FR_OP_ONCE_BEGIN] = FR_EV_ONCE_BEGIN,
	    [FR_OP_ONCE_END] = FR_EV_ONCE_END,
	    [FR_OP_ONCE_DONE] = FR_EV_ONCE_DONE,
	    [FR_OP_CREATE] = FR_EV_THREAD_CREATE,
	    [FR_OP_JOIN] = FR_EV_THREAD_JOIN,
	    [FR_OP_START] = FR_EV_THREAD_START,
	    [FR_OP_EXIT] = FR_EV_THREAD_EXIT,
	    [FR_OP_ACQUIRE_ALL] = FR_EV_USER_ACQUIRE,
	    [FR_OP_RELEASE_ALL] = FR_EV_USER_RELEASE,
	    [FR_OP_ALLOC] = FR_EV_ALLOC,
	    [FR_OP_FREE] = FR_EV_FREE,
	};
	const struct fr_mev *v = &m->ev[e];
	const struct fr_hook_detail *k = fr_hook_details_get(details, m, e);
	struct fr_sched_hook h = {
	    .thread = v->thread, .hook = fr_model_idx(m, e), .kind = kind[v->op], .site = v->site};

	if (!k) {
		if (v->op == FR_OP_MARK)
			h.kind = (uint8_t)v->obj;
		h.known = fr_describe_value(m, e, &h.value);
		return h;
	}
	h.kind = k->kind;
	h.site = k->site;
	h.known = k->known;
	h.value = k->value;
	return h;
}

/* Adds the events of the finding: those on the way, and the targets. */
static void add_events(const struct fr_model *m, const struct fr_hook_details *details,
		       const struct fr_instance *in, struct fr_sched *ret)
{
	for (uint32_t i = 0; i < in->nactors; i++) {
		struct fr_sched_hook h = hook(m, details, fr_head(m, in->actor[i].ev));
		bool pending = false;

		for (uint32_t k = 0; k < in->what.npending; k++)
			pending |= in->what.pending[k] == fr_head(m, in->actor[i].ev);
		h.memory = in->actor[i].memory;
		h.role = in->actor[i].role;
		if (pending)
			fr_vec_push(&ret->target, h);
		else
			fr_vec_push(&ret->event, h);
	}
}

void fr_sched_build(struct fr_order *o, const struct fr_hook_details *details,
		    const struct fr_generator *g, const struct fr_reached *w, struct fr_sched *ret)
{
	const struct fr_schedule *s = &w->decision.schedule;
	const struct fr_instance *in = w->instance;

	fr_order_begin(ret, o->m, g->name, g->meeting);
	fr_order_prefix(o, s->cut, ret);
	FR_VEC_FOREACH (e, &s->step) {
		struct fr_sched_hook h = hook(o->m, details, *e);

		/* The hybrid tier ignores data: values on the way are unknown. */
		h.known &= w->decision.tier != FR_TIER_HYBRID;
		add_step(ret, o->m, *e);
		if (h.kind && !(o->m->ev[*e].flags & FR_F_SYNTH))
			fr_vec_push(&ret->expect, h);
	}
	/* Then run each thread until its target is pending, through unmodelled hooks. */
	for (uint32_t i = 0; i < in->what.npending; i++)
		fr_sched_turn(ret, o->m->ev[in->what.pending[i]].thread,
			      fr_model_idx(o->m, in->what.pending[i]) - 1);
	add_events(o->m, details, in, ret);
}
