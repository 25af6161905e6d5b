/*
 * Memory of a segment: the cells (bytes that are always accessed together), the reads and writes of
 * each cell, its value at the cut, and the frees that no access may follow. See segment.h.
 *
 * Mask:        a read that does not matter is left out. A write that is not reliable is no source
 *              of any read, but it hides the writes before it.
 * Not needed:  cells that are never written or never read here; reads of their own step's reliable
 *              write. If that write is not reliable, the step cannot happen.
 */
#include "oracle/segment.h"
#include "base/assert.h"
#include <stdlib.h>
#include <string.h>

/* An access of a cell, during the collection. */
struct access {
	fr_ev ev;
	uint32_t node;
};
struct accesses {
	struct access *v;
	size_t n, cap;
};
struct segment_location {
	uint32_t loc;
	struct accesses access;
	bool read, written;
	uint8_t masks[32]; /* set of the masks that occur */
};

/* Bytes that no mask separates form one cell. cell[i] is the mask of the cell that begins at byte
   i; 0 if none does, or if the byte is not accessed. */
static void divide(const uint8_t masks[32], uint8_t cell[8])
{
	uint8_t list[255], all = 0, covered = 0;
	unsigned n = 0;

	for (unsigned mask = 1; mask < 256; mask++) {
		if (masks[mask / 8] >> mask % 8 & 1) {
			list[n++] = (uint8_t)mask;
			all |= (uint8_t)mask;
		}
	}
	memset(cell, 0, 8);
	for (unsigned i = 0; i < 8; i++) {
		uint8_t same = all;

		if (!(all >> i & 1))
			continue;
		for (unsigned k = 0; k < n; k++)
			same &= list[k] >> i & 1 ? list[k] : (uint8_t)~list[k];
		if ((unsigned)__builtin_ctz(same) == i) {
			fr_assert(!(covered & same));
			covered |= cell[i] = same;
		}
	}
	fr_assert(covered == all);
}

/* Finds the value at the cut. False: some of it is unknown. */
static bool value_at_cut(const struct fr_seg *s, uint32_t loc, uint8_t mask, uint64_t *ret)
{
	const struct fr_mclass *c = &s->m->cls[FR_C_LOC];
	const fr_ev *list = c->list + c->first[loc];
	uint32_t n = c->first[loc + 1] - c->first[loc], k = 0;
	uint8_t todo = mask, hit;

	fr_assert(mask);
	*ret = 0;
	while (k < n && list[k] < s->cut)
		k++;
	while (k-- && todo) {
		const struct fr_mev *w = &s->m->ev[list[k]];

		hit = w->mask & todo;
		if (w->op != FR_OP_WRITE || !hit)
			continue;
		if (w->flags & FR_F_NOVALUE)
			return false;
		*ret |= w->value & fr_mask_bytes(hit);
		todo &= (uint8_t)~hit;
	}
	/* Never written before the cut: take the value of a read before the first write. */
	for (k = 0; k < n && todo; k++) {
		const struct fr_mev *v = &s->m->ev[list[k]];

		hit = v->mask & todo;
		if (v->op == FR_OP_WRITE && hit)
			return false;
		if (v->op != FR_OP_READ || v->flags & FR_F_NOVALUE)
			continue;
		*ret |= v->value & fr_mask_bytes(hit);
		todo &= (uint8_t)~hit;
	}
	return !todo;
}

static int compare_access(const void *pa, const void *pb, void *seg)
{
	const struct access *a = pa, *b = pb;
	const struct fr_seg *s = seg;
	uint32_t ta = s->thread[a->node], tb = s->thread[b->node];

	if (ta != tb)
		return ta < tb ? -1 : 1;
	return a->ev < b->ev ? -1 : a->ev > b->ev;
}

/* Collects the accesses of the cell by thread. saw: read event -> node of the write that it saw,
   FR_NODE_NONE if that write is not reliable. False: the cell can be left out. */
