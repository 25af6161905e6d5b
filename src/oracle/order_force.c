/*
 * Forced orders: see order_force.h. GPredict III-C and ExceptioNULL 5 drop what must-happen-before
 * decides; this carries it on to a fixpoint.
 *
 * Reads:     a read with one possible source follows it; writes of other values that are before the
 *            read are before that source, those after the source are after the read.
 * Sections:  of two sections of one lock that are both begun, if one cannot end before the other
 *            begins then it follows it.
 * Not here:  failed tries, conditions, semaphores: the search has them.
 */
#include "oracle/order_force.h"

/* ---- reads ---- */

/* The first write of the cell in thread t at place p or later. */
static uint32_t write_from(const struct fr_seg *s, const struct fr_seg_cell *c, uint32_t t,
			   uint32_t p)
{
	uint32_t lo = c->wfirst[t], hi = c->wfirst[t + 1];

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (s->wpos[mid] < p)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

uint32_t fr_force_bad_before(const struct fr_seg *s, const struct fr_seg_read *r, uint32_t t,
			     uint32_t p)
{
	const struct fr_seg_cell *c = &s->cell.v[r->cell];

	for (uint32_t i = write_from(s, c, t, p); i-- > c->wfirst[t];)
		if (!fr_seg_good(s, r, i))
			return i;
	return FR_NODE_NONE;
}

uint32_t fr_force_bad_from(const struct fr_seg *s, const struct fr_seg_read *r, uint32_t t,
			   uint32_t p)
{
	const struct fr_seg_cell *c = &s->cell.v[r->cell];

	for (uint32_t i = write_from(s, c, t, p); i < c->wfirst[t + 1]; i++)
		if (!fr_seg_good(s, r, i))
			return i;
	return FR_NODE_NONE;
}

/* How many nodes of thread t are before the node of the read, itself not among them. */
static uint32_t before_read(const struct fr_po *po, uint32_t node, uint32_t t)
{
	return fr_po_pred(po, node, t) - (po->s->thread[node] == t);
}

/* The sources of a read one by one: first the state at the cut, then by thread. */
struct scan {
	const struct fr_po *po;
	const struct fr_seg_read *r;
	const struct fr_seg_cell *c;
	uint32_t t, i, high; /* thread, next write, the place where its sources end */
	bool cut;
};

/* Goes on to thread t. None of its writes that is certainly before another write which is certainly
   before the read is a source. */
static void scan_thread(struct scan *f, uint32_t t)
{
	const struct fr_po *po = f->po;
	const struct fr_seg *s = po->s;
	uint32_t low = 0, high = fr_min(fr_po_succ(po, f->r->node, t), po->hi[t]);

	f->t = t;
	for (uint32_t u = 0; u < s->nthreads; u++) {
		uint32_t p;

		if (po->scratch[u] == FR_NODE_NONE)
			continue;
		/* of its own thread the last one may itself be the source */
		p = fr_po_pred(po, po->scratch[u], t) - (u == t);
		low = p > low ? p : low;
	}
	f->i = low < high ? write_from(s, f->c, t, low) : f->c->wfirst[t + 1];
	f->high = high;
}

/* po->scratch: the last write before the read in each thread, as a node. */
static void scan_sources(const struct fr_po *po, const struct fr_seg_read *r, struct scan *f)
{
	const struct fr_seg *s = po->s;

	*f = (struct scan){.po = po, .r = r, .c = &s->cell.v[r->cell], .cut = r->cut_ok};
	for (uint32_t u = 0; u < s->nthreads; u++) {
		uint32_t i = f->c->wfirst[u], before = before_read(po, r->node, u);

		po->scratch[u] = FR_NODE_NONE;
		if (!before || i == f->c->wfirst[u + 1])
			continue;
		i = write_from(s, f->c, u, before);
		if (i == f->c->wfirst[u])
			continue;
		po->scratch[u] = s->write.v[i - 1].node;
		f->cut = false;
	}
	scan_thread(f, 0);
}

static uint32_t next_source(struct scan *f)
{
	const struct fr_seg *s = f->po->s;

	if (f->cut) {
		f->cut = false;
		return FR_SEG_CUT;
	}
	for (;;) {
		while (f->i < f->c->wfirst[f->t + 1] && s->wpos[f->i] < f->high)
			if (fr_seg_good(s, f->r, f->i++))
				return f->i - 1;
		do {
			if (f->t + 1 >= s->nthreads)
				return FR_NODE_NONE;
			f->t++;
		} while (f->c->wfirst[f->t] == f->c->wfirst[f->t + 1]);
		scan_thread(f, f->t);
	}
}

uint32_t fr_force_sources(const struct fr_po *po, const struct fr_seg_read *r, uint32_t *ret,
			  uint32_t max)
{
	struct scan f;
	uint32_t n = 0, w;

	scan_sources(po, r, &f);
	while (n < max && (w = next_source(&f)) != FR_NODE_NONE)
		ret[n++] = w;
	return n;
}

/* The read is in and has this source alone. */
static bool force_source(struct fr_po *po, const struct fr_seg_read *r, uint32_t w)
{
	const struct fr_seg *s = po->s;
	uint32_t node = w == FR_SEG_CUT ? FR_NODE_NONE : s->write.v[w].node;

	if (w != FR_SEG_CUT && !fr_po_add(po, node, r->node))
		return false;
	for (uint32_t t = 0; t < s->nthreads; t++) {
		uint32_t i = fr_force_bad_before(s, r, t, before_read(po, r->node, t));

		if (i != FR_NODE_NONE &&
		    (w == FR_SEG_CUT || !fr_po_add(po, s->write.v[i].node, node)))
			return false;
		i = fr_force_bad_from(s, r, t, w == FR_SEG_CUT ? 0 : fr_po_succ(po, node, t));
		if (i != FR_NODE_NONE && s->write.v[i].node != r->node &&
		    !fr_po_add(po, r->node, s->write.v[i].node))
			return false;
	}
	return true;
}

/* Two sources, of different threads if there are such. */
static uint32_t two_sources(const struct fr_po *po, const struct fr_seg_read *r, uint32_t src[2])
{
	const struct fr_seg *s = po->s;
	struct scan f;
	uint32_t w;

	src[0] = src[1] = FR_NODE_NONE;
	scan_sources(po, r, &f);
	src[0] = next_source(&f);
	if (src[0] == FR_NODE_NONE)
		return 0;
	src[1] = next_source(&f);
	if (src[1] == FR_NODE_NONE)
		return 1;
	if (src[0] == FR_SEG_CUT ||
	    s->thread[s->write.v[src[0]].node] != s->thread[s->write.v[src[1]].node])
		return 2;
	f.high = 0; /* the others of this thread are no news */
	w = next_source(&f);
	if (w != FR_NODE_NONE)
		src[1] = w;
	return 2;
}

static bool force_read(struct fr_po *po, const struct fr_seg_read *r, bool base)
{
	const struct fr_seg *s = po->s;
	uint32_t src[2], n, k = (uint32_t)(r - s->read.v), chosen = po->source[k];

	po->looked[k] = ++po->now;
	if (chosen == FR_NODE_NONE) {
		n = two_sources(po, r, src);
	} else {
		n = 1;
		src[0] = chosen;
		src[1] = FR_NODE_NONE;
	}
	if (!n)
		return false;
	if (!base && po->some[2 * k] != src[0])
		fr_po_set(po, &po->some[2 * k], src[0]);
	if (!base && po->some[2 * k + 1] != src[1])
		fr_po_set(po, &po->some[2 * k + 1], src[1]);
	if (n == 1 && !base)
		return force_source(po, r, src[0]);
	if (src[0] == FR_SEG_CUT)
		return true;
	/* All in one thread: then the first of them is before the read. */
	if (n == 1 || s->thread[s->write.v[src[0]].node] == s->thread[s->write.v[src[1]].node])
		return fr_po_add(po, s->write.v[src[0]].node, r->node);
	return true;
}

/* Has something changed that the read's sources depend on? A source is lost only when its own order
   or the read's has changed, or when it can no longer be in. */
static bool is_due(const struct fr_po *po, const struct fr_seg_read *r)
{
	const struct fr_seg *s = po->s;
	size_t k = (size_t)(r - s->read.v);

	if (po->some[2 * k] == FR_NODE_NONE || po->changed[r->node] >= po->looked[k])
		return true;
	for (unsigned i = 0; i < 2; i++) {
		uint32_t w = po->some[2 * k + i];

		if (w < FR_SEG_CUT && (po->changed[s->write.v[w].node] >= po->looked[k] ||
				       fr_po_is_out(po, s->write.v[w].node)))
			return true;
	}
	return false;
}

/* ---- sections ---- */

/* Place where a section begins, as a count of nodes before it + 1; 0: before the segment. */
static uint32_t begins(const struct fr_seg *s, const struct fr_seg_section *c)
{
	return c->acq == FR_SEG_CUT ? 0 : s->pos[c->acq] + 1;
}

/* The last section of the lock in thread t among the first `count` nodes that excludes b. */
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
	if (!b->shared)
		return lo - 1;
	return s->section.v[lo - 1].last_x ? s->section.v[lo - 1].last_x - 1 : FR_NODE_NONE;
}

