/* Builds the graph of influences and joins functions by name: see slice_graph.h. */
#include "causality/slice_graph.h"
#include "base/assert.h"
#include "base/hash.h"
#include "causality/slice_pure.h"
#include <string.h>

struct fr_slice_graph *fr_slice_graph_new(void)
{
	return fr_xcalloc(1, sizeof(struct fr_slice_graph));
}

void fr_slice_graph_free(struct fr_slice_graph *g)
{
	if (!g)
		return;
	FR_VEC_FOREACH (f, &g->function)
		free(f->name);
	fr_vec_free(&g->function);
	fr_vec_free(&g->node);
	fr_vec_free(&g->edge);
	fr_map_free(&g->by_key);
	fr_map_free(&g->by_name);
	free(g);
}

void fr_slice_graph_freep(struct fr_slice_graph **g)
{
	fr_slice_graph_free(*g);
}

uint32_t fr_slice_graph_function(struct fr_slice_graph *g, const char *name, uint32_t unit)
{
	uint64_t key = fr_hash_text(fr_hash_bytes(FR_HASH_START, &unit, sizeof(unit)), name) >> 1;
	uint64_t *at;

	/* Names with the same hash take the next keys. */
	for (;; key++) {
		at = fr_map_put(&g->by_name, key);
		if (!*at)
			break;
		fr_assert(*at <= g->function.n);
		if (g->function.v[*at - 1].unit == unit &&
		    !strcmp(g->function.v[*at - 1].name, name))
			return (uint32_t)*at - 1;
	}
	fr_vec_push(&g->function,
		    ((struct fr_slice_function){.name = fr_xstrdup(name), .unit = unit}));
	*at = g->function.n;
	return (uint32_t)g->function.n - 1;
}

static uint64_t key_of(enum fr_slice_kind kind, uint32_t of, uint16_t arg)
{
	return (uint64_t)kind << 48 | (uint64_t)arg << 32 | of;
}

uint32_t fr_slice_graph_find(const struct fr_slice_graph *g, enum fr_slice_kind kind, uint32_t of,
			     uint16_t arg)
{
	const uint64_t *at = fr_map_get(&g->by_key, key_of(kind, of, arg));

	return at ? (uint32_t)*at - 1 : UINT32_MAX;
}

uint32_t fr_slice_graph_node(struct fr_slice_graph *g, enum fr_slice_kind kind, uint32_t of,
			     uint16_t arg)
{
	uint64_t *at = NULL;

	fr_assert(kind <= FR_SLICE_MEMORY &&
		  (!arg || kind == FR_SLICE_PARAM || kind == FR_SLICE_USED));
	if (kind != FR_SLICE_JOIN) {
		at = fr_map_put(&g->by_key, key_of(kind, of, arg));
		if (*at)
			return (uint32_t)*at - 1;
	}
	fr_vec_push(&g->node,
		    ((struct fr_slice_node){.of = of, .arg = arg, .kind = (uint8_t)kind}));
	fr_assert(g->node.n < UINT32_MAX);
	if (at)
		*at = g->node.n;
	return (uint32_t)g->node.n - 1;
}

void fr_slice_graph_edge(struct fr_slice_graph *g, uint32_t from, uint32_t to, uint32_t how)
{
	fr_assert(from < g->node.n && to < g->node.n);
	fr_vec_push(&g->edge, ((struct fr_slice_edge){from, to, how}));
}

/* A node of a function that no unit defines. */
static void close_node(struct fr_slice_graph *g, uint32_t i, const struct fr_pure *pure)
{
	const struct fr_slice_node n = g->node.v[i];
	const struct fr_slice_function *f = &g->function.v[n.of];
	enum fr_pure_use use;

	fr_assert(!f->defined);
	if (n.kind == FR_SLICE_RESULT)
		return;
	if (n.kind == FR_SLICE_CALLED) {
		bool pure = f->pure;
		uint32_t to = fr_slice_graph_node(g, pure ? FR_SLICE_RESULT : FR_SLICE_BRANCH,
						  pure ? n.of : FR_SLICE_NOWHERE, 0);

		fr_slice_graph_edge(g, i, to, 0);
		return;
	}
	use = f->pure ? fr_pure_param(pure, f->name, n.arg) : FR_PURE_USED;
	if (use == FR_PURE_USED)
		fr_slice_graph_edge(g, i,
				    fr_slice_graph_node(g, FR_SLICE_USED, FR_SLICE_NOWHERE, 0), 0);
	else if (use != FR_PURE_IGNORED)
		fr_slice_graph_edge(g, i, fr_slice_graph_node(g, FR_SLICE_RESULT, n.of, 0), 0);
}

void fr_slice_graph_close(struct fr_slice_graph *g, const struct fr_pure *pure)
{
	size_t nodes = g->node.n;

	FR_VEC_FOREACH (f, &g->function)
		f->pure = !f->defined && !f->unit && pure && fr_pure_has(pure, f->name);
	for (size_t i = 0; i < nodes; i++) {
		const struct fr_slice_node *n = &g->node.v[i];
		bool of_function = n->kind == FR_SLICE_PARAM || n->kind == FR_SLICE_RESULT ||
				   n->kind == FR_SLICE_CALLED;

		fr_assert(!of_function || n->of < g->function.n);
		if (of_function && !g->function.v[n->of].defined)
			close_node(g, (uint32_t)i, pure);
	}
}
