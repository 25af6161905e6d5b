/*
 * The oracle and its tiers against brute force on small random runs, both ways; the two solvers
 * against each other on larger ones.
 *
 *  - the precise tier, each solver, on the whole run and on segments of it: exactly what brute
 * force says;
 *  - sync says yes only where brute force does, the refuter no only where brute force does;
 *  - the oracle as a whole never leaves a small run undecided;
 *  - every schedule is accepted by the schedule checker, on long runs too.
 *
 * FORERUN_TEST_TRACES: how many small runs (20,000; of the others some hundredth of that);
 * FORERUN_TEST_SEED: the first seed (1).
 */
#include "ask.h"
#include "brute.h"
#include "causality/causality.h"
#include "fixture.h"
#include "gen.h"
#include "oracle/check.h"
#include "oracle/refute.h"
#include "oracle/solve.h"
#include "oracle/sync.h"
#include <inttypes.h>

static uint64_t from_env(const char *name, uint64_t otherwise)
{
	const char *s = getenv(name);

	return s && *s ? strtoull(s, NULL, 0) : otherwise;
}

/* One run under test. */
struct run {
	const struct fr_model *m;
	struct fr_causality *c;
	struct fr_checker *check;
	uint64_t random;
	uint64_t n, yes; /* candidates */
	bool loud;
};

static bool complain(const struct run *r, const struct fr_candidate *c, const char *who,
		     const char *what)
{
	if (r->loud) {
		fprintf(stderr, "%s %s\n", who, what);
		ask_print(c);
	}
	return false;
}

/* Is a yes with this schedule right? */
static bool check_yes(const struct run *r, const struct fr_candidate *c, const char *who,
		      const struct fr_schedule *s)
{
	struct fr_err err;

	if (fr_checker_check(r->check, s, c, &err) == 0)
		return true;
	if (r->loud) {
		fprintf(stderr, "cut %u, then", s->cut);
		FR_VEC_FOREACH (e, &s->step)
			fprintf(stderr, " %u", *e);
		fprintf(stderr, "\n");
	}
	return complain(r, c, who, err.msg);
}

/* A solver on a segment: for each candidate exactly what brute force says. */
static bool solver_agrees(struct run *r, const struct fr_solver_ops *ops, fr_ev cut, fr_ev end,
			  const struct fr_candidate *c, size_t n, const bool *expected)
{
	struct fr_solver *s;
	bool good = true;

	if (!n)
		return true;
	s = ops->open(r->m, r->c, cut, end);
	for (size_t i = 0; i < n && good; i++) {
		struct fr_schedule found = {0};
		enum fr_answer a = ops->ask(s, &c[i], 100, &found);

		if (a == FR_UNKNOWN)
			good = complain(r, &c[i], ops->name, "cannot tell");
		else if ((a == FR_FEASIBLE) != expected[i])
			good =
			    complain(r, &c[i], ops->name,
				     expected[i] ? "does not find it" : "says yes to what is not");
		else if (a == FR_FEASIBLE)
			good = check_yes(r, &c[i], ops->name, &found);
		if (good && a == FR_FEASIBLE && found.cut < cut)
			good = complain(r, &c[i], ops->name, "cuts before the segment");
		fr_vec_free(&found.step);
	}
	ops->close(s);
	return good;
}

static bool cheap_agree(struct run *r, const struct fr_candidate *c, size_t n, const bool *expected)
{
	struct fr_refuter *refuter = fr_refuter_new(r->m, r->c);
	struct fr_sync *sync = fr_sync_new(r->m, r->c);
	bool good = true;

	for (size_t i = 0; i < n && good; i++) {
		struct fr_schedule found = {0};
		uint32_t events;

		if (expected[i] && fr_refuter_ask(refuter, &c[i]) != FR_WHY_NONE)
			good = complain(r, &c[i], "the refuter", "refutes what is feasible");
		if (good && fr_sync_ask(sync, &c[i], &found, &events) == FR_SYNC_YES)
			good = expected[i] ? check_yes(r, &c[i], "sync", &found)
					   : complain(r, &c[i], "sync", "says yes to what is not");
		fr_vec_free(&found.step);
	}
	fr_refuter_free(refuter);
	fr_sync_free(sync);
	return good;
}

