/*
 * The oracle: can the recorded run be reordered as a candidate (model/candidate.h) asks, and by
 * which schedule?
 */
#ifndef FR_ORACLE_ORACLE_H
#define FR_ORACLE_ORACLE_H

#include "model/candidate.h"
#include "model/schedule.h"

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

struct fr_decision {
	enum fr_answer answer;
	enum fr_tier tier; /* that decided */
	enum fr_reason reason;
	struct fr_schedule schedule; /* FR_FEASIBLE */
	double solver_s;
	uint32_t reads_relaxed; /* FR_TIER_HYBRID: of the schedule, that find something else */
};
void fr_decision_free(struct fr_decision *v);

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
void fr_oracle_ask(struct fr_oracle *o, const struct fr_candidate *c, struct fr_decision *ret);
/* Another schedule of what the hybrid tier has said yes to: with nothing in it that need not be. */
void fr_oracle_ask_lean(struct fr_oracle *o, const struct fr_candidate *c, struct fr_decision *ret);
void fr_oracle_free(struct fr_oracle *o);

/* Schedules that the checker has rejected so far: there should be none. */
uint64_t fr_oracle_rejected(const struct fr_oracle *o);

#endif
