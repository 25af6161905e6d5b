/*
 * The oracle on runs that are too large for brute force: the order solver against Z3; a solver that
 * was asked many things against one that was asked nothing; sync and the refuter against both; the
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

/* The order solver gives every answer that Z3 finds in time. */
static bool solvers_agree(struct cross_run *r)
{
	struct asked a = {0};
	bool good, *expected;

	if (r->how->only)
		cross_again(r, &a);
	else
		ask_some(r, &a);
	good = cross_decided(r, &fr_solver_z3, false, &a, &expected) &&
	       cross_solver(r, &fr_solver_order, 0, r->m->n, a.v.v, a.v.n, expected) &&
	       cross_cheap(r, a.v.v, a.v.n, expected) &&
	       cross_oracle(r, a.v.v, a.v.n, expected, false);
	free(expected);
	ask_free(&a);
	return good;
}

static uint32_t up_to_300(uint64_t seed)
{
	return 30 + (uint32_t)((seed - 1) * 7 % 270);
}

static void solvers_agree_on_larger_runs(void **state)
{
	static const struct cross_check check = {
	    .agrees = solvers_agree, .events = up_to_300, .failure = "the solvers disagree"};
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 20000) / 300;
	struct cross_how how = {.seconds = 2};

	(void)state;
	cross_runs(&check, n, &how);
	print_message("%" PRIu64 " runs, %" PRIu64 " candidates (%" PRIu64 " of frees, %" PRIu64
		      " of reads that see a write), %" PRIu64 " of them feasible, %" PRIu64
		      " too hard for one of them\n",
		      n, how.n, frees, sees, how.yes, how.undecided);
	if (n >= 20)
		assert_true(frees > n / 10 && sees > n);
}

/* ---- one solver for many candidates ---- */

/* Earlier questions make no difference: a solver that is asked everything says the same as one
   for each candidate. */
static bool memory_agrees(struct cross_run *r)
{
	struct asked a = {0};
	bool good, *expected;

	for (unsigned i = 0; i < 3; i++)
		ask_some(r, &a);
	good = cross_decided(r, &fr_solver_order, true, &a, &expected) &&
	       cross_solver(r, &fr_solver_order, 0, r->m->n, a.v.v, a.v.n, expected);
	free(expected);
	ask_free(&a);
	return good;
}

static uint32_t up_to_250(uint64_t seed)
{
	return 30 + (uint32_t)(seed * 11 % 220);
}

static void solvers_agree_on_many_candidates(void **state)
{
	static const struct cross_check check = {.agrees = memory_agrees,
						 .events = up_to_250,
						 .failure =
						     "the answer depends on earlier questions"};
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 20000) / 100;
	struct cross_how how = {.seconds = 2};

	(void)state;
	cross_runs(&check, n, &how);
	print_message("%" PRIu64 " runs, %" PRIu64 " candidates, %" PRIu64
		      " of them feasible, %" PRIu64 " too hard\n",
		      n, how.n, how.yes, how.undecided);
}

/* ---- pruning ---- */

/* The oracle says the same if it searches segments, and if it searches the whole run at once. */
static bool pruning_agrees(struct cross_run *r)
{
	struct fr_oracle_opt opt = {
	    .tier = FR_TIER_PRECISE, .per_candidate = r->how->seconds, .check = true};
	struct fr_oracle *pruned = fr_oracle_new(r->m, r->c, &opt), *whole;
	struct asked a = {0};
	bool good = true;

	opt.whole = true;
	whole = fr_oracle_new(r->m, r->c, &opt);
	if (r->how->only)
		cross_again(r, &a);
	else
		ask_some(r, &a);
	for (size_t i = 0; i < a.v.n && good; i++) {
		struct fr_decision x, y;

		fr_oracle_ask(pruned, &a.v.v[i], &x);
		fr_oracle_ask(whole, &a.v.v[i], &y);
		r->how->n++;
		r->how->yes += y.answer == FR_FEASIBLE;
		r->how->undecided += x.answer == FR_UNKNOWN || y.answer == FR_UNKNOWN;
		if (x.answer != y.answer && x.answer != FR_UNKNOWN && y.answer != FR_UNKNOWN)
			good = cross_complain(r, &a.v.v[i], "pruning", "changes the answer");
		fr_decision_free(&x);
		fr_decision_free(&y);
	}
	ask_free(&a);
	fr_oracle_free(pruned);
	fr_oracle_free(whole);
	return good;
}

static uint32_t up_to_700(uint64_t seed)
{
	return 300 + (uint32_t)(seed * 13 % 400);
}

static void pruning_changes_no_answer(void **state)
{
	static const struct cross_check check = {
	    .agrees = pruning_agrees, .events = up_to_700, .failure = "pruning changes an answer"};
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 20000) / 400;
	struct cross_how how = {.seconds = 0.5};

	(void)state;
	cross_runs(&check, n, &how);
	print_message("%" PRIu64 " runs, %" PRIu64 " candidates, %" PRIu64
		      " of them feasible, %" PRIu64 " too hard\n",
		      n, how.n, how.yes, how.undecided);
}

/* ---- runs that are longer than the window ---- */

/* For any windows of the oracle: the checker accepts its findings, and the oracle finds no
   candidate that the refuter excludes. */
static bool long_agrees(struct cross_run *r)
{
	const struct fr_oracle_opt opt = {
	    .tier = FR_TIER_PRECISE, .per_candidate = 0.1, .check = false};
	struct fr_refuter *refuter = fr_refuter_new(r->m, r->c);
	struct fr_sync_tier *sync = fr_sync_new(r->m, r->c);
	struct fr_oracle *o = fr_oracle_new(r->m, r->c, &opt);
	struct asked a = {0};
	bool good = true;

	if (r->how->only)
		cross_again(r, &a);
	else
		ask_near_races(r->m, 60, &r->random, &a);
	for (size_t i = 0; i < a.v.n && good; i++) {
		const struct fr_candidate *c = &a.v.v[i];
		bool excluded = fr_refuter_ask(refuter, NULL, c) != FR_WHY_NONE;
		struct fr_schedule found = {0};
		struct fr_decision v = {0};

		if (fr_sync_ask(sync, NULL, c, &found) == FR_SYNC_YES)
			good = excluded
				   ? cross_complain(r, c, "sync", "finds an excluded candidate")
				   : cross_yes(r, c, "sync", &found);
		if (good && i % 8 == 0) {
			fr_oracle_ask(o, c, &v);
			r->how->undecided += v.answer == FR_UNKNOWN;
			if (v.answer == FR_FEASIBLE)
				good = cross_yes(r, c, "the oracle", &v.schedule);
		}
		r->how->n++;
		r->how->yes += v.answer == FR_FEASIBLE || found.step.n;
		fr_vec_free(&found.step);
		fr_decision_free(&v);
	}
	ask_free(&a);
	fr_oracle_free(o);
	fr_sync_free(sync);
	fr_refuter_free(refuter);
	return good;
}

static uint32_t all_4000(uint64_t seed)
{
	(void)seed;
	return 4000;
}

static void solvers_agree_on_long_runs(void **state)
{
	static const struct cross_check check = {
	    .agrees = long_agrees, .events = all_4000, .failure = "a wrong answer on a long run"};
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 20000) / 1000;
	struct cross_how how = {.seconds = 2};

	(void)state;
	cross_runs(&check, n, &how);
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
