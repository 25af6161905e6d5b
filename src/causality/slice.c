/*
 * Masks for candidates: see slice.h.
 *
 * Memory: a mask has two bits per event. Candidates with the same free reads share one. If all
 *         masks together get too large, or finding them takes too long, candidates get coarse
 *         masks, in which reads matter in the whole run and not only before the targets. Coarse
 *         masks are as sound, and few. If even these get too large, there is no mask, and every
 *         read matters.
 */
#include "causality/slice.h"
#include "base/assert.h"
#include "base/hash.h"
#include "base/term.h"
#include "causality/slice_internal.h"
#include <string.h>

#define MASKS_FINE (UINT64_C(64) << 20)	 /* bytes of all masks; beyond: coarse ones */
#define MASKS_MOST (UINT64_C(128) << 20) /* beyond: none */
#define WORK_FEW 65536			 /* steps of fr_slice_close that are always allowed */
#define WORK_EACH 4			 /* and one step for each 4 events of the run */

static double now(void)
{
	return (double)fr_now_ns() / 1e9;
}

/* The read sites of the run, ascending. */
static void find_sites(const struct fr_model *m, uint32_t nsites, uint32_t **ret, uint32_t *ret_n)
{
	bool *read = fr_xcalloc(nsites + 1, sizeof(*read));
	uint32_t n = 0;

	for (fr_ev e = 0; e < m->n; e++)
		if (m->ev[e].op == FR_OP_READ && !read[m->ev[e].site]) {
			read[m->ev[e].site] = true;
			n++;
		}
	*ret = fr_xmalloc((n + 1) * sizeof(**ret));
	*ret_n = n;
	n = 0;
	for (uint32_t i = 0; i < nsites; i++)
		if (read[i])
			(*ret)[n++] = i;
	free(read);
}

struct fr_slice *fr_slice_new(const struct fr_model *m, const struct fr_causality *c,
			      struct fr_slice_graph *g)
{
	struct fr_slice *s = fr_xcalloc(1, sizeof(*s));
	double begin = now();
	uint32_t *site, n;

	s->m = m;
	s->c = c;
	s->g = g;
	pthread_mutex_init(&s->lock, NULL);
	for (fr_ev e = 0; e < m->n; e++)
		s->nsites = fr_max(s->nsites, (uint32_t)m->ev[e].site + 1);
	fr_slice_facts(m, s->nsites, g);
	find_sites(m, s->nsites, &site, &n);
	s->reach = fr_slice_reach_new(g, site, n);
	free(site);
	s->stats.sites = n;
	s->stats.free_sites = fr_slice_reach_count(s->reach);
	s->stats.nodes = (uint32_t)g->node.n;
	s->stats.edges = (uint32_t)g->edge.n;
	if (s->stats.free_sites) {
		fr_slice_tables(s);
		fr_slice_find_inert(s);
		fr_slice_state_init(s, &s->now);
	}
	s->stats.build_s = now() - begin;
	return s;
}

static void free_mask(struct fr_slice_mask *k)
{
	free((void *)k->mask.reads);
	free((void *)k->mask.writes);
	free(k->limit);
	free(k);
}

