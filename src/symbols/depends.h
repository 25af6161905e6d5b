/*
 * The graph of influence of a run: the effects of the values that the program reads, as far as the
 * compiler pass knows them (format/site_table.h). Each unit of the run has a graph of its own. The
 * caller joins them: nodes of functions in different units are the same if their function, node
 * kind and arg are the same and they are not FR_NODE_INTERNAL. A function may be defined in several
 * units (inline functions of C++): all definitions count.
 *
 *	for (size_t i = 0; fr_depends_unit(sites, i, &u); i++)
 *		for (uint32_t k = 0; k < u.nnodes; k++) {
 *			struct fr_depends_node x = fr_depends_node(&u, k);
 *
 *			for (uint32_t j = 0; j < x.n; j++)
 *				... fr_depends_edge(&u, &x, j) ...
 *		}
 *
 * Rules for readers:
 *  - A read that reaches no node does not influence it. There is one node VALUE for a site, several
 *    nodes EXECUTE may contain it. A site of which no graph has a node VALUE influences everything
 *    (units without a graph, code built with -fsanitize=thread, ranges of libc functions). A unit
 *    without a table, or with one of an older version, has no nodes.
 *  - A node VALUE of a site that reads and writes (RMW, CAS) is both values. A value that decides
 *    whether a compare-and-exchange writes reaches this node.
 *  - Paths that end in BRANCH or USED leave the graph: such a value can change everything. To keep
 *    the table small, a value with an influence on USED or BRANCH may lack its other influences.
 *  - CALLED(f) reaches EXECUTE of all accesses of f, CALLED of the functions that f calls, and
 *    BRANCH if f does something that is not harmless, in the units that define it. If no unit has a
 *    node CALLED(f) with FR_NODE_DEFINED, nothing is known about the function: CALLED and PARAM
 *    influence everything, and RESULT depends on more than the graph says; but see the purity
 *    table. RESULT(f) of a function without a definition is influenced by CALLED(f) and by all
 *    PARAM(f, i): no graph has these influences.
 *  - Functions of several units that call each other in a cycle may not end: a node CALLED on a
 *    cycle of CALLED nodes is a BRANCH. Within a unit, the graph says so itself.
 *  - A value influences the memory at the address of a write if it reaches VALUE or EXECUTE of the
 *    write. That only helps if the trace contains the write. The pass promises: a write with an
 *    incoming influence has FR_SITE_FIXED in its access bits, or the influence is `same` or `near`.
 *    `same`: the write's address is that of the read, so if the trace contains the read, it
 *    contains the write. `near`: the write is the near-th hook of the thread after the read.
 *    Other values that are stored reach USED, and other branches and calls that decide about a
 *    write reach BRANCH.
 *  - The graph does not contain influences through memory other than locals whose address stays in
 *    their function.
 *  - A thread's start routine and other functions that are called through pointers have no CALLED
 *    influences from those calls: a branch that decides such a call reaches BRANCH, its arguments
 *    reach USED, and so does the function's RESULT.
 */
#ifndef FR_SYMBOLS_DEPENDS_H
#define FR_SYMBOLS_DEPENDS_H

#include "symbols/sites.h"

/* The graph of a unit. Valid as long as the sites. */
struct fr_depends {
	uint32_t first, count; /* sites of the unit: first id, number */
	uint32_t nnodes; /* 0: the unit has no graph, so each of its reads influences everything */
	uint32_t ninfluences;
	/* for the functions below */
	const struct fr_site_node *node;
	const uint32_t *influence;
	const char *strings;
};

struct fr_depends_node {
	enum fr_node_kind kind;
	unsigned flags; /* FR_NODE_INTERNAL | ... */
	uint32_t
	    site; /* VALUE, EXECUTE, BRANCH, USED: id in the run, as in events; else, and if it is
			  not known, FR_NODE_NOWHERE */
	uint32_t nsites;      /* EXECUTE: number of consecutive sites; else 1 or 0 */
	unsigned arg;	      /* PARAM: index from 0; USED: enum fr_node_use */
	const char *function; /* PARAM, RESULT, CALLED: linkage name; else "" */
	uint32_t from, n;     /* its influences; for fr_depends_edge */
};

struct fr_depends_edge {
	uint32_t to; /* number of a node of this unit */
	bool same;
	unsigned near; /* 1 ... 254; 0: not near */
};

/* Finds the graph of the i-th unit (from 0). Returns false after the last unit. */
bool fr_depends_unit(const struct fr_sites *s, size_t i, struct fr_depends *ret);
/* Returns node k of the unit, k < nnodes. */
struct fr_depends_node fr_depends_node(const struct fr_depends *u, uint32_t k);
/* Returns the j-th influence of a node, j < n. */
struct fr_depends_edge fr_depends_edge(const struct fr_depends *u, const struct fr_depends_node *x,
				       uint32_t j);

#endif
