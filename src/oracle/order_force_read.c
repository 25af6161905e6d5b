/*
 * Forced orders, reads: see order_force_read.h. A read that is in and has one possible source comes
 * after that source. Writes of other values that come before the read come before the source, and
 * those after the source come after the read (GPredict III-C, ExceptioNULL 5).
 *
 * Invariant: two sources of each read that is in are kept (po->some), as SAT solvers watch two
 * literals. While both remain possible, nothing follows from the read, unless all its sources are
 * in one thread; then the first of them comes before the read.
 */
#include "oracle/order_force_read.h"
#include "base/assert.h"
#include "oracle/order_force.h"

/* Returns the first write of the cell in thread t at position p or later. */
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
	fr_assert_slow(lo >= c->wfirst[t] && lo <= c->wfirst[t + 1]);
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

/* Returns the number of nodes of thread t before the node of the read. */
static uint32_t before_read(const struct fr_po *po, uint32_t node, uint32_t t)
{
	fr_assert_slow(fr_po_pred(po, node, t) || po->s->thread[node] != t);
	return fr_po_pred(po, node, t) - (po->s->thread[node] == t);
}

/* Enumerates the sources of a read: first the state at the cut, then the writes by thread. */
struct read_scan {
	const struct fr_po *po;
	const struct fr_seg_read *r;
	const struct fr_seg_cell *c;
	uint32_t t, i, high; /* thread, next write, position where its sources end */
	bool cut;
};

/* Continues with thread t. A write is no source if it certainly comes before another write that
   certainly comes before the read. */
static void scan_thread(struct read_scan *f, uint32_t t)
{
	const struct fr_po *po = f->po;
	const struct fr_seg *s = po->s;
	uint32_t low = 0, high = fr_min(fr_po_succ(po, f->r->node, t), po->hi[t]);

	f->t = t;
	for (uint32_t u = 0; u < s->nthreads; u++) {
		uint32_t p;

		if (po->scratch[u] == FR_NODE_NONE)
			continue;
		/* in its own thread, the last one may itself be the source */
		p = fr_po_pred(po, po->scratch[u], t) - (u == t);
		low = fr_max(low, p);
	}
	f->i = low < high ? write_from(s, f->c, t, low) : f->c->wfirst[t + 1];
	f->high = high;
}

/* Begins an enumeration. po->scratch: by thread, the node of the last write before the read. */
static void scan_sources(const struct fr_po *po, const struct fr_seg_read *r, struct read_scan *f)
{
	const struct fr_seg *s = po->s;

	*f = (struct read_scan){.po = po, .r = r, .c = &s->cell.v[r->cell], .cut = r->cut_ok};
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

static uint32_t next_source(struct read_scan *f)
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
	struct read_scan f;
	uint32_t n = 0, w;

	scan_sources(po, r, &f);
	while (n < max && (w = next_source(&f)) != FR_NODE_NONE) {
		fr_assert_slow(w == FR_SEG_CUT || !fr_po_le(po, r->node, po->s->write.v[w].node));
		ret[n++] = w;
	}
	return n;
}

