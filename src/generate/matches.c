/*
 * The matches of a generator: see matches.h. The matches of one group are limited, and so is the
 * number of groups, because random runs have as many as accesses.
 */
#include "generate/matches.h"
#include "generate/guard.h"
#include <string.h>

/* Nearer is better, then earlier in the run, because less has to be replayed. */
static bool worse(const struct fr_match *x, const struct fr_match *y)
{
	return x->apart != y->apart ? x->apart > y->apart : x->end > y->end;
}

/* Finds the worst match, and whether all contexts differ. */
static void look_over(struct fr_match_group *g)
{
	g->worst = 0;
	g->distinct = true;
	for (uint8_t i = 1; i < g->n; i++) {
		if (worse(&g->match[i], &g->match[g->worst]))
			g->worst = i;
		for (uint8_t k = 0; k < i; k++)
			g->distinct &= g->match[i].context != g->match[k].context;
	}
	fr_assert(g->worst < g->n && g->n <= FR_INSTANCES);
}

/* The slot for a match that is nearer, or whose threads and locks are new; NULL if it is
   neither. */
static struct fr_match *slot_for(struct fr_match_group *g, const struct fr_match *w)
{
	struct fr_match *same = NULL, *twice = NULL, *far = NULL;

	for (uint32_t i = 0; i < g->n; i++) {
		struct fr_match *x = &g->match[i];

		if (x->end == w->end && !memcmp(x->ev, w->ev, g->nev * sizeof(*x->ev)))
			return NULL;
		if (x->context == w->context && (!same || worse(x, same)))
			same = x;
		if (!far || worse(x, far))
			far = x;
		for (uint32_t k = 0; k < g->n && !g->distinct; k++)
			if (k != i && g->match[k].context == x->context &&
			    (!twice || worse(x, twice)))
				twice = x;
	}
	if (g->n < FR_INSTANCES)
		return &g->match[g->n++];
	if (!same && twice)
		return twice;
	if (!same)
		same = far;
	return worse(same, w) ? same : NULL;
}

static void keep(struct fr_match_group *g, const struct fr_match *w)
{
	struct fr_match *slot = slot_for(g, w);
	fr_ev *ev;

	g->seen++;
	if (!slot)
		return;
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
	same = g->distinct; /* then its context cannot matter */
	for (uint32_t i = 0; i < g->n && !same; i++)
		same = g->match[i].context == w->context;
	g->seen += same;
	return !same;
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
	fr_assert(g->nev == of->nev);
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
			 uint64_t (*rank)(void *arg, const struct fr_match *w, uint32_t n),
			 void *arg)
{
	size_t n = x->group.n;
	FR_CLEANUP(fr_freep) struct ranked *r = fr_xmalloc((n + 1) * sizeof(*r));

	if (n <= max)
		return 0;
	for (size_t i = 0; i < n; i++) {
		struct fr_match_group *g = &x->group.v[i];

		qsort(g->match, g->n, sizeof(*g->match), by_worse);
		r[i] = (struct ranked){rank(arg, g->match, g->n), g->key, i};
	}
	qsort(r, n, sizeof(*r), by_rank);
	for (size_t i = max; i < n; i++)
		free(x->group.v[r[i].at].events);
	qsort(r, max, sizeof(*r), by_group);
	for (size_t i = 0; i < max; i++) {
		fr_assert(r[i].at >= i);
		x->group.v[i] = x->group.v[r[i].at];
	}
	x->group.n = max;
	fr_map_free(&x->index); /* no match can be added any more */
	return n - max;
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