static bool oracle_agrees(struct run *r, const struct fr_candidate *c, size_t n,
			  const bool *expected, bool z3)
{
	const struct fr_oracle_opt opt = {
	    .tier = FR_TIER_PRECISE, .per_candidate = 100, .check = true, .z3 = z3};
	struct fr_oracle *o = fr_oracle_new(r->m, r->c, &opt);
	bool good = true;

	for (size_t i = 0; i < n && good; i++) {
		struct fr_verdict v;

		fr_oracle_ask(o, &c[i], &v);
		if (v.answer == FR_UNKNOWN)
			good =
			    complain(r, &c[i], "the oracle cannot tell:", fr_reason_text[v.reason]);
		else if ((v.answer == FR_FEASIBLE) != expected[i])
			good =
			    complain(r, &c[i], "the oracle",
				     expected[i] ? "does not find it" : "says yes to what is not");
		else if (v.answer == FR_FEASIBLE)
			good = check_yes(r, &c[i], "the oracle", &v.schedule);
		fr_verdict_free(&v);
	}
	fr_oracle_free(o);
	return good;
}

/* What brute force says to each candidate on a segment. */
static bool *expect(struct run *r, fr_ev cut, fr_ev end, const struct asked *a)
{
	bool *ret = fr_xcalloc(a->v.n + 1, sizeof(*ret));
	struct brute *b = brute_segment(r->m, NULL, cut, end, 1000000);

	for (size_t i = 0; i < a->v.n; i++) {
		const struct fr_candidate *c = &a->v.v[i];

		if (c->nedges) {
			struct brute *with = brute_segment(r->m, c, cut, end, 1000000);

			ret[i] = brute_feasible(with, c, NULL);
			brute_free(with);
		} else {
			ret[i] = brute_feasible(b, c, NULL);
		}
		r->n++;
		r->yes += ret[i];
	}
	brute_free(b);
	return ret;
}

static fr_ev boundary(const struct fr_model *m, fr_ev e)
{
	while (e < m->n && m->ev[e].flags & FR_F_PART)
		e++;
	return e;
}

static bool whole_agrees(struct run *r, bool z3)
{
	struct asked a = {0};
	bool good, *expected;

	ask_races(r->m, &a);
	ask_deadlocks(r->m, &a);
	ask_others(r->m, 0, r->m->n, 4, &r->random, &a);
	expected = expect(r, 0, r->m->n, &a);
	good = cheap_agree(r, a.v.v, a.v.n, expected) &&
	       solver_agrees(r, &fr_solver_cadical, 0, r->m->n, a.v.v, a.v.n, expected) &&
	       oracle_agrees(r, a.v.v, a.v.n, expected, z3);
	if (good && z3)
		good = solver_agrees(r, &fr_solver_z3, 0, r->m->n, a.v.v, a.v.n, expected);
	free(expected);
	ask_free(&a);
	return good;
}

static bool segment_agrees(struct run *r, bool z3)
{
	fr_ev cut = boundary(r->m, (fr_ev)(fx_random(&r->random) % r->m->n));
	fr_ev end = boundary(r->m, cut + (fr_ev)(fx_random(&r->random) % (r->m->n - cut + 1)));
	struct asked a = {0};
	bool good, *expected;

	ask_others(r->m, cut, end, 6, &r->random, &a);
	expected = expect(r, cut, end, &a);
	good = solver_agrees(r, z3 ? &fr_solver_z3 : &fr_solver_cadical, cut, end, a.v.v, a.v.n,
			     expected);
	free(expected);
	ask_free(&a);
	return good;
}

struct how {
	uint64_t seed, n, yes, undecided;
	bool z3, loud;
};

