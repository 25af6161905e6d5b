/*
 * Forced orders: see order_force.h. GPredict III-C and ExceptioNULL 5 drop constraints that
 * must-happen-before decides. This file continues to a fixpoint: reads (order_force_read.h),
 * sections (order_force_section.h), and the nodes that must be in or out (fr_po_bounds).
 *
 * Cost:        only changes are examined. The old values that the order keeps for undo tell which
 *              entries have changed, and over which range.
 * Not handled: failed try-locks, conditions, semaphores. The search handles them.
 */
#include "oracle/order_force.h"
#include "base/assert.h"
#include "oracle/order_force_read.h"
#include "oracle/order_force_section.h"

#define CLOCK_STEPS 4096 /* changes examined between two readings of the clock */

static void never(struct fr_po *po, uint32_t node)
{
	uint32_t t = po->s->thread[node];

	fr_assert(!po->forced && !po->lo[t]);
	fr_po_lower(po, t, fr_min(po->hi[t], po->s->pos[node]));
}

void fr_force_base(struct fr_po *po)
{
	const struct fr_seg *s = po->s;
	size_t before;

	fr_assert(!po->forced && !po->goal);
	FR_VEC_FOREACH (e, &s->edge)
		if (!fr_po_add(po, e->a, e->b))
			never(po, e->b);
	do {
		before = po->edge.n;
		fr_po_bounds(po);
		FR_VEC_FOREACH (r, &s->read)
			if (!fr_po_is_out(po, r->node) && !fr_force_read(po, r, true))
				never(po, r->node);
		FR_VEC_FOREACH (b, &s->section)
			if ((b->acq == FR_SEG_CUT || !fr_po_is_out(po, b->acq)) &&
			    !fr_force_section_base(po, b))
				never(po, b->acq);
	} while (po->edge.n > before);
	fr_po_bounds(po);
	fr_assert_slow(fr_po_is_closed(po));
}

/* Returns a number that grows with every new order or bound. */
static uint64_t progress(const struct fr_po *po)
{
	uint64_t p = po->edge.n;

	for (uint32_t t = 0; t < po->s->nthreads; t++)
		p += po->lo[t] + fr_seg_len(po->s, t) - po->hi[t];
	return p;
}

/* Forces everything that depends on the order of the node, and on whether it is in or out. */
static bool force_node(struct fr_po *po, uint32_t node)
{
	const struct fr_seg *s = po->s;

	for (uint32_t k = s->item_first[node]; k < s->item_first[node + 1]; k++) {
		const struct fr_seg_item *it = &s->item.v[k];

		switch ((enum fr_seg_kind)it->kind) {
		case FR_SEG_READ:
			if (fr_po_is_in(po, node) &&
			    !fr_force_read(po, &s->read.v[it->index], false))
				return false;
			break;
		case FR_SEG_WRITE:
			if (fr_po_is_out(po, node) && !fr_force_write_out(po, it->index))
				return false;
			break;
		case FR_SEG_ACQ:
		case FR_SEG_REL:
			if (fr_force_is_begun(po, &s->section.v[it->index]) &&
			    !fr_force_section(po, &s->section.v[it->index]))
				return false;
			break;
		default:
			break;
		}
	}
	return true;
}

/* The nodes of thread t at positions from ... to - 1 now come before the node. */
static bool force_pred(struct fr_po *po, uint32_t node, uint32_t t, uint32_t from, uint32_t to)
{
	const struct fr_seg *s = po->s;

	fr_assert_slow(from < to);
	for (uint32_t k = s->item_first[node]; k < s->item_first[node + 1]; k++) {
		const struct fr_seg_item *it = &s->item.v[k];

		if (it->kind == FR_SEG_READ) {
			if (fr_po_is_in(po, node) &&
			    !fr_force_read_pred(po, it->index, t, from, to))
				return false;
		} else if (it->kind == FR_SEG_REL) {
			const struct fr_seg_section *b = &s->section.v[it->index];

			if (fr_force_is_begun(po, b) && t != b->thread &&
			    !fr_force_before(po, b, t))
				return false;
		}
	}
	return true;
}

/* The nodes of thread t at positions from ... to - 1 now come after the node. Sections need nothing
   here: force_pred treats the same change from the other side, at an end after a beginning. */
