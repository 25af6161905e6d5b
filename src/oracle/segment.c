/*
 * Segments: steps and chains, must-happen-before, candidates in terms of a segment. The chains are
 * program order; creation, join, barriers, once, allocation, and annotated acquire and release are
 * edges. See segment.h. segment_memory.c handles memory, segment_sync.c locks and other
 * synchronisation.
 */
#include "oracle/segment.h"
#include "base/assert.h"
#include <string.h>

static void add_nodes(struct fr_seg *s)
{
	const struct fr_model *m = s->m;
	FR_VEC(uint32_t) global = {0};
	uint32_t *len;

	s->local = fr_xmalloc(((size_t)m->nthreads + 1) * sizeof(*s->local));
	memset(s->local, 0xff, ((size_t)m->nthreads + 1) * sizeof(*s->local));
	s->head = fr_xmalloc(((size_t)s->end - s->cut + 1) * sizeof(*s->head));
	for (fr_ev e = s->cut; e < s->end; e++) {
		if (m->ev[e].flags & FR_F_PART)
			continue;
		s->head[s->n++] = e;
		if (s->local[m->ev[e].thread] == FR_NODE_NONE) {
			s->local[m->ev[e].thread] = (uint32_t)global.n;
			fr_vec_push(&global, m->ev[e].thread);
		}
	}
	s->global = global.v;
	s->nthreads = (uint32_t)global.n;
	s->thread = fr_xmalloc(((size_t)s->n + 1) * sizeof(uint32_t));
	s->pos = fr_xmalloc(((size_t)s->n + 1) * sizeof(uint32_t));
	s->chain = fr_xmalloc(((size_t)s->n + 1) * sizeof(uint32_t));
	s->first = fr_xcalloc((size_t)s->nthreads + 2, sizeof(uint32_t));
	len = fr_xcalloc((size_t)s->nthreads + 1, sizeof(uint32_t));
	for (uint32_t i = 0; i < s->n; i++) {
		s->thread[i] = s->local[m->ev[s->head[i]].thread];
		s->pos[i] = len[s->thread[i]]++;
	}
	for (uint32_t t = 0; t < s->nthreads; t++)
		s->first[t + 1] = s->first[t] + len[t];
	for (uint32_t i = 0; i < s->n; i++)
		s->chain[s->first[s->thread[i]] + s->pos[i]] = i;
	fr_assert(s->first[s->nthreads] == s->n && (!s->n || s->head[0] == s->cut));
	free(len);
}

uint32_t fr_seg_node(const struct fr_seg *s, fr_ev head)
{
	uint32_t lo = (uint32_t)fr_bisect(s->n, i, s->head[i] < head);

	return lo < s->n && s->head[lo] == head ? lo : FR_NODE_NONE;
}

/* Returns the node of an event of the segment. */
static uint32_t node_of(const struct fr_seg *s, fr_ev e)
{
	uint32_t node = fr_seg_node(s, fr_head(s->m, e));

	fr_assert(node != FR_NODE_NONE);
	return node;
}

/* Both solvers rely on the recorded order being one of the possible orders. */
static void add_edge(struct fr_seg *s, uint32_t a, uint32_t b)
{
	fr_assert(b < s->n && (a <= b || a == FR_NODE_NONE));
	if (a != FR_NODE_NONE && s->thread[a] != s->thread[b])
		fr_vec_push(&s->edge, (struct fr_seg_edge){a, b});
}

/* Orders all events of the object with this operation in [cut, before) before node b. */
static void after_all(struct fr_seg *s, enum fr_class c, uint32_t obj, enum fr_op op, fr_ev before,
		      uint32_t b)
{
	const struct fr_mclass *k = &s->m->cls[c];

	for (uint32_t i = k->first[obj + 1]; i-- > k->first[obj];) {
		fr_ev e = k->list[i];

		if (e < s->cut)
			break;
		if (e < before && s->m->ev[e].op == op)
			add_edge(s, node_of(s, e), b);
	}
}

/* Orders b after at least one ONCE_END. If there is only one, that is a plain edge. */
static void after_once(struct fr_seg *s, uint32_t obj, uint32_t b)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_ONCE];
	struct fr_seg_after a = {.node = b};

	for (uint32_t i = k->first[obj]; i < k->first[obj + 1]; i++) {
		fr_ev e = k->list[i];

		if (e >= s->end)
			break;
		if (s->m->ev[e].op != FR_OP_ONCE_END)
			continue;
		if (e < s->cut) {
			fr_vec_free(&a.any);
			return;
		}
		fr_vec_push(&a.any, node_of(s, e));
	}
	fr_assert(a.any.n && a.any.v[0] <= b); /* as recorded */
	if (a.any.n == 1) {
		add_edge(s, a.any.v[0], b);
		fr_vec_free(&a.any);
	} else {
		fr_vec_push(&s->after, a);
	}
}