static bool collect(struct fr_seg *s, const struct segment_location *p, uint8_t mask,
		    struct fr_map *saw, struct accesses *ret)
{
	bool reads = false, writes = false;
	uint32_t last = FR_SEG_CUT;
	bool reliable = true; /* the last write */

	ret->n = 0;
	FR_VEC_FOREACH (a, &p->access) {
		const struct fr_mev *v = &s->m->ev[a->ev];

		if (!(v->mask & mask))
			continue;
		if (v->op == FR_OP_READ) {
			if (last == a->node && reliable)
				continue;
			*fr_map_put(saw, a->ev) = reliable ? last : FR_NODE_NONE;
			reads = true;
		} else {
			last = a->node;
			reliable = fr_mask_write(s->mask, a->ev);
			writes = true;
		}
		fr_vec_push(ret, *a);
	}
	if (reads && writes)
		qsort_r(ret->v, ret->n, sizeof(*ret->v), compare_access, s);
	return reads && writes;
}

static void add_write(struct fr_seg *s, const struct fr_seg_cell *c, const struct access *a)
{
	const struct fr_mev *v = &s->m->ev[a->ev];
	struct fr_seg_write x = {a->node, (uint32_t)s->cell.n, v->value & fr_mask_bytes(c->mask),
				 v->flags & FR_F_NOVALUE || !fr_mask_write(s->mask, a->ev)};
	const struct fr_seg_write *last =
	    s->write.n > c->wfirst[0] ? &s->write.v[s->write.n - 1] : NULL;

	/* ascending along each thread */
	fr_assert(!last || s->thread[last->node] < s->thread[a->node] ||
		  (s->thread[last->node] == s->thread[a->node] && last->node <= a->node));
	if (last && last->node == a->node) {
		s->write.v[s->write.n - 1] = x; /* a step leaves its last write */
		return;
	}
	fr_seg_item_add(s, a->node, FR_SEG_WRITE, (uint32_t)s->write.n);
	fr_vec_push(&s->write, x);
}

/* Adds a read of the cell. A read behind an unreliable write of its own step has no source. */
static void add_read(struct fr_seg *s, const struct fr_seg_cell *c, const struct access *a,
		     uint32_t saw, const uint64_t *at_cut)
{
	const struct fr_mev *v = &s->m->ev[a->ev];
	bool own = s->write.n > c->wfirst[0] && s->write.v[s->write.n - 1].node == a->node;
	struct fr_seg_read x = {.node = a->node,
				.cell = (uint32_t)s->cell.n,
				.ev = a->ev,
				.saw = saw,
				.value = v->value & fr_mask_bytes(c->mask)};

	fr_assert(!own || saw == FR_NODE_NONE);
	x.opaque = v->flags & FR_F_NOVALUE || own;
	x.cut_ok = saw == FR_SEG_CUT || (!x.opaque && at_cut && x.value == *at_cut);
	fr_seg_item_add(s, a->node, FR_SEG_READ, (uint32_t)s->read.n);
	fr_vec_push(&s->read, x);
}

/* Returns the index of the node's write. */
static uint32_t write_of(const struct fr_seg *s, const struct fr_seg_cell *c, uint32_t node)
{
	uint32_t lo = c->wfirst[s->thread[node]], hi = c->wfirst[s->thread[node] + 1];

	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (s->write.v[mid].node <= node)
			lo = mid;
		else
			hi = mid;
	}
	fr_assert(s->write.v[lo].node == node);
	return lo;
}

static void add_cell(struct fr_seg *s, const struct accesses *acc, uint32_t loc, uint8_t mask,
		     struct fr_map *saw)
{
	struct fr_seg_cell c = {.loc = loc, .mask = mask};
	uint64_t at_cut = 0;
	bool known = value_at_cut(s, loc, mask, &at_cut);
	uint32_t t = 0;

