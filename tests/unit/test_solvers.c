/*
 * The oracle on runs that are too large for brute force: the order solver against Z3; a solver that was
 * asked many things against one that was asked nothing; sync and the refuter against both; the
 * oracle with and without pruning; the schedules against the checker.
 *
 * FORERUN_TEST_TRACES: 20,000, of which these are some hundredths; FORERUN_TEST_SEED: the first
 * seed (1).
 */
#include "cross.h"
#include "fixture.h"
#include "causality/refute.h"
#include "oracle/sync_tier.h"
#include <inttypes.h>

/* ---- solver against solver ---- */

static uint64_t frees, sees; /* candidates of these kinds */

/* Takes some of the candidates, and forgets the others. */
static uint64_t take(struct cross_run *r, struct asked *all, unsigned n, struct asked *a)
{
	unsigned i = 0;

	for (; i < n && all->v.n; i++)
		fr_vec_push(&a->v, all->v.v[fx_random(&r->random) % all->v.n]);
	all->v.n = 0;
	return i;
}

/* A few of each kind. */
static void ask_some(struct cross_run *r, struct asked *a)
{
	struct asked all = {0};
	size_t before;

	ask_races(r->m, &all);
	take(r, &all, 6, a);
	ask_deadlocks(r->m, &all);
	take(r, &all, 3, a);
	ask_frees(r->m, &all);
	frees += take(r, &all, 3, a);
	before = a->v.n;
	ask_sees(r->m, 4, &r->random, a);
	sees += a->v.n - before;
	ask_others(r->m, 0, r->m->n, 3, &r->random, a);
	ask_free(&all);
}

/* What Z3 can decide in time, the other one says too. */
static bool solvers_disagree(const struct fr_model *m, void *arg)
{
	struct cross_how *how = arg;
	struct cross_run r = {.m = m, .random = how->seed + 1, .how = how};
	struct asked a = {0};
	bool good = true, *expected;
	struct fr_solver *s;
	size_t n = 0;

	if (!m->n)
		return false;
	r.c = fr_causality_new(m);
	r.check = fr_checker_new(m);
	if (how->only)
		cross_again(&r, &a);
	else
		ask_some(&r, &a);
	expected = fr_xcalloc(a.v.n + 1, sizeof(*expected));
	s = fr_solver_z3.open(m, NULL, 0, m->n);
	for (size_t i = 0; i < a.v.n && good; i++) {
		struct fr_schedule found = {0};
		enum fr_answer answer = fr_solver_z3.ask(s, &a.v.v[i], how->seconds, &found);

		if (answer == FR_FEASIBLE)
			good = cross_yes(&r, &a.v.v[i], "z3", &found);
		fr_vec_free(&found.step);
		how->n++;
		how->undecided += answer == FR_UNKNOWN;
		how->yes += answer == FR_FEASIBLE;
		if (answer == FR_UNKNOWN)
			continue;
		expected[n] = answer == FR_FEASIBLE;
		a.v.v[n++] = a.v.v[i];
	}
	a.v.n = good ? n : 0;
	fr_solver_z3.close(s);
	good = good && cross_solver(&r, &fr_solver_order, 0, m->n, a.v.v, a.v.n, expected) &&
	       cross_cheap(&r, a.v.v, a.v.n, expected) &&
	       cross_oracle(&r, a.v.v, a.v.n, expected, false);
	free(expected);
	ask_free(&a);
	fr_checker_free(r.check);
	fr_causality_free(r.c);
	return !good;
}

static void solvers_agree_on_larger_runs(void **state)
{
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 20000) / 300;
	uint64_t seed = cross_env("FORERUN_TEST_SEED", 1);
	struct cross_how how = {.seconds = 2};

	(void)state;
	for (uint64_t i = 0; i < n; i++) {
		FR_CLEANUP(fr_freep)
		struct gen_script *s =
		    gen_random(seed + i, 30 + (uint32_t)((seed + i - 1) * 7 % 270));
		FR_CLEANUP(fr_model_freep) struct fr_model *m = gen_build(s);

		how.seed = seed + i;
		if (solvers_disagree(m, &how))
			cross_fail(s, solvers_disagree, &how, "the solvers disagree");
	}
	print_message("%" PRIu64 " runs, %" PRIu64 " candidates (%" PRIu64 " of frees, %" PRIu64
		      " of reads that see a write), %" PRIu64 " of them feasible, %" PRIu64
		      " too hard for one of them\n",
		      n, how.n, frees, sees, how.yes, how.undecided);
	if (n >= 20)
		assert_true(frees > n / 10 && sees > n);
}

