/*
 * The solvers of the precise tier against brute force, against each other and against the schedule
 * checker, on random runs.
 *
 * FORERUN_TEST_TRACES: how many runs (8,000); FORERUN_TEST_SEED: the first seed (1).
 */
#include "brute.h"
#include "fixture.h"
#include "gen.h"
#include "oracle/check.h"
#include "oracle/solve.h"

static uint64_t from_env(const char *name, uint64_t otherwise)
{
	const char *s = getenv(name);

	return s && *s ? strtoull(s, NULL, 0) : otherwise;
}

static bool is_head(const struct fr_model *m, fr_ev e)
{
	return !(m->ev[e].flags & FR_F_PART);
}

/* Two solvers and the checker, on one segment. */
struct rig {
	const struct fr_model *m;
	struct fr_checker *checker;
	struct fr_solver *a, *b; /* b: Z3, may be NULL */
	char said[256];
};

static void rig_open(struct rig *r, const struct fr_model *m, fr_ev cut, fr_ev end, bool z3)
{
	*r = (struct rig){.m = m, .checker = fr_checker_new(m)};
	r->a = fr_solver_cadical.open(m, NULL, cut, end);
	r->b = z3 ? fr_solver_z3.open(m, NULL, cut, end) : NULL;
}

static void rig_close(struct rig *r)
{
	fr_solver_cadical.close(r->a);
	if (r->b)
		fr_solver_z3.close(r->b);
	fr_checker_free(r->checker);
}

/* What they say; -1 with r->said if they differ or the checker objects. */
static int rig_ask(struct rig *r, const struct fr_candidate *c)
{
	struct fr_schedule s = {0};
	struct fr_err err;
	enum fr_answer a = fr_solver_cadical.ask(r->a, c, 60, &s), b;
	int ret = a == FR_FEASIBLE;

	if (a == FR_UNKNOWN) {
		snprintf(r->said, sizeof(r->said), "cadical does not know");
		ret = -1;
	}
	if (a == FR_FEASIBLE && fr_checker_check(r->checker, &s, c, &err) < 0) {
		snprintf(r->said, sizeof(r->said), "cadical's schedule: %.200s", err.msg);
		ret = -1;
	}
	if (r->b) {
		b = fr_solver_z3.ask(r->b, c, 60, &s);
		if (b == FR_FEASIBLE && fr_checker_check(r->checker, &s, c, &err) < 0) {
			snprintf(r->said, sizeof(r->said), "z3's schedule: %.200s", err.msg);
			ret = -1;
		}
		if (b != FR_UNKNOWN && b != a) {
			snprintf(r->said, sizeof(r->said), "cadical says %d, z3 %d", a, b);
			ret = -1;
		}
	}
	fr_vec_free(&s.step);
	return ret;
}

/* Every pair of steps, by brute force and by the solver; what is wrong, NULL: nothing. */
static const char *compare_pairs(const struct fr_model *m, bool z3, unsigned *yes)
{
	static char said[400];
	struct brute *b = brute_new(m, NULL, 200000);
	struct rig r;
	const char *ret = NULL;

	if (!brute_complete(b)) {
		brute_free(b);
		return NULL;
	}
	rig_open(&r, m, 0, m->n, z3);
	for (fr_ev x = 0; x < m->n && !ret; x++) {
		for (fr_ev y = x + 1; y < m->n && !ret; y++) {
			struct fr_candidate c = {.npending = 2, .pending = {x, y}};
			int got, want;

			if (!is_head(m, x) || !is_head(m, y) || m->ev[x].thread == m->ev[y].thread)
				continue;
			got = rig_ask(&r, &c);
			want = brute_pair(b, x, y);
			*yes += want;
			if (got == want)
				continue;
			snprintf(said, sizeof(said), "%u || %u: brute force says %d, solver %d %s",
				 x, y, want, got, got < 0 ? r.said : "");
			ret = said;
		}
	}
	rig_close(&r);
	brute_free(b);
	return ret;
}

struct failing {
	bool z3;
};

static bool is_bad(const struct fr_model *m, void *arg)
{
	const struct failing *f = arg;
	unsigned yes = 0;

	return compare_pairs(m, f->z3, &yes) != NULL;
}

static void run_pairs(unsigned runs, uint64_t seed, uint32_t max, bool z3)
{
	unsigned yes = 0;

	for (unsigned i = 0; i < runs; i++) {
		struct gen_script *s = gen_random(seed + i, max);
		struct fr_model *m = gen_build(s);
		const char *said = compare_pairs(m, z3, &yes);

		if (said) {
			struct failing f = {z3};

			fr_model_free(m);
			gen_shrink(s, is_bad, &f);
			m = gen_build(s);
			gen_show(s, m);
			fail_msg("%s", compare_pairs(m, z3, &yes));
		}
		fr_model_free(m);
		free(s);
	}
	assert_true(yes > runs);
}

static unsigned runs(unsigned share)
{
	return (unsigned)(from_env("FORERUN_TEST_TRACES", 8000) * share / 100);
}

static void pairs_agree_with_brute_force(void **state)
{
	(void)state;
	run_pairs(runs(100), from_env("FORERUN_TEST_SEED", 1), 0, false);
}

static void z3_agrees_with_brute_force(void **state)
{
	(void)state;
	run_pairs(runs(4), from_env("FORERUN_TEST_SEED", 1) + 500000, 0, true);
}

static void longer_runs_agree_with_brute_force(void **state)
{
	(void)state;
	run_pairs(runs(2), from_env("FORERUN_TEST_SEED", 1) + 900000, 26, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(pairs_agree_with_brute_force),
	    cmocka_unit_test(z3_agrees_with_brute_force),
	    cmocka_unit_test(longer_runs_agree_with_brute_force),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
