/* Reachability in the graph of influences: see slice_reach.h. */
#include "causality/slice_reach.h"
#include "base/assert.h"
#include "base/hash.h"
#include <string.h>

#define NONE UINT32_MAX

struct fr_slice_reach {
	const struct fr_slice_graph *g;
	uint32_t *toward; /* of each node: the next one to a sink, itself for a sink; NONE: none */
	uint32_t *set;	  /* of each node that reaches no sink */
	FR_VEC(uint32_t) site;	 /* of the free reads */
	struct fr_map free_read; /* site -> number + 1 */
	/* Set k contains item[start[k]] ... item[start[k + 1] - 1]. */
	FR_VEC(uint32_t) item;
	FR_VEC(uint32_t) start;
	struct fr_map by_content; /* hash -> set + 1; sets with the same hash take the next keys */
	struct fr_map united;	  /* (a, b) -> union + 1 */
	uint32_t *merged;	  /* room for one set */
	/* The edges by node: those of node i are to[first[i]] ... to[first[i + 1] - 1]. */
	uint32_t *first, *to;
};

/* ---- lists of edges ---- */

static void list_edges(struct fr_slice_reach *r, bool backwards)
{
	const struct fr_slice_graph *g = r->g;
	size_t n = g->node.n;

	free(r->first);
	free(r->to);
	r->first = fr_xcalloc(n + 2, sizeof(*r->first));
	r->to = fr_xmalloc(g->edge.n * sizeof(*r->to));
	FR_VEC_FOREACH (e, &g->edge)
		r->first[(backwards ? e->to : e->from) + 2]++;
	for (size_t i = 0; i < n; i++)
		r->first[i + 2] += r->first[i + 1];
	FR_VEC_FOREACH (e, &g->edge)
		r->to[r->first[(backwards ? e->to : e->from) + 1]++] = backwards ? e->from : e->to;
	fr_assert(r->first[n] == g->edge.n);
}

/* Goes backwards from all sinks, breadth first. Needs the edges backwards. */
static void find_sinks(struct fr_slice_reach *r)
{
	size_t n = r->g->node.n, head = 0, tail = 0;
	uint32_t *queue = fr_xmalloc(n * sizeof(*queue));

	r->toward = fr_xmalloc(n * sizeof(*r->toward));
	for (uint32_t i = 0; i < n; i++) {
		r->toward[i] = NONE;
		if (fr_slice_is_sink(&r->g->node.v[i])) {
			r->toward[i] = i;
			queue[tail++] = i;
		}
	}
	while (head < tail) {
		uint32_t at = queue[head++];

		for (uint32_t k = r->first[at]; k < r->first[at + 1]; k++)
			if (r->toward[r->to[k]] == NONE) {
				r->toward[r->to[k]] = at;
				queue[tail++] = r->to[k];
			}
	}
	fr_assert(tail <= n);
	free(queue);
}

/* ---- sets ---- */

static uint32_t intern(struct fr_slice_reach *r, const uint32_t *v, uint32_t n)
{
	uint64_t key = fr_hash_bytes(FR_HASH_START, v, n * sizeof(*v)) >> 1;
	uint64_t *at;

	for (;; key++) {
		struct fr_slice_set old;

		at = fr_map_put(&r->by_content, key);
		if (!*at)
			break;
		old = fr_slice_reach_set(r, (uint32_t)*at - 1);
		if (old.n == n && !memcmp(old.v, v, n * sizeof(*v)))
			return (uint32_t)*at - 1;
	}
	*at = r->start.n;
	for (uint32_t i = 0; i < n; i++)
		fr_vec_push(&r->item, v[i]);
	fr_vec_push(&r->start, (uint32_t)r->item.n);
	return (uint32_t)r->start.n - 2;
}

