/*
 * Reads property files and makes a generator of each property or pattern: see property.h.
 */
#include "generate/property.h"
#include "spec/spec.h"
#include "symbols/sites.h"
#include <errno.h>
#include <string.h>

enum user_kind { PATTERN, PROPERTY };

const struct fr_user_kind fr_user_kinds[] = {
    [PATTERN] = {.name = "pattern",
		 .summary = "the patterns of --pattern and --spec",
		 .option = "--pattern"},
    [PROPERTY] = {.name = "property",
		  .summary = "the properties of --spec, --pattern and attributes",
		  .option = "--spec",
		  .in_attributes = true},
    {0}};

/* The name of such a kind in reports. */
static char *name_of(enum user_kind kind, const char *name)
{
	return fr_xasprintf("%s:%s", fr_user_kinds[kind].name, name);
}

/* Does the pattern end with acquisitions at once, after other events? Then the threads block each
   other: a deadlock. */
static bool ends_blocked(const struct fr_property *p)
{
	const struct fr_formula *f = p->body;

	if (p->is_ltl || f->op != FR_FM_SEQUENCE || f->sub.v[f->sub.n - 1]->op != FR_FM_AT_ONCE)
		return false;
	FR_VEC_FOREACH (e, &f->sub.v[f->sub.n - 1]->sub)
		if (p->event.v[(*e)->event]->kinds != 1u << FR_POINT_LOCK)
			return false;
	return true;
}

static enum fr_meeting meeting_of(const struct fr_property *p)
{
	if (ends_blocked(p))
		return FR_MEETING_CYCLE;
	return !p->is_ltl && p->body->op == FR_FM_AT_ONCE && p->body->sub.n == 2
		   ? FR_MEETING_EITHER_ORDER
		   : FR_MEETING_IN_ORDER;
}

static int add_kind(const struct fr_property *p, struct fr_property_kinds *ret,
		    struct fr_err *reterr)
{
	struct fr_property_kind *k = fr_xcalloc(1, sizeof(*k));
	int r = fr_auto_new(p, &k->automaton, reterr);

	if (r < 0) {
		free(k);
		return r;
	}
	k->property = p;
	k->generator = (struct fr_generator){.guess = true,
					     .name = name_of(PROPERTY, p->name.s),
					     .summary = "a property of the user",
					     .meeting = meeting_of(p),
					     .rank = 75,
					     .generate = fr_property_generate};
	fr_vec_push(&ret->v, k);
	return 0;
}

static void add_pattern(struct fr_spec *s, const struct fr_rows *rows,
			struct fr_property_kinds *ret)
{
	struct fr_pattern *p = fr_xcalloc(1, sizeof(*p));
	bool either = rows->n == 2 && rows->ev[1].link == FR_LINK_AT_ONCE;
	struct fr_err err;

	p->rows = rows;
	p->n = rows->n;
	memcpy(p->ev, rows->ev, sizeof(p->ev));
	if (fr_auto_new(fr_rows_property(s, rows), &p->automaton, &err) < 0)
		p->automaton = NULL;
	p->generator =
	    (struct fr_generator){.guess = true,
				  .name = name_of(PATTERN, rows->name.s),
				  .summary = "a pattern of the user",
				  .meeting = either ? FR_MEETING_EITHER_ORDER : FR_MEETING_IN_ORDER,
				  .rank = 80,
				  .generate = fr_pattern_generate};
	fr_vec_push(&ret->pattern, p);
}

int fr_property_kinds_read(const char *path, struct fr_property_kinds *ret,
			   struct fr_buf *ret_errors, struct fr_err *reterr)
{
	struct fr_spec *s;
	int r = fr_spec_read(path, &s, reterr);

	if (r < 0)
		return r;
	fr_vec_push(&ret->spec, s);
	fr_spec_errors(s, ret_errors);
	FR_VEC_FOREACH (p, &s->property)
		FR_VEC_FOREACH (k, &ret->v)
			if (!strcmp((*k)->property->name.s, (*p)->name.s))
				fr_buf_printf(
				    ret_errors, "%s:%u:%u: two properties are called '%s'\n", path,
				    (*p)->name.pos.line, (*p)->name.pos.column, (*p)->name.s);
	FR_VEC_FOREACH (p, &s->rows)
		FR_VEC_FOREACH (k, &ret->pattern)
			if (!strcmp((*k)->rows->name.s, (*p)->name.s))
				fr_buf_printf(
				    ret_errors, "%s:%u:%u: two patterns are called '%s'\n", path,
				    (*p)->name.pos.line, (*p)->name.pos.column, (*p)->name.s);
	if (ret_errors->n)
		return fr_err_say(reterr, -EINVAL, "errors in '%s'", path);
	FR_VEC_FOREACH (p, &s->property) {
		r = add_kind(*p, ret, reterr);
		if (r < 0)
			return r;
	}
	FR_VEC_FOREACH (p, &s->rows)
		add_pattern(s, *p, ret);
	return 0;
}

size_t fr_property_kinds_generators(const struct fr_property_kinds *k,
				    const struct fr_generator **ret)
{
	size_t n = 0;

	if (!ret)
		return k->pattern.n + k->v.n;
	FR_VEC_FOREACH (p, &k->pattern)
		ret[n++] = &(*p)->generator;
	FR_VEC_FOREACH (p, &k->v)
		ret[n++] = &(*p)->generator;
	return n;
}

bool fr_property_kinds_has(const struct fr_property_kinds *k, const struct fr_user_kind *kind)
{
	fr_assert(kind->name);
	return kind == &fr_user_kinds[PATTERN] ? k->pattern.n > 0 : k->v.n > 0;
}

static bool is_known(const struct fr_property_kinds *k, const char *property)
{
	FR_VEC_FOREACH (x, &k->v)
		if (!strcmp((*x)->property->name.s, property))
			return true;
	return false;
}

void fr_property_kinds_of_attributes(const struct fr_sites *sites, struct fr_property_kinds *ret)
{
	uint32_t n = fr_sites_count(sites);

	for (uint32_t i = 1; i <= n; i++) {
		struct fr_site_info x = fr_sites_get(sites, i);
		struct fr_spec *s;
		struct fr_err err;

		if (x.kind != FR_SITE_EXEC || *x.name || !*x.type)
			continue;
		/* One translation unit after another says the same about a header. */
		s = fr_spec_parse("attributes", x.type, strlen(x.type));
		fr_assert_slow(!s->error.n);
		if (s->error.n || is_known(ret, s->property.v[0]->name.s) ||
		    add_kind(s->property.v[0], ret, &err) < 0)
			fr_spec_free(s);
		else
			fr_vec_push(&ret->spec, s);
	}
}

void fr_property_kinds_free(struct fr_property_kinds *p)
{
	FR_VEC_FOREACH (k, &p->v) {
		free((char *)(*k)->generator.name);
		fr_auto_free((*k)->automaton);
		free(*k);
	}
	FR_VEC_FOREACH (k, &p->pattern) {
		free((char *)(*k)->generator.name);
		fr_auto_free((*k)->automaton);
		free(*k);
	}
	fr_vec_free(&p->pattern);
	FR_VEC_FOREACH (s, &p->spec)
		fr_spec_free(*s);
	fr_vec_free(&p->v);
	fr_vec_free(&p->spec);
}