	c.wfirst = fr_xcalloc((size_t)s->nthreads + 1, sizeof(uint32_t));
	c.rfirst = fr_xcalloc((size_t)s->nthreads + 1, sizeof(uint32_t));
	c.wfirst[0] = (uint32_t)s->write.n;
	c.rfirst[0] = (uint32_t)s->read.n;
	FR_VEC_FOREACH (a, acc) {
		for (; t < s->thread[a->node]; t++) {
			c.wfirst[t + 1] = (uint32_t)s->write.n;
			c.rfirst[t + 1] = (uint32_t)s->read.n;
		}
		if (s->m->ev[a->ev].op == FR_OP_WRITE)
			add_write(s, &c, a);
		else
			add_read(s, &c, a, (uint32_t)*fr_map_get(saw, a->ev),
				 known ? &at_cut : NULL);
	}
	for (; t < s->nthreads; t++) {
		c.wfirst[t + 1] = (uint32_t)s->write.n;
		c.rfirst[t + 1] = (uint32_t)s->read.n;
	}
	/* collect has found both */
	fr_assert(s->write.n > c.wfirst[0] && s->read.n > c.rfirst[0]);
	for (uint32_t r = c.rfirst[0]; r < s->read.n; r++)
		if (s->read.v[r].saw < FR_SEG_CUT)
			s->read.v[r].saw = write_of(s, &c, s->read.v[r].saw);
	fr_vec_push(&s->cell, c);
}

/* Returns the number of a value among the values of a cell. */
static uint32_t number(struct fr_map *map, uint64_t value, uint32_t *next)
{
	uint64_t *v;

	if (value == UINT64_MAX) /* UINT64_MAX cannot be a key */
		return 0;
	v = fr_map_put(map, value);
	if (!*v)
		*v = (*next)++;
	return (uint32_t)*v;
}

/* A read is in the group of the writes of its value, and in that of the write it saw. */
static uint32_t groups_of(const struct fr_seg *s, const struct fr_seg_read *r, uint32_t ret[2])
{
	uint32_t n = 0;

	fr_assert(r->saw >= FR_SEG_CUT || s->write.v[r->saw].cell == r->cell);
	if (r->class != FR_NODE_NONE)
		ret[n++] = r->group;
	if (r->saw < FR_SEG_CUT && (!n || s->wgroup[r->saw] != ret[0]))
		ret[n++] = s->wgroup[r->saw];
	return n;
}

static void index_readers(struct fr_seg *s, uint32_t groups)
{
	uint32_t g[2], n;

	s->reader_first = fr_xcalloc((size_t)groups + 2, sizeof(uint32_t));
	s->reader = fr_xmalloc((2 * s->read.n + 1) * sizeof(uint32_t));
	for (unsigned fill = 0; fill < 2; fill++) {
		for (uint32_t i = (uint32_t)s->read.n; i--;) {
			n = groups_of(s, &s->read.v[i], g);
			while (n--) {
				if (fill)
					s->reader[--s->reader_first[g[n]]] = i;
				else
					s->reader_first[g[n]]++;
			}
		}
		for (uint32_t k = 0; !fill && k <= groups; k++)
			s->reader_first[k + 1] += s->reader_first[k];
	}
	fr_assert(!s->reader_first[0] && s->reader_first[groups] <= 2 * s->read.n);
}

/* Numbers the values. Each opaque write gets a number of its own. */
static void number_values(struct fr_seg *s)
{
	uint32_t groups = 0;

	s->wpos = fr_xmalloc((s->write.n + 1) * sizeof(uint32_t));
	s->wclass = fr_xmalloc((s->write.n + 1) * sizeof(uint32_t));
	s->wgroup = fr_xmalloc((s->write.n + 1) * sizeof(uint32_t));
	for (size_t i = 0; i < s->write.n; i++)
		s->wpos[i] = s->pos[s->write.v[i].node];
	FR_VEC_FOREACH (c, &s->cell) {
		struct fr_map map = {0};
		uint32_t next = 1;

		for (uint32_t w = c->wfirst[0]; w < c->wfirst[s->nthreads]; w++)
			s->wclass[w] = s->write.v[w].opaque
					   ? next++
					   : number(&map, s->write.v[w].value, &next);
		for (uint32_t i = c->rfirst[0]; i < c->rfirst[s->nthreads]; i++) {
			struct fr_seg_read *r = &s->read.v[i];

			r->class = r->opaque ? FR_NODE_NONE : number(&map, r->value, &next);
			if (r->class != FR_NODE_NONE)
				r->group = groups + r->class;
		}
		for (uint32_t w = c->wfirst[0]; w < c->wfirst[s->nthreads]; w++)
			s->wgroup[w] = groups + s->wclass[w];
		groups += next;
		fr_map_free(&map);
	}
	index_readers(s, groups);
}

