/* Asks the oracle again: see ask_again.h. The first question computes the missing parts of the
   analysis. */
#include "predict/ask_again.h"
#include "base/assert.h"
#include "base/debug.h"
#include "predict/schedule_build.h"

#define SECONDS 5.0 /* for one question; the relaxed tier takes less */

struct fr_again_state {
	const struct fr_model *m;
	struct fr_oracle *o;
	struct fr_recorded_turns turns;
};

void fr_again_free(struct fr_again *a)
{
	struct fr_again_state *x = a->state;

	if (x) {
		fr_oracle_free(x->o);
		fr_recorded_turns_free(&x->turns);
		free(x);
	}
	a->state = NULL;
	fr_analysis_free(&a->run);
	pthread_mutex_destroy(&a->lock);
}

/* The lock is held. */
static struct fr_again_state *state(struct fr_again *a, const struct fr_model *m)
{
	struct fr_oracle_opt opt = {
	    .tier = FR_TIER_RELAXED, .per_candidate = SECONDS, .relax = a->relax, .check = true};
	struct fr_again_state *x = a->state;

	if (!x) {
		fr_analysis_causality(&a->run, m);
		fr_analysis_slice(&a->run, m, a->pure);
		fr_analysis_give_masks(&a->run, &opt);
		x = a->state = fr_xcalloc(1, sizeof(*x));
		x->m = x->turns.m = m;
		x->o = fr_oracle_new(m, a->run.c, &opt);
	}
	fr_assert(x->m == m);
	return x;
}

static bool is_read_of_target(const struct fr_model *m, const struct fr_candidate *c, fr_ev e)
{
	for (uint32_t i = 0; i < c->npending; i++)
		if (e < m->n && m->ev[e].op == FR_OP_READ && fr_head(m, e) == c->pending[i])
			return true;
	return false;
}

static bool is_write_of(const struct fr_model *m, fr_ev e, fr_ev read)
{
	return e == FR_NO_EV ||
	       (e < m->n && m->ev[e].op == FR_OP_WRITE && m->ev[e].obj == m->ev[read].obj &&
		m->ev[e].mask & m->ev[read].mask);
}

/* Is the file's candidate one of this model? Another version of forerun may have another model. */
static bool fits(const struct fr_model *m, const struct fr_schedule_file *s)
{
	const struct fr_candidate *c = &s->what;

	for (uint32_t i = 0; i < c->npending; i++) {
		if (c->pending[i] >= m->n || m->ev[c->pending[i]].flags & FR_F_PART ||
		    !fr_schedule_is_target(m, s, c->pending[i]))
			return false;
		for (uint32_t k = 0; k < i; k++)
			if (m->ev[c->pending[k]].thread == m->ev[c->pending[i]].thread)
				return false;
	}
	for (uint32_t i = 0; i < c->nedges; i++)
		if (c->edge[i].before >= m->n || c->edge[i].after >= m->n)
			return false;
	return c->npending && (!c->sees.on || (is_read_of_target(m, c, c->sees.read) &&
					       is_write_of(m, c->sees.write, c->sees.read)));
}

/* Puts the turns of the recorded order into the schedule itself. */
static void add_prefix(struct fr_schedule_file *s, const struct fr_schedule_file *whole)
{
	FR_VEC(struct fr_schedule_turn) turn = {0};

	fr_assert(s->prefix <= whole->turn.n);
	for (uint64_t i = 0; i < s->prefix; i++)
		fr_vec_push(&turn, whole->turn.v[i]);
	FR_VEC_FOREACH (t, &s->turn)
		fr_vec_push(&turn, *t);
	fr_vec_free(&s->turn);
	s->turn.v = turn.v;
	s->turn.n = turn.n;
	s->turn.cap = turn.cap;
	s->prefix = 0;
}

bool fr_again_ask(void *arg, const struct fr_model *m, const struct fr_schedule_file *s,
		  const fr_ev *fixed, uint32_t n, struct fr_schedule_file *ret)
{
	struct fr_again *a = arg;
	struct fr_again_state *x;
	struct fr_decision v;
	bool found;

	if (!a->relax || !fits(m, s))
		return false;
	pthread_mutex_lock(&a->lock);
	x = state(a, m);
	fr_oracle_ask_relaxed(x->o, &s->what, fixed, n, &v);
	found = v.answer == FR_FEASIBLE;
	if (found) {
		fr_schedule_rebuild(&x->turns, s, &v, ret);
		if (ret->prefix)
			add_prefix(ret, &x->turns.whole);
	}
	pthread_mutex_unlock(&a->lock);
	fr_debug(FR_DEBUG_PREDICT, "asked again with %u reads fixed, event %u the last: %s", n,
		 n ? fixed[n - 1] : 0, found ? "another schedule" : "no other schedule");
	fr_decision_free(&v);
	return found;
}

void fr_again_describe(void *arg, const struct fr_model *m, const struct fr_schedule_file *s,
		       struct fr_findings *f, struct fr_finding *x)
{
	FR_CLEANUP(fr_map_free) struct fr_map names = {0};
	struct fr_hook_stacks stacks = {0};
	struct fr_describer d = {.m = m, .stacks = &stacks, .f = f, .names = &names};

	(void)arg;
	FR_VEC_FOREACH (e, &x->relaxed)
		fr_finding_event_free(e);
	x->relaxed.n = 0;
	FR_VEC_FOREACH (e, &s->differs)
		fr_vec_push(&x->relaxed, fr_describe_step(&d, *e));
	x->reads_relaxed = (uint32_t)s->differs.n;
	fr_vec_free(&d.objects);
	fr_hook_stacks_free(&stacks);
}
