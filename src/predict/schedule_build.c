/*
 * Makes turns from steps. Consecutive steps of one thread form one turn, which ends at the hook of
 * its last part. Hooks that the model left out (memory of one thread alone) belong to the turn that
 * reaches them.
 */
#include "predict/schedule_build.h"
#include "base/assert.h"
#include <stdio.h>
#include <string.h>

/* Adds a step with all its parts. */
static void add_step(struct fr_schedule_file *s, const struct fr_model *m, fr_ev head)
{
	fr_ev e = head;

	fr_assert(!(m->ev[head].flags & FR_F_PART));
	do
		fr_schedule_file_event(s, m, e++);
	while (e < m->n && m->ev[e].flags & FR_F_PART);
}

/* Returns the first event of a step that the program itself executed. */
static fr_ev first_own(const struct fr_model *m, fr_ev head)
{
	fr_ev e = head;

	while (m->ev[e].flags & FR_F_SYNTH && e + 1 < m->n && m->ev[e + 1].flags & FR_F_PART)
		e++;
	return e;
}

/* Does the model have both parts of an access that touches two granules? */
static bool has_both_parts(const struct fr_model *m, fr_ev e)
{
	return e + 1 < m->n && m->ev[e + 1].flags & FR_F_PART && m->ev[e + 1].op == m->ev[e].op &&
	       m->ev[e + 1].origin == m->ev[e].origin;
}

static struct fr_schedule_hook hook(const struct fr_model *m, fr_ev head)
{
	fr_ev e = first_own(m, head);
	const struct fr_mev *v = &m->ev[e];
	struct fr_schedule_hook h = {.thread = v->thread,
				     .hook = fr_model_hook(m, e),
				     .kind = (uint8_t)fr_model_kind(v),
				     .site = v->site};

	h.known = fr_event_class(h.kind) == 'a' && fr_describe_value(m, e, &h.value) &&
		  (!(v->origin & FR_ORIGIN_SPLIT) || has_both_parts(m, e));
	return h;
}

/* The head of the last event, if all events of the instance have happened, as after an acquisition
   that the step after it proves; else FR_NO_EV. In the file this event is the target. No step after
   it in the schedule needs it, because its thread goes no further. */
static fr_ev last_happened(const struct fr_model *m, const struct fr_instance *in)
{
	for (uint32_t i = 0; i < in->nactors; i++)
		for (uint32_t k = 0; k < in->what.npending; k++)
			if (fr_role_too_late(in->actor[i].role) ||
			    in->what.pending[k] == fr_head(m, in->actor[i].ev))
				return FR_NO_EV;
	return fr_head(m, in->actor[in->nactors - 1].ev);
}

/* Adds the events of the finding: those on the way, and the targets. */
static void add_events(const struct fr_model *m, const struct fr_instance *in,
		       struct fr_schedule_file *ret)
{
	fr_ev last = last_happened(m, in);

	for (uint32_t i = 0; i < in->nactors; i++) {
		struct fr_schedule_hook h = hook(m, fr_head(m, in->actor[i].ev));
		bool pending = fr_head(m, in->actor[i].ev) == last;

		if (fr_role_too_late(in->actor[i].role))
			continue;
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

/* Adds the candidate, and the reads of a step that may differ. */
static void add_candidate(const struct fr_decision *v, const struct fr_model *m,
			  const struct fr_candidate *what, struct fr_schedule_file *ret)
{
	ret->what = *what;
	FR_VEC_FOREACH (e, &v->schedule.step)
		for (fr_ev i = *e; i == *e || (i < m->n && m->ev[i].flags & FR_F_PART); i++)
			for (uint32_t k = 0; k < v->reads_relaxed; k++)
				if (v->relaxed[k] == i)
					fr_vec_push(&ret->differs, i);
	fr_assert(ret->differs.n == v->reads_relaxed);
}

/* Adds the turns and expectations that lead to the candidate. last: see last_happened. */
static void add_turns(struct fr_recorded_turns *o, const struct fr_decision *v,
		      const struct fr_candidate *what, fr_ev last, struct fr_schedule_file *ret)
{
	const struct fr_schedule *s = &v->schedule;

	fr_assert(v->answer == FR_FEASIBLE && s->cut <= o->m->n);
	fr_recorded_turns_prefix(o, s->cut, ret);
	FR_VEC_FOREACH (e, &s->step) {
		struct fr_schedule_hook h;

		if (*e == last)
			continue;
		h = hook(o->m, *e);
		/* The tiers that guess let reads differ: values on the way are unknown. */
		h.known &= v->tier < FR_TIER_RELAXED && fr_mask_step(o->m, v->mask, *e);
		add_step(ret, o->m, *e);
		if (h.kind && !(o->m->ev[*e].flags & FR_F_SYNTH))
			fr_vec_push(&ret->expect, h);
	}
	/* Then run each thread until its target is pending, through unmodelled hooks. */
	for (uint32_t i = 0; i < what->npending; i++) {
		fr_ev e = what->pending[i];

		if (last != FR_NO_EV && o->m->ev[last].thread == o->m->ev[e].thread)
			e = last;
		fr_schedule_file_turn(ret, o->m->ev[e].thread, fr_model_hook(o->m, e) - 1);
	}
	/* The file has no form for events that stay apart, or for an event that the candidate does
	   not hold pending: forerun does not ask again. */
	if (v->tier == FR_TIER_RELAXED && !what->napart && last == FR_NO_EV)
		add_candidate(v, o->m, what, ret);
}

void fr_schedule_build(struct fr_recorded_turns *o, const struct fr_generator *g,
		       const struct fr_feasible *r, struct fr_schedule_file *ret)
{
	fr_schedule_file_begin(ret, o->m, g->name, g->meeting);
	ret->needs = fr_group_needs(g, r->group);
	add_turns(o, &r->decision, &r->instance->what, last_happened(o->m, r->instance), ret);
	add_events(o->m, r->instance, ret);
	fr_assert(ret->target.n && ret->target.n <= FR_TARGETS);
}

bool fr_schedule_is_target(const struct fr_model *m, const struct fr_schedule_file *s, fr_ev head)
{
	struct fr_schedule_hook x = hook(m, head);

	FR_VEC_FOREACH (h, &s->target)
		if (h->hook == x.hook && h->kind == x.kind && h->site == x.site &&
		    !strcmp(s->thread.v[h->thread], m->thread[x.thread].path))
			return true;
	return false;
}

void fr_schedule_rebuild(struct fr_recorded_turns *o, const struct fr_schedule_file *s,
			 const struct fr_decision *v, struct fr_schedule_file *ret)
{
	fr_schedule_file_begin(ret, o->m, s->kind, s->meeting);
	ret->needs = s->needs;
	add_turns(o, v, &s->what, FR_NO_EV, ret);
	FR_VEC_FOREACH (h, &s->event) {
		fr_vec_push(&ret->event, *h);
		ret->event.v[ret->event.n - 1].thread =
		    fr_schedule_file_thread(ret, s->thread.v[h->thread]);
	}
	FR_VEC_FOREACH (h, &s->target) {
		fr_vec_push(&ret->target, *h);
		ret->target.v[ret->target.n - 1].thread =
		    fr_schedule_file_thread(ret, s->thread.v[h->thread]);
	}
}