void fr_seg_memory(struct fr_seg *s)
{
	FR_VEC(struct segment_location) location = {0};
	struct fr_map index = {0}, saw = {0};
	struct accesses acc = {0};
	uint32_t node = FR_NODE_NONE;

	for (fr_ev e = s->cut; e < s->end; e++) {
		const struct fr_mev *v = &s->m->ev[e];
		struct segment_location *p;
		uint64_t *i;

		if (!(v->flags & FR_F_PART))
			node++;
		if (!fr_is_access(v) || (v->op == FR_OP_READ && !fr_mask_read(s->mask, e)))
			continue;
		i = fr_map_put(&index, v->obj);
		if (!*i) {
			fr_vec_push(&location, (struct segment_location){.loc = v->obj});
			*i = location.n;
		}
		p = &location.v[*i - 1];
		fr_vec_push(&p->access, (struct access){e, node});
		p->read |= v->op == FR_OP_READ;
		p->written |= v->op == FR_OP_WRITE;
		p->masks[v->mask / 8] |= (uint8_t)(1u << v->mask % 8);
	}
	fr_assert(node + 1 == s->n);
	FR_VEC_FOREACH (p, &location) {
		uint8_t cell[8] = {0};

		if (p->read && p->written)
			divide(p->masks, cell);
		for (unsigned k = 0; k < 8; k++)
			if (cell[k] && collect(s, p, cell[k], &saw, &acc))
				add_cell(s, &acc, p->loc, cell[k], &saw);
		fr_vec_free(&p->access);
	}
	number_values(s);
	fr_vec_free(&acc);
	fr_vec_free(&location);
	fr_map_free(&index);
	fr_map_free(&saw);
}

/* Finds the frees: HEAP object + 1 -> event + 1. False: there are none. */
static bool find_frees(const struct fr_seg *s, struct fr_map *ret)
{
	bool any = false;

	for (fr_ev e = s->cut; e < s->end; e++) {
		if (s->m->ev[e].op != FR_OP_FREE)
			continue;
		*fr_map_put(ret, s->m->ev[e].obj + 1) = (uint64_t)e + 1;
		any = true;
	}
	return any;
}

void fr_seg_lives(struct fr_seg *s)
{
	struct fr_map freed = {0},
		      index = {0}; /* index: free and thread -> index into `last` + 1 */
	bool any = find_frees(s, &freed);

	for (uint32_t n = 0; any && n < s->n; n++) {
		for (fr_ev e = s->head[n];
		     e == s->head[n] || (e < s->end && s->m->ev[e].flags & FR_F_PART); e++) {
			const struct fr_mev *v = &s->m->ev[e];
			uint32_t obj = fr_is_access(v) ? s->m->cls[FR_C_LOC].obj[v->obj].aux : 0,
				 node;
			const uint64_t *f = obj ? fr_map_get(&freed, obj) : NULL;
			uint64_t *at;

			if (!f || *f - 1 < e || s->m->ev[*f - 1].thread == v->thread)
				continue;
			node = fr_seg_node(s, fr_head(s->m, (fr_ev)(*f - 1)));
			fr_assert(node != FR_NODE_NONE && node > n);
			at = fr_map_put(&index, (uint64_t)node * s->nthreads + s->thread[n]);
			if (!*at) {
				fr_vec_push(&s->last, ((struct fr_seg_last){
							  .node = node, .thread = s->thread[n]}));
				*at = s->last.n;
			}
			fr_vec_push(&s->last.v[*at - 1].pos, s->pos[n]);
		}
	}
	fr_map_free(&freed);
	fr_map_free(&index);
}
