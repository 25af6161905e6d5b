/*
 * Slicing: which READs of a run matter to a candidate (jPredictor, Chen, Serbanuta and Rosu, ICSE
 * 2008, sections 2.1 and 2.2, to a fixpoint).
 *
 * The compiler pass stores which values and accesses each read can influence (slice_graph.h).
 * Memory joins these influences: the value of a read is that of a write, and the recorded run tells
 * which. fr_slice_new combines both once for a run:
 *
 *   slice_load.c   makes the graph from the site tables; slice_pure.c reads the purity table
 *   slice_graph.c  joins the units; slice_reach.c finds the reads that reach a sink, which matter
 *                  always, and the accesses that the other ones (the *free* reads) reach
 *   slice_facts.c  finds writes into memory whose reads the model leaves out: also sinks
 *   slice_close.c  finds the free reads that matter to one candidate
 *   slice_inert.c  finds the free reads that matter to nothing
 *   slice.c        turns them into masks (model/mask.h) for the oracle
 *   slice_tables.c, slice_internal.h
 *                  numbers of events, and data that these files share
 *   slice_explain.h  why a read matters, for predict --explain
 *
 * The rules. In the reordering that leads to a candidate, a read that does not matter may return
 * anything. So:
 * - A read that reaches a sink matters.
 * - A free read that reaches the execution of a target matters, if it comes before the target in
 *   its thread: values stay within a thread, except through memory.
 * - A write is *reliable* if all free reads of its thread before it that reach its value or its
 *   execution matter. A read that matters sees reliable writes only.
 * - If a read of a location matters, then the free reads that decide whether some write to this
 *   location executes matter too (the relevance dependence of jPredictor's figure 2).
 * Any set of reads that obeys these rules is sound. Which free reads beyond them matter is a
 * choice: more of them make more writes reliable, but demand more. slice_close.c makes the writes
 * reliable that the reads before the targets saw in the recorded run.
 *
 * Unknown means "matters": sites without nodes, units without a graph, functions without a
 * definition. Not covered: code that forerun did not compile and that is in the purity table by
 * mistake; and repeated reads at hot sites that the recorder dropped (as for the tier precise, the
 * read before them stands for them).
 */
#ifndef FR_CAUSALITY_SLICE_H
#define FR_CAUSALITY_SLICE_H

#include "causality/causality.h"
#include "causality/slice_graph.h"
#include "model/candidate.h"
#include "model/mask.h"

struct fr_slice;
struct fr_slice_stats {
	uint32_t reads, free_reads;   /* READ events; those of free sites */
	uint32_t sites, free_sites;   /* read sites with events; those that are free */
	uint32_t writes, open_writes; /* WRITE events; those that a free read reaches */
	uint32_t nodes, edges;	      /* of the graph */
	uint32_t masks;		      /* different ones so far */
	uint64_t asked, coarse;	      /* candidates; those that got a mask for several targets */
	double build_s, mask_s;	      /* fr_slice_new; all calls of fr_slice_mask */
};

/* Takes the graph, which is closed (fr_slice_graph_close). m and c must outlive the slice. */
struct fr_slice *fr_slice_new(const struct fr_model *m, const struct fr_causality *c,
			      struct fr_slice_graph *g);
void fr_slice_free(struct fr_slice *s);
/* The mask of a candidate. It lives as long as the slice. NULL: every read matters. Several threads
   may ask at once. s may be NULL. */
const struct fr_mask *fr_slice_mask(struct fr_slice *s, const struct fr_candidate *what);
/* A mask for reorderings in which these events happen, in any order. NULL: every read matters, or
   there are too many masks. */
const struct fr_mask *fr_slice_mask_events(struct fr_slice *s, const fr_ev *ev, uint32_t n);
/* Can no value that this READ returns make a thread take another path (slice_inert.c)? s may be
   NULL: false. */
bool fr_slice_inert(const struct fr_slice *s, fr_ev read);
void fr_slice_stats_get(struct fr_slice *s, struct fr_slice_stats *ret);

#endif
