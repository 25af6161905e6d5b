/*
 * The generators of candidates against brute force on small random runs: every data race and every
 * deadlock that some reordering reaches is among the candidates, and each candidate is of
 * its declared kind.
 *
 * Every operation of these runs is a place in the program of its own, so that no two instances are
 * the same finding.
 *
 * FORERUN_TEST_TRACES: the number of runs (20,000); FORERUN_TEST_SEED: the first seed (1).
 */
#include "generate/generate.h"
#include "ask.h"
#include "brute.h"
#include "fixture.h"
#include "gen.h"
#include <inttypes.h>
#include <stdio.h>

struct how {
	uint64_t found, feasible;
	bool loud;
};

static bool has(const struct fr_candidate *c, fr_ev e)
{
	for (uint32_t i = 0; i < c->npending; i++)
		if (c->pending[i] == e)
			return true;
	return false;
}

/* Are all targets of `less` targets of `more`? */
static bool within(const struct fr_candidate *less, const struct fr_candidate *more)
{
	for (uint32_t i = 0; i < less->npending; i++)
		if (!has(more, less->pending[i]))
			return false;
	return true;
}

/* A generated candidate that covers this one: a cycle within a cycle is the better finding. */
static bool covered(const struct fr_groups *g, const struct fr_candidate *c)
{
	FR_VEC_FOREACH (group, &g->group)
		FR_VEC_FOREACH (i, &group->instance)
			if ((*i)->what.npending > 1 && within(&(*i)->what, c))
				return true;
	return false;
}

/* Is it one of those that were asked for? */
static bool listed(const struct asked *a, const struct fr_candidate *c)
{
	FR_VEC_FOREACH (x, &a->v)
		if (x->npending == c->npending && within(x, c))
			return true;
	return false;
}

static bool complain(const struct how *how, const struct fr_candidate *c, const char *what)
{
	if (how->loud) {
		fprintf(stderr, "%s\n", what);
		ask_print(c);
	}
	return true;
}

/* Steps of which the generator must not make a target, or not of both. */
static bool is_race(const struct fr_model *m, const struct fr_candidate *c)
{
	bool race = false;

	/* some two accesses of the two steps must make it one */
	for (fr_ev a = c->pending[0]; a < m->n && fr_head(m, a) == c->pending[0]; a++)
		for (fr_ev b = c->pending[1]; b < m->n && fr_head(m, b) == c->pending[1]; b++) {
			const struct fr_mev *x = &m->ev[a], *y = &m->ev[b];

			if (fr_is_access(x) && fr_is_access(y) && x->obj == y->obj &&
			    x->mask & y->mask && (x->op == FR_OP_WRITE || y->op == FR_OP_WRITE) &&
			    !(x->flags & y->flags & FR_F_ATOMIC) &&
			    !((x->flags | y->flags) & (FR_F_SYNTH | FR_F_BENIGN)))
				race = true;
		}
	return race;
}

static bool is_deadlock(const struct fr_model *m, const struct fr_candidate *c)
{
	for (uint32_t i = 0; i < c->npending; i++)
		if (!(m->ev[c->pending[i]].flags & FR_F_BLOCKING))
			return false;
	return true;
}

static bool wrong(const struct fr_model *m, const struct fr_generator *generator,
		  const struct asked *all,
		  bool (*counts)(const struct fr_model *, const struct fr_candidate *),
		  const struct brute *b, struct how *how)
{
	struct fr_causality *c = fr_causality_new(m);
	struct fr_groups g = {0};
	bool bad = false;

	generator->generate(generator, m, c, &(struct fr_generate_opt){0}, &g);
	FR_VEC_FOREACH (x, &all->v) {
		if (bad || !counts(m, x) || !brute_feasible(b, x, NULL))
			continue;
		how->feasible++;
		if (!covered(&g, x))
			bad = complain(how, x, "missed");
	}
	FR_VEC_FOREACH (group, &g.group)
		FR_VEC_FOREACH (i, &group->instance) {
			how->found++;
			if (!bad && !(listed(all, &(*i)->what) && counts(m, &(*i)->what)))
				bad = complain(how, &(*i)->what, "is none");
		}
	fr_groups_free(&g);
	fr_causality_free(c);
	return bad;
}

static bool races_wrong(const struct fr_model *m, void *arg)
{
	struct asked all = {0};
	struct brute *b = brute_new(m, NULL, 1000000);
	bool bad;

	ask_races(m, &all);
	bad = wrong(m, &fr_generator_race, &all, is_race, b, arg);
	ask_free(&all);
	brute_free(b);
	return bad;
}

static bool deadlocks_wrong(const struct fr_model *m, void *arg)
{
	struct asked all = {0};
	struct brute *b = brute_new(m, NULL, 1000000);
	bool bad;

	ask_deadlocks(m, &all);
	bad = wrong(m, &fr_generator_deadlock, &all, is_deadlock, b, arg);
	ask_free(&all);
	brute_free(b);
	return bad;
}

static void runs(bool (*bad)(const struct fr_model *, void *), const char *what)
{
	uint64_t n = fx_env("FORERUN_TEST_TRACES", 20000);
	uint64_t seed = fx_env("FORERUN_TEST_SEED", 1);
	struct how how = {0};

	for (uint64_t i = 0; i < n; i++) {
		FR_CLEANUP(fr_freep) struct gen_script *s = gen_random(seed + i, 0);
		FR_CLEANUP(fr_model_freep) struct fr_model *m = gen_build(s);

		if (!bad(m, &how))
			continue;
		gen_shrink(s, bad, &how);
		fr_model_free(m);
		m = gen_build(s);
		gen_show(s, m);
		how.loud = true;
		bad(m, &how);
		fail_msg("%s", what);
	}
	print_message("%" PRIu64 " runs, %" PRIu64 " feasible, %" PRIu64 " candidates\n", n,
		      how.feasible, how.found);
	assert_true(n < 1000 || how.feasible > n / 100);
}

static void the_race_generator_agrees_with_brute_force(void **state)
{
	(void)state;
	runs(races_wrong, "the race generator is wrong");
}

static void the_deadlock_generator_agrees_with_brute_force(void **state)
{
	(void)state;
	runs(deadlocks_wrong, "the deadlock generator is wrong");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_race_generator_agrees_with_brute_force),
	    cmocka_unit_test(the_deadlock_generator_agrees_with_brute_force),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
