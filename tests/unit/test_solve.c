/*
 * The solvers of the precise tier against brute force, against each other and against the schedule
 * checker, on random runs.
 *
 * FORERUN_TEST_TRACES: the number of runs (8,000); FORERUN_TEST_SEED: the first seed (1).
 */
#include "brute.h"
#include "fixture.h"
#include "gen.h"
#include "oracle/check.h"
#include "oracle/solve_order.h"
#include "script.h"

#define LEAST UINT64_C(8)

static bool is_head(const struct fr_model *m, fr_ev e)
{
	return !(m->ev[e].flags & FR_F_PART);
}

/* The solvers and the checker, on one segment. */
struct rig {
	const struct fr_model *m;
	struct fr_checker *checker;
	struct fr_solver *order, *z3; /* z3: may be NULL */
	char said[256];
};

static void rig_open(struct rig *r, const struct fr_model *m, fr_ev cut, fr_ev end, bool z3)
{
	*r = (struct rig){.m = m, .checker = fr_checker_new(m)};
	r->order = fr_solver_order.open(m, NULL, cut, end);
	r->z3 = z3 ? fr_solver_z3.open(m, NULL, cut, end) : NULL;
}

static void rig_close(struct rig *r)
{
	fr_solver_order.close(r->order);
	if (r->z3)
		fr_solver_z3.close(r->z3);
	fr_checker_free(r->checker);
}

/* The answer of one of them, with its schedule checked. */
static int ask_one(struct rig *r, const char *name, const struct fr_solver_ops *ops,
		   struct fr_solver *v, const struct fr_candidate *c)
{
	struct fr_schedule s = {0};
	struct fr_err err;
	enum fr_answer a = ops->ask(v, c, 60, &s);
	int ret = a == FR_FEASIBLE;

	if (a == FR_UNKNOWN) {
		snprintf(r->said, sizeof(r->said), "%s does not know", name);
		ret = -1;
	}
	if (a == FR_FEASIBLE && fr_checker_check(r->checker, &s, c, &err) < 0) {
		snprintf(r->said, sizeof(r->said), "schedule of %s: %.200s", name, err.msg);
		ret = -1;
	}
	fr_vec_free(&s.step);
	return ret;
}

/* Their common answer; -1 with r->said if they differ or the checker objects. */
static int rig_ask(struct rig *r, const struct fr_candidate *c)
{
	int a = ask_one(r, "order", &fr_solver_order, r->order, c);
	int z = r->z3 ? ask_one(r, "z3", &fr_solver_z3, r->z3, c) : a;

	if (a < 0 || z < 0)
		return -1;
	if (a == z)
		return a;
	snprintf(r->said, sizeof(r->said), "order solver %d, z3 %d", a, z);
	return -1;
}

/* Every pair of steps, by brute force and by the solver. Returns the problem, or NULL. */
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
	bool z3, brute;
	uint64_t seed;
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
			struct failing f = {.z3 = z3};

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

/* A share of all runs, in thousandths. Fewer than LEAST may contain nothing feasible. */
static unsigned runs(unsigned share)
{
	return (unsigned)fr_max(fx_env("FORERUN_TEST_TRACES", 8000) * share / 1000, LEAST);
}

static void pairs_agree_with_brute_force(void **state)
{
	(void)state;
	run_pairs(runs(1000), fx_env("FORERUN_TEST_SEED", 1), 0, false);
}

static void z3_agrees_with_brute_force(void **state)
{
	(void)state;
	run_pairs(runs(40), fx_env("FORERUN_TEST_SEED", 1) + 500000, 0, true);
}

static void longer_runs_agree_with_brute_force(void **state)
{
	(void)state;
	run_pairs(runs(20), fx_env("FORERUN_TEST_SEED", 1) + 900000, 26, false);
}

/* ---- cuts, edges, longer runs: the solvers against each other ---- */

static fr_ev some_head(const struct fr_model *m, fr_ev from, uint64_t *random)
{
	fr_ev e = from + (fr_ev)(fx_random(random) % (m->n - from));

	return fr_head(m, e) < from ? from : fr_head(m, e);
}

