/*
 * Lost wakeups on random runs, against brute force: each wait that blocks for ever because all
 * signals or units can come first is found, and each finding does block.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "generate/generate.h"
#include "ask.h"
#include "brute.h"
#include "gen.h"
#include "oracle/oracle.h"
#include <stdlib.h>

#define STATES (1u << 20)

static unsigned rounds(unsigned n)
{
	const char *s = getenv("ROUNDS");

	return s ? (unsigned)strtoul(s, NULL, 10) : n;
}

/* The random runs do not say which waits have no time limit: assume all that ended. */
static void no_limits(struct fr_model *m)
{
	for (fr_ev e = 0; e < m->n; e++)
		if ((m->ev[e].op == FR_OP_WAIT && !(m->ev[e].flags & FR_F_TIMEOUT)) ||
		    m->ev[e].op == FR_OP_SEM_WAIT)
			m->ev[e].flags |= FR_F_BLOCKING;
}

static fr_ev begin_of(const struct fr_model *m, fr_ev wait)
{
	fr_ev e = wait;

	do
		e = fr_model_prev(m, e);
	while (m->ev[e].op != FR_OP_WAIT_BEGIN);
	return e;
}

/* The stuck wait, by definition: each signal of the condition variable, or each wait for the
   semaphore, by another thread that need not come later has happened before. False: there is
   none. */
static bool all_first(const struct fr_model *m, const struct fr_causality *c, fr_ev w,
		      struct fr_candidate *ret)
{
	bool sem = m->ev[w].op == FR_OP_SEM_WAIT;
	fr_ev after = sem ? w : fr_head(m, begin_of(m, w));
	uint64_t units = sem ? m->cls[FR_C_SEM].obj[m->ev[w].obj].count : 0, taken = 0;

	*ret = (struct fr_candidate){.npending = 1, .pending[0] = fr_head(m, w)};
	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];
		bool takes = v->op == (sem ? FR_OP_SEM_WAIT : FR_OP_SIGNAL) ||
			     (!sem && v->op == FR_OP_BROADCAST);

		if (fr_op_class[v->op] != fr_op_class[m->ev[w].op] || v->obj != m->ev[w].obj ||
		    e == w || fr_mhb(c, after, e))
			continue;
		units += v->op == FR_OP_SEM_POST;
		taken += takes;
		if (!takes || v->thread == m->ev[w].thread)
			continue;
		if (ret->nedges == FR_EDGES)
			return false;
		ret->edge[ret->nedges].before = fr_head(m, e);
		ret->edge[ret->nedges++].after = after;
	}
	return ret->nedges && (!sem || units <= taken);
}

static bool brute_says(const struct fr_model *m, const struct fr_candidate *what, bool *ret_known)
{
	struct brute *b = brute_new(m, what, STATES);
	bool yes = brute_feasible(b, what, NULL);

	*ret_known = yes || brute_complete(b);
	brute_free(b);
	return yes;
}

/* Does the wait block after this schedule? */
static bool is_stuck(const struct fr_model *m, const struct fr_schedule *s, fr_ev w)
{
	struct brute_walk *k = brute_walk_new(m);
	bool stuck;

	for (fr_ev e = 0; e < s->cut; e++)
		if (!(m->ev[e].flags & FR_F_PART))
			assert_true(brute_walk_step(k, e));
	FR_VEC_FOREACH (e, &s->step)
		assert_true(brute_walk_step(k, *e));
	stuck = !brute_walk_step(k, w);
	brute_walk_free(k);
	return stuck;
}

struct found {
	const struct fr_model *m;
	struct fr_groups g;
	struct fr_oracle *o;
	unsigned stuck, instances;
};

/* Is there a feasible candidate whose wait blocks? */
static bool finds(struct found *f, fr_ev w)
{
	bool yes = false;

	FR_VEC_FOREACH (x, &f->g.group) {
		FR_VEC_FOREACH (i, &x->instance) {
			struct fr_decision d = {0};

			if ((*i)->what.pending[0] != fr_head(f->m, w) || (*i)->what.sees.on)
				continue;
			fr_oracle_ask(f->o, &(*i)->what, &d);
			yes |= d.answer == FR_FEASIBLE && is_stuck(f->m, &d.schedule, w);
			fr_decision_free(&d);
		}
	}
	return yes;
}

/* Each candidate is feasible if and only if brute force says so. */
static void check_answers(const struct gen_script *script, struct found *f)
{
	FR_VEC_FOREACH (x, &f->g.group) {
		FR_VEC_FOREACH (i, &x->instance) {
			struct fr_decision d = {0};
			bool known, yes = brute_says(f->m, &(*i)->what, &known);

			fr_oracle_ask(f->o, &(*i)->what, &d);
			f->instances += yes;
			if (known && d.answer != (yes ? FR_FEASIBLE : FR_INFEASIBLE)) {
				gen_show(script, f->m);
				fail_msg("a candidate of event %u: brute force says %d",
					 (*i)->what.pending[(*i)->nheld], yes);
			}
			fr_decision_free(&d);
		}
	}
}

static void check_waits(const struct gen_script *script, const struct fr_causality *c,
			struct found *f)
{
	for (fr_ev w = 0; w < f->m->n; w++) {
		struct fr_candidate what;
		bool known;

		if ((f->m->ev[w].op != FR_OP_WAIT && f->m->ev[w].op != FR_OP_SEM_WAIT) ||
		    !(f->m->ev[w].flags & FR_F_BLOCKING) || !all_first(f->m, c, w, &what) ||
		    !brute_says(f->m, &what, &known))
			continue;
		f->stuck++;
		if (!finds(f, w)) {
			gen_show(script, f->m);
			fail_msg("event %u can wait for ever, but that is not found", w);
		}
	}
}

static void finds_every_stuck_wait(void **state)
{
	unsigned n = rounds(20000), stuck = 0, instances = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= n; seed++) {
		struct gen_script *script = gen_random(seed, 0);
		struct fr_model *m = gen_build(script);
		struct fr_causality *c = fr_causality_new(m);
		struct found f = {.m = m};

		no_limits(m);
		f.o = fr_oracle_new(m, c, &ask_precise);
		fr_generator_wakeup.generate(&fr_generator_wakeup, m, c,
					     &(struct fr_generate_opt){0}, &f.g);
		check_answers(script, &f);
		check_waits(script, c, &f);
		stuck += f.stuck;
		instances += f.instances;
		fr_groups_free(&f.g);
		fr_oracle_free(f.o);
		fr_causality_free(c);
		fr_model_free(m);
		free(script);
	}
	print_message("%u waits that can block for ever, %u feasible candidates\n", stuck,
		      instances);
	assert_true(stuck > n / 1000);
	assert_true(instances > stuck);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(finds_every_stuck_wait)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