/* ---- one solver for many candidates ---- */

/* What was asked before makes no difference: a solver that is asked everything says the same as one
   for each candidate. */
static bool memory_matters(const struct fr_model *m, void *arg)
{
	struct cross_how *how = arg;
	struct cross_run r = {.m = m, .random = how->seed + 1, .how = how};
	struct asked a = {0};
	bool good, *expected;
	size_t n = 0;

	if (!m->n)
		return false;
	r.c = fr_causality_new(m);
	r.check = fr_checker_new(m);
	for (unsigned i = 0; i < 3; i++)
		ask_some(&r, &a);
	expected = fr_xcalloc(a.v.n + 1, sizeof(*expected));
	for (size_t i = 0; i < a.v.n; i++) {
		struct fr_solver *s = fr_solver_order.open(m, NULL, 0, m->n);
		struct fr_schedule found = {0};
		enum fr_answer answer = fr_solver_order.ask(s, &a.v.v[i], how->seconds, &found);

		how->n++;
		how->yes += answer == FR_FEASIBLE;
		how->undecided += answer == FR_UNKNOWN;
		fr_vec_free(&found.step);
		fr_solver_order.close(s);
		if (answer == FR_UNKNOWN)
			continue;
		expected[n] = answer == FR_FEASIBLE;
		a.v.v[n++] = a.v.v[i];
	}
	a.v.n = n;
	good = cross_solver(&r, &fr_solver_order, 0, m->n, a.v.v, a.v.n, expected);
	free(expected);
	ask_free(&a);
	fr_checker_free(r.check);
	fr_causality_free(r.c);
	return !good;
}

static void solvers_agree_on_many_candidates(void **state)
{
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 20000) / 100;
	uint64_t seed = cross_env("FORERUN_TEST_SEED", 1);
	struct cross_how how = {.seconds = 2};

	(void)state;
	for (uint64_t i = 0; i < n; i++) {
		uint32_t max = 30 + (uint32_t)((seed + i) * 11 % 220);
		FR_CLEANUP(fr_freep) struct gen_script *s = gen_random(seed + i, max);
		FR_CLEANUP(fr_model_freep) struct fr_model *m = gen_build(s);

		how.seed = seed + i;
		if (memory_matters(m, &how))
			cross_fail(s, memory_matters, &how, "it matters what was asked before");
	}
	print_message("%" PRIu64 " runs, %" PRIu64 " candidates, %" PRIu64
		      " of them feasible, %" PRIu64 " too hard\n",
		      n, how.n, how.yes, how.undecided);
}

/* ---- pruning ---- */

/* The oracle says the same if it searches segments, and if it searches the whole run at once. */
static bool pruning_matters(const struct fr_model *m, void *arg)
{
	struct cross_how *how = arg;
	struct cross_run r = {.m = m, .random = how->seed + 1, .how = how};
	struct fr_oracle_opt opt = {
	    .tier = FR_TIER_PRECISE, .per_candidate = how->seconds, .check = true};
	struct fr_oracle *pruned, *whole;
	struct asked a = {0};
	bool good = true;

	if (!m->n)
		return false;
	r.c = fr_causality_new(m);
	r.check = fr_checker_new(m);
	pruned = fr_oracle_new(m, r.c, &opt);
	opt.whole = true;
	whole = fr_oracle_new(m, r.c, &opt);
	if (how->only)
		cross_again(&r, &a);
	else
		ask_some(&r, &a);
	for (size_t i = 0; i < a.v.n && good; i++) {
		struct fr_decision x, y;

		fr_oracle_ask(pruned, &a.v.v[i], &x);
		fr_oracle_ask(whole, &a.v.v[i], &y);
		how->n++;
		how->yes += y.answer == FR_FEASIBLE;
		how->undecided += x.answer == FR_UNKNOWN || y.answer == FR_UNKNOWN;
		if (x.answer != y.answer && x.answer != FR_UNKNOWN && y.answer != FR_UNKNOWN)
			good = cross_complain(&r, &a.v.v[i], "pruning", "changes the answer");
		fr_decision_free(&x);
		fr_decision_free(&y);
	}
	ask_free(&a);
	fr_oracle_free(pruned);
	fr_oracle_free(whole);
	fr_checker_free(r.check);
	fr_causality_free(r.c);
	return !good;
}

