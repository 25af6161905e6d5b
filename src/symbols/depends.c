/* Nodes and influences of a unit, with the site ids of the run. Relies on fr_site_blob_check. */
#include "symbols/depends.h"
#include "base/assert.h"

struct fr_depends_node fr_depends_node(const struct fr_depends *u, uint32_t k)
{
	const struct fr_site_node *x = &u->node[k];
	bool function =
	    x->kind == FR_NODE_PARAM || x->kind == FR_NODE_RESULT || x->kind == FR_NODE_CALLED;
	bool site = !function && x->kind != FR_NODE_JOIN && x->of != FR_NODE_NOWHERE;
	uint32_t end;

	fr_assert(k < u->nnodes);
	end = k + 1 < u->nnodes ? u->node[k + 1].first : u->ninfluences;
	fr_assert(x->first <= end);
	return (struct fr_depends_node){
	    .kind = x->kind,
	    .flags = x->flags,
	    .site = site ? u->first + x->of : FR_NODE_NOWHERE,
	    .nsites = !site			   ? 0
		      : x->kind == FR_NODE_EXECUTE ? x->arg + 1u
						   : 1,
	    .arg = x->kind == FR_NODE_EXECUTE ? 0 : x->arg,
	    .function = function ? u->strings + x->of : "",
	    .from = x->first,
	    .n = end - x->first,
	};
}

struct fr_depends_edge fr_depends_edge(const struct fr_depends *u, const struct fr_depends_node *x,
				       uint32_t j)
{
	uint32_t i;
	unsigned where;

	fr_assert(j < x->n && x->from + j < u->ninfluences);
	i = u->influence[x->from + j];
	where = fr_influence_where(i);
	return (struct fr_depends_edge){.to = fr_influence_to(i),
					.same = where == FR_WHERE_SAME,
					.near = where == FR_WHERE_SAME ? 0 : where};
}
