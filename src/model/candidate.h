/*
 * A candidate: a possible bug, as a few events and the order that they must take. The generators
 * make candidates, and the oracle decides them.
 *
 * A candidate consists of *pending* targets, all in different threads, and of *edges* between
 * events. It is feasible if some reordering (a merge of a prefix of each thread's steps, by the
 * rules in model/model.h) leads to it. At the end of that reordering each pending target is the
 * next step of its thread. The reordering contains both events of every edge, the first before the
 * second, unless the second is pending.
 *
 * A candidate may also ask that a pending read *sees* a write: the bytes that the two have in
 * common hold what this write stored, because no other write to them follows it in the reordering.
 * Or it asks that the read sees the initial value: no write to the bytes of the read is in the
 * reordering.
 *
 * A candidate may name events that stay *apart* from it: each is out of the reordering, or it comes
 * before the event `first`, which is in the reordering and not pending. Without `first`, they are
 * out. So nothing of a property's events comes between those of a match.
 *
 * For a race, two accesses are pending; for a deadlock, the acquisitions of a cycle; for a null
 * dereference, a read that sees a null pointer. A candidate demands nothing of the events after the
 * reordering.
 */
#ifndef FR_MODEL_CANDIDATE_H
#define FR_MODEL_CANDIDATE_H

#include "model/model.h"

#define FR_TARGETS 64
#define FR_EDGES 32
#define FR_APART 64

struct fr_candidate {
	uint32_t npending, nedges;
	fr_ev pending[FR_TARGETS]; /* heads of steps */
	struct {
		fr_ev before, after;
	} edge[FR_EDGES];
	struct {
		bool on;     /* the candidate asks for it */
		fr_ev read;  /* a READ in the step of a pending target */
		fr_ev write; /* a WRITE to some of its bytes; FR_NO_EV: the initial value */
	} sees;
	uint32_t napart;
	fr_ev apart[FR_APART]; /* heads of steps, ascending; none is pending */
	fr_ev first;	       /* FR_NO_EV: none; without meaning if napart is 0 */
};

/* Asserts that the candidate is as described above. The oracle relies on that. */
void fr_candidate_assert(const struct fr_model *m, const struct fr_candidate *c);
/* Is this step a pending target? */
static inline bool fr_is_pending(const struct fr_candidate *c, fr_ev head)
{
	for (uint32_t i = 0; i < c->npending; i++)
		if (c->pending[i] == head)
			return true;
	return false;
}
/* The bytes of the location that `sees` is about. */
uint8_t fr_sees_bytes(const struct fr_model *m, const struct fr_candidate *c);
/* Is e a write to some of these bytes, other than the write that the read must see? */
bool fr_sees_other(const struct fr_model *m, const struct fr_candidate *c, fr_ev e);

/* Why a candidate is infeasible or undecided. */
#define FR_REASONS(X)                                             \
	X(NONE, "")                                               \
	X(ORDERED, "must-happen-before orders the targets")       \
	X(COMMON_LOCK, "a common lock excludes it")               \
	X(HISTORY, "the acquisition histories are incompatible")  \
	X(CYCLE, "the targets require a cycle of orders")         \
	X(UNSAT, "no order satisfies the constraints")            \
	X(TIER, "the allowed tiers cannot decide")                \
	X(END, "the run may not be able to end so")               \
	X(SEGMENT, "the part of the run to search is too long")   \
	X(TIME, "the time limit for one candidate was reached")   \
	X(TOTAL, "the time limit for all candidates was reached") \
	X(REJECTED, "the schedule checker rejected the schedule")
enum fr_reason {
#define FR_X(n, s) FR_WHY_##n,
	FR_REASONS(FR_X)
#undef FR_X
};
extern const char *const fr_reason_text[];

/* X(NAME, "name"): the oracle's tiers in the order in which they are asked. relaxed and hybrid
   guess. hybrid is cheap, but comes last because it ignores all data (oracle/hybrid.h). */
#define FR_TIERS(X)           \
	X(NONE, "none")       \
	X(SYNC, "sync")       \
	X(PRECISE, "precise") \
	X(SLICED, "sliced")   \
	X(RELAXED, "relaxed") \
	X(HYBRID, "hybrid")
enum fr_tier {
#define FR_X(n, s) FR_TIER_##n,
	FR_TIERS(FR_X)
#undef FR_X
	    FR_TIER_COUNT
};
extern const char *const fr_tier_name[];

#endif
