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

/* A solver on a segment: for each candidate exactly what brute force says. */
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
							  : "says yes to what is not");
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
			good = cross_complain(r, &c[i], "the refuter", "excludes what is feasible");
		if (good && fr_sync_ask(sync, r->mask, &c[i], &found) == FR_SYNC_YES)
			good = expected[i] || r->mask
				   ? cross_yes(r, &c[i], "sync", &found)
				   : cross_complain(r, &c[i], "sync", "says yes to what is not");
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
							  : "says yes to what is not");
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

void cross_fail(struct gen_script *s, bool (*bad)(const struct fr_model *, void *),
		struct cross_how *how, const char *what)
{
	struct fr_model *m = gen_build(s);

	/* the candidate alone, if it goes wrong alone too */
	bad(m, how);
	how->only = true;
	how->only = bad(m, how);
	fr_model_free(m);
	gen_shrink(s, bad, how);
	m = gen_build(s);
	gen_show(s, m);
	how->loud = true;
	bad(m, how);
	fr_model_free(m);
	fail_msg("%s", what);
}
