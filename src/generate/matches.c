/*
 * The matches of a generator: see matches.h. The matches of one group are limited, and so is the
 * number of groups, because random runs have as many as accesses.
 */
#include "generate/matches.h"
#include "generate/unguarded.h"
#include <string.h>

/* Nearer is better, then earlier in the run, because less has to be replayed. Low is good. */
static uint64_t badness(const struct fr_match *x)
{
	return (uint64_t)x->apart << 32 | x->end;
}

static bool worse(const struct fr_match *x, const struct fr_match *y)
{
	return badness(x) > badness(y);
}

/* Finds the worst match, and the contexts that occur twice. Runs for each match that is added, and
   nobody can predict the results of these comparisons, so there are no branches. */
static void look_over(struct fr_match_group *g)
{
	uint64_t worst = badness(&g->match[0]);

	g->worst = 0;
	g->twice = 0;
	for (unsigned i = 1; i < g->n; i++) {
		uint64_t x = badness(&g->match[i]);

		g->worst = x > worst ? (uint8_t)i : g->worst;
		worst = fr_max(worst, x);
		for (unsigned k = 0; k < i; k++) {
			unsigned same = g->match[i].context == g->match[k].context;

			g->twice |= (uint8_t)(same << i | same << k);
		}
	}
	fr_assert(g->worst < g->n && g->n <= FR_INSTANCES);
}

/* The worst of the matches in the set; NULL: the set is empty. */
static struct fr_match *worst_of(struct fr_match_group *g, unsigned set)
{
	struct fr_match *worst = NULL;

	for (; set; set &= set - 1) {
		struct fr_match *x = &g->match[__builtin_ctz(set)];

		if (!worst || worse(x, worst))
			worst = x;
	}
	return worst;
}

/* The slot for a match that is nearer, or whose threads and locks are new; NULL if it is
   neither. */
static struct fr_match *slot_for(struct fr_match_group *g, const struct fr_match *w)
{
	struct fr_match *same;
	unsigned alike = 0;

	for (unsigned i = 0; i < FR_INSTANCES && i < g->n; i++) {
		const struct fr_match *x = &g->match[i];

		if (x->end == w->end && !memcmp(x->ev, w->ev, g->nev * sizeof(*x->ev)))
			return NULL;
		alike |= (unsigned)(x->context == w->context) << i;
	}
	if (g->n < FR_INSTANCES)
		return &g->match[g->n++];
	if (!alike && g->twice)
		return worst_of(g, g->twice);
	same = alike ? worst_of(g, alike) : &g->match[g->worst];
	return worse(same, w) ? same : NULL;
}

static void keep(struct fr_match_group *g, const struct fr_match *w)
{
	struct fr_match *slot = slot_for(g, w);
	fr_ev *ev;

	g->seen++;
	if (!slot)
		return;
	fr_assert(slot >= g->match && slot < g->match + g->n && g->n <= g->seen);
	ev = g->events + (size_t)(slot - g->match) * g->nev;
	memcpy(ev, w->ev, g->nev * sizeof(*ev));
	*slot = *w;
	slot->ev = ev;
	look_over(g);
}

static struct fr_match_group *group_of(const struct fr_matches *x, uint64_t key)
{
	const uint64_t *at = fr_map_get(&x->index, key);

	fr_assert(!at || (*at <= x->group.n && x->group.v[*at - 1].key == key));
	return at ? &x->group.v[*at - 1] : NULL;
}

uint64_t fr_matches_seen(const struct fr_matches *x, uint64_t key)
{
	const struct fr_match_group *g = group_of(x, key);

	return g ? g->seen : 0;
}

bool fr_matches_want(struct fr_matches *x, uint64_t key, const struct fr_match *w)
{
	struct fr_match_group *g = group_of(x, key);
	bool same;

	if (!g || g->n < FR_INSTANCES || worse(&g->match[g->worst], w))
		return true;
	same = !g->twice; /* then its context cannot matter */
	for (uint32_t i = 0; i < g->n && !same; i++)
		same = g->match[i].context == w->context;
	g->seen += same;
	return !same;
}

uint32_t fr_matches_near(const struct fr_matches *x, uint64_t key, const struct fr_match *w,
			 bool same)
{
	const struct fr_match_group *g = group_of(x, key);
	bool known = false;

	if (!g || g->n < FR_INSTANCES || g->match[g->worst].end > w->end)
		return UINT32_MAX;
	for (unsigned i = 0; same && i < g->n && !known; i++)
		known = g->match[i].context == w->context;
	return known || !g->twice ? g->match[g->worst].apart : UINT32_MAX;
}

