/* Follows the path from a read to a sink: see slice_explain.h. */
#include "causality/slice_explain.h"
#include "base/assert.h"
#include "causality/slice_internal.h"

/* The sink at the end of the path, and the function before it that nobody defines. */
static void describe_sink(const struct fr_slice *s, uint32_t before, uint32_t sink,
			  struct fr_slice_reason *r)
{
	const struct fr_slice_node *n = &s->g->node.v[sink], *b = &s->g->node.v[before];

	r->site = n->of;
	if (n->kind == FR_SLICE_MEMORY) {
		r->why = FR_SLICE_WHY_MEMORY;
		return;
	}
	r->why = n->kind == FR_SLICE_BRANCH ? FR_SLICE_WHY_BRANCH : FR_SLICE_WHY_USED;
	r->use = n->kind == FR_SLICE_USED ? (enum fr_node_use)n->arg : FR_USE_OTHER;
	if (n->of != FR_SLICE_NOWHERE || (b->kind != FR_SLICE_PARAM && b->kind != FR_SLICE_CALLED))
		return;
	r->why = b->kind == FR_SLICE_CALLED ? FR_SLICE_WHY_CALL : FR_SLICE_WHY_PASSED;
	r->function = s->g->function.v[b->of].name;
}

struct fr_slice_reason fr_slice_explain(const struct fr_slice *s, uint32_t site)
{
	struct fr_slice_reason r = {.why = FR_SLICE_WHY_NO_CODE,
				    .site = FR_SLICE_NOWHERE,
				    .function = "",
				    .through = FR_SLICE_NOWHERE};
	uint32_t at, next;

	if (!s)
		return r;
	at = fr_slice_graph_find(s->g, FR_SLICE_VALUE, site, 0);
	if (at == UINT32_MAX)
		return r;
	r.why = FR_SLICE_WHY_FREE;
	for (uint32_t steps = 0; (next = fr_slice_reach_toward(s->reach, at)) != UINT32_MAX;
	     steps++) {
		const struct fr_slice_node *n = &s->g->node.v[next];

		fr_assert(steps < s->g->node.n);
		if (n->kind == FR_SLICE_VALUE && n->of != site)
			r.through = n->of;
		if (fr_slice_is_sink(n))
			describe_sink(s, at, next, &r);
		at = next;
	}
	return r;
}