static void add_order(struct fr_seg *s)
{
	const struct fr_model *m = s->m;
	uint32_t node = FR_NODE_NONE, t, before;

	for (fr_ev e = s->cut; e < s->end; e++) {
		const struct fr_mev *v = &m->ev[e];

		if (!(v->flags & FR_F_PART))
			node++;
		switch (v->op) {
		case FR_OP_CREATE:
			t = v->obj < m->nthreads ? s->local[v->obj] : FR_NODE_NONE;
			if (t != FR_NODE_NONE && m->thread[v->obj].create == e)
				add_edge(s, node, fr_seg_at(s, t, 0));
			break;
		case FR_OP_JOIN:
			t = v->obj < m->nthreads ? s->local[v->obj] : FR_NODE_NONE;
			if (t != FR_NODE_NONE)
				add_edge(s, fr_seg_at(s, t, fr_seg_len(s, t) - 1), node);
			else if (v->obj < m->nthreads && m->thread[v->obj].create < e &&
				 m->thread[v->obj].create >= s->cut) /* the thread did nothing */
				add_edge(s, node_of(s, m->thread[v->obj].create), node);
			break;
		case FR_OP_BARRIER_ENTER:
			before = m->cls[FR_C_BARRIER].obj[v->obj].aux;
			if (before)
				after_all(s, FR_C_BARRIER, before - 1, FR_OP_BARRIER_ENTER, e,
					  node);
			break;
		case FR_OP_BARRIER_LEAVE:
			after_all(s, FR_C_BARRIER, v->obj, FR_OP_BARRIER_ENTER, e, node);
			break;
		case FR_OP_ACQUIRE_ALL:
			after_all(s, FR_C_FLAG, v->obj, FR_OP_RELEASE_ALL, e, node);
			break;
		case FR_OP_ONCE_DONE:
			after_once(s, v->obj, node);
			break;
		default:
			break;
		}
	}
	fr_assert(node + 1 == s->n);
}

/* Orders the first access of each thread to an object after the object's allocation. */
static void add_allocations(struct fr_seg *s)
{
	struct fr_map ordered = {0}; /* allocation and thread -> 1 */
	uint32_t node = FR_NODE_NONE;

	for (fr_ev e = s->cut; e < s->end; e++) {
		const struct fr_mev *v = &s->m->ev[e];
		fr_ev alloc = fr_is_access(v) ? fr_model_alloc(s->m, e) : FR_NO_EV;
		uint64_t *done;

		if (!(v->flags & FR_F_PART))
			node++;
		if (alloc == FR_NO_EV || alloc < s->cut)
			continue;
		done = fr_map_put(&ordered, (uint64_t)alloc * s->nthreads + s->thread[node]);
		if (!*done)
			add_edge(s, node_of(s, alloc), node);
		*done = 1;
	}
	fr_map_free(&ordered);
}

/* Sorts the items, which were added table by table, by node; keeps their order within a node. */
static void sort_items(struct fr_seg *s)
{
	struct fr_seg_item *v = fr_xmalloc((s->item.n + 1) * sizeof(*v));
	uint32_t *at;

	s->item_first = fr_xcalloc((size_t)s->n + 2, sizeof(uint32_t));
	at = s->item_first + 1;
	FR_VEC_FOREACH (i, &s->item)
		at[i->node]++;
	for (uint32_t i = 0; i < s->n; i++)
		at[i] += s->item_first[i];
	for (size_t i = s->item.n; i--;)
		v[--at[s->item.v[i].node]] = s->item.v[i];
	/* at[i] is now where node i begins */
	memmove(s->item_first, at, (size_t)s->n * sizeof(*at));
	s->item_first[s->n] = (uint32_t)s->item.n;
	fr_assert(!s->item_first[0]);
	free(s->item.v);
	s->item.v = v;
	s->item.cap = s->item.n + 1;
	for (uint32_t i = 0; i < s->n; i++)
		fr_assert(s->item_first[i] <= s->item_first[i + 1]);
}

struct fr_seg *fr_seg_new(const struct fr_model *m, const struct fr_mask *mask, fr_ev cut,
			  fr_ev end)
{
	struct fr_seg *s = fr_xcalloc(1, sizeof(*s));

	s->m = m;
	s->mask = mask;
	end = fr_min(end, m->n);
	cut = fr_min(cut, end);
	if (cut < m->n)
		cut = fr_head(m, cut);
	while (end < m->n && m->ev[end].flags & FR_F_PART)
		end++;
	s->cut = cut;
	s->end = end;
	add_nodes(s);
	add_order(s);
	add_allocations(s);
	fr_seg_sync(s);
	fr_seg_memory(s);
	fr_seg_lives(s);
	/* fr_seg_item.index */
	fr_assert((s->section.n | s->read.n | s->write.n | s->try.n | s->sem.n) < 1u << 28);
	sort_items(s);
	return s;
}