/* One to three targets, up to two edges, all from `from` on. */
static struct fr_candidate some_candidate(const struct fr_model *m, fr_ev from, uint64_t *random)
{
	struct fr_candidate c = {.nedges = fx_random(random) % 3};
	unsigned want = fx_random(random) % 4;

	for (unsigned i = 0; i < want; i++) {
		fr_ev e = some_head(m, from, random);
		bool ok = true;

		for (unsigned k = 0; k < c.npending; k++)
			ok &= m->ev[c.pending[k]].thread != m->ev[e].thread;
		if (ok)
			c.pending[c.npending++] = e;
	}
	for (unsigned i = 0; i < c.nedges; i++) {
		c.edge[i].before = from + (fr_ev)(fx_random(random) % (m->n - from));
		c.edge[i].after = from + (fr_ev)(fx_random(random) % (m->n - from));
	}
	return c;
}

/*
 * A segment of the run: the solvers agree, and pairs that are feasible there are feasible in the
 * whole.
 */
static const char *compare_candidates(const struct fr_model *m, uint64_t seed, bool brute_too,
				      bool z3, unsigned *yes)
{
	static char said[400];
	uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	fr_ev cut = fx_random(&random) % 2 ? 0 : some_head(m, 0, &random);
	fr_ev end = fx_random(&random) % 2 ? m->n : some_head(m, cut, &random) + 1;
	const char *ret = NULL;
	struct rig r;

	rig_open(&r, m, cut, end, z3);
	for (unsigned i = 0; i < 8 && !ret; i++) {
		struct fr_candidate c = some_candidate(m, cut, &random);
		int got = rig_ask(&r, &c), want = got;

		if (brute_too) {
			struct brute *b = brute_new(m, &c, 200000);

			if (brute_complete(b))
				want = brute_feasible(b, &c, NULL);
			brute_free(b);
		}
		*yes += got > 0;
		if (got == want || (got == 0 && (cut > 0 || end < m->n)))
			continue;
		snprintf(
		    said, sizeof(said),
		    "[%u, %u) %u pending %u %u %u, %u edges %u %u: brute force %d, solver %d %s",
		    cut, end, c.npending, c.pending[0], c.pending[1], c.pending[2], c.nedges,
		    c.edge[0].before, c.edge[0].after, want, got, got < 0 ? r.said : "");
		ret = said;
	}
	rig_close(&r);
	return ret;
}

static bool is_bad_candidate(const struct fr_model *m, void *arg)
{
	const struct failing *f = arg;
	unsigned yes = 0;

	return m->n && compare_candidates(m, f->seed, f->brute, f->z3, &yes);
}

static void run_candidates(unsigned runs, uint64_t seed, uint32_t max, bool brute, bool z3)
{
	unsigned yes = 0;

	for (unsigned i = 0; i < runs; i++) {
		struct gen_script *s = gen_random(seed + i, max);
		struct fr_model *m = gen_build(s);
		const char *said = m->n ? compare_candidates(m, seed + i, brute, z3, &yes) : NULL;

		if (said) {
			struct failing f = {z3, brute, seed + i};

			fr_model_free(m);
			gen_shrink(s, is_bad_candidate, &f);
			m = gen_build(s);
			gen_show(s, m);
			fail_msg("%s", compare_candidates(m, seed + i, brute, z3, &yes));
		}
		fr_model_free(m);
		free(s);
	}
	assert_true(yes > runs / 4);
}

static void segments_and_edges_agree(void **state)
{
	(void)state;
	run_candidates(runs(500), fx_env("FORERUN_TEST_SEED", 1) + 200000, 0, true, false);
	run_candidates(runs(100), fx_env("FORERUN_TEST_SEED", 1) + 300000, 0, true, true);
}

/* Is there a way from the recorded order up to the cut to where both are next? All of them, one
   after the other: for a handful of steps. */
