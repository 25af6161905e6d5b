/*
 * The static part of slicing: which reads can influence what, for the whole program.
 *
 * The compiler pass stores a graph of influences for each translation unit (symbols/depends.h).
 * This graph joins them. An edge from A to B means: if A changes, B may change. A function has one
 * node for each parameter, for its result and for the question whether it executes; calls and the
 * definition share these nodes, whichever unit they are in.
 *
 * A *sink* is a node of which another value may lead the thread elsewhere: a branch that is not
 * harmless, an address, unknown code. A read that reaches a sink matters always. slice_reach.h
 * finds the reads that do not, and the accesses that these reach.
 *
 * fr_slice_graph_close ends the building. It gives each function that no unit defines the edges of
 * its entry in the purity table (slice_pure.h). Without an entry, the function's nodes are sinks.
 */
#ifndef FR_CAUSALITY_SLICE_GRAPH_H
#define FR_CAUSALITY_SLICE_GRAPH_H

#include "base/mem.h"
#include <stdbool.h>
#include <stdint.h>

enum fr_slice_kind {
	FR_SLICE_VALUE,	  /* of: site; the value that is read or written there */
	FR_SLICE_EXECUTE, /* of: site; whether the access executes */
	FR_SLICE_PARAM,	  /* of: function, arg: number of the parameter from 0 */
	FR_SLICE_RESULT,  /* of: function */
	FR_SLICE_CALLED,  /* of: function; whether it executes */
	FR_SLICE_JOIN,	  /* nothing of its own */
	FR_SLICE_BRANCH,  /* of: site; a branch that is not harmless */
	FR_SLICE_USED,	  /* of: site, arg: enum fr_node_use (format/site_table.h) */
	FR_SLICE_MEMORY,  /* of: site of a write to memory whose reads the model leaves out */
};
#define FR_SLICE_NOWHERE UINT32_MAX /* `of` of a BRANCH or USED whose site is not known */
/* kind of edge from a read to a write, which tells where the write is */
#define FR_SLICE_SAME 0x100 /* the write has the address of the read */
#define FR_SLICE_NEAR 0xff  /* mask: the write is this number of hooks after the read; 0: none */

struct fr_slice_node {
	uint32_t of;
	uint16_t arg;
	uint8_t kind;  /* enum fr_slice_kind */
	uint8_t flags; /* FR_SLICE_WRITES | ... */
};
#define FR_SLICE_WRITES 1 /* VALUE, EXECUTE: the site writes */
#define FR_SLICE_FIXED 2  /* ... and always the same address */

struct fr_slice_edge {
	uint32_t from, to;
	uint32_t how; /* FR_SLICE_SAME | distance */
};

struct fr_slice_function {
	char *name;
	uint32_t unit; /* internal linkage: of this unit, + 1; 0: external */
	bool defined;
	bool pure; /* not defined, and in the purity table */
};

struct fr_slice_graph {
	FR_VEC(struct fr_slice_node) node;
	FR_VEC(struct fr_slice_edge) edge;
	FR_VEC(struct fr_slice_function) function;
	struct fr_map by_key;  /* (kind, of, arg) -> node + 1 */
	struct fr_map by_name; /* hash of name and unit -> function + 1 */
};

struct fr_slice_graph *fr_slice_graph_new(void);
void fr_slice_graph_free(struct fr_slice_graph *g);
void fr_slice_graph_freep(struct fr_slice_graph **g);

/* Returns the number of a function; `unit` + 1 for internal linkage, else 0. */
uint32_t fr_slice_graph_function(struct fr_slice_graph *g, const char *name, uint32_t unit);
/* Returns the node, which it adds if the graph has none. Each JOIN is a new one; of and arg are
   0. */
uint32_t fr_slice_graph_node(struct fr_slice_graph *g, enum fr_slice_kind kind, uint32_t of,
			     uint16_t arg);
/* The same, but returns UINT32_MAX if the graph has no such node. */
uint32_t fr_slice_graph_find(const struct fr_slice_graph *g, enum fr_slice_kind kind, uint32_t of,
			     uint16_t arg);
void fr_slice_graph_edge(struct fr_slice_graph *g, uint32_t from, uint32_t to, uint32_t how);
/* Gives the functions without a definition their edges. pure may be NULL. */
struct fr_pure;
void fr_slice_graph_close(struct fr_slice_graph *g, const struct fr_pure *pure);

static inline bool fr_slice_is_sink(const struct fr_slice_node *n)
{
	return n->kind >= FR_SLICE_BRANCH;
}

#endif
