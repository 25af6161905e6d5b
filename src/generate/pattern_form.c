/*
 * The matches of a pattern: see pattern_form.h.
 *
 * A match of p1 < ... < pn gives several forms of candidate. In each, the last k events are
 * pending: their values are open, and they happen one after the other from there. The other events
 * have happened, each after the one before it. The largest k is limited by events of one thread and
 * by events that exclude each other. With fewer pending events less is open, but a lock can change
 * hands in between. All k are tried, largest first.
 */
#include "generate/pattern_form.h"
#include "causality/refute.h"
#include <string.h>

#define GROUPS_MAX 65536

static uint64_t key_of(const struct fr_matches *x, const struct fr_match *w)
{
	uint64_t h = x->p->n;

	for (uint32_t i = 0; i < x->p->n; i++)
		h = fr_mix(h, (uint64_t)x->m->ev[w->ev[i]].site << 1 |
				  (x->m->ev[w->ev[i]].op == FR_OP_WRITE));
	return h;
}

static bool same(const struct fr_matches *x, const struct fr_match *a, const struct fr_match *b)
{
	return !memcmp(a->ev, b->ev, x->p->n * sizeof(*a->ev));
}

/* The slot for a match: a free one, or the one with the largest span. NULL if the match is no
   better. */
static struct fr_match *place(const struct fr_matches *x, struct fr_match_group *g,
			      const struct fr_match *w)
{
	struct fr_match *worst = g->match;

	fr_assert(g->n <= FR_INSTANCES);
	for (uint32_t i = 0; i < g->n; i++) {
		if (same(x, &g->match[i], w))
			return NULL;
		if (g->match[i].span > worst->span)
			worst = &g->match[i];
	}
	if (g->n < FR_INSTANCES)
		return &g->match[g->n];
	return w->span < worst->span ? worst : NULL;
}

bool fr_matches_want(struct fr_matches *x, const struct fr_match *w)
{
	const uint64_t *at = fr_map_get(&x->index, key_of(x, w) >> 1);
	struct fr_match_group *g;

	if (!at)
		return true;
	fr_assert(*at <= x->group.n);
	g = &x->group.v[*at - 1];
	if (place(x, g, w))
		return true;
	g->seen++;
	return false;
}

void fr_matches_add(struct fr_matches *x, const struct fr_match *w)
{
	uint64_t key = key_of(x, w), *at;
	struct fr_match_group *g;
	struct fr_match *p;

	if (x->group.n == GROUPS_MAX && !fr_map_get(&x->index, key >> 1)) {
		x->cut_off++;
		return;
	}
	at = fr_map_put(&x->index, key >> 1);
	if (!*at) {
		fr_vec_push(&x->group, (struct fr_match_group){.key = key});
		*at = x->group.n;
	}
	g = &x->group.v[*at - 1];
	g->seen++;
	p = place(x, g, w);
	if (!p)
		return;
	*p = *w;
	if (p == &g->match[g->n])
		g->n++;
}

/* The form with the last k events pending. */
static struct fr_instance *form(const struct fr_matches *x, const struct fr_match *w, uint32_t k)
{
	uint32_t n = x->p->n;
	struct fr_instance *in = fr_instance_new(n);

	fr_assert(k && k <= n);
	for (uint32_t i = 0; i < n; i++) {
		in->actor[i] = (struct fr_actor){w->ev[i], FR_ROLE_EVENT, x->p->ev[i].loc + 1u};
		if (i >= n - k)
			in->what.pending[in->what.npending++] = fr_head(x->m, w->ev[i]);
		if (i < n - k) {
			in->what.edge[in->what.nedges].before = w->ev[i];
			in->what.edge[in->what.nedges++].after = w->ev[i + 1];
		}
	}
	return in;
}

/* Can the last k events be pending at once, by a quick test? */
static bool can_be_pending(const struct fr_matches *x, const struct fr_match *w, uint32_t k)
{
	for (uint32_t i = x->p->n - k; i < x->p->n; i++)
		for (uint32_t j = i + 1; j < x->p->n; j++)
			if (x->m->ev[w->ev[i]].thread == x->m->ev[w->ev[j]].thread ||
			    fr_refute_pair(x->m, x->c, fr_head(x->m, w->ev[i]),
					   fr_head(x->m, w->ev[j])) != FR_WHY_NONE)
				return false;
	return true;
}

static int by_span(const void *a, const void *b)
{
	const struct fr_match *x = a, *y = b;

	if (x->span != y->span)
		return x->span < y->span ? -1 : 1;
	return (x->ev[0] > y->ev[0]) - (x->ev[0] < y->ev[0]);
}

void fr_matches_write(struct fr_matches *x, struct fr_groups *ret)
{
	ret->refuted += x->refuted;
	ret->cut_off += x->cut_off;
	FR_VEC_FOREACH (g, &x->group) {
		struct fr_group new = {.key = g->key, .instances_seen = g->seen};

		fr_assert(g->n && g->seen >= g->n);
		qsort(g->match, g->n, sizeof(*g->match), by_span);
		for (uint32_t i = 0; i < g->n; i++) {
			uint32_t k = 1;

			while (k < x->p->n && can_be_pending(x, &g->match[i], k + 1))
				k++;
			for (; k; k--)
				fr_vec_push(&new.instance, form(x, &g->match[i], k));
		}
		fr_vec_push(&ret->group, new);
	}
}

void fr_matches_free(struct fr_matches *x)
{
	fr_map_free(&x->index);
	fr_vec_free(&x->group);
}
