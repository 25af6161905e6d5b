/* The options of forerun predict: turns words into values, and reports wrong ones. */
#include "cmd/predict_opt.h"
#include "generate/set.h"
#include "base/mem.h"
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#define PER_CANDIDATE 5.0
#define TOTAL 300.0
#define MAX_JOBS 1024

#ifdef FR_Z3
#define SOLVERS "cadical (default) or z3"
#else
#define SOLVERS "cadical (z3 only in a build with -Dz3=enabled)"
#endif
const struct fr_solver_ops *const fr_predict_solvers[] = {
    &fr_solver_cadical,
#ifdef FR_Z3
    &fr_solver_z3,
#endif
    NULL,
};

static const char *solver = "cadical", *budget, *format = "text", *fail_on = "confirmed";
static uint64_t jobs;

struct fr_predict_words fr_predict_words;
struct fr_predict_opt fr_predict_opt;

const struct fr_opt fr_predict_options[] = {
    FR_PREDICT_SELECT('t'),
    {FR_OPT_STRING, 0, "solver", "NAME", "solver: " SOLVERS, &solver},
    {FR_OPT_STRING, 'b', "budget", "S[,TOTAL]",
     "seconds for each candidate (default 5) and for all of them "
     "(default 300)",
     &budget},
    {FR_OPT_U64, 'j', "jobs", "N", "number of threads (default: number of cores)", &jobs},
    {FR_OPT_STRING, 0, "format", "FORMAT", "output format: text (default) or json", &format},
    {FR_OPT_STRING, 0, "fail-on", "VERDICT",
     "exit with status 1 if a finding has this verdict or a stronger "
     "one: predicted, confirmed (default; only forerun confirm "
     "confirms), or never",
     &fail_on},
    {FR_OPT_FLAG, 'a', "all", NULL, "search for every interleaving of each bug, not only one",
     &fr_predict_opt.all},
    {FR_OPT_FLAG, 'q', "quiet", NULL, "print one line on standard error instead of the findings",
     &fr_predict_opt.quiet},
    {0},
};

void fr_predict_kinds_help(void)
{
	printf("\nkinds of bugs for --kinds:\n");
	for (const struct fr_generator *const *a = fr_generators; *a; a++) {
		printf("  %-22s ", (*a)->name);
		fr_opt_wrap(25, (*a)->summary);
	}
	printf("  %-22s the patterns of --pattern\n", "pattern");
}

static const struct fr_generator *find_kind(const char *name, size_t n)
{
	for (const struct fr_generator *const *a = fr_generators; *a; a++)
		if (strlen((*a)->name) == n && !strncmp((*a)->name, name, n))
			return *a;
	return NULL;
}

static int add_kinds(const char *list, size_t *count, struct fr_err *reterr)
{
	for (;;) {
		size_t n = strcspn(list, ",");
		const struct fr_generator *a = find_kind(list, n);
		bool there = fr_predict_opt.patterns.v.n && n == strlen("pattern") &&
			     !strncmp(list, "pattern", n); /* they are included anyway */

		if (!a && !there) {
			FR_CLEANUP(fr_buf_free) struct fr_buf known = {0};

			for (const struct fr_generator *const *k = fr_generators; *k; k++)
				fr_buf_printf(&known, "%s%s", known.n ? ", " : "", (*k)->name);
			fr_buf_puts(&known, "; with --pattern: pattern");
			return fr_err_say(reterr, -EINVAL,
					  "--kinds: unknown kind '%.*s' (known: %s)", (int)n, list,
					  known.s);
		}
		for (size_t i = 0; i < *count; i++)
			there |= fr_predict_opt.kinds[i] == a;
		if (!there)
			fr_predict_opt.kinds[(*count)++] = a;
		if (!list[n])
			return 0;
		list += n + 1;
	}
}

static int check_kinds(struct fr_err *reterr)
{
	size_t all = 0, n = 0;
	int r;

	while (fr_generators[all])
		all++;
	fr_predict_opt.kinds =
	    fr_xcalloc(all + fr_predict_opt.patterns.v.n + 1, sizeof(*fr_predict_opt.kinds));
	for (; !fr_predict_words.kinds.n && n < all; n++)
		fr_predict_opt.kinds[n] = fr_generators[n];
	for (size_t i = 0; i < fr_predict_words.kinds.n; i++) {
		r = add_kinds(fr_predict_words.kinds.v[i], &n, reterr);
		if (r < 0)
			return r;
	}
	FR_VEC_FOREACH (p, &fr_predict_opt.patterns.v)
		fr_predict_opt.kinds[n++] = &(*p)->generator;
	return 0;
}

int fr_predict_opt_patterns(struct fr_err *reterr)
{
	int r = 0;

	for (size_t i = 0; i < fr_predict_words.patterns.n && !r; i++)
		r = fr_patterns_read(fr_predict_words.patterns.v[i], &fr_predict_opt.patterns,
				     reterr);
	return r;
}