void fr_slice_free(struct fr_slice *s)
{
	if (!s)
		return;
	FR_VEC_FOREACH (k, &s->mask)
		free_mask(*k);
	fr_vec_free(&s->mask);
	fr_map_free(&s->by_limits);
	FR_VEC_FOREACH (x, &s->coarse)
		fr_vec_free(&x->needs);
	fr_vec_free(&s->coarse);
	fr_vec_free(&s->needs);
	fr_map_free(&s->by_needs);
	fr_slice_state_free(&s->now);
	fr_slice_state_free(&s->most);
	fr_slice_tables_free(s);
	free(s->inert);
	fr_slice_reach_free(s->reach);
	fr_slice_graph_free(s->g);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* ---- making a mask ---- */

/* The first free READ of the thread that is in the set and does not matter, + 1; 0: none. */
static fr_ev first_open(const struct fr_slice *s, const fr_ev *limit, uint32_t thread, uint32_t set)
{
	struct fr_slice_set v = fr_slice_reach_set(s->reach, set);
	fr_ev first = FR_NO_EV;

	for (uint32_t i = 0; i < v.n; i++) {
		const struct fr_slice_reads *r = fr_slice_reads_of(s, thread, v.v[i]);
		uint32_t k;

		if (!r)
			continue;
		k = fr_list_lower(s->list + r->from, r->end - r->from, limit[r - s->reads.v]);
		if (r->from + k < r->end)
			first = fr_min(first, s->list[r->from + k]);
	}
	return first + 1;
}

static uint64_t *make_reads(const struct fr_slice *s, const fr_ev *limit)
{
	size_t bytes = (fr_mask_words(s->m) + 1) * sizeof(uint64_t);
	uint64_t *bits = fr_xmalloc(bytes);

	memcpy(bits, s->base, bytes);
	FR_VEC_FOREACH (r, &s->reads)
		for (uint32_t i = r->from; i < r->end && s->list[i] < limit[r - s->reads.v]; i++)
			bits[s->list[i] / 64] |= UINT64_C(1) << (s->list[i] % 64);
	return bits;
}

/* A write is reliable if no read that reaches it and does not matter comes before it. */
static uint64_t *make_writes(const struct fr_slice *s, const fr_ev *limit)
{
	size_t bytes = (fr_mask_words(s->m) + 1) * sizeof(uint64_t);
	uint64_t *bits = fr_xmalloc(bytes);
	struct fr_map first = {0}; /* thread << 32 | set -> first_open + 1 */

	memset(bits, 0xff, bytes);
	FR_VEC_FOREACH (e, &s->open) {
		uint32_t thread = s->m->ev[*e].thread, set = fr_slice_support(s, *e);
		uint64_t *at = fr_map_put(&first, (uint64_t)thread << 32 | set);

		fr_assert_slow(set);
		if (!*at)
			*at = (uint64_t)first_open(s, limit, thread, set) + 1;
		if (*at - 1 && *at - 2 < *e)
			bits[*e / 64] &= ~(UINT64_C(1) << (*e % 64));
	}
	fr_map_free(&first);
	return bits;
}

static uint64_t bytes_of(const struct fr_slice *s)
{
	return 2 * (fr_mask_words(s->m) + 1) * sizeof(uint64_t) + s->reads.n * sizeof(fr_ev);
}

/* The mask with these limits, which are rounded. */
static const struct fr_mask *mask_of(struct fr_slice *s, const fr_ev *limit)
{
	size_t n = s->reads.n * sizeof(*limit);
	uint64_t key = fr_hash_bytes(FR_HASH_START, limit, n) >> 1;
	struct fr_slice_mask *k;
	uint64_t *at;

	for (;; key++) {
		at = fr_map_put(&s->by_limits, key);
		if (!*at)
			break;
		if (!memcmp(s->mask.v[*at - 1]->limit, limit, n))
			return &s->mask.v[*at - 1]->mask;
	}
	k = fr_xcalloc(1, sizeof(*k));
	k->limit = memcpy(fr_xmalloc(n + 1), limit, n);
	k->mask.reads = make_reads(s, limit);
	k->mask.writes = make_writes(s, limit);
	fr_vec_push(&s->mask, k);
	k->mask.id = (uint32_t)s->mask.n;
	*at = s->mask.n;
	s->stats.masks++;
	return &k->mask;
}

/* ---- asking ---- */

/* Makes the coarse mask of the needs. */
static const struct fr_mask *unite(struct fr_slice *s, const struct fr_slice_needs *needs)
{
	if (s->mask.n * bytes_of(s) > MASKS_MOST)
		return NULL;
	if (!s->has_most) {
		fr_slice_state_init(s, &s->most);
		fr_slice_close_most(s, &s->most);
		s->has_most = true;
	}
	memcpy(s->now.limit, s->most.limit, s->reads.n * sizeof(*s->now.limit));
	memcpy(s->now.covered, s->most.covered, s->m->nthreads * sizeof(*s->now.covered));
	fr_slice_close_whole(s, needs, &s->now);
	fr_slice_close_round(s, &s->now);
	return mask_of(s, s->now.limit);
}

/* Looks the needs up: most candidates of a long run share theirs. */
static const struct fr_mask *coarse(struct fr_slice *s, const struct fr_candidate *what)
{
	struct fr_slice_needs *needs = &s->needs;
	struct fr_slice_coarse x;
	uint64_t key, *at;

	s->stats.coarse++;
	fr_slice_close_needs(s, what, needs);
	key = fr_hash_bytes(FR_HASH_START, needs->v, needs->n * sizeof(*needs->v)) >> 1;
	for (;; key++) {
		const struct fr_slice_coarse *c;

		at = fr_map_put(&s->by_needs, key);
		if (!*at)
			break;
		c = &s->coarse.v[*at - 1];
		if (c->needs.n == needs->n &&
		    (!needs->n || !memcmp(c->needs.v, needs->v, needs->n * sizeof(*needs->v))))
			return c->mask;
	}
	*at = s->coarse.n + 1;
	x = (struct fr_slice_coarse){*needs, unite(s, needs)};
	*needs = (struct fr_slice_needs){0};
	fr_vec_push(&s->coarse, x);
	return x.mask;
}

static const struct fr_mask *fine(struct fr_slice *s, const struct fr_candidate *what)
{
	fr_slice_close(s, what, &s->now);
	fr_slice_close_round(s, &s->now);
	return mask_of(s, s->now.limit);
}

const struct fr_mask *fr_slice_mask(struct fr_slice *s, const struct fr_candidate *what)
{
	const struct fr_mask *k;
	double begin;

	if (!s || !s->stats.free_sites)
		return NULL;
	fr_assert(what->npending);
	pthread_mutex_lock(&s->lock);
	begin = now();
	s->stats.asked++;
	if (s->mask.n * bytes_of(s) > MASKS_FINE || s->now.work > WORK_FEW + s->m->n / WORK_EACH)
		k = coarse(s, what);
	else
		k = fine(s, what);
	s->stats.mask_s += now() - begin;
	pthread_mutex_unlock(&s->lock);
	return k;
}

const struct fr_mask *fr_slice_mask_events(struct fr_slice *s, const fr_ev *ev, uint32_t n)
{
	const struct fr_mask *k = NULL;
	double begin;

	if (!s || !s->stats.free_sites)
		return NULL;
	pthread_mutex_lock(&s->lock);
	begin = now();
	if (s->mask.n * bytes_of(s) <= MASKS_FINE) {
		fr_slice_close_events(s, ev, n, &s->now);
		fr_slice_close_round(s, &s->now);
		k = mask_of(s, s->now.limit);
	}
	s->stats.mask_s += now() - begin;
	pthread_mutex_unlock(&s->lock);
	return k;
}

void fr_slice_stats_get(struct fr_slice *s, struct fr_slice_stats *ret)
{
	pthread_mutex_lock(&s->lock);
	*ret = s->stats;
	pthread_mutex_unlock(&s->lock);
}