static void pruning_changes_no_answer(void **state)
{
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 20000) / 400;
	uint64_t seed = cross_env("FORERUN_TEST_SEED", 1);
	struct cross_how how = {.seconds = 0.5};

	(void)state;
	for (uint64_t i = 0; i < n; i++) {
		FR_CLEANUP(fr_freep)
		struct gen_script *s =
		    gen_random(seed + i, 300 + (uint32_t)((seed + i) * 13 % 400));
		FR_CLEANUP(fr_model_freep) struct fr_model *m = gen_build(s);

		how.seed = seed + i;
		if (pruning_matters(m, &how))
			cross_fail(s, pruning_matters, &how, "pruning changes an answer");
	}
	print_message("%" PRIu64 " runs, %" PRIu64 " candidates, %" PRIu64
		      " of them feasible, %" PRIu64 " too hard\n",
		      n, how.n, how.yes, how.undecided);
}

/* ---- runs that are longer than what is looked at ---- */

/* Whatever the parts are that the oracle takes: what it finds is accepted, and what the refuter
   excludes is not found. */
static bool long_is_wrong(const struct fr_model *m, void *arg)
{
	struct cross_how *how = arg;
	const struct fr_oracle_opt opt = {
	    .tier = FR_TIER_PRECISE, .per_candidate = 0.1, .check = false};
	struct cross_run r = {.m = m, .random = how->seed + 1, .how = how};
	struct fr_refuter *refuter;
	struct fr_oracle *o;
	struct fr_sync_tier *sync;
	struct asked a = {0};
	bool good = true;

	if (!m->n)
		return false;
	r.c = fr_causality_new(m);
	r.check = fr_checker_new(m);
	refuter = fr_refuter_new(m, r.c);
	sync = fr_sync_new(m, r.c);
	o = fr_oracle_new(m, r.c, &opt);
	if (how->only)
		cross_again(&r, &a);
	else
		ask_near_races(m, 60, &r.random, &a);
	for (size_t i = 0; i < a.v.n && good; i++) {
		const struct fr_candidate *c = &a.v.v[i];
		bool excluded = fr_refuter_ask(refuter, NULL, c) != FR_WHY_NONE;
		struct fr_schedule found = {0};
		struct fr_decision v = {0};

		if (fr_sync_ask(sync, NULL, c, &found) == FR_SYNC_YES)
			good = excluded ? cross_complain(&r, c, "sync", "finds what is excluded")
					: cross_yes(&r, c, "sync", &found);
		if (good && i % 8 == 0) {
			fr_oracle_ask(o, c, &v);
			how->undecided += v.answer == FR_UNKNOWN;
			if (v.answer == FR_FEASIBLE)
				good = cross_yes(&r, c, "the oracle", &v.schedule);
		}
		how->n++;
		how->yes += v.answer == FR_FEASIBLE || found.step.n;
		fr_vec_free(&found.step);
		fr_decision_free(&v);
	}
	ask_free(&a);
	fr_oracle_free(o);
	fr_sync_free(sync);
	fr_refuter_free(refuter);
	fr_checker_free(r.check);
	fr_causality_free(r.c);
	return !good;
}

static void solvers_agree_on_long_runs(void **state)
{
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 20000) / 1000;
	uint64_t seed = cross_env("FORERUN_TEST_SEED", 1);
	struct cross_how how = {.seconds = 2};

	(void)state;
	for (uint64_t i = 0; i < n; i++) {
		FR_CLEANUP(fr_freep) struct gen_script *s = gen_random(seed + i, 4000);
		FR_CLEANUP(fr_model_freep) struct fr_model *m = gen_build(s);

		how.seed = seed + i;
		if (long_is_wrong(m, &how))
			cross_fail(s, long_is_wrong, &how, "a wrong answer on a long run");
	}
	print_message("%" PRIu64 " runs, %" PRIu64 " candidates, %" PRIu64
		      " of them found feasible\n",
		      n, how.n, how.yes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(solvers_agree_on_larger_runs),
	    cmocka_unit_test(solvers_agree_on_many_candidates),
	    cmocka_unit_test(pruning_changes_no_answer),
	    cmocka_unit_test(solvers_agree_on_long_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
