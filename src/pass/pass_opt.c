/*
 * Options of the pass, from the environment: FORERUN_PASS="ranges=0:verify=1:skip=GLOB". An unknown
 * key causes a warning: it must not fail a build, and a typing error must not go unseen.
 */
#include "pass.h"
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static bool truth(const char *s)
{
	return strcmp(s, "0") && strcmp(s, "no") && strcmp(s, "off");
}

static void set(struct fr_pass_opt *o, const char *key, const char *value, const bool *warned)
{
	const struct {
		const char *key;
		bool *var;
	} flags[] = {
	    {"ranges", &o->ranges},	  {"tiles", &o->tiles},	      {"nests", &o->nests},
	    {"redundant", &o->redundant}, {"locals", &o->locals},     {"verify", &o->verify},
	    {"verbose", &o->verbose},	  {"branches", &o->branches}, {"influence", &o->influence},
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
	else if (!strcmp(key, "calls"))
		fr_vec_push(&o->calls, fr_xstrdup(value));
	else if (!strcmp(key, "fails"))
		fr_vec_push(&o->fails, fr_xstrdup(value));
	else if (!*warned)
		fprintf(stderr, "forerun: FORERUN_PASS: unknown option '%s'\n", key);
}

/* The next option; a double colon belongs to a C++ name. */
static char *next(char **rest)
{
	char *w = *rest, *p = w;

	if (!w)
		return NULL;
	while (*p && *p != ':')
		p += p[strcspn(p, ":")] && p[strcspn(p, ":") + 1] == ':' ? strcspn(p, ":") + 2
									 : strcspn(p, ":");
	*rest = *p ? p + 1 : NULL;
	*p = 0;
	return w;
}

void fr_pass_opt_read(struct fr_pass_opt *ret)
{
	const char *env = getenv("FORERUN_PASS");
	struct fr_pass_opt o = {.ranges = true,
				.tiles = true,
				.nests = true,
				.redundant = true,
				.locals = true,
				.influence = true,
				.inlined = 8};
	static bool warned; /* both passes read the options: warn once */
	char *copy, *rest;

	if (env) {
		rest = copy = fr_xstrdup(env);
		for (char *w = next(&rest); w; w = next(&rest)) {
			char *eq = strchr(w, '=');

			if (eq)
				*eq = 0;
			if (*w)
				set(&o, w, eq ? eq + 1 : "1", &warned);
		}
		free(copy);
		warned = true;
	}
	*ret = o;
}

void fr_pass_opt_free(struct fr_pass_opt *o)
{
	for (size_t i = 0; i < o->only.n; i++)
		free(o->only.v[i]);
	for (size_t i = 0; i < o->skip.n; i++)
		free(o->skip.v[i]);
	for (size_t i = 0; i < o->calls.n; i++)
		free(o->calls.v[i]);
	for (size_t i = 0; i < o->fails.n; i++)
		free(o->fails.v[i]);
	fr_vec_free(&o->calls);
	fr_vec_free(&o->fails);
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

bool fr_pass_opt_calls(const struct fr_pass_opt *o, const char *function, const char *linkage)
{
	for (size_t i = 0; i < o->calls.n; i++)
		if (matches(o->calls.v[i], function, linkage, linkage))
			return true;
	return false;
}

bool fr_pass_opt_fails(const struct fr_pass_opt *o, const char *function, const char *linkage)
{
	for (size_t i = 0; i < o->fails.n; i++)
		if (matches(o->fails.v[i], function, linkage, linkage))
			return true;
	return false;
}
