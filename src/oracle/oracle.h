/*
 * The oracle decides whether the recorded run can be reordered as a candidate (model/candidate.h)
 * asks, and returns a schedule (model/schedule.h) that does so.
 *
 * Callers: predict/predict_work.c makes one oracle per worker thread and calls fr_oracle_ask for
 * each candidate. fr_oracle_ask tries the tiers in turn, the cheapest first:
 *
 *   refuter   causality/refute.h   proves infeasibility over the whole run, without a search
 *   sync      sync_tier.c          finds reorderings that keep the recorded order of their events
 *   precise   solve_order.c        searches a segment of the run around the targets (prune.c) with
 *                                  the order solver
 *   sliced    the same             the same, but reads that do not matter to the candidate may
 *                                  return anything (model/mask.h)
 *   relaxed   order_relax.c        the same, but as few reads that matter as possible return
 *                                  another value
 *   hybrid    hybrid.c             guesses a reordering that ignores data, and moves the targets
 *                                  together (move.h)
 *
 * The other files:
 *   segment.h           the tables of a segment (segment_memory.c, segment_sync.c); solve.h: the
 *                       interface of the two solvers, of which solve_z3.c serves tests
 *   order_po.h          a partial order over chains, in which the order solver works
 *   order_force.h       orders that follow without a search (order_force_read.h,
 *                       order_force_section.h)
 *   order_cases.h       search by cases: order_trial.h finds the rules that an order breaks, and
 *                       order_repairs.h the orders that repair it
 *   move_internal.h     the parts of the mover: move_can.c, move_walk.c, move.c
 *   check.h             the schedule checker
 *
 * The first tier that can decide fills a struct fr_decision: feasible with a schedule, infeasible
 * with a reason, or unknown with a reason. The schedule checker (check.c), which shares no code
 * with the tiers, replays every schedule on the model machine before the caller sees it.
 *
 * Failure: a question never fails. A tier that runs out of time or meets a segment that is too long
 * makes the answer FR_UNKNOWN. A schedule that the checker rejects is a bug of a tier: the oracle
 * counts it (fr_oracle_rejected) and goes on to the next tier. A build with FR_SLOW_CHECKS
 * (base/assert.h) aborts instead.
 */
#ifndef FR_ORACLE_ORACLE_H
#define FR_ORACLE_ORACLE_H

#include "model/candidate.h"
#include "model/mask.h"
#include "model/schedule.h"

#define FR_RELAX_MAX 16 /* limit of fr_oracle_opt.relax */

enum fr_answer { FR_INFEASIBLE, FR_FEASIBLE, FR_UNKNOWN };

struct fr_decision {
	enum fr_answer answer;
	enum fr_tier tier;	     /* the tier that decided */
	enum fr_reason reason;	     /* FR_WHY_NONE if feasible */
	struct fr_schedule schedule; /* FR_FEASIBLE */
	double solver_s;
	/* FR_TIER_SLICED, FR_TIER_RELAXED: the reads that matter; NULL: all of them */
	const struct fr_mask *mask;
	/* FR_TIER_RELAXED, FR_TIER_HYBRID: READs of the schedule (RELAXED: that matter) that return
	   another value than recorded */
	uint32_t reads_relaxed;
	fr_ev relaxed[FR_RELAX_MAX]; /* FR_TIER_RELAXED: these READs */
};
void fr_decision_free(struct fr_decision *v);

struct fr_solver_ops;
struct fr_oracle_opt {
	enum fr_tier tier;    /* the last tier that may be asked */
	double per_candidate; /* seconds */
	double deadline;      /* CLOCK_MONOTONIC seconds, 0 = none */
	/* of the precise tier (solve.h); NULL: the order solver */
	const struct fr_solver_ops *solver;
	uint32_t relax; /* relaxed tier: READs that may differ, at most; 0 = do not ask it */
	bool check;	/* check every schedule (the default) */
	bool later; /* those of the sync tier not at once: the caller does it (fr_oracle_accepts) */
	bool whole; /* search the whole run instead of segments of it */
	/* Tiers sliced and relaxed: returns the mask of a candidate (model/mask.h), or NULL if
	   every read matters. The mask stays as it is until the oracle is freed. Several oracles
	   may ask at once. NULL: every read matters to every candidate. */
	const struct fr_mask *(*mask)(void *ctx, const struct fr_candidate *c);
	void *mask_ctx;
};

/* The work of an oracle so far. */
struct fr_oracle_stats {
	/* FR_TIER_NONE: the refuter; `yes` counts the candidates that it excluded */
	struct {
		uint64_t asked, yes;
		double seconds;
	} tier[FR_TIER_COUNT];
	uint64_t solver_calls; /* questions to the order solver or Z3 */
	/* Candidates of the precise tier, the events of the first segment that was searched for
	   each, and how many needed larger segments, because the first had no answer. */
	uint64_t segments, segment_sum, segment_max, enlarged;
};

/* Each analysing thread has its own oracle. All of them share the model and the causality, which do
   not change. */
struct fr_oracle;
struct fr_causality;
struct fr_oracle *fr_oracle_new(const struct fr_model *m, const struct fr_causality *c,
				const struct fr_oracle_opt *opt);
/* Makes `tier` the last tier that the next questions may use. */
void fr_oracle_set_tier(struct fr_oracle *o, enum fr_tier tier);
/* Sets how many reads may differ in the next questions; 0 leaves the relaxed tier out. */
void fr_oracle_set_relax(struct fr_oracle *o, uint32_t most);
/* Decides the candidate. Always fills *ret, which the caller frees with fr_decision_free. */
void fr_oracle_ask(struct fr_oracle *o, const struct fr_candidate *c, struct fr_decision *ret);
/* With opt.later: checks a schedule of the sync tier. If the checker rejects it, frees it. */
bool fr_oracle_accepts(struct fr_oracle *o, const struct fr_candidate *c, struct fr_schedule *s);
/* Checks a schedule that the caller has found. Fills *ret: feasible by the tier precise, or sliced
   with a mask; unknown if the checker rejects it. */
void fr_oracle_take(struct fr_oracle *o, const struct fr_candidate *c, const struct fr_mask *mask,
		    const struct fr_schedule *s, struct fr_decision *ret);
/* Is the rest of the run possible after the schedule of a decision, with the pending targets first?
   It tries the recorded order only, so it may say no where there is another order. */
bool fr_oracle_completes(struct fr_oracle *o, const struct fr_candidate *c,
			 const struct fr_decision *v);
/* Asks the hybrid tier alone; `lean`: without the events that the candidate does not need. Gives
   another schedule for a candidate that a tier which guesses has found feasible. */
void fr_oracle_ask_hybrid(struct fr_oracle *o, const struct fr_candidate *c, bool lean,
			  struct fr_decision *ret);
/* Asks the relaxed tier alone; the n READs of `fixed` return their recorded values. Gives another
   schedule for a candidate of which a re-execution has shown that these reads matter. */
void fr_oracle_ask_relaxed(struct fr_oracle *o, const struct fr_candidate *c, const fr_ev *fixed,
			   uint32_t n, struct fr_decision *ret);
void fr_oracle_free(struct fr_oracle *o);

/* Number of schedules that the checker has rejected so far. It should be 0. */
uint64_t fr_oracle_rejected(const struct fr_oracle *o);
/* Adds the work of the oracle to *sum. */
void fr_oracle_stats_add(const struct fr_oracle *o, struct fr_oracle_stats *sum);

#endif