void fr_seg_free(struct fr_seg *s)
{
	if (!s)
		return;
	free(s->head);
	free(s->thread);
	free(s->pos);
	free(s->chain);
	free(s->first);
	free(s->local);
	free(s->global);
	free(s->item_first);
	free(s->wpos);
	free(s->wclass);
	free(s->wgroup);
	free(s->reader_first);
	free(s->reader);
	FR_VEC_FOREACH (l, &s->lock)
		free(l->first);
	FR_VEC_FOREACH (c, &s->cell) {
		free(c->wfirst);
		free(c->rfirst);
	}
	FR_VEC_FOREACH (c, &s->cond) {
		fr_vec_free(&c->wait);
		fr_vec_free(&c->signal);
	}
	FR_VEC_FOREACH (c, &s->sem) {
		fr_vec_free(&c->wait);
		fr_vec_free(&c->post);
		fr_vec_free(&c->failed);
	}
	FR_VEC_FOREACH (a, &s->after)
		fr_vec_free(&a->any);
	FR_VEC_FOREACH (l, &s->last)
		fr_vec_free(&l->pos);
	fr_vec_free(&s->last);
	fr_vec_free(&s->edge);
	fr_vec_free(&s->lock);
	fr_vec_free(&s->section);
	fr_vec_free(&s->try);
	fr_vec_free(&s->cell);
	fr_vec_free(&s->write);
	fr_vec_free(&s->read);
	fr_vec_free(&s->cond);
	fr_vec_free(&s->sem);
	fr_vec_free(&s->after);
	fr_vec_free(&s->item);
	free(s);
}

/* ---- candidates ---- */

static bool must_be_in(const struct fr_seg *s, struct fr_seg_goal *g, uint32_t node)
{
	uint32_t t;

	fr_assert(node < s->n);
	t = s->thread[node];
	fr_assert(g->hi[t] <= fr_seg_len(s, t));
	if (g->lo[t] <= s->pos[node])
		g->lo[t] = s->pos[node] + 1;
	return g->lo[t] <= g->hi[t];
}

/* Makes the target the next step of its thread, which must have been created. */
static bool set_pending(const struct fr_seg *s, struct fr_seg_goal *g, fr_ev e)
{
	const struct fr_model *m = s->m;
	uint32_t t, node, pos;
	fr_ev create, prev;

	if (e < s->cut || e >= m->n)
		return false;
	e = fr_head(m, e);
	node = fr_seg_node(s, e);
	t = s->local[m->ev[e].thread];
	create = m->thread[m->ev[e].thread].create;
	if (create != FR_NO_EV && create >= s->cut) {
		if (create >= s->end || !must_be_in(s, g, fr_seg_node(s, fr_head(m, create))))
			return false;
	}
	if (node == FR_NODE_NONE) { /* after the segment: its thread runs to the segment's end */
		prev = fr_model_prev(m, e);
		if (prev != FR_NO_EV && prev >= s->end)
			return false;
		if (t == FR_NODE_NONE)
			return true;
		pos = fr_seg_len(s, t);
	} else {
		pos = s->pos[node];
	}
	if (g->lo[t] > pos || g->hi[t] < pos)
		return false;
	g->lo[t] = g->hi[t] = pos;
	return true;
}

static bool set_edge(const struct fr_seg *s, const struct fr_candidate *c, struct fr_seg_goal *g,
		     fr_ev before, fr_ev after)
{
	fr_ev a, b;
	uint32_t na, nb;

	if (before >= s->m->n || after >= s->m->n)
		return false;
	a = fr_head(s->m, before);
	b = fr_head(s->m, after);
	na = fr_seg_node(s, a);
	nb = fr_seg_node(s, b);
	if (a >= s->cut && (na == FR_NODE_NONE || !must_be_in(s, g, na)))
		return false;
	if (fr_is_pending(c, b))
		return true;
	if (b >= s->cut && (nb == FR_NODE_NONE || !must_be_in(s, g, nb)))
		return false;
	if (a == b || b < s->cut)
		return before < after;
	fr_assert(g->nedges < FR_EDGES);
	if (a >= s->cut)
		g->edge[g->nedges++] = (struct fr_seg_edge){na, nb};
	return true;
}

/* The node must not be in. */
static bool must_be_out(const struct fr_seg *s, struct fr_seg_goal *g, uint32_t node)
{
	uint32_t t;

	fr_assert(node < s->n);
	t = s->thread[node];
	g->hi[t] = fr_min(g->hi[t], s->pos[node]);
	return g->lo[t] <= g->hi[t];
}

