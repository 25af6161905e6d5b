/*
 * The oracle and its tiers against brute force on small random runs, both ways:
 *
 *  - the precise tier, each solver, on the whole run and on segments of it: exactly the answers of
 *    brute force;
 *  - sync says yes only where brute force does, the refuter no only where brute force does;
 *  - the oracle as a whole never leaves a small run undecided;
 *  - every schedule is accepted by the schedule checker.
 *
 * FORERUN_TEST_TRACES: the number of runs (20,000); FORERUN_TEST_SEED: the first seed (1).
 */
#include "brute.h"
#include "cross.h"
#include "fixture.h"
#include <inttypes.h>

/* The answers of brute force about each candidate on a segment. */
static bool *expect(struct cross_run *r, fr_ev cut, fr_ev end, const struct asked *a)
{
	bool *ret = fr_xcalloc(a->v.n + 1, sizeof(*ret));
	struct brute *b = brute_segment(r->m, NULL, cut, end, 1000000);

	for (size_t i = 0; i < a->v.n; i++) {
		const struct fr_candidate *c = &a->v.v[i];

		if (c->nedges || c->napart) {
			struct brute *with = brute_segment(r->m, c, cut, end, 1000000);

			ret[i] = brute_feasible(with, c, NULL);
			brute_free(with);
		} else {
			ret[i] = brute_feasible(b, c, NULL);
		}
		r->how->n++;
		r->how->yes += ret[i];
	}
	brute_free(b);
	return ret;
}

static bool whole_agrees(struct cross_run *r, bool z3)
{
	struct asked a = {0};
	bool good, *expected;

	if (r->how->only) {
		cross_again(r, &a);
	} else {
		ask_races(r->m, &a);
		ask_deadlocks(r->m, &a);
		ask_frees(r->m, &a);
		ask_sees(r->m, 8, &r->random, &a);
		ask_others(r->m, 0, r->m->n, 4, &r->random, &a);
	}
	expected = expect(r, 0, r->m->n, &a);
	good = cross_cheap(r, a.v.v, a.v.n, expected) &&
	       cross_solver(r, &fr_solver_order, 0, r->m->n, a.v.v, a.v.n, expected) &&
	       cross_oracle(r, a.v.v, a.v.n, expected, z3);
	if (good && z3)
		good = cross_solver(r, &fr_solver_z3, 0, r->m->n, a.v.v, a.v.n, expected);
	free(expected);
	ask_free(&a);
	return good;
}

static bool segment_agrees(struct cross_run *r, bool z3)
{
	fr_ev cut = cross_boundary(r->m, (fr_ev)(fx_random(&r->random) % r->m->n));
	fr_ev end =
	    cross_boundary(r->m, cut + (fr_ev)(fx_random(&r->random) % (r->m->n - cut + 1)));
	struct asked a = {0};
	bool good, *expected;

	ask_others(r->m, cut, end, 6, &r->random, &a);
	ask_sees(r->m, 6, &r->random, &a);
	expected = expect(r, cut, end, &a);
	good = cross_solver(r, z3 ? &fr_solver_z3 : &fr_solver_order, cut, end, a.v.v, a.v.n,
			    expected);
	free(expected);
	ask_free(&a);
	return good;
}

static bool agrees(struct cross_run *r)
{
	return whole_agrees(r, r->how->z3) && (r->how->only || segment_agrees(r, r->how->z3));
}

static void small_runs(void **state)
{
	static const struct cross_check check = {.agrees = agrees,
						 .failure = "the oracle and brute force disagree"};
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 20000);
	struct cross_how how = {.seconds = 1000};

	(void)state;
	cross_runs(&check, n, &how);
	print_message("%" PRIu64 " runs, %" PRIu64 " candidates, %" PRIu64 " of them feasible\n", n,
		      how.n, how.yes);
	assert_int_equal(how.undecided, 0);
	/* Both answers must be common, or the test says little. */
	assert_true(how.yes > how.n / 5 && how.yes < how.n / 5 * 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(small_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
