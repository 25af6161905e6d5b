/*
 * Partial orders over chains: see order_po.h. An edge a -> b orders everything up to a before
 * everything from b on. Along each chain, the change ends where the order was known already.
 */
#include "oracle/order_po.h"
#include "base/assert.h"
#include <string.h>

void fr_po_init(struct fr_po *po, const struct fr_seg *s)
{
	uint32_t k = s->nthreads;

	*po = (struct fr_po){.s = s};
	po->pred = fr_xcalloc((size_t)s->n * k + 1, sizeof(uint32_t));
	po->succ = fr_xcalloc((size_t)s->n * k + 1, sizeof(uint32_t));
	po->lo = fr_xcalloc((size_t)k + 1, sizeof(uint32_t));
	po->hi = fr_xcalloc((size_t)k + 1, sizeof(uint32_t));
	po->source = fr_xmalloc((s->read.n + 1) * sizeof(uint32_t));
	memset(po->source, 0xff, (s->read.n + 1) * sizeof(uint32_t));
	po->some = fr_xmalloc((2 * s->read.n + 1) * sizeof(uint32_t));
	memset(po->some, 0xff, (2 * s->read.n + 1) * sizeof(uint32_t));
	po->is_dirty = fr_xcalloc((size_t)s->n + 1, sizeof(bool));
	po->watched = fr_xcalloc(s->write.n + 1, sizeof(bool));
	po->scratch = fr_xcalloc((size_t)k + 1, sizeof(uint32_t));
	for (uint32_t t = 0; t < k; t++)
		po->hi[t] = fr_seg_len(s, t);
	for (uint32_t n = 0; n < s->n; n++) {
		for (uint32_t t = 0; t < k; t++)
			po->succ[(size_t)n * k + t] = fr_seg_len(s, t);
		po->pred[(size_t)n * k + s->thread[n]] = s->pos[n] + 1;
		po->succ[(size_t)n * k + s->thread[n]] = s->pos[n];
	}
}

static void *copy(const void *p, size_t n)
{
	return memcpy(fr_xmalloc(n * sizeof(uint32_t) + 1), p, n * sizeof(uint32_t));
}

void fr_po_copy(struct fr_po *to, const struct fr_po *from)
{
	size_t k = from->s->nthreads, n = (size_t)from->s->n * k;

	*to = (struct fr_po){.s = from->s, .goal = from->goal, .exempt = from->exempt};
	to->pred = copy(from->pred, n);
	to->succ = copy(from->succ, n);
	to->lo = copy(from->lo, k);
	to->hi = copy(from->hi, k);
	to->source = copy(from->source, from->s->read.n);
	to->some = copy(from->some, 2 * from->s->read.n);
	to->is_dirty = fr_xcalloc((size_t)from->s->n + 1, sizeof(bool));
	to->watched = fr_xmalloc(from->s->write.n + 1);
	memcpy(to->watched, from->watched, from->s->write.n);
	to->scratch = fr_xcalloc(k + 1, sizeof(uint32_t));
	fr_vec_reserve(&to->edge, from->edge.n + 1);
	if (from->edge.n)
		memcpy(to->edge.v, from->edge.v, from->edge.n * sizeof(*to->edge.v));
	to->edge.n = from->edge.n;
}

void fr_po_destroy(struct fr_po *po)
{
	free(po->pred);
	free(po->succ);
	free(po->lo);
	free(po->hi);
	free(po->source);
	free(po->some);
	free(po->is_dirty);
	free(po->watched);
	fr_vec_free(&po->dirty);
	free(po->scratch);
	fr_vec_free(&po->old);
	fr_vec_free(&po->edge);
}

