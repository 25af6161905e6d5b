/* See cross.h. */
#include "cross.h"
#include "fixture.h"
#include "causality/refute.h"
#include "oracle/sync_tier.h"
#include <stdio.h>

uint64_t cross_env(const char *name, uint64_t otherwise)
{
	const char *s = getenv(name);

	return s && *s ? strtoull(s, NULL, 0) : otherwise;
}

bool cross_complain(const struct cross_run *r, const struct fr_candidate *c, const char *who,
		    const char *what)
{
	ask_name(r->m, c, &r->how->wrong);
	if (r->how->loud) {
		fprintf(stderr, "%s %s\n", who, what);
		ask_print(c);
	}
	return false;
}

/* Is a yes with this schedule right? */
bool cross_yes(const struct cross_run *r, const struct fr_candidate *c, const char *who,
	       const struct fr_schedule *s)
{
	struct fr_err err;

	if (fr_checker_check_sliced(r->check, r->mask, s, c, &err) == 0)
		return true;
	if (r->how->loud) {
		fprintf(stderr, "cut %u, then", s->cut);
		FR_VEC_FOREACH (e, &s->step)
			fprintf(stderr, " %u", *e);
		fprintf(stderr, "\n");
	}
	return cross_complain(r, c, who, err.msg);
}

/* A solver on a segment: for each candidate exactly the answer of brute force. */
bool cross_solver(struct cross_run *r, const struct fr_solver_ops *ops, fr_ev cut, fr_ev end,
		  const struct fr_candidate *c, size_t n, const bool *expected)
{
	struct fr_solver *s;
	bool good = true;

	if (!n)
		return true;
	s = ops->open(r->m, r->mask, cut, end);
	for (size_t i = 0; i < n && good; i++) {
		struct fr_schedule found = {0};
		enum fr_answer a = ops->ask(s, &c[i], r->how->seconds, &found);

		if (a == FR_UNKNOWN)
			r->how->undecided++;
		else if ((a == FR_FEASIBLE) != expected[i])
			good = cross_complain(r, &c[i], ops->name,
					      expected[i] ? "does not find it"
							  : "accepts an infeasible candidate");
		else if (a == FR_FEASIBLE)
			good = cross_yes(r, &c[i], ops->name, &found);
		if (good && a == FR_FEASIBLE && found.cut < cut)
			good = cross_complain(r, &c[i], ops->name, "cuts before the segment");
		fr_vec_free(&found.step);
	}
	ops->close(s);
	return good;
}

bool cross_cheap(struct cross_run *r, const struct fr_candidate *c, size_t n, const bool *expected)
{
	struct fr_refuter *refuter = fr_refuter_new(r->m, r->c);
	struct fr_sync_tier *sync = fr_sync_new(r->m, r->c);
	bool good = true;

	for (size_t i = 0; i < n && good; i++) {
		struct fr_schedule found = {0};

		if (expected[i] && fr_refuter_ask(refuter, r->mask, &c[i]) != FR_WHY_NONE)
			good = cross_complain(r, &c[i], "the refuter",
					      "excludes a feasible candidate");
		if (good && fr_sync_ask(sync, r->mask, &c[i], &found) == FR_SYNC_YES)
			good = expected[i] || r->mask
				   ? cross_yes(r, &c[i], "sync", &found)
				   : cross_complain(r, &c[i], "sync",
						    "accepts an infeasible candidate");
		fr_vec_free(&found.step);
	}
	fr_refuter_free(refuter);
	fr_sync_free(sync);
	return good;
}