static bool walk_to(const struct fr_model *m, fr_ev cut, fr_ev *step, unsigned n, fr_ev x, fr_ev y)
{
	struct brute_walk *w = brute_walk_new(m);
	bool found, ok = true;

	for (fr_ev e = 0; e < cut; e++)
		ok &= !is_head(m, e) || brute_walk_step(w, e);
	for (unsigned i = 0; i < n && ok; i++)
		ok = brute_walk_step(w, step[i]);
	found = ok && brute_walk_next(w, m->ev[x].thread) == x &&
		brute_walk_next(w, m->ev[y].thread) == y;
	for (unsigned t = 0; t < m->nthreads && ok && !found; t++) {
		step[n] = brute_walk_next(w, t);
		if (step[n] != FR_NO_EV && step[n] != x && step[n] != y)
			found = walk_to(m, cut, step, n + 1, x, y);
	}
	brute_walk_free(w);
	return found;
}

static const char *compare_after_cut(const struct fr_model *m, fr_ev cut, unsigned *yes)
{
	static char said[400];
	const char *ret = NULL;
	struct rig r;

	rig_open(&r, m, cut, m->n, false);
	for (fr_ev x = cut; x < m->n && !ret; x++) {
		for (fr_ev y = x + 1; y < m->n && !ret; y++) {
			struct fr_candidate c = {.npending = 2, .pending = {x, y}};
			fr_ev step[32];
			int got, want;

			if (!is_head(m, x) || !is_head(m, y) || m->ev[x].thread == m->ev[y].thread)
				continue;
			want = walk_to(m, cut, step, 0, x, y);
			got = rig_ask(&r, &c);
			*yes += want;
			if (got == want)
				continue;
			snprintf(said, sizeof(said),
				 "after %u: %u || %u: walks say %d, solver %d %s", cut, x, y, want,
				 got, got < 0 ? r.said : "");
			ret = said;
		}
	}
	rig_close(&r);
	return ret;
}

/* The state at the cut: locks, counts, waits, memory. */
static void cuts_agree_with_walks(void **state)
{
	unsigned yes = 0, n = runs(300);

	(void)state;
	for (unsigned i = 0; i < n; i++) {
		struct gen_script *s = gen_random(fx_env("FORERUN_TEST_SEED", 1) + 700000 + i, 18);
		struct fr_model *m = gen_build(s);
		fr_ev cut = m->n > 6 ? fr_head(m, m->n - 6) : 0;
		const char *said = compare_after_cut(m, cut, &yes);

		if (said) {
			gen_show(s, m);
			fail_msg("%s", said);
		}
		fr_model_free(m);
		free(s);
	}
	assert_true(yes > n / 4);
}

static void solvers_agree_on_longer_runs(void **state)
{
	(void)state;
	run_candidates(runs(10), fx_env("FORERUN_TEST_SEED", 1) + 400000, 60, false, true);
	run_candidates(runs(1), fx_env("FORERUN_TEST_SEED", 1) + 600000, 250, false, true);
}

/* Without the second signal of thread 2, both waits need its first. The signal of thread 3 can
   serve only the wait that may begin before it, whichever of them the solver could not serve. */
static void any_of_the_competing_waits_may_change_its_signal(void **state)
{
	struct fr_model *m =
	    fr_script("3 sig c; 0 acq l; 0 rel l; 0 begin c; 1 acq k; 1 rel k; 1 begin c;"
		      "2 sig c; 2 sig c; 0 wait c; 1 wait c; 0 w x; 1 w y");
	const fr_ev begin[2] = {2, 5};
	struct fr_candidate c = {.npending = 3, .pending = {8, 11, 12}, .nedges = 1};
	struct rig r;

	(void)state;
	rig_open(&r, m, 0, m->n, true);
	for (unsigned i = 0; i < 2; i++) {
		c.edge[0].after = begin[i];
		assert_int_equal(rig_ask(&r, &c), 1);
	}
	c.edge[1].after = begin[0]; /* both begin after it: one signal is too few */
	c.nedges = 2;
	assert_int_equal(rig_ask(&r, &c), 0);
	rig_close(&r);
	fr_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(any_of_the_competing_waits_may_change_its_signal),
	    cmocka_unit_test(pairs_agree_with_brute_force),
	    cmocka_unit_test(z3_agrees_with_brute_force),
	    cmocka_unit_test(longer_runs_agree_with_brute_force),
	    cmocka_unit_test(segments_and_edges_agree),
	    cmocka_unit_test(cuts_agree_with_walks),
	    cmocka_unit_test(solvers_agree_on_longer_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
