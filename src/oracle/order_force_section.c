/*
 * Forced orders, critical sections: see order_force_section.h. Take two sections of one lock that
 * have both begun and exclude each other. If one cannot end before the other begins, it follows.
 *
 * Relies on: the sections of one thread and lock do not cross, neither at their beginnings nor at
 * their ends (segment_sync.c).
 */
#include "oracle/order_force_section.h"
#include "base/assert.h"

/* Returns the position where a section begins, + 1; 0 = before the segment. */
static uint32_t begins(const struct fr_seg *s, const struct fr_seg_section *c)
{
	return c->acq == FR_SEG_CUT ? 0 : s->pos[c->acq] + 1;
}

/* Returns the last section among the first `count` nodes of thread t that excludes b. */
static uint32_t last_begun(const struct fr_seg *s, const struct fr_seg_section *b, uint32_t t,
			   uint32_t count)
{
	const uint32_t *first = s->lock.v[b->lock].first;
	uint32_t lo = first[t], hi = first[t + 1];

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (begins(s, &s->section.v[mid]) <= count)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == first[t])
		return FR_NODE_NONE;
	fr_assert_slow(s->section.v[lo - 1].lock == b->lock && s->section.v[lo - 1].thread == t);
	if (!b->shared)
		return lo - 1;
	return s->section.v[lo - 1].last_x ? s->section.v[lo - 1].last_x - 1 : FR_NODE_NONE;
}

/* b is open at the end of the reordering: no section that excludes it begins after it. */
static void close_others(struct fr_po *po, const struct fr_seg_section *b, uint32_t t)
{
	const struct fr_seg *s = po->s;
	const uint32_t *first = s->lock.v[b->lock].first;
	uint32_t from = b->acq == FR_SEG_CUT ? 0 : fr_po_succ(po, b->acq, t);

	for (uint32_t i =
		 last_begun(s, &(struct fr_seg_section){.lock = b->lock}, t, po->lo[t]) + 1;
	     ; i++) {
		const struct fr_seg_section *a;

		if (i == 0) /* FR_NODE_NONE + 1: none has certainly begun */
			i = first[t];
		if (i >= first[t + 1])
			return;
		a = &s->section.v[i];
		fr_assert_slow(a->acq != FR_SEG_CUT); /* those have certainly begun */
		if (s->pos[a->acq] >= po->hi[t])
			return;
		if (!fr_seg_exclude(a, b))
			continue;
		if (a->rel == FR_NODE_NONE || s->pos[a->rel] >= from || fr_po_is_out(po, a->rel)) {
			fr_po_lower(po, t, s->pos[a->acq]);
			return;
		}
	}
}

/* Returns the first section in thread t that excludes b and cannot end before b begins. */
static uint32_t first_behind(const struct fr_po *po, const struct fr_seg_section *b, uint32_t t)
{
	const struct fr_seg *s = po->s;
	const uint32_t *first = s->lock.v[b->lock].first;
	uint32_t lo = first[t], hi = first[t + 1];
	uint32_t from = b->acq == FR_SEG_CUT ? 0 : fr_po_succ(po, b->acq, t);

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2, rel = s->section.v[mid].rel;

		if (rel != FR_NODE_NONE && s->pos[rel] < from)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo < first[t + 1] && !fr_seg_exclude(&s->section.v[lo], b))
		lo++;
	return lo < first[t + 1] ? lo : FR_NODE_NONE;
}

/* b has begun, and so has a section that begins before b ends: it ends before b begins. */
bool fr_force_before(struct fr_po *po, const struct fr_seg_section *b, uint32_t t)
{
	const struct fr_seg *s = po->s;
	bool open = fr_force_is_open(po, b);
	uint32_t i, count = po->lo[t];

	fr_assert_slow(t != b->thread && fr_force_is_begun(po, b));
	if (!open)
		count = fr_min(count, fr_po_pred(po, b->rel, t));
	i = last_begun(s, b, t, count);
	if (i == FR_NODE_NONE)
		return true;
	if (b->acq == FR_SEG_CUT) /* b was held from the start */
		return false;
	return s->section.v[i].rel != FR_NODE_NONE && fr_po_add(po, s->section.v[i].rel, b->acq);
}

/* b has begun, and so has a section that cannot end before b begins: it begins after b ends. */
static bool force_behind(struct fr_po *po, const struct fr_seg_section *b, uint32_t t)
{
	const struct fr_seg *s = po->s;
	uint32_t i = first_behind(po, b, t);

	if (i == FR_NODE_NONE || !fr_force_is_begun(po, &s->section.v[i]))
		return true;
	return s->section.v[i].acq != FR_SEG_CUT && b->rel != FR_NODE_NONE &&
	       fr_po_add(po, b->rel, s->section.v[i].acq);
}

bool fr_force_section(struct fr_po *po, const struct fr_seg_section *b)
{
	for (uint32_t t = 0; t < po->s->nthreads; t++) {
		if (t == b->thread)
			continue;
		if (!fr_force_before(po, b, t) || !force_behind(po, b, t))
			return false;
		if (fr_force_is_open(po, b))
			close_others(po, b, t);
	}
	return true;
}

/* b is held at the cut. */
static void section_base_cut(struct fr_po *po, const struct fr_seg_section *b, uint32_t t)
{
	const struct fr_seg *s = po->s;
	uint32_t i = first_behind(po, b, t), acq;

	if (i == FR_NODE_NONE)
		return;
	acq = s->section.v[i].acq;
	if (acq == FR_SEG_CUT || (b->rel != FR_NODE_NONE && fr_po_add(po, b->rel, acq)))
		return;
	fr_po_lower(po, t, fr_min(po->hi[t], s->pos[acq]));
}

bool fr_force_section_base(struct fr_po *po, const struct fr_seg_section *b)
{
	const struct fr_seg *s = po->s;

	for (uint32_t t = 0; t < s->nthreads; t++) {
		uint32_t i, rel;

		if (t == b->thread)
			continue;
		if (b->acq == FR_SEG_CUT) {
			section_base_cut(po, b, t);
			continue;
		}
		i = last_begun(s, b, t, fr_po_pred(po, b->acq, t));
		rel = i != FR_NODE_NONE ? s->section.v[i].rel : FR_NODE_NONE;
		if (i != FR_NODE_NONE && (rel == FR_NODE_NONE || !fr_po_add(po, rel, b->acq)))
			return false;
	}
	return true;
}