bool cross_oracle(struct cross_run *r, const struct fr_candidate *c, size_t n, const bool *expected,
		  bool z3)
{
	const struct fr_oracle_opt opt = {.tier = FR_TIER_PRECISE,
					  .per_candidate = r->how->seconds,
					  .check = true,
					  .solver = z3 ? &fr_solver_z3 : NULL};
	struct fr_oracle *o = fr_oracle_new(r->m, r->c, &opt);
	bool good = true;

	for (size_t i = 0; i < n && good; i++) {
		struct fr_decision v;

		fr_oracle_ask(o, &c[i], &v);
		if (v.answer == FR_UNKNOWN)
			r->how->undecided++;
		else if ((v.answer == FR_FEASIBLE) != expected[i])
			good = cross_complain(r, &c[i], "the oracle",
					      expected[i] ? "does not find it"
							  : "accepts an infeasible candidate");
		else if (v.answer == FR_FEASIBLE)
			good = cross_yes(r, &c[i], "the oracle", &v.schedule);
		fr_decision_free(&v);
	}
	fr_oracle_free(o);
	return good;
}

void cross_again(const struct cross_run *r, struct asked *a)
{
	struct fr_candidate c;

	if (ask_find(r->m, &r->how->wrong, &c))
		fr_vec_push(&a->v, c);
}

fr_ev cross_boundary(const struct fr_model *m, fr_ev e)
{
	while (e < m->n && m->ev[e].flags & FR_F_PART)
		e++;
	return e;
}

bool cross_decided(struct cross_run *r, const struct fr_solver_ops *ops, bool anew, struct asked *a,
		   bool **ret)
{
	struct fr_solver *s = anew ? NULL : ops->open(r->m, r->mask, 0, r->m->n);
	bool good = true;
	size_t n = 0;

	*ret = fr_xcalloc(a->v.n + 1, sizeof(**ret));
	for (size_t i = 0; i < a->v.n && good; i++) {
		struct fr_solver *one = s ? s : ops->open(r->m, r->mask, 0, r->m->n);
		struct fr_schedule found = {0};
		enum fr_answer answer = ops->ask(one, &a->v.v[i], r->how->seconds, &found);

		if (answer == FR_FEASIBLE)
			good = cross_yes(r, &a->v.v[i], ops->name, &found);
		fr_schedule_free(&found);
		if (anew)
			ops->close(one);
		r->how->n++;
		r->how->yes += answer == FR_FEASIBLE;
		r->how->undecided += answer == FR_UNKNOWN;
		if (answer == FR_UNKNOWN)
			continue;
		(*ret)[n] = answer == FR_FEASIBLE;
		a->v.v[n++] = a->v.v[i];
	}
	a->v.n = n;
	if (s)
		ops->close(s);
	return good;
}

static bool disagrees(const struct fr_model *m, void *arg)
{
	struct cross_how *how = arg;
	struct cross_run r = {.m = m, .random = how->seed + 1, .how = how};
	bool good;

	if (!m->n)
		return false;
	r.c = fr_causality_new(m);
	r.check = fr_checker_new(m);
	good = how->check->agrees(&r);
	fr_checker_free(r.check);
	fr_causality_free(r.c);
	return !good;
}

/* Makes the run small, shows it, fails the test. */
static void fail_small(struct gen_script *s, struct cross_how *how)
{
	struct fr_model *m = gen_build(s);

	/* the candidate alone, if it goes wrong alone too */
	disagrees(m, how);
	how->only = true;
	how->only = disagrees(m, how);
	fr_model_free(m);
	gen_shrink(s, disagrees, how);
	m = gen_build(s);
	gen_show(s, m);
	how->loud = true;
	disagrees(m, how);
	fr_model_free(m);
	fail_msg("%s", how->check->failure);
}

void cross_runs(const struct cross_check *check, uint64_t n, struct cross_how *how)
{
	uint64_t seed = cross_env("FORERUN_TEST_SEED", 1);

	how->check = check;
	for (uint64_t i = 0; i < n; i++) {
		FR_CLEANUP(fr_freep)
		struct gen_script *s =
		    gen_random(seed + i, check->events ? check->events(seed + i) : 0);
		FR_CLEANUP(fr_model_freep) struct fr_model *m = gen_build(s);

		how->seed = seed + i;
		how->z3 = i % 16 == 0;
		if (disagrees(m, how))
			fail_small(s, how);
	}
}