static bool disagree(const struct fr_model *m, void *arg)
{
	struct how *how = arg;
	struct run r = {.m = m, .random = how->seed + 1, .loud = how->loud};
	bool good;

	if (!m->n)
		return false;
	r.c = fr_causality_new(m);
	r.check = fr_checker_new(m);
	good = whole_agrees(&r, how->z3) && segment_agrees(&r, how->z3);
	how->n += r.n;
	how->yes += r.yes;
	fr_checker_free(r.check);
	fr_causality_free(r.c);
	return !good;
}

static void show_and_fail(struct gen_script *s, bool (*bad)(const struct fr_model *, void *),
			  struct how *how, const char *what)
{
	struct fr_model *m;

	gen_shrink(s, bad, how);
	m = gen_build(s);
	gen_show(s, m);
	how->loud = true;
	bad(m, how);
	fr_model_free(m);
	fail_msg("%s", what);
}

static void small_runs(void **state)
{
	uint64_t n = from_env("FORERUN_TEST_TRACES", 20000);
	uint64_t seed = from_env("FORERUN_TEST_SEED", 1);
	struct how how = {0};

	(void)state;
	for (uint64_t i = 0; i < n; i++) {
		FR_CLEANUP(fr_freep) struct gen_script *s = gen_random(seed + i, 0);
		FR_CLEANUP(fr_model_freep) struct fr_model *m = gen_build(s);

		how.seed = seed + i;
		how.z3 = i % 16 == 0;
		if (disagree(m, &how))
			show_and_fail(s, disagree, &how, "the oracle and brute force disagree");
	}
	print_message("%" PRIu64 " runs, %" PRIu64 " candidates, %" PRIu64 " of them feasible\n", n,
		      how.n, how.yes);
	/* Both answers must be common, or the test says little. */
	assert_true(how.yes > how.n / 5 && how.yes < how.n / 5 * 4);
}

/* ---- solver against solver ---- */

