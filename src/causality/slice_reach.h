/*
 * Reachability in the graph of influences (slice_graph.h), from reads to sinks and to accesses.
 *
 * A read site is *free* if its value reaches no sink, so that it matters only to some accesses. The
 * caller says which read sites it asks about; they get numbers from 0. For each node, the *source*
 * is the set of free read sites that reach it. Sets are shared: equal sets have one number, and the
 * empty set has number 0.
 *
 * Method: backwards from the sinks for the reads that matter always; then strongly connected
 *         components (Tarjan, SIAM J. Comput. 1(2), 1972) of the rest, and unions of sets in
 *         topological order.
 * Cost:   linear in the nodes and edges, and one merge of two sorted lists for each pair of
 *         different sets that meet.
 */
#ifndef FR_CAUSALITY_SLICE_REACH_H
#define FR_CAUSALITY_SLICE_REACH_H

#include "causality/slice_graph.h"

struct fr_slice_set {
	const uint32_t *v; /* numbers of free read sites, ascending */
	uint32_t n;
};

struct fr_slice_reach;
/* site: the n read sites that the run executed, ascending. The graph must outlive the result. */
struct fr_slice_reach *fr_slice_reach_new(const struct fr_slice_graph *g, const uint32_t *site,
					  uint32_t n);
void fr_slice_reach_free(struct fr_slice_reach *r);

/* Number of free read sites, and the site of each. */
uint32_t fr_slice_reach_count(const struct fr_slice_reach *r);
uint32_t fr_slice_reach_site(const struct fr_slice_reach *r, uint32_t free_read);
/* The number of a free read site; UINT32_MAX: it matters always, or nobody asked about it. */
uint32_t fr_slice_reach_free_read(const struct fr_slice_reach *r, uint32_t site);
/* The number of the set of free reads that reach VALUE or EXECUTE of a site. */
uint32_t fr_slice_reach_value(const struct fr_slice_reach *r, uint32_t site);
uint32_t fr_slice_reach_execute(const struct fr_slice_reach *r, uint32_t site);
struct fr_slice_set fr_slice_reach_set(const struct fr_slice_reach *r, uint32_t set);
/* The number of the union of two sets. */
uint32_t fr_slice_reach_union(struct fr_slice_reach *r, uint32_t a, uint32_t b);
/* The next node on a shortest path from a node to a sink; UINT32_MAX: it is one, or reaches
   none. */
uint32_t fr_slice_reach_toward(const struct fr_slice_reach *r, uint32_t node);

#endif
