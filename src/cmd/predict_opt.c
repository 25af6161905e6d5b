/* Turns the options of prediction into values, and reports wrong ones. */
#include "cmd/predict_opt.h"
#include "cmd/spec_path.h"
#include "generate/named_set.h"
#include "base/assert.h"
#include "base/mem.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PER_CANDIDATE 5.0
#define TOTAL 300.0
#define MAX_JOBS 1024

const char *const fr_tier_words[] = {
#define FR_X(n, s) s,
    FR_TIERS(FR_X)
#undef FR_X
	NULL};

const struct fr_solver_ops *const fr_predict_solvers[] = {
    &fr_solver_order,
#ifdef FR_Z3
    &fr_solver_z3,
#endif
    NULL,
};

void fr_predict_kinds_help(void)
{
	printf("\nkinds of bugs for --kinds:\n");
	for (const struct fr_generator *const *a = fr_generators; *a; a++) {
		if (!(*a)->summary)
			continue;
		printf("  %-22s ", (*a)->name);
		fr_opt_wrap(25, (*a)->summary);
	}
	for (const struct fr_user_kind *u = fr_user_kinds; u->name; u++)
		printf("  %-22s %s\n", u->name, u->summary);
}

/* Adds the generators of a kind that are not chosen yet. Returns false if there are none of that
   name. */
static bool add_kind(struct fr_predict_opt *o, const char *name, size_t n, size_t *count)
{
	bool known = false;

	for (const struct fr_generator *const *a = fr_generators; *a; a++) {
		bool there = false;

		if (strlen((*a)->name) != n || strncmp((*a)->name, name, n) != 0)
			continue;
		known = true;
		for (size_t i = 0; i < *count; i++)
			there |= o->kinds[i] == *a;
		if (!there)
			o->kinds[(*count)++] = *a;
	}
	return known;
}

static void look_for_attributes(struct fr_predict_opt *o)
{
	if (!o->attributes)
		o->attributes = fr_xcalloc(1, sizeof(*o->attributes));
}

/* Includes the kinds of users with this name, which are chosen anyway. Returns false if there can
   be none. */
static bool add_user_kinds(struct fr_predict_opt *o, const char *name, size_t n)
{
	const struct fr_user_kind *u = fr_user_kinds;

	while (u->name && (strlen(u->name) != n || strncmp(u->name, name, n) != 0))
		u++;
	if (!u->name)
		return false;
	if (u->in_attributes)
		look_for_attributes(o);
	return u->in_attributes || fr_property_kinds_has(&o->properties, u);
}

static int add_kinds(struct fr_predict_opt *o, const char *list, size_t *count,
		     struct fr_err *reterr)
{
	fr_assert(list && o->kinds);
	for (;;) {
		size_t n = strcspn(list, ",");

		if (!add_kind(o, list, n, count) && !add_user_kinds(o, list, n)) {
			FR_CLEANUP(fr_buf_free) struct fr_buf known = {0};

			for (const struct fr_generator *const *k = fr_generators; *k; k++)
				if ((*k)->summary)
					fr_buf_printf(&known, "%s%s", known.n ? ", " : "",
						      (*k)->name);
			for (const struct fr_user_kind *u = fr_user_kinds; u->name; u++)
				fr_buf_printf(&known, "; with %s: %s", u->option, u->name);
			return fr_err_say(reterr, -EINVAL,
					  "--kinds: unknown kind '%.*s' (known: %s)", (int)n, list,
					  known.s);
		}
		if (!list[n])
			return 0;
		list += n + 1;
	}
}

static int check_kinds(struct fr_predict_opt *o, struct fr_err *reterr)
{
	size_t all = 0, n = 0;
	int r;

	while (fr_generators[all])
		all++;
	o->kinds = fr_xcalloc(all + fr_property_kinds_generators(&o->properties, NULL) + 1,
			      sizeof(*o->kinds));
	if (!o->args->kinds.n)
		look_for_attributes(o);
	for (; !o->args->kinds.n && n < all; n++)
		o->kinds[n] = fr_generators[n];
	for (size_t i = 0; i < o->args->kinds.n; i++) {
		r = add_kinds(o, o->args->kinds.v[i], &n, reterr);
		if (r < 0)
			return r;
	}
	fr_assert(n <= all);
	fr_property_kinds_generators(&o->properties, o->kinds + n);
	return 0;
}

int fr_predict_pure(const struct fr_opt_list *more, struct fr_pure **ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *own = fr_artefact_find("pure");
	struct fr_pure *p = fr_pure_new();
	int r = own ? fr_pure_read(p, own, reterr) : 0;

	for (size_t i = 0; more && i < more->n && !r; i++)
		r = fr_pure_read(p, more->v[i], reterr);
	if (r < 0)
		fr_pure_free(p);
	else
		*ret = p;
	return r;
}

/* Reads a file of properties or patterns. `option` names it. Returns false after messages. */
static bool read_file(struct fr_predict_opt *o, const char *path, const char *option)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf errors = {0};
	FR_CLEANUP(fr_buf_free) struct fr_buf ready = {0};
	struct fr_err err;
	int r = fr_property_kinds_read(path, &o->properties, &errors, &err);

	if (!r)
		return true;
	if (r == -ENOENT && !strcmp(option, "--spec"))
		fr_spec_ready_names(&ready);
	if (errors.n) /* in the format of compilers, so that editors can jump to the place */
		fr_say_bare(errors.s);
	else
		fr_say("%s: %s%s", option, err.msg, ready.n ? ready.s : "");
	return false;
}