struct fr_slice_set fr_slice_reach_set(const struct fr_slice_reach *r, uint32_t set)
{
	fr_assert(set + 1 < r->start.n);
	return (struct fr_slice_set){r->item.v + r->start.v[set],
				     r->start.v[set + 1] - r->start.v[set]};
}

uint32_t fr_slice_reach_union(struct fr_slice_reach *r, uint32_t a, uint32_t b)
{
	struct fr_slice_set x, y;
	uint32_t i = 0, k = 0, n = 0, made;

	if (a == b || !b)
		return a;
	if (!a)
		return b;
	if (a > b)
		return fr_slice_reach_union(r, b, a);
	if (fr_map_get(&r->united, (uint64_t)a << 32 | b))
		return (uint32_t)*fr_map_get(&r->united, (uint64_t)a << 32 | b) - 1;
	x = fr_slice_reach_set(r, a);
	y = fr_slice_reach_set(r, b);
	while (i < x.n || k < y.n) {
		uint32_t p = i < x.n ? x.v[i] : NONE, q = k < y.n ? y.v[k] : NONE;

		r->merged[n++] = fr_min(p, q);
		i += p <= q;
		k += q <= p;
	}
	fr_assert(n <= r->site.n);
	made = intern(r, r->merged, n);
	*fr_map_put(&r->united, (uint64_t)a << 32 | b) = (uint64_t)made + 1;
	return made;
}

/* ---- components ---- */

struct tarjan {
	struct fr_slice_reach *r;
	uint32_t *index, *low; /* index: order of the visit, from 1; 0: not visited */
	uint32_t visited;
	FR_VEC(uint32_t) open; /* visited nodes whose component is not complete */
	struct reach_frame {
		uint32_t node, edge;
	} *frame;
	size_t depth;
};

/* The set that a node brings along: itself, if it is a free read. */
static uint32_t own_set(struct fr_slice_reach *r, uint32_t node)
{
	const struct fr_slice_node *n = &r->g->node.v[node];
	uint32_t k;

	if (n->kind != FR_SLICE_VALUE)
		return 0;
	k = fr_slice_reach_free_read(r, n->of);
	return k == NONE ? 0 : intern(r, &k, 1);
}

/* The nodes from `base` on form a component. The edges lead backwards, so all nodes before them
   have their sets already. */
static void finish_component(struct tarjan *t, size_t base)
{
	struct fr_slice_reach *r = t->r;
	uint32_t set = 0;

	for (size_t i = base; i < t->open.n; i++) {
		uint32_t at = t->open.v[i];

		set = fr_slice_reach_union(r, set, own_set(r, at));
		for (uint32_t k = r->first[at]; k < r->first[at + 1]; k++)
			if (r->set[r->to[k]] != NONE)
				set = fr_slice_reach_union(r, set, r->set[r->to[k]]);
	}
	for (size_t i = base; i < t->open.n; i++)
		r->set[t->open.v[i]] = set;
	t->open.n = base;
}

static void enter(struct tarjan *t, uint32_t node)
{
	t->index[node] = t->low[node] = ++t->visited;
	t->frame[t->depth++] = (struct reach_frame){node, t->r->first[node]};
	fr_vec_push(&t->open, node);
}

static void leave(struct tarjan *t)
{
	uint32_t node = t->frame[--t->depth].node;
	size_t base = t->open.n;

	if (t->depth) {
		uint32_t up = t->frame[t->depth - 1].node;

		t->low[up] = fr_min(t->low[up], t->low[node]);
	}
	if (t->low[node] != t->index[node])
		return;
	do
		fr_assert(base);
	while (t->open.v[--base] != node);
	finish_component(t, base);
}

/* Visits everything from which a path leads to the node. Nodes that reach a sink are left out: no
   free read is before them. */