/* What Z3 can decide in a second, the other one says too. */
static bool solvers_disagree(const struct fr_model *m, void *arg)
{
	struct how *how = arg;
	struct run r = {.m = m, .random = how->seed + 1, .loud = how->loud};
	struct asked all = {0}, a = {0};
	bool good = true, *expected;
	struct fr_solver *s;
	size_t n = 0;

	if (!m->n)
		return false;
	r.c = fr_causality_new(m);
	r.check = fr_checker_new(m);
	ask_races(m, &all);
	for (unsigned i = 0; i < 6 && all.v.n; i++)
		fr_vec_push(&a.v, all.v.v[fx_random(&r.random) % all.v.n]);
	all.v.n = 0;
	ask_deadlocks(m, &all);
	for (unsigned i = 0; i < 3 && all.v.n; i++)
		fr_vec_push(&a.v, all.v.v[fx_random(&r.random) % all.v.n]);
	ask_others(m, 0, m->n, 3, &r.random, &a);
	expected = fr_xcalloc(a.v.n + 1, sizeof(*expected));
	s = fr_solver_z3.open(m, r.c, 0, m->n);
	for (size_t i = 0; i < a.v.n && good; i++) {
		struct fr_schedule found = {0};
		enum fr_answer answer = fr_solver_z3.ask(s, &a.v.v[i], 1, &found);

		if (answer == FR_FEASIBLE)
			good = check_yes(&r, &a.v.v[i], "z3", &found);
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
	good = good && solver_agrees(&r, &fr_solver_cadical, 0, m->n, a.v.v, a.v.n, expected) &&
	       cheap_agree(&r, a.v.v, a.v.n, expected) &&
	       oracle_agrees(&r, a.v.v, a.v.n, expected, false);
	free(expected);
	ask_free(&all);
	ask_free(&a);
	fr_checker_free(r.check);
	fr_causality_free(r.c);
	return !good;
}

static void larger_runs(void **state)
{
	uint64_t n = from_env("FORERUN_TEST_TRACES", 20000) / 300;
	uint64_t seed = from_env("FORERUN_TEST_SEED", 1);
	struct how how = {0};

	(void)state;
	for (uint64_t i = 0; i < n; i++) {
		FR_CLEANUP(fr_freep)
		struct gen_script *s = gen_random(seed + i, 30 + (uint32_t)(i * 7 % 270));
		FR_CLEANUP(fr_model_freep) struct fr_model *m = gen_build(s);

		how.seed = seed + i;
		if (solvers_disagree(m, &how))
			show_and_fail(s, solvers_disagree, &how, "the solvers disagree");
	}
	print_message("%" PRIu64 " runs, %" PRIu64 " candidates, %" PRIu64
		      " of them feasible, %" PRIu64 " too hard for Z3\n",
		      n, how.n, how.yes, how.undecided);
}

/* ---- runs that are longer than what is looked at ---- */

/* Whatever the parts are that the oracle takes: what it finds is accepted, and what the refuter
   excludes is not found. */
static bool long_is_wrong(const struct fr_model *m, void *arg)
{
	struct how *how = arg;
	const struct fr_oracle_opt opt = {
	    .tier = FR_TIER_PRECISE, .per_candidate = 0.1, .check = false};
	struct run r = {.m = m, .random = how->seed + 1, .loud = how->loud};
	struct fr_refuter *refuter;
	struct fr_oracle *o;
	struct fr_sync *sync;
	struct asked a = {0};
	bool good = true;

	if (!m->n)
		return false;
	r.c = fr_causality_new(m);
	r.check = fr_checker_new(m);
	refuter = fr_refuter_new(m, r.c);
	sync = fr_sync_new(m, r.c);
	o = fr_oracle_new(m, r.c, &opt);
	ask_near_races(m, 60, &r.random, &a);
	for (size_t i = 0; i < a.v.n && good; i++) {
		const struct fr_candidate *c = &a.v.v[i];
		bool refuted = fr_refuter_ask(refuter, c) != FR_WHY_NONE;
		struct fr_schedule found = {0};
		struct fr_verdict v = {0};
		uint32_t events;

		if (fr_sync_ask(sync, c, &found, &events) == FR_SYNC_YES)
			good = refuted ? complain(&r, c, "sync", "finds what is refuted")
				       : check_yes(&r, c, "sync", &found);
		if (good && i % 8 == 0) {
			fr_oracle_ask(o, c, &v);
			how->undecided += v.answer == FR_UNKNOWN;
			if (v.answer == FR_FEASIBLE)
				good = check_yes(&r, c, "the oracle", &v.schedule);
		}
		how->n++;
		how->yes += v.answer == FR_FEASIBLE || found.step.n;
		fr_vec_free(&found.step);
		fr_verdict_free(&v);
	}
	ask_free(&a);
	fr_oracle_free(o);
	fr_sync_free(sync);
	fr_refuter_free(refuter);
	fr_checker_free(r.check);
	fr_causality_free(r.c);
	return !good;
}

static void long_runs(void **state)
{
	uint64_t n = from_env("FORERUN_TEST_TRACES", 20000) / 1000;
	uint64_t seed = from_env("FORERUN_TEST_SEED", 1);
	struct how how = {0};

	(void)state;
	for (uint64_t i = 0; i < n; i++) {
		FR_CLEANUP(fr_freep) struct gen_script *s = gen_random(seed + i, 4000);
		FR_CLEANUP(fr_model_freep) struct fr_model *m = gen_build(s);

		how.seed = seed + i;
		if (long_is_wrong(m, &how))
			show_and_fail(s, long_is_wrong, &how, "a wrong answer on a long run");
	}
	print_message("%" PRIu64 " runs, %" PRIu64 " candidates, %" PRIu64
		      " of them found feasible\n",
		      n, how.n, how.yes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(small_runs),
	    cmocka_unit_test(larger_runs),
	    cmocka_unit_test(long_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
