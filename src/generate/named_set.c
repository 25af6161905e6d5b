/*
 * Atomic sets that the user names: see named_set.h. One pass over the accesses compares each site,
 * and each location without a name at its sites, with the names once.
 *
 * Not handled: locations that the model leaves out because only one thread touches them.
 */
#include "generate/named_set.h"
#include "generate/unguarded.h"
#include "generate/work_unit.h"
#include <fnmatch.h>
#include <string.h>

struct name {
	char *text;
	uint32_t set;
	bool fits;
};

struct set_finder {
	const struct fr_model *m;
	FR_VEC(struct name) name;
	/* mask of sets << 2 | 1; 2 = has no name; 0 = not examined yet */
	struct fr_map sites, locs;
};

static void split_names(struct set_finder *f, const char *list, uint32_t set)
{
	fr_assert(set < FR_SETS_MAX);
	for (;;) {
		size_t n = strcspn(list, ",");

		fr_vec_push(&f->name, ((struct name){fr_xstrndup(list, n), set, false}));
		if (!list[n])
			return;
		list += n + 1;
	}
}

/* The exact comparison is needed because names contain brackets: `a[i]`. */
static uint64_t sets_of_name(struct set_finder *f, const char *text)
{
	uint64_t mask = 0;

	FR_VEC_FOREACH (x, &f->name)
		if (!strcmp(x->text, text) || !fnmatch(x->text, text, 0)) {
			x->fits = true;
			mask |= UINT64_C(1) << x->set;
		}
	return mask;
}

/* The sets that match the name of this access in reports. */
static uint32_t sets_of_access(struct set_finder *f, fr_ev e)
{
	const struct fr_mev *v = &f->m->ev[e];
	uint64_t *at;

	if (f->m->trace && !fr_model_line(f->m, e)) {
		struct fr_site_info s;

		at = fr_map_put(&f->sites, v->site);
		if (!*at) {
			s = fr_sites_get(f->m->trace->sites, v->site);
			*at = 2; /* the site has no name */
			if (s.kind == FR_SITE_ACCESS && *s.name)
				*at = sets_of_name(f, s.name) << 2 | 1;
		}
		if (*at & 1)
			return (uint32_t)(*at >> 2);
	}
	at = fr_map_put(&f->locs, v->obj);
	if (!*at) {
		FR_CLEANUP(fr_freep) char *name = fr_model_obj_name(f->m, FR_C_LOC, v->obj);

		*at = sets_of_name(f, name) << 2 | 1;
	}
	return (uint32_t)(*at >> 2);
}

void fr_sets_find(struct fr_sets *s, const struct fr_model *m, const struct fr_generate_opt *opt)
{
	struct set_finder f = {.m = m};

	*s = (struct fr_sets){.n = (uint32_t)fr_min(opt->atomic_set.n, (size_t)FR_SETS_MAX)};
	for (uint32_t i = 0; i < s->n; i++)
		split_names(&f, opt->atomic_set.v[i], i);
	for (fr_ev e = 0; s->n && e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];
		struct fr_unit_access a = {.ev = e, .what = v->mask};
		uint32_t mask;

		if (!fr_is_access(v) || v->flags & FR_NO_TARGET)
			continue;
		mask = sets_of_access(&f, e);
		fr_assert_slow(!((uint64_t)mask >> s->n));
		if (mask)
			*fr_map_put(&s->of, fr_unit_location(m, &a)) |= mask;
	}
	FR_VEC_FOREACH (x, &f.name) {
		if (x->fits)
			free(x->text);
		else
			fr_vec_push(&s->unmatched, x->text);
	}
	fr_assert(s->n || !f.name.n);
	fr_vec_free(&f.name);
	fr_map_free(&f.sites);
	fr_map_free(&f.locs);
}

void fr_sets_free(struct fr_sets *s)
{
	FR_VEC_FOREACH (x, &s->unmatched)
		free(*x);
	fr_vec_free(&s->unmatched);
	fr_map_free(&s->of);
}