static void visit(struct tarjan *t, uint32_t root)
{
	struct fr_slice_reach *r = t->r;

	enter(t, root);
	while (t->depth) {
		struct reach_frame *f = &t->frame[t->depth - 1];
		uint32_t next;

		if (f->edge == r->first[f->node + 1]) {
			leave(t);
			continue;
		}
		next = r->to[f->edge++];
		if (r->toward[next] != NONE)
			continue;
		if (!t->index[next])
			enter(t, next);
		else if (r->set[next] == NONE)
			t->low[f->node] = fr_min(t->low[f->node], t->index[next]);
	}
}

static void find_sets(struct fr_slice_reach *r)
{
	size_t n = r->g->node.n;
	struct tarjan t = {.r = r,
			   .index = fr_xcalloc(n, sizeof(uint32_t)),
			   .low = fr_xcalloc(n, sizeof(uint32_t)),
			   .frame = fr_xmalloc(n * sizeof(struct reach_frame))};

	r->set = fr_xmalloc(n * sizeof(*r->set));
	for (size_t i = 0; i < n; i++)
		r->set[i] = NONE;
	for (uint32_t i = 0; i < n; i++)
		if (!t.index[i] && r->toward[i] == NONE)
			visit(&t, i);
	fr_vec_free(&t.open);
	free(t.index);
	free(t.low);
	free(t.frame);
}

/* ---- the interface ---- */

struct fr_slice_reach *fr_slice_reach_new(const struct fr_slice_graph *g, const uint32_t *site,
					  uint32_t n)
{
	struct fr_slice_reach *r = fr_xcalloc(1, sizeof(*r));

	r->g = g;
	list_edges(r, true);
	find_sinks(r);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t node = fr_slice_graph_find(g, FR_SLICE_VALUE, site[i], 0);

		fr_assert(!i || site[i - 1] < site[i]);
		if (node == NONE || r->toward[node] != NONE)
			continue;
		fr_vec_push(&r->site, site[i]);
		*fr_map_put(&r->free_read, site[i]) = r->site.n;
	}
	r->merged = fr_xmalloc((r->site.n + 1) * sizeof(*r->merged));
	fr_vec_push(&r->start, 0);
	intern(r, NULL, 0);
	find_sets(r);
	return r;
}

void fr_slice_reach_free(struct fr_slice_reach *r)
{
	if (!r)
		return;
	free(r->toward);
	free(r->set);
	free(r->merged);
	free(r->first);
	free(r->to);
	fr_vec_free(&r->site);
	fr_vec_free(&r->item);
	fr_vec_free(&r->start);
	fr_map_free(&r->free_read);
	fr_map_free(&r->by_content);
	fr_map_free(&r->united);
	free(r);
}

uint32_t fr_slice_reach_count(const struct fr_slice_reach *r)
{
	return (uint32_t)r->site.n;
}

uint32_t fr_slice_reach_site(const struct fr_slice_reach *r, uint32_t free_read)
{
	fr_assert(free_read < r->site.n);
	return r->site.v[free_read];
}

uint32_t fr_slice_reach_free_read(const struct fr_slice_reach *r, uint32_t site)
{
	const uint64_t *at = fr_map_get(&r->free_read, site);

	return at ? (uint32_t)*at - 1 : NONE;
}

static uint32_t set_of(const struct fr_slice_reach *r, enum fr_slice_kind kind, uint32_t site)
{
	uint32_t node = fr_slice_graph_find(r->g, kind, site, 0);

	/* No free read reaches a node that reaches a sink. */
	return node == NONE || r->toward[node] != NONE ? 0 : r->set[node];
}

uint32_t fr_slice_reach_value(const struct fr_slice_reach *r, uint32_t site)
{
	return set_of(r, FR_SLICE_VALUE, site);
}

uint32_t fr_slice_reach_execute(const struct fr_slice_reach *r, uint32_t site)
{
	return set_of(r, FR_SLICE_EXECUTE, site);
}

uint32_t fr_slice_reach_toward(const struct fr_slice_reach *r, uint32_t node)
{
	return r->toward[node] == node ? NONE : r->toward[node];
}