/* If `node` is in, `other` comes before it or is out. */
static void add_last(const struct fr_seg *s, struct fr_seg_goal *g, uint32_t node, uint32_t other)
{
	uint32_t t = s->thread[other];

	fr_assert(node != other);
	FR_VEC_FOREACH (l, &g->last) {
		if (l->node == node && l->thread == t) {
			fr_assert(l->pos.v[l->pos.n - 1] <= s->pos[other]);
			fr_vec_push(&l->pos, s->pos[other]);
			return;
		}
	}
	fr_vec_push(&g->last, ((struct fr_seg_last){.node = node, .thread = t}));
	fr_vec_push(&g->last.v[g->last.n - 1].pos, s->pos[other]);
}

/* Demands that the read sees its write, or that none of its bytes is written. */
static bool set_sees(const struct fr_seg *s, const struct fr_candidate *c, struct fr_seg_goal *g)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];
	uint32_t loc = s->m->ev[c->sees.read].obj, first = k->first[loc];
	uint32_t n = k->first[loc + 1] - first, i, node = FR_NODE_NONE;
	fr_ev w = c->sees.write;

	i = first + (uint32_t)fr_bisect(n, q, k->list[first + q] < s->cut);
	if (w == FR_NO_EV || w < s->cut) { /* the last write before the cut decides */
		for (uint32_t q = i; q-- > first && k->list[q] != w;)
			if (fr_sees_other(s->m, c, k->list[q]))
				return false;
	} else {
		node = fr_seg_node(s, fr_head(s->m, w));
		if (node == FR_NODE_NONE || !must_be_in(s, g, node))
			return false;
	}
	for (; i < k->first[loc + 1] && k->list[i] < s->end; i++) {
		fr_ev e = k->list[i];
		uint32_t other;

		if (!fr_sees_other(s->m, c, e))
			continue;
		other = fr_seg_node(s, fr_head(s->m, e));
		if (other == node) {
			if (e > w)
				return false;
		} else if (node != FR_NODE_NONE) {
			add_last(s, g, node, other);
		} else if (!must_be_out(s, g, other)) {
			return false;
		}
	}
	return true;
}

/* Demands that an event is out, or before the first event of the candidate. */
static bool set_apart(const struct fr_seg *s, const struct fr_candidate *c, struct fr_seg_goal *g,
		      fr_ev e)
{
	fr_ev first = c->first == FR_NO_EV ? FR_NO_EV : fr_head(s->m, c->first);
	uint32_t node = fr_seg_node(s, e), at;

	if (e < s->cut)
		return first != FR_NO_EV && e < first;
	if (node == FR_NODE_NONE)
		return true; /* after the segment, so out */
	if (first == FR_NO_EV || first < s->cut)
		return must_be_out(s, g, node);
	at = fr_seg_node(s, first);
	if (at == FR_NODE_NONE)
		return false; /* `first` must be in */
	if (s->thread[at] == s->thread[node])
		return s->pos[node] < s->pos[at] || must_be_out(s, g, node);
	add_last(s, g, at, node);
	return true;
}

bool fr_seg_goal(const struct fr_seg *s, const struct fr_candidate *c, struct fr_seg_goal *g)
{
	bool ok = c->npending <= FR_TARGETS && c->nedges <= FR_EDGES;

	*g = (struct fr_seg_goal){0};
	g->lo = fr_xcalloc((size_t)s->nthreads + 1, sizeof(uint32_t));
	g->hi = fr_xcalloc((size_t)s->nthreads + 1, sizeof(uint32_t));
	for (uint32_t t = 0; t < s->nthreads; t++)
		g->hi[t] = fr_seg_len(s, t);
	for (uint32_t i = 0; ok && i < c->npending; i++) {
		ok = set_pending(s, g, c->pending[i]);
		for (uint32_t k = 0; k < i && ok; k++)
			ok = s->m->ev[c->pending[k]].thread != s->m->ev[c->pending[i]].thread;
	}
	for (uint32_t i = 0; ok && i < c->nedges; i++)
		ok = set_edge(s, c, g, c->edge[i].before, c->edge[i].after);
	if (ok && c->sees.on)
		ok = set_sees(s, c, g);
	for (uint32_t i = 0; ok && i < c->napart; i++)
		ok = set_apart(s, c, g, c->apart[i]);
	for (uint32_t t = 0; ok && t < s->nthreads; t++)
		fr_assert(g->lo[t] <= g->hi[t] && g->hi[t] <= fr_seg_len(s, t));
	if (!ok)
		fr_seg_goal_free(g);
	return ok;
}

void fr_seg_goal_free(struct fr_seg_goal *g)
{
	free(g->lo);
	free(g->hi);
	g->lo = g->hi = NULL;
	FR_VEC_FOREACH (l, &g->last)
		fr_vec_free(&l->pos);
	fr_vec_free(&g->last);
}
