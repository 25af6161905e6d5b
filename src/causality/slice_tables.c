/* Numbers the events that slicing looks at: free reads, the writes that they reach, and the reads
   that see these writes. One pass over the events, and one over the locations of these writes. */
#include "base/assert.h"
#include "causality/slice_internal.h"
#include <string.h>

/* The sets of free reads that reach the accesses of each site. */
static void find_support(struct fr_slice *s)
{
	s->support = fr_xcalloc(s->nsites + 1, sizeof(*s->support));
	s->execute = fr_xcalloc(s->nsites + 1, sizeof(*s->execute));
	for (uint32_t i = 0; i < s->nsites; i++) {
		uint32_t value = fr_slice_reach_value(s->reach, i);

		s->execute[i] = fr_slice_reach_execute(s->reach, i);
		s->support[i] = fr_slice_reach_union(s->reach, value, s->execute[i]);
	}
}

/* Makes the lists of free reads. Sets the bits of the others, which matter always. */
static void list_reads(struct fr_slice *s)
{
	const struct fr_model *m = s->m;
	uint32_t total = 0, *number = fr_xmalloc((s->nsites + 1) * sizeof(*number));

	for (uint32_t i = 0; i < s->nsites; i++)
		number[i] = fr_slice_reach_free_read(s->reach, i);
	s->base = fr_xcalloc(fr_mask_words(m) + 1, sizeof(*s->base));
	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];
		uint32_t site;
		uint64_t *at;

		if (v->op != FR_OP_READ)
			continue;
		s->stats.reads++;
		site = number[v->site];
		if (site == UINT32_MAX) {
			s->base[e / 64] |= UINT64_C(1) << (e % 64);
			continue;
		}
		s->stats.free_reads++;
		at = fr_map_put(&s->by_reads, (uint64_t)v->thread << 32 | site);
		if (!*at) {
			fr_vec_push(&s->reads, ((struct fr_slice_reads){v->thread, site, 0, 0}));
			*at = s->reads.n;
		}
		s->reads.v[*at - 1].end++;
	}
	FR_VEC_FOREACH (r, &s->reads) {
		r->from = total;
		total += r->end;
		r->end = r->from;
	}
	s->list = fr_xmalloc((total + 1) * sizeof(*s->list));
	for (fr_ev e = 0; e < m->n && total; e++) {
		const struct fr_mev *v = &m->ev[e];
		uint32_t site = v->op == FR_OP_READ ? number[v->site] : UINT32_MAX;

		if (site != UINT32_MAX)
			s->list[s->reads
				    .v[*fr_map_get(&s->by_reads, (uint64_t)v->thread << 32 | site) -
				       1]
				    .end++] = e;
	}
	free(number);
}

/* Finds the READs of a location that matter always and saw an open WRITE. */
static void list_followed(struct fr_slice *s, uint32_t loc)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];

	for (uint32_t i = k->first[loc]; i < k->first[loc + 1]; i++) {
		fr_ev e = k->list[i], w[8];
		uint32_t n, open = 0;

		if (s->m->ev[e].op != FR_OP_READ || !(s->base[e / 64] >> (e % 64) & 1))
			continue;
		n = fr_writers_since(s->c, e, 0, w);
		while (n--)
			open |= fr_slice_support(s, w[n]);
		if (open)
			fr_vec_push(&s->followed[s->m->ev[e].thread], e);
	}
}

static int by_event(const void *a, const void *b)
{
	const fr_ev *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* A location with a WRITE whose execution free reads decide. */
static void add_doubt(struct fr_slice *s, uint32_t loc, uint32_t set)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];
	struct fr_slice_doubt d = {.loc = loc, .set = set, .first = (uint32_t)s->watch.n};
	struct fr_map seen = {0};

	for (uint32_t i = k->first[loc]; i < k->first[loc + 1]; i++) {
		fr_ev e = k->list[i];
		uint64_t *at;

		if (s->m->ev[e].op != FR_OP_READ || !(s->base[e / 64] >> (e % 64) & 1))
			continue;
		at = fr_map_put(&seen, s->m->ev[e].thread);
		if (!*at)
			fr_vec_push(&s->watch, e);
		*at = 1;
	}
	d.nfirst = (uint32_t)s->watch.n - d.first;
	fr_map_free(&seen);
	d.site = (uint32_t)s->watch.n;
	for (uint32_t i = k->first[loc]; i < k->first[loc + 1]; i++) {
		const struct fr_mev *e = &s->m->ev[k->list[i]];
		uint32_t site =
		    e->op == FR_OP_READ ? fr_slice_reach_free_read(s->reach, e->site) : UINT32_MAX;

		if (site == UINT32_MAX || fr_map_get(&seen, site))
			continue;
		*fr_map_put(&seen, site) = 1;
		fr_vec_push(&s->watch, site);
	}
	d.nsites = (uint32_t)s->watch.n - d.site;
	fr_map_free(&seen);
	fr_vec_push(&s->doubt, d);
}

/* Finds the open WRITEs, and the dependences on their locations. */
static void list_writes(struct fr_slice *s)
{
	struct fr_map loc = {0}, doubt = {0};

	s->followed = fr_xcalloc(s->m->nthreads + 1, sizeof(*s->followed));
	for (fr_ev e = 0; e < s->m->n; e++) {
		const struct fr_mev *v = &s->m->ev[e];
		uint64_t key;

		if (v->op != FR_OP_WRITE)
			continue;
		s->stats.writes++;
		if (!fr_slice_support(s, e))
			continue;
		fr_vec_push(&s->open, e);
		if (!fr_map_get(&loc, v->obj)) {
			*fr_map_put(&loc, v->obj) = 1;
			list_followed(s, v->obj);
		}
		key = (uint64_t)v->obj << 32 | s->execute[v->site];
		if (s->execute[v->site] && !fr_map_get(&doubt, key)) {
			*fr_map_put(&doubt, key) = 1;
			add_doubt(s, v->obj, s->execute[v->site]);
		}
	}
	for (uint32_t t = 0; t < s->m->nthreads; t++)
		if (s->followed[t].n)
			qsort(s->followed[t].v, s->followed[t].n, sizeof(fr_ev), by_event);
	s->stats.open_writes = (uint32_t)s->open.n;
	fr_map_free(&loc);
	fr_map_free(&doubt);
}

void fr_slice_tables(struct fr_slice *s)
{
	find_support(s);
	list_reads(s);
	list_writes(s);
	fr_assert(s->stats.free_reads <= s->stats.reads && s->open.n <= s->stats.writes);
}

void fr_slice_tables_free(struct fr_slice *s)
{
	for (uint32_t t = 0; s->followed && t < s->m->nthreads; t++)
		fr_vec_free(&s->followed[t]);
	free(s->followed);
	free(s->support);
	free(s->execute);
	free(s->base);
	free(s->list);
	fr_vec_free(&s->reads);
	fr_vec_free(&s->open);
	fr_vec_free(&s->doubt);
	fr_vec_free(&s->watch);
	fr_map_free(&s->by_reads);
}