bool fr_po_add(struct fr_po *po, uint32_t a, uint32_t b)
{
	const struct fr_seg *s = po->s;
	const size_t k = s->nthreads;
	const uint32_t *pa, *sb;

	fr_assert_slow(a < s->n && b < s->n);
	if (fr_po_le(po, b, a))
		return false;
	if (fr_po_le(po, a, b))
		return true;
	fr_vec_push(&po->edge, (struct fr_seg_edge){a, b});
	pa = po->pred + a * k;
	sb = po->succ + b * k;
	for (uint32_t v = 0; v < k; v++) {
		uint32_t len = fr_seg_len(s, v);
		const uint32_t *chain = s->chain + s->first[v];

		for (uint32_t u = 0; u < k && sb[v] < len; u++) {
			if (u == v)
				continue;
			for (uint32_t i = sb[v]; i < len && po->pred[chain[i] * k + u] < pa[u];
			     i++) {
				fr_po_set(po, &po->pred[chain[i] * k + u], pa[u]);
			}
		}
		/* the same for succ: the nodes of chain v that come before a */
		for (uint32_t u = 0; u < k && pa[v]; u++) {
			if (u == v)
				continue;
			for (uint32_t i = pa[v]; i-- && po->succ[chain[i] * k + u] > sb[u];) {
				fr_po_set(po, &po->succ[chain[i] * k + u], sb[u]);
			}
		}
	}
	fr_assert_slow(fr_po_le(po, a, b) && !fr_po_le(po, b, a));
	fr_assert_slow(fr_po_succ(po, a, s->thread[b]) <= s->pos[b]);
	return true;
}

void fr_po_raise(struct fr_po *po, uint32_t t, uint32_t lo)
{
	fr_assert_slow(lo >= po->lo[t] && lo <= fr_seg_len(po->s, t));
	for (uint32_t i = po->lo[t]; i < lo && i < fr_seg_len(po->s, t); i++)
		fr_po_touch(po, fr_seg_at(po->s, t, i));
	fr_po_set(po, &po->lo[t], lo);
}

void fr_po_lower(struct fr_po *po, uint32_t t, uint32_t hi)
{
	fr_assert_slow(hi <= po->hi[t]);
	for (uint32_t i = hi; i < po->hi[t]; i++)
		fr_po_touch(po, fr_seg_at(po->s, t, i));
	fr_po_set(po, &po->hi[t], hi);
}

void fr_po_clean(struct fr_po *po)
{
	FR_VEC_FOREACH (n, &po->dirty)
		po->is_dirty[*n] = false;
	po->dirty.n = 0;
	po->seen = po->old.n;
}

void fr_po_undo(struct fr_po *po, struct fr_po_checkpoint m)
{
	fr_assert(po->log && m.old <= po->old.n && m.edge <= po->edge.n);
	while (po->old.n > m.old) {
		const struct fr_po_old *o = &po->old.v[--po->old.n];

		*o->at = o->old;
	}
	po->edge.n = m.edge;
	fr_po_clean(po);
}

bool fr_po_is_closed(const struct fr_po *po)
{
	const struct fr_seg *s = po->s;

	for (uint32_t n = 0; n < s->n; n++)
		for (uint32_t t = 0; t < s->nthreads; t++) {
			uint32_t p = fr_po_pred(po, n, t), before;

			if (!p)
				continue;
			before = fr_seg_at(s, t, p - 1);
			if (fr_po_succ(po, before, s->thread[n]) > s->pos[n])
				return false;
			for (uint32_t u = 0; u < s->nthreads; u++)
				if (fr_po_pred(po, before, u) > fr_po_pred(po, n, u))
					return false;
		}
	return true;
}

bool fr_po_bounds(struct fr_po *po)
{
	const struct fr_seg *s = po->s;
	bool again;

	do {
		again = false;
		for (uint32_t t = 0; t < s->nthreads; t++) {
			uint32_t len = fr_seg_len(s, t);

			for (uint32_t u = 0; u < s->nthreads; u++) {
				uint32_t x;

				x = po->lo[t] ? fr_po_pred(po, fr_seg_at(s, t, po->lo[t] - 1), u)
					      : 0;
				if (x > po->lo[u]) {
					fr_po_raise(po, u, x);
					again = true;
				}
				x = po->hi[t] < len ? fr_po_succ(po, fr_seg_at(s, t, po->hi[t]), u)
						    : UINT32_MAX;
				if (x < po->hi[u]) {
					fr_po_lower(po, u, x);
					again = true;
				}
			}
		}
		for (uint32_t t = 0; t < s->nthreads; t++)
			if (po->lo[t] > po->hi[t])
				return false;
	} while (again);
	return true;
}