/* b is open at the end of the reordering: nothing that excludes it begins after it. */
static void close_others(struct fr_po *po, const struct fr_seg_section *b, uint32_t t)
{
	const struct fr_seg *s = po->s;
	const uint32_t *first = s->lock.v[b->lock].first;
	uint32_t from = b->acq == FR_SEG_CUT ? 0 : fr_po_succ(po, b->acq, t);

	for (uint32_t i =
		 last_begun(s, &(struct fr_seg_section){.lock = b->lock}, t, po->lo[t]) + 1;
	     ; i++) {
		const struct fr_seg_section *a;

		if (i == 0) /* FR_NODE_NONE + 1: none is certainly begun */
			i = first[t];
		if (i >= first[t + 1])
			return;
		a = &s->section.v[i];
		if (s->pos[a->acq] >= po->hi[t])
			return;
		if (!fr_seg_exclude(a, b))
			continue;
		if (a->rel == FR_NODE_NONE || s->pos[a->rel] >= from || fr_po_is_out(po, a->rel)) {
			fr_po_set(po, &po->hi[t], s->pos[a->acq]);
			return;
		}
	}
}

static bool force_section(struct fr_po *po, const struct fr_seg_section *b)
{
	const struct fr_seg *s = po->s;
	bool open = b->rel == FR_NODE_NONE || fr_po_is_out(po, b->rel);

	for (uint32_t t = 0; t < s->nthreads; t++) {
		uint32_t i, count = po->lo[t];

		if (t == b->thread)
			continue;
		if (!open)
			count = fr_min(count, fr_po_pred(po, b->rel, t));
		i = last_begun(s, b, t, count);
		if (i != FR_NODE_NONE && b->acq == FR_SEG_CUT) {
			/* a began although b was held: only if b ended first */
			const struct fr_seg_section *a = &s->section.v[i];

			if (a->acq == FR_SEG_CUT || open)
				return false;
		} else if (i != FR_NODE_NONE) {
			uint32_t rel = s->section.v[i].rel;

			if (rel == FR_NODE_NONE || !fr_po_add(po, rel, b->acq))
				return false;
		}
		if (open)
			close_others(po, b, t);
	}
	return true;
}

