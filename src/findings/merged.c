/* The findings of several runs: see merged.h. */
#include "findings/merged.h"
#include "base/assert.h"
#include "findings/same_bug.h"
#include <string.h>

static bool better(const struct fr_finding *a, const struct fr_finding *b)
{
	enum fr_verdict ra = a->interleaving.v->verdict, rb = b->interleaving.v->verdict;

	return ra != rb ? ra > rb : a->interleaving.v->harm > b->interleaving.v->harm;
}

void fr_merged_add(struct fr_merged *m, const char *dir, struct fr_findings *f, size_t n)
{
	FR_VEC_FOREACH (x, &f->finding) {
		const char *name = fr_findings_printf(f, "%s/%u", dir, x->id);
		uint64_t *at = fr_map_put(&m->at, fr_finding_bug(x));
		struct fr_ranked *item;

		if (!*at) {
			fr_vec_push(&m->item, ((struct fr_ranked){.runs = n}));
			*at = m->item.n;
		}
		item = &m->item.v[*at - 1];
		if (!item->x || better(x, item->x)) {
			item->dir = dir;
			item->x = x;
		}
		if (item->last != f) /* a second finding of the same run */
			fr_vec_push(&item->found, name);
		item->last = f;
		fr_assert(item->found.n && item->found.n <= n);
	}
}

/* Returns the new number of a finding in the same run as item i, 0 = none. */
static uint32_t number_of(const struct fr_merged *m, size_t i, uint32_t id)
{
	fr_assert(i < m->item.n);
	for (size_t k = 0; id && k < m->item.n; k++)
		if (m->item.v[k].x->id == id && m->item.v[k].dir == m->item.v[i].dir)
			return (uint32_t)k + 1;
	return 0;
}

void fr_merged_findings(const struct fr_merged *m, struct fr_findings *first,
			struct fr_findings *ret)
{
	*ret = *first;
	memset(&ret->finding, 0, sizeof(ret->finding));
	for (size_t i = 0; i < m->item.n; i++) {
		struct fr_finding x = *m->item.v[i].x;

		fr_assert(x.interleaving.n && !x.found.n);
		x.id = (uint32_t)i + 1;
		x.explained_by = number_of(m, i, x.explained_by);
		memcpy(&x.found, &m->item.v[i].found, sizeof(x.found));
		x.interleaving.v = fr_xmalloc(x.interleaving.n * sizeof(*x.interleaving.v));
		memcpy(x.interleaving.v, m->item.v[i].x->interleaving.v,
		       x.interleaving.n * sizeof(*x.interleaving.v));
		FR_VEC_FOREACH (w, &x.interleaving)
			if (w->schedule)
				w->schedule = fr_findings_printf(first, "%s/%s", m->item.v[i].dir,
								 w->schedule);
		fr_vec_push(&ret->finding, x);
	}
}

void fr_merged_free(struct fr_merged *m, struct fr_findings *f)
{
	FR_VEC_FOREACH (x, &f->finding)
		free(x->interleaving.v);
	fr_vec_free(&f->finding);
	FR_VEC_FOREACH (item, &m->item)
		fr_vec_free(&item->found);
	fr_vec_free(&m->item);
	fr_map_free(&m->at);
}