bool fr_matches_add(struct fr_matches *x, const struct fr_match_group *of, const struct fr_match *w)
{
	struct fr_match_group *g = group_of(x, of->key);

	if (!g) {
		bool near = fr_region_is_near(of->region);

		if (x->group.n >= x->max || (near && x->near >= x->max_near))
			return false;
		fr_assert(of->nev && !of->n && !of->seen && x->near <= x->group.n);
		x->near += near;
		fr_vec_push(&x->group, *of);
		g = &x->group.v[x->group.n - 1];
		g->events = fr_xmalloc(FR_INSTANCES * g->nev * sizeof(*g->events));
		*fr_map_put(&x->index, of->key) = x->group.n;
	}
	fr_assert(g->nev == of->nev && g->region == of->region && g->shape == of->shape);
	keep(g, w);
	return true;
}

static int by_worse(const void *a, const void *b)
{
	return worse(a, b) - worse(b, a);
}

struct ranked {
	uint64_t rank, key;
	size_t at; /* index of the group */
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->key > y->key) - (x->key < y->key);
}

static int by_group(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

size_t fr_matches_choose(struct fr_matches *x, size_t max,
			 uint64_t (*rank)(void *arg, const struct fr_match *w, uint32_t n,
					  uint64_t limit),
			 void *arg)
{
	FR_CLEANUP(fr_freep) struct ranked *r = fr_xmalloc((2 * max + 1) * sizeof(*r));
	size_t all = x->group.n, n = 0;
	uint64_t limit = UINT64_MAX;

	if (all <= max)
		return 0;
	for (size_t i = 0; i < all; i++) {
		struct fr_match_group *g = &x->group.v[i];

		qsort(g->match, g->n, sizeof(*g->match), by_worse);
		r[n++] = (struct ranked){rank(arg, g->match, g->n, limit), g->key, i};
		if (n < 2 * max && i + 1 < all)
			continue;
		qsort(r, n, sizeof(*r), by_rank);
		n = fr_min(n, max);
		limit = n == max ? r[n - 1].rank : limit;
	}
	fr_assert(n == max);
	qsort(r, n, sizeof(*r), by_group);
	for (size_t i = 0, k = 0; i < all; i++) {
		if (k < n && r[k].at == i)
			x->group.v[k++] = x->group.v[i];
		else
			free(x->group.v[i].events);
	}
	x->group.n = max;
	fr_map_free(&x->index); /* no match can be added any more */
	return all - max;
}

void fr_matches_write(struct fr_matches *x,
		      void (*write)(void *arg, struct fr_group *g, const struct fr_match *w,
				    uint32_t n),
		      void *arg, struct fr_groups *ret)
{
	uint32_t most = x->many && x->group.n > x->many ? FR_INSTANCES / 4 : FR_INSTANCES;

	fr_vec_reserve(&ret->group, x->group.n + 1);
	FR_VEC_FOREACH (p, &x->group) {
		struct fr_group g = {.key = p->key,
				     .bug = p->bug,
				     .region = p->region,
				     .shape = p->shape,
				     .instances_seen = p->seen};

		fr_assert(p->n && p->seen >= p->n);
		qsort(p->match, p->n, sizeof(*p->match), by_worse);
		for (uint32_t i = 1; i < p->n; i++) /* best first */
			fr_assert(!worse(&p->match[i - 1], &p->match[i]));
		write(arg, &g, p->match, fr_min(p->n, most));
		fr_assert(g.instance.n);
		fr_vec_push(&ret->group, g);
	}
}

void fr_matches_free(struct fr_matches *x)
{
	FR_VEC_FOREACH (g, &x->group)
		free(g->events);
	fr_map_free(&x->index);
	fr_vec_free(&x->group);
}

fr_ev fr_instance_part(const struct fr_model *m, fr_ev e, char what)
{
	unsigned op = what == 'W' ? FR_OP_WRITE : FR_OP_READ;
	fr_ev x = e;

	fr_assert((what == 'R' || what == 'W') && fr_is_access(&m->ev[e]));
	do {
		if (m->ev[x].op == op && m->ev[x].obj == m->ev[e].obj &&
		    !(m->ev[x].flags & FR_NO_TARGET))
			return x;
	} while (++x < m->n && m->ev[x].flags & FR_F_PART);
	return e;
}
