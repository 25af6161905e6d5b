/*
 * Makes turns from the recorded order. Consecutive events of one thread are one turn, which ends at
 * the hook of the last event. Hooks that the model leaves out (accesses to memory of one thread)
 * belong to the turn that reaches them.
 */
#include "findings/recorded_turns.h"
#include "base/assert.h"

/* Builds the turns of the recorded order up to the cut. */
static void extend(struct fr_recorded_turns *o, fr_ev cut)
{
	fr_assert(cut <= o->m->n && o->begin.n >= o->whole.turn.n);
	if (!o->whole.kind)
		fr_schedule_file_begin(&o->whole, o->m, "recorded", FR_MEETING_NONE);
	for (; o->done < cut; o->done++) {
		size_t n = o->whole.turn.n;

		fr_schedule_file_event(&o->whole, o->m, o->done);
		if (o->whole.turn.n != n)
			fr_vec_push(&o->begin, o->done);
	}
}

/* Returns the number of turns that begin before the cut. */
static size_t turns_before(const struct fr_recorded_turns *o, fr_ev cut)
{
	return fr_bisect(o->begin.n, i, o->begin.v[i] < cut);
}

/* Sets s->last to the last hook of each thread before an event of the recorded order. */
static void set_last(struct fr_schedule_file *s, const struct fr_model *m, fr_ev before)
{
	fr_assert(!s->last.n);
	for (uint32_t t = 0; t < m->nthreads; t++) {
		const struct fr_mthread *th = &m->thread[t];
		size_t n = fr_bisect(th->n, i, th->ev[i] < before);

		fr_vec_push(&s->last, n ? fr_model_hook(m, th->ev[n - 1]) : 0);
	}
}

void fr_recorded_turns_prefix(struct fr_recorded_turns *o, fr_ev cut, struct fr_schedule_file *s)
{
	size_t n;

	fr_assert(!s->turn.n && !s->prefix && s->thread.n == o->m->nthreads);
	extend(o, cut);
	n = turns_before(o, cut);
	if (!n)
		return;
	set_last(s, o->m, o->begin.v[n - 1]);
	if (n - 1 > FR_SCHEDULE_INLINE) {
		s->prefix = n - 1;
		o->used = true;
	} else {
		for (size_t i = 0; i < n - 1; i++)
			fr_vec_push(&s->turn, o->whole.turn.v[i]);
	}
	for (fr_ev e = o->begin.v[n - 1]; e < cut; e++)
		fr_schedule_file_event(s, o->m, e);
}

/* Returns the number of hooks that a thread executed. A call that blocked at the end is an event of
   the model, but did not happen. */
static uint64_t executed(const struct fr_model *m, uint32_t thread)
{
	const struct fr_trace_thread *t =
	    m->trace ? fr_trace_thread(m->trace, m->thread[thread].id) : NULL;

	return t && t->hooks ? t->hooks : UINT64_MAX;
}

const struct fr_schedule_file *fr_recorded_turns_whole(struct fr_recorded_turns *o)
{
	FR_CLEANUP(fr_freep) uint64_t *last = fr_xcalloc(o->m->nthreads, sizeof(*last));
	FR_CLEANUP(fr_freep) uint64_t *end = fr_xcalloc(o->m->nthreads, sizeof(*end));
	size_t n = 0;

	extend(o, o->m->n);
	for (uint32_t t = 0; t < o->m->nthreads; t++)
		end[t] = executed(o->m, t);
	FR_VEC_FOREACH (t, &o->whole.turn) {
		fr_assert_slow(t->thread < o->m->nthreads);
		t->hook = fr_min(t->hook, end[t->thread]);
		if (t->hook <= last[t->thread])
			continue;
		last[t->thread] = t->hook;
		o->whole.turn.v[n++] = *t;
	}
	o->whole.turn.n = n;
	return &o->whole;
}

void fr_recorded_turns_free(struct fr_recorded_turns *o)
{
	fr_schedule_file_clear(&o->whole);
	fr_vec_free(&o->begin);
	*o = (struct fr_recorded_turns){0};
}
