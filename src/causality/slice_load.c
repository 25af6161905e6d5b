/*
 * Joins the graphs of the units: see slice_load.h. A node EXECUTE of a unit stands for several
 * sites and becomes a node of its own in front of their nodes. Arguments of `...` are used in ways
 * that the graph of a definition lacks, so for a function with a definition they lead to a sink.
 */
#include "causality/slice_load.h"
#include "base/assert.h"
#include "symbols/depends.h"

struct load {
	struct fr_slice_graph *g;
	const struct fr_sites *sites;
	struct fr_depends u;
	uint32_t unit;		   /* + 1 */
	uint32_t *joined;	   /* of each node of the unit: its node in the graph */
	FR_VEC(uint32_t) variadic; /* PARAMs of `...` */
};

static void add_flags(struct load *l, uint32_t node, uint32_t site)
{
	unsigned access = fr_sites_get(l->sites, site).access;

	if (access & FR_SITE_WRITE)
		l->g->node.v[node].flags |= FR_SLICE_WRITES;
	if (access & FR_SITE_FIXED)
		l->g->node.v[node].flags |= FR_SLICE_FIXED;
}

static uint32_t execute_node(struct load *l, const struct fr_depends_node *x)
{
	uint32_t join = fr_slice_graph_node(l->g, FR_SLICE_JOIN, 0, 0);

	for (uint32_t i = 0; i < x->nsites; i++) {
		uint32_t node = fr_slice_graph_node(l->g, FR_SLICE_EXECUTE, x->site + i, 0);

		add_flags(l, node, x->site + i);
		fr_slice_graph_edge(l->g, join, node, 0);
	}
	return join;
}

static uint32_t function_node(struct load *l, const struct fr_depends_node *x)
{
	static const uint8_t kind[] = {[FR_NODE_PARAM] = FR_SLICE_PARAM,
				       [FR_NODE_RESULT] = FR_SLICE_RESULT,
				       [FR_NODE_CALLED] = FR_SLICE_CALLED};
	uint32_t f =
	    fr_slice_graph_function(l->g, x->function, x->flags & FR_NODE_INTERNAL ? l->unit : 0);
	uint32_t node = fr_slice_graph_node(l->g, kind[x->kind], f,
					    x->kind == FR_NODE_PARAM ? (uint16_t)x->arg : 0);

	if (x->kind == FR_NODE_CALLED && x->flags & FR_NODE_DEFINED)
		l->g->function.v[f].defined = true;
	if (x->kind == FR_NODE_PARAM && x->flags & FR_NODE_VARIADIC)
		fr_vec_push(&l->variadic, node);
	return node;
}

static uint32_t join_node(struct load *l, const struct fr_depends_node *x)
{
	uint32_t node;

	switch (x->kind) {
	case FR_NODE_VALUE:
		node = fr_slice_graph_node(l->g, FR_SLICE_VALUE, x->site, 0);
		if (x->site != FR_NODE_NOWHERE)
			add_flags(l, node, x->site);
		return node;
	case FR_NODE_EXECUTE:
		return execute_node(l, x);
	case FR_NODE_PARAM:
	case FR_NODE_RESULT:
	case FR_NODE_CALLED:
		return function_node(l, x);
	case FR_NODE_JOIN:
		return fr_slice_graph_node(l->g, FR_SLICE_JOIN, 0, 0);
	case FR_NODE_BRANCH:
		return fr_slice_graph_node(l->g, FR_SLICE_BRANCH, x->site, 0);
	default:
		return fr_slice_graph_node(l->g, FR_SLICE_USED, x->site, (uint16_t)x->arg);
	}
}

static void join_unit(struct load *l)
{
	l->joined = fr_xmalloc((l->u.nnodes + 1) * sizeof(*l->joined));
	for (uint32_t k = 0; k < l->u.nnodes; k++) {
		struct fr_depends_node x = fr_depends_node(&l->u, k);

		l->joined[k] = join_node(l, &x);
	}
	for (uint32_t k = 0; k < l->u.nnodes; k++) {
		struct fr_depends_node x = fr_depends_node(&l->u, k);

		for (uint32_t j = 0; j < x.n; j++) {
			struct fr_depends_edge e = fr_depends_edge(&l->u, &x, j);

			fr_assert(e.to < l->u.nnodes && e.near <= FR_SLICE_NEAR);
			fr_slice_graph_edge(l->g, l->joined[k], l->joined[e.to],
					    (e.same ? FR_SLICE_SAME : 0) | e.near);
		}
	}
	free(fr_steal(l->joined));
}

/* The arguments of `...` of defined functions are sinks. The purity table decides about others. */
static void sink_variadic(struct load *l)
{
	FR_VEC_FOREACH (node, &l->variadic)
		if (l->g->function.v[l->g->node.v[*node].of].defined)
			fr_slice_graph_edge(
			    l->g, *node,
			    fr_slice_graph_node(l->g, FR_SLICE_USED, FR_SLICE_NOWHERE, 0), 0);
}

struct fr_slice_graph *fr_slice_load(const struct fr_sites *sites, const struct fr_pure *pure)
{
	struct load l = {.g = fr_slice_graph_new(), .sites = sites};

	for (size_t i = 0; fr_depends_unit(sites, i, &l.u); i++) {
		l.unit = (uint32_t)i + 1;
		join_unit(&l);
	}
	sink_variadic(&l);
	fr_vec_free(&l.variadic);
	if (!l.g->edge.n && !l.g->node.n) {
		fr_slice_graph_free(l.g);
		return NULL;
	}
	fr_slice_graph_close(l.g, pure);
	return l.g;
}