/* Returns false after messages. */
static bool read_properties(struct fr_predict_opt *o)
{
	for (size_t i = 0; i < o->args->patterns.n; i++)
		if (!read_file(o, o->args->patterns.v[i], "--pattern"))
			return false;
	for (size_t i = 0; i < o->args->specs.n; i++) {
		FR_CLEANUP(fr_freep) char *path = fr_spec_path(o->args->specs.v[i]);

		if (!read_file(o, path, "--spec"))
			return false;
	}
	return true;
}

static int check_sets(struct fr_predict_opt *o, struct fr_err *reterr)
{
	const struct fr_generator *of_sets = fr_generator_of_sets();
	const struct fr_opt_list *list = &o->args->atomic_set;
	bool asked = false;

	fr_assert(o->kinds); /* check_kinds comes before */
	for (size_t i = 0; o->kinds[i]; i++)
		asked |= o->kinds[i] == of_sets;
	if (list->n && !asked)
		return fr_err_say(reterr, -EINVAL,
				  "--atomic-set is for the kind '%s', which --kinds leaves out",
				  of_sets->name);
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
	o->what.atomic_set.v = list->v;
	o->what.atomic_set.n = list->n;
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

static int check_budget(struct fr_predict_opt *o, struct fr_err *reterr)
{
	const char *p = o->args->budget;

	o->oracle.per_candidate = PER_CANDIDATE;
	o->total = TOTAL;
	if (!p)
		return 0;
	p = seconds(p, &o->oracle.per_candidate);
	if (p && *p == ',')
		p = seconds(p + 1, &o->total);
	if (!p || *p)
		return fr_err_say(reterr, -EINVAL,
				  "--budget: '%s' is not S or S,TOTAL in seconds above zero",
				  o->args->budget);
	if (o->total < o->oracle.per_candidate)
		o->total = o->oracle.per_candidate;
	return 0;
}

static int check_jobs(struct fr_predict_opt *o, struct fr_err *reterr)
{
	const uint64_t jobs = o->args->jobs;

	if (jobs > MAX_JOBS)
		return fr_err_say(reterr, -EINVAL, "--jobs: at most %d", MAX_JOBS);
	o->jobs = jobs ? (uint32_t)jobs : fr_crew_cores();
	fr_assert(o->jobs);
	return 0;
}

static int check_solver(struct fr_predict_opt *o, struct fr_err *reterr)
{
	const char *name = o->args->solver ? o->args->solver : fr_predict_solvers[0]->name;

	for (size_t i = 0; fr_predict_solvers[i]; i++)
		if (!strcmp(name, (o->oracle.solver = fr_predict_solvers[i])->name))
			return 0;
	return fr_err_say(reterr, -EINVAL,
			  "'%s' is not a solver of this forerun: " FR_PREDICT_SOLVERS, name);
}

static int check_relax(struct fr_predict_opt *o, struct fr_err *reterr)
{
	if (o->args->relax > FR_RELAX_MAX)
		return fr_err_say(reterr, -EINVAL, "--relax: at most %d", FR_RELAX_MAX);
	o->oracle.relax = (uint32_t)o->args->relax;
	return 0;
}

static void take_tier(struct fr_predict_opt *o)
{
	unsigned chosen = o->args->tier.chosen;

	o->tier_given = chosen != FR_OPT_NO_CHOICE;
	o->oracle.tier = o->tier_given ? FR_TIER_SYNC + chosen : FR_TIER_SLICED;
	fr_assert(o->oracle.tier < FR_TIER_COUNT);
}

static int check(struct fr_predict_opt *o, struct fr_err *reterr)
{
	int r = check_solver(o, reterr);

	take_tier(o);
	if (!r)
		r = check_relax(o, reterr);
	if (!r)
		r = check_kinds(o, reterr);
	if (!r)
		r = check_sets(o, reterr);
	if (!r)
		r = check_budget(o, reterr);
	return r ? r : check_jobs(o, reterr);
}

int fr_predict_opt_read(const struct fr_cmd *cmd, const struct fr_predict_args *args,
			struct fr_predict_opt *ret)
{
	struct fr_err err;

	*ret =
	    (struct fr_predict_opt){.args = args,
				    .oracle.check = true,
				    .oracle.whole = args->no_prune,
				    .all = args->all,
				    .what = {.atomic = {.v = args->atomic.v, .n = args->atomic.n},
					     .no_near = args->no_neighbourhood}};
	if (fr_predict_pure(&ret->args->pure, &ret->pure, &err) < 0) {
		/* in the format of compilers, so that editors can jump to the place */
		fr_say_bare(err.msg);
		return FR_EXIT_USAGE;
	}
	if (!read_properties(ret))
		return FR_EXIT_USAGE;
	return check(ret, &err) < 0 ? fr_cmd_usage(cmd, err.msg) : FR_EXIT_OK;
}

void fr_predict_opt_free(struct fr_predict_opt *o)
{
	free(o->kinds);
	fr_pure_free(o->pure);
	fr_property_kinds_free(&o->properties);
	if (o->attributes)
		fr_property_kinds_free(o->attributes);
	free(o->attributes);
}
