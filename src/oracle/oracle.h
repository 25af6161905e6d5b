/*
 * The oracle: can the recorded run be reordered so, and by which schedule?
 *
 * A candidate is a set of *pending* targets, all in different threads, and *edges* between events.
 * It is feasible if there is a reordering (a prefix of each thread's steps, interleaved; rules in
 * trace/model.h) at whose end each pending target is the next step of its thread, that contains
 * both events of every edge, the first before the second, unless the second is pending.
 * Races: two accesses pending. Deadlocks: the acquisitions of a cycle pending. Nothing is demanded
 * of what comes after the reordering.
 */
#ifndef FR_ORACLE_ORACLE_H
#define FR_ORACLE_ORACLE_H

#include "trace/model.h"

#define FR_TARGETS 64
#define FR_EDGES 16

struct fr_candidate {
	uint32_t npending, nedges;
	fr_ev pending[FR_TARGETS]; /* heads of steps */
	struct {
		fr_ev before, after;
	} edge[FR_EDGES];
};

/* sliced and relaxed have their place here and are not there yet: asking for them is asking for
   precise. hybrid is a guess (hybrid.h), asked for last though it is cheap. */
enum fr_tier {
	FR_TIER_NONE,
	FR_TIER_SYNC,
	FR_TIER_PRECISE,
	FR_TIER_SLICED,
	FR_TIER_RELAXED,
	FR_TIER_HYBRID
};
extern const char *const fr_tier_name[];

enum fr_answer { FR_INFEASIBLE, FR_FEASIBLE, FR_UNKNOWN };

/* Why not, or why not known. */
#define FR_REASONS(X)                                                                \
	X(NONE, "")                                                                  \
	X(ORDERED, "must-happen-before orders the targets")                          \
	X(COMMON_LOCK, "a common lock excludes it")                                  \
	X(HISTORY, "the acquisition histories are incompatible")                     \
	X(CYCLE, "everything feasible orders the targets: a cycle")                  \
	X(UNSAT, "no order satisfies the constraints")                               \
	X(TIER, "the tiers that were allowed cannot tell")                           \
	X(SEGMENT, "the part of the run that would have to be searched is too long") \
	X(TIME, "the time for one candidate was up")                                 \
	X(TOTAL, "the time for all candidates was up")                               \
	X(REJECTED, "the schedule checker rejected the schedule")
enum fr_reason {
#define FR_X(n, s) FR_WHY_##n,
	FR_REASONS(FR_X)
#undef FR_X
};
extern const char *const fr_reason_text[];

/* Everything before `cut` in recorded order, as recorded; then these steps (heads), in this order;
   then the pending targets are the next steps of their threads. */
struct fr_schedule {
	fr_ev cut;
	FR_VEC(fr_ev) step;
};
void fr_schedule_free(struct fr_schedule *s);

struct fr_verdict {
	enum fr_answer answer;
	enum fr_tier tier; /* that decided */
	enum fr_reason reason;
	struct fr_schedule schedule; /* FR_FEASIBLE */
	double solver_s;
	uint32_t reads_relaxed; /* FR_TIER_HYBRID: of the schedule, that find something else */
};
void fr_verdict_free(struct fr_verdict *v);

struct fr_oracle_opt {
	enum fr_tier tier;    /* the last that is allowed */
	double per_candidate; /* seconds */
	double deadline;      /* CLOCK_MONOTONIC seconds, 0: none */
	bool z3;	      /* the second solver instead of the first */
	bool check;	      /* run the schedule checker on every yes (the default) */
};

/* One oracle per analysing thread; the model and the causality are shared and constant. */
struct fr_oracle;
struct fr_causality;
struct fr_oracle *fr_oracle_new(const struct fr_model *m, const struct fr_causality *c,
				const struct fr_oracle_opt *opt);
/* From now on the dearest that is allowed is this one. */
void fr_oracle_set_tier(struct fr_oracle *o, enum fr_tier tier);
/* Always answers. ret is to be freed. */
void fr_oracle_ask(struct fr_oracle *o, const struct fr_candidate *c, struct fr_verdict *ret);
/* Another schedule of what the hybrid tier has said yes to: with nothing in it that need not be. */
void fr_oracle_ask_lean(struct fr_oracle *o, const struct fr_candidate *c, struct fr_verdict *ret);
void fr_oracle_free(struct fr_oracle *o);

/* Schedules that the checker has rejected so far: there should be none. */
uint64_t fr_oracle_rejected(const struct fr_oracle *o);

#endif
