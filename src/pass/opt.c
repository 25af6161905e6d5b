/*
 * Options of the pass, from the environment: FORERUN_PASS="ranges=0:verify=1:skip=GLOB".
 * An unknown key is a warning: a build must not fail for it, nor may a typing error go unseen.
 */
#include "pass.h"
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static bool truth(const char *s)
{
	return strcmp(s, "0") && strcmp(s, "no") && strcmp(s, "off");
}

static void set(struct fr_pass_opt *o, const char *key, const char *value)
{
	const struct {
		const char *key;
		bool *var;
	} flags[] = {
	    {"ranges", &o->ranges},	  {"tiles", &o->tiles},	      {"nests", &o->nests},
	    {"redundant", &o->redundant}, {"locals", &o->locals},     {"verify", &o->verify},
	    {"verbose", &o->verbose},	  {"branches", &o->branches},
	};

	for (size_t i = 0; i < fr_array_size(flags); i++)
		if (!strcmp(key, flags[i].key)) {
			*flags[i].var = truth(value);
			return;
		}
	if (!strcmp(key, "inline"))
		o->inlined = (unsigned)strtoul(value, NULL, 10);
	else if (!strcmp(key, "only"))
		fr_vec_push(&o->only, fr_xstrdup(value));
	else if (!strcmp(key, "skip"))
		fr_vec_push(&o->skip, fr_xstrdup(value));
	else
		fprintf(stderr, "forerun: FORERUN_PASS: no option '%s'\n", key);
}

void fr_pass_opt_read(struct fr_pass_opt *ret)
{
	const char *env = getenv("FORERUN_PASS");
	struct fr_pass_opt o = {.ranges = true,
				.tiles = true,
				.nests = true,
				.redundant = true,
				.locals = true,
				.branches = true,
				.inlined = 24};
	char *copy, *save = NULL;

	if (env) {
		copy = fr_xstrdup(env);
		for (char *w = strtok_r(copy, ":", &save); w; w = strtok_r(NULL, ":", &save)) {
			char *eq = strchr(w, '=');

			if (eq)
				*eq = 0;
			set(&o, w, eq ? eq + 1 : "1");
		}
		free(copy);
	}
	*ret = o;
}

void fr_pass_opt_free(struct fr_pass_opt *o)
{
	for (size_t i = 0; i < o->only.n; i++)
		free(o->only.v[i]);
	for (size_t i = 0; i < o->skip.n; i++)
		free(o->skip.v[i]);
	fr_vec_free(&o->only);
	fr_vec_free(&o->skip);
}

static bool matches(const char *glob, const char *function, const char *linkage, const char *file)
{
	return !fnmatch(glob, function, 0) || !fnmatch(glob, linkage, 0) || !fnmatch(glob, file, 0);
}

bool fr_pass_opt_wants(const struct fr_pass_opt *o, const char *function, const char *linkage,
		       const char *file)
{
	bool want = !o->only.n;

	for (size_t i = 0; i < o->only.n; i++)
		want |= matches(o->only.v[i], function, linkage, file);
	for (size_t i = 0; i < o->skip.n; i++)
		want &= !matches(o->skip.v[i], function, linkage, file);
	return want;
}