static int check_sets(struct fr_err *reterr)
{
	const struct fr_opt_list *list = &fr_predict_words.atomic_set;
	bool asked = false;

	for (size_t i = 0; fr_predict_opt.kinds[i]; i++)
		asked |= fr_predict_opt.kinds[i] == &fr_generator_atomicset;
	if (list->n && !asked)
		return fr_err_say(reterr, -EINVAL,
				  "--atomic-set is for the kind '%s', which --kinds leaves out",
				  fr_generator_atomicset.name);
	if (list->n > FR_SETS_MAX)
		return fr_err_say(reterr, -EINVAL, "--atomic-set: more than %d sets", FR_SETS_MAX);
	for (size_t i = 0; i < list->n; i++) {
		const char *s = list->v[i];
		size_t n = strlen(s);

		if (!n || *s == ',' || s[n - 1] == ',' || strstr(s, ",,"))
			return fr_err_say(reterr, -EINVAL,
					  "--atomic-set: '%s' contains an empty name", s);
		if (!strpbrk(s, ",*?["))
			return fr_err_say(reterr, -EINVAL,
					  "--atomic-set: '%s' is one name; give two, or a glob", s);
	}
	fr_predict_opt.what.atomic_set.v = list->v;
	fr_predict_opt.what.atomic_set.n = list->n;
	return 0;
}

/* Parses a positive number of seconds, up to a comma or the end. */
static const char *seconds(const char *s, double *ret)
{
	char *end;

	if ((*s < '0' || *s > '9') && *s != '.')
		return NULL;
	*ret = strtod(s, &end);
	return end != s && isfinite(*ret) && *ret > 0 && (*end == ',' || !*end) ? end : NULL;
}

static int check_budget(struct fr_err *reterr)
{
	struct fr_oracle_opt *o = &fr_predict_opt.oracle;
	const char *p = budget;

	o->per_candidate = PER_CANDIDATE;
	fr_predict_opt.total = TOTAL;
	if (!budget)
		return 0;
	p = seconds(p, &o->per_candidate);
	if (p && *p == ',')
		p = seconds(p + 1, &fr_predict_opt.total);
	if (!p || *p)
		return fr_err_say(reterr, -EINVAL,
				  "--budget: '%s' is not S or S,TOTAL in seconds above zero",
				  budget);
	if (fr_predict_opt.total < o->per_candidate)
		fr_predict_opt.total = o->per_candidate;
	return 0;
}

static int check_jobs(struct fr_err *reterr)
{
	cpu_set_t set;

	if (jobs > MAX_JOBS)
		return fr_err_say(reterr, -EINVAL, "--jobs: at most %d", MAX_JOBS);
	fr_predict_opt.jobs = (uint32_t)jobs;
	if (!jobs && sched_getaffinity(0, sizeof(set), &set) == 0)
		fr_predict_opt.jobs = (uint32_t)CPU_COUNT(&set);
	if (!fr_predict_opt.jobs)
		fr_predict_opt.jobs = 1;
	return 0;
}

/* Returns the index of the word, or -1. */
static int one_of(const char *s, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(words[i], s))
			return i;
	return -1;
}

static int check_solver(const struct fr_solver_ops **ret, struct fr_err *reterr)
{
	for (size_t i = 0; fr_predict_solvers[i]; i++)
		if (!strcmp(solver, (*ret = fr_predict_solvers[i])->name))
			return 0;
	return fr_err_say(reterr, -EINVAL, "'%s' is not a solver of this forerun: " SOLVERS,
			  solver);
}

static int check_tier(enum fr_tier *ret, struct fr_err *reterr)
{
	static const char *const words[] = {"sync", "precise", "hybrid", NULL};
	static const enum fr_tier tiers[] = {FR_TIER_SYNC, FR_TIER_PRECISE, FR_TIER_HYBRID};
	const char *name = fr_predict_words.tier ? fr_predict_words.tier : "precise";
	int i = one_of(name, words);

	if (i < 0)
		return fr_err_say(reterr, -EINVAL, "--tier: '%s' is not sync, precise or hybrid",
				  name);
	*ret = tiers[i];
	return 0;
}

int fr_predict_opt_check(struct fr_err *reterr)
{
	static const char *const formats[] = {"text", "json", NULL}, *const verdicts[] = {
									 "confirmed", "predicted",
									 "never", NULL};
	struct fr_oracle_opt *o = &fr_predict_opt.oracle;
	int f = one_of(format, formats), v = one_of(fail_on, verdicts), r;

	if (f < 0)
		return fr_err_say(reterr, -EINVAL, "--format: '%s' is not text or json", format);
	if (v < 0)
		return fr_err_say(reterr, -EINVAL,
				  "--fail-on: '%s' is not predicted, confirmed or never", fail_on);
	fr_predict_opt.what.atomic.v = fr_predict_words.atomic.v;
	fr_predict_opt.what.atomic.n = fr_predict_words.atomic.n;
	o->check = true;
	fr_predict_opt.json = f == 1;
	fr_predict_opt.fail_on_predicted = v == 1;
	fr_predict_opt.tier_given = fr_predict_words.tier != NULL;
	r = check_solver(&o->solver, reterr);
	if (!r)
		r = check_tier(&o->tier, reterr);
	if (!r)
		r = check_kinds(reterr);
	if (!r)
		r = check_sets(reterr);
	if (!r)
		r = check_budget(reterr);
	return r ? r : check_jobs(reterr);
}

void fr_predict_opt_free(void)
{
	free(fr_predict_opt.kinds);
	fr_predict_opt.kinds = NULL;
	fr_patterns_free(&fr_predict_opt.patterns);
}