/* The read is in and has only this source. */
static bool force_source(struct fr_po *po, const struct fr_seg_read *r, uint32_t w)
{
	const struct fr_seg *s = po->s;
	uint32_t node = w == FR_SEG_CUT ? FR_NODE_NONE : s->write.v[w].node;

	fr_assert_slow(w == FR_SEG_CUT || s->write.v[w].cell == r->cell);
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

/* Finds two sources, in different threads if possible. Returns their number. */
static uint32_t two_sources(const struct fr_po *po, const struct fr_seg_read *r, uint32_t src[2])
{
	const struct fr_seg *s = po->s;
	struct read_scan f;
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
	f.high = 0; /* skip the other sources of this thread */
	w = next_source(&f);
	if (w != FR_NODE_NONE)
		src[1] = w;
	return 2;
}

bool fr_force_read(struct fr_po *po, const struct fr_seg_read *r, bool base)
{
	const struct fr_seg *s = po->s;
	uint32_t src[2], n, k = (uint32_t)(r - s->read.v), chosen = po->source[k];

	fr_assert_slow(chosen >= FR_SEG_CUT || s->write.v[chosen].cell == r->cell);
	if (po->exempt && po->exempt[k])
		return true;
	if (chosen == FR_NODE_NONE) {
		n = two_sources(po, r, src);
	} else {
		n = 1;
		src[0] = chosen;
		src[1] = FR_NODE_NONE;
	}
	fr_assert_slow(n < 2 || src[0] != src[1]);
	if (!n)
		return false;
	for (unsigned i = 0; i < 2 && !base; i++) {
		if (po->some[2 * k + i] == src[i])
			continue;
		fr_po_set(po, &po->some[2 * k + i], src[i]);
		if (src[i] < FR_SEG_CUT)
			po->watched[src[i]] = true;
	}
	if (n == 1 && !base)
		return force_source(po, r, src[0]);
	if (src[0] == FR_SEG_CUT)
		return true;
	/* All sources are in one thread: then the first of them comes before the read. */
	if (n == 1 || s->thread[s->write.v[src[0]].node] == s->thread[s->write.v[src[1]].node])
		return fr_po_add(po, s->write.v[src[0]].node, r->node);
	return true;
}

/* The write `by` now comes before the read: does it hide the source w? */
static bool is_hidden(const struct fr_po *po, uint32_t w, uint32_t by)
{
	const struct fr_seg *s = po->s;

	if (w >= FR_SEG_CUT || w == by)
		return w == FR_SEG_CUT;
	return fr_po_le(po, s->write.v[w].node, s->write.v[by].node);
}

bool fr_force_read_pred(struct fr_po *po, uint32_t read, uint32_t t, uint32_t from, uint32_t to)
{
	const struct fr_seg *s = po->s;
	const struct fr_seg_read *r = &s->read.v[read];
	const struct fr_seg_cell *c = &s->cell.v[r->cell];
	const uint32_t *some = &po->some[2 * (size_t)read];
	uint32_t i = c->wfirst[t];

	if (i == c->wfirst[t + 1] || s->wpos[i] >= to)
		return true;
	i = write_from(s, c, t, to) - 1;
	fr_assert_slow(i >= c->wfirst[t] && i < c->wfirst[t + 1]);
	if (s->wpos[i] < from)
		return true;
	if (some[1] != FR_NODE_NONE && !is_hidden(po, some[0], i) && !is_hidden(po, some[1], i))
		return true;
	return fr_force_read(po, r, false);
}

/* The nodes of thread t at positions from ... to - 1 now come after the write. Reads that have the
   write as one of their two kept sources may lose it. */
bool fr_force_write_succ(struct fr_po *po, uint32_t w, uint32_t t, uint32_t from, uint32_t to)
{
	const struct fr_seg *s = po->s;
	const struct fr_seg_cell *c = &s->cell.v[s->write.v[w].cell];
	uint32_t g = s->wgroup[w], next = c->wfirst[t + 1];

	if (!po->watched[w] || c->wfirst[t] == next || s->wpos[next - 1] < from)
		return true;
	next = write_from(s, c, t, from);
	if (s->wpos[next] >= to)
		return true;
	for (uint32_t i = s->reader_first[g]; i < s->reader_first[g + 1]; i++) {
		uint32_t k = s->reader[i], node = s->read.v[k].node;
		const uint32_t *some = &po->some[2 * (size_t)k];

		if ((some[0] != w && some[1] != w) || !fr_po_is_in(po, node))
			continue;
		if (some[1] != FR_NODE_NONE && before_read(po, node, t) <= s->wpos[next])
			continue;
		if (!fr_force_read(po, &s->read.v[k], false))
			return false;
	}
	return true;
}

bool fr_force_write_out(struct fr_po *po, uint32_t w)
{
	const struct fr_seg *s = po->s;
	uint32_t g = s->wgroup[w];

	for (uint32_t i = s->reader_first[g]; i < s->reader_first[g + 1]; i++) {
		uint32_t k = s->reader[i];

		if ((po->some[2 * (size_t)k] == w || po->some[2 * (size_t)k + 1] == w) &&
		    fr_po_is_in(po, s->read.v[k].node) && !fr_force_read(po, &s->read.v[k], false))
			return false;
	}
	return true;
}

/* Is one of the two kept sources in thread t at position `from` or later? */
static bool has_source_from(const struct fr_po *po, uint32_t read, uint32_t t, uint32_t from)
{
	const struct fr_seg *s = po->s;

	for (unsigned i = 0; i < 2; i++) {
		uint32_t w = po->some[2 * (size_t)read + i];

		if (w < FR_SEG_CUT && s->wpos[w] >= from && s->thread[s->write.v[w].node] == t)
			return true;
	}
	return false;
}

bool fr_force_read_succ(struct fr_po *po, uint32_t read, uint32_t t, uint32_t from)
{
	return !has_source_from(po, read, t, from) ||
	       fr_force_read(po, &po->s->read.v[read], false);
}