static bool force_succ(struct fr_po *po, uint32_t node, uint32_t t, uint32_t from, uint32_t to)
{
	const struct fr_seg *s = po->s;

	fr_assert_slow(from < to);
	for (uint32_t k = s->item_first[node]; k < s->item_first[node + 1]; k++) {
		const struct fr_seg_item *it = &s->item.v[k];

		if (it->kind == FR_SEG_READ) {
			if (fr_po_is_in(po, node) && !fr_force_read_succ(po, it->index, t, from))
				return false;
		} else if (it->kind == FR_SEG_WRITE) {
			if (!fr_force_write_succ(po, it->index, t, from, to))
				return false;
		}
	}
	return true;
}

/* Handles one changed entry of the order, given its old value. */
static bool force_change(struct fr_po *po, const struct fr_po_old *o)
{
	uint32_t k = po->s->nthreads;
	size_t n = (size_t)po->s->n * k, i;

	if (o->at >= po->pred && o->at < po->pred + n) {
		i = (size_t)(o->at - po->pred);
		return force_pred(po, (uint32_t)(i / k), (uint32_t)(i % k), o->old, *o->at);
	}
	if (o->at >= po->succ && o->at < po->succ + n) {
		i = (size_t)(o->at - po->succ);
		return force_succ(po, (uint32_t)(i / k), (uint32_t)(i % k), *o->at, o->old);
	}
	return true;
}

static bool out_of_time(const struct fr_po *po)
{
	return po->out_of_time && po->out_of_time(po->arg);
}

static bool force_changes(struct fr_po *po)
{
	while (po->seen < po->old.n || po->dirty.n) {
		struct fr_po_old o;
		uint32_t node;

		if (po->dirty.n) {
			node = po->dirty.v[--po->dirty.n];
			po->is_dirty[node] = false;
			if (!force_node(po, node))
				return false;
			continue;
		}
		if (po->seen % CLOCK_STEPS == 0 && out_of_time(po))
			return true;
		o = po->old.v[po->seen++];
		if (!force_change(po, &o))
			return false;
	}
	return true;
}

static bool force_open(struct fr_po *po)
{
	FR_VEC_FOREACH (b, &po->s->section)
		if (fr_force_is_begun(po, b) && fr_force_is_open(po, b) && !fr_force_section(po, b))
			return false;
	return true;
}

/* A node that comes after l->node cannot be in. One that is in comes before l->node if that is in.
   With this rule applied to a fixpoint, no trial can break it: a trial has only nodes that are
   in. */
static bool force_last(struct fr_po *po, const struct fr_seg_last *l)
{
	const struct fr_seg *s = po->s;
	uint32_t t = l->thread, after = fr_po_succ(po, l->node, t);
	size_t i = fr_bisect(l->pos.n, k, l->pos.v[k] < after);

	fr_assert_slow(l->pos.n && l->pos.v[0] <= l->pos.v[l->pos.n - 1]);
	if (i < l->pos.n && l->pos.v[i] < po->hi[t])
		fr_po_lower(po, t, l->pos.v[i]);
	i = fr_bisect(l->pos.n, k, l->pos.v[k] < po->lo[t]);
	return !i || !fr_po_is_in(po, l->node) ||
	       fr_po_add(po, fr_seg_at(s, t, l->pos.v[i - 1]), l->node);
}

static bool force_lasts(struct fr_po *po)
{
	FR_VEC_FOREACH (l, &po->s->last)
		if (!force_last(po, l))
			return false;
	if (po->goal)
		FR_VEC_FOREACH (l, &po->goal->last)
			if (!force_last(po, l))
				return false;
	return true;
}

bool fr_force(struct fr_po *po)
{
	uint64_t before;

	for (uint32_t n = 0; !po->forced && n < po->s->n; n++)
		fr_po_touch(po, n);
	po->forced = po->log = true;
	fr_assert(po->seen <= po->old.n);
	do {
		if (out_of_time(po)) {
			fr_po_clean(po);
			return true;
		}
		if (!fr_po_bounds(po) || !force_changes(po) || !fr_po_bounds(po))
			return false;
		before = progress(po);
		if (!force_lasts(po) || !force_open(po) || !fr_po_bounds(po))
			return false;
	} while (progress(po) > before || po->dirty.n || po->seen < po->old.n);
	return true;
}

bool fr_force_goal(struct fr_po *po, const struct fr_seg_goal *g)
{
	fr_assert(!po->goal && !po->forced);
	po->goal = g;
	for (uint32_t t = 0; t < po->s->nthreads; t++) {
		fr_assert(!po->lo[t]); /* no node is in for every candidate */
		po->lo[t] = g->lo[t];
		po->hi[t] = fr_min(po->hi[t], g->hi[t]);
	}
	for (uint32_t i = 0; i < g->nedges; i++)
		if (!fr_po_add(po, g->edge[i].a, g->edge[i].b))
			return false;
	return fr_force(po);
}