/* Whatever the candidate: a section that follows the beginning of another follows its end. */
static bool force_section_base(struct fr_po *po, const struct fr_seg_section *b)
{
	const struct fr_seg *s = po->s;

	for (uint32_t t = 0; t < s->nthreads; t++) {
		uint32_t i, rel;

		if (t == b->thread)
			continue;
		i = last_begun(s, b, t, fr_po_pred(po, b->acq, t));
		rel = i != FR_NODE_NONE ? s->section.v[i].rel : FR_NODE_NONE;
		if (i != FR_NODE_NONE && (rel == FR_NODE_NONE || !fr_po_add(po, rel, b->acq)))
			return false;
	}
	return true;
}

/* ---- to a fixpoint ---- */

static void never(struct fr_po *po, uint32_t node)
{
	uint32_t t = po->s->thread[node];

	fr_po_set(po, &po->hi[t], fr_min(po->hi[t], po->s->pos[node]));
}

void fr_force_base(struct fr_po *po)
{
	const struct fr_seg *s = po->s;
	size_t before;

	FR_VEC_FOREACH (e, &s->edge)
		if (!fr_po_add(po, e->a, e->b))
			never(po, e->b);
	do {
		before = po->edge.n;
		fr_po_bounds(po);
		FR_VEC_FOREACH (r, &s->read)
			if (!fr_po_is_out(po, r->node) && !force_read(po, r, true))
				never(po, r->node);
		FR_VEC_FOREACH (b, &s->section)
			if (b->acq != FR_SEG_CUT && !fr_po_is_out(po, b->acq) &&
			    !force_section_base(po, b))
				never(po, b->acq);
	} while (po->edge.n > before);
	fr_po_bounds(po);
}

/* Grows as long as there is something new. */
static uint64_t progress(const struct fr_po *po)
{
	uint64_t p = po->edge.n;

	for (uint32_t t = 0; t < po->s->nthreads; t++)
		p += po->lo[t] + fr_seg_len(po->s, t) - po->hi[t];
	return p;
}

bool fr_force(struct fr_po *po)
{
	const struct fr_seg *s = po->s;
	uint64_t before;

	do {
		if (!fr_po_bounds(po))
			return false;
		before = progress(po);
		FR_VEC_FOREACH (r, &s->read)
			if (fr_po_is_in(po, r->node) && is_due(po, r) && !force_read(po, r, false))
				return false;
		if (!fr_po_bounds(po))
			return false;
		FR_VEC_FOREACH (b, &s->section)
			if ((b->acq == FR_SEG_CUT || fr_po_is_in(po, b->acq)) &&
			    !force_section(po, b))
				return false;
		if (!fr_po_bounds(po))
			return false;
	} while (progress(po) > before);
	return true;
}
