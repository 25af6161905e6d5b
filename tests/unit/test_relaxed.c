/*
 * The relaxed tier against brute force on small random runs: it finds a schedule exactly where one
 * with that many different reads exists, with as few of them as possible. The schedule checker
 * accepts each schedule with exactly these reads, and with none of them less. The same if one of
 * these reads must return its recorded value after all.
 *
 * FORERUN_TEST_TRACES: the number of runs (2,000); FORERUN_TEST_SEED: the first seed (1).
 */
#include "brute.h"
#include "cross.h"
#include "fixture.h"
#include "script.h"
#include <inttypes.h>

#define RELAX 3

static uint64_t seen[RELAX + 2];  /* by number of reads; the last one: more, or never */
static uint64_t again[RELAX + 2]; /* the same with a read fixed */

static const char *wrong_schedule(const struct cross_run *r, const struct fr_candidate *c,
				  const struct fr_decision *v)
{
	static struct fr_err err;

	if (fr_checker_check_relaxed(r->check, NULL, &v->schedule, c, v->relaxed, v->reads_relaxed,
				     &err) < 0)
		return err.msg;
	if (v->reads_relaxed &&
	    fr_checker_check_relaxed(r->check, NULL, &v->schedule, c, v->relaxed + 1,
				     v->reads_relaxed - 1, NULL) == 0)
		return "accepted with one read less";
	return NULL;
}

/* Is the decision right, with the read `fixed` (FR_NO_EV: none)? Counts it by the number of
   reads. */
static bool right(struct cross_run *r, const struct fr_candidate *c, const struct fr_decision *v,
		  fr_ev fixed, uint64_t *count)
{
	struct brute *b = brute_relaxed(r->m, c, RELAX, fixed, 400000);
	uint32_t least = brute_least(b, c);
	const char *why = NULL;

	if (!brute_complete(b)) {
		brute_free(b);
		return true;
	}
	brute_free(b);
	r->how->n++;
	count[least > RELAX ? RELAX + 1 : least]++;
	if (v->answer != FR_FEASIBLE)
		why = least > RELAX ? NULL : "does not find it";
	else if (v->reads_relaxed != least)
		why = "does not find the fewest reads";
	else if (v->tier == FR_TIER_RELAXED)
		why = wrong_schedule(r, c, v);
	for (uint32_t i = 0; i < v->reads_relaxed; i++)
		if (v->relaxed[i] == fixed)
			why = "lets a read differ that is fixed";
	return !why || cross_complain(r, c, "the relaxed tier", why);
}

static bool all_right(struct cross_run *r, struct fr_oracle *o, const struct fr_candidate *c)
{
	struct fr_decision v, w;
	bool good;

	fr_oracle_ask(o, c, &v);
	good = right(r, c, &v, FR_NO_EV, seen);
	for (uint32_t i = 0; i < v.reads_relaxed && good; i++) {
		fr_oracle_ask_relaxed(o, c, &v.relaxed[i], 1, &w);
		good = right(r, c, &w, v.relaxed[i], again);
		fr_decision_free(&w);
	}
	fr_decision_free(&v);
	return good;
}

static bool agrees(struct cross_run *r)
{
	const struct fr_oracle_opt opt = {
	    .tier = FR_TIER_RELAXED, .per_candidate = 100, .relax = RELAX, .check = true};
	struct fr_oracle *o = fr_oracle_new(r->m, r->c, &opt);
	struct asked a = {0};
	bool good = true;

	if (r->how->only) {
		cross_again(r, &a);
	} else {
		ask_near_races(r->m, 4, &r->random, &a);
		ask_frees(r->m, &a);
		ask_sees(r->m, 6, &r->random, &a);
		ask_others(r->m, 0, r->m->n, 4, &r->random, &a);
	}
	for (size_t i = 0; i < a.v.n && good; i++)
		good = all_right(r, o, &a.v.v[i]);
	ask_free(&a);
	fr_oracle_free(o);
	return good;
}

static uint32_t few(uint64_t seed)
{
	return seed % 2 ? 24 : 0;
}

static void as_few_reads_as_possible(void **state)
{
	static const struct cross_check check = {.agrees = agrees,
						 .events = few,
						 .failure =
						     "the relaxed tier and brute force disagree"};
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 2000);
	struct cross_how how = {.seconds = 1000};

	(void)state;
	cross_runs(&check, n, &how);
	print_message("%" PRIu64 " candidates; reads that differ: 0 in %" PRIu64 ", 1 in %" PRIu64
		      ", 2 in %" PRIu64 ", 3 in %" PRIu64 ", more or infeasible: %" PRIu64 "\n",
		      how.n, seen[0], seen[1], seen[2], seen[3], seen[4]);
	print_message("with one of them fixed: 0 in %" PRIu64 ", 1 in %" PRIu64 ", 2 in %" PRIu64
		      ", 3 in %" PRIu64 ", more or infeasible: %" PRIu64 "\n",
		      again[0], again[1], again[2], again[3], again[4]);
	if (n >= 500)
		assert_true(again[1] > n / 500 && again[RELAX + 1] > n / 500);
	if (n >= 500)
		for (unsigned i = 0; i < RELAX; i++)
			assert_true(seen[i] > n / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(as_few_reads_as_possible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
