/*
 * The common parts of the cross-checks of the oracle: one run under test, the parts of the oracle
 * that answer questions about it, and the reduction and printing of a failure.
 *
 * Each cross_* that returns a bool: did they give the expected answers, with schedules that the
 * checker accepts?
 */
#ifndef FR_TESTS_CROSS_H
#define FR_TESTS_CROSS_H

#include "ask.h"
#include "causality/causality.h"
#include "gen.h"
#include "oracle/check.h"
#include "oracle/solve.h"

/* A number from the environment. */
uint64_t cross_env(const char *name, uint64_t otherwise);

struct cross_check;

struct cross_how {
	const struct cross_check *check;
	uint64_t seed, n, yes, undecided;
	double seconds; /* for one candidate */
	bool z3, loud;
	struct ask_name wrong; /* the question with the wrong answer */
	bool only;	       /* ask nothing else */
};

/* One run under test. */
struct cross_run {
	struct cross_how *how;
	const struct fr_model *m;
	struct fr_causality *c;
	struct fr_checker *check;
	uint64_t random;
	const struct fr_mask *mask; /* the reads that matter; NULL: all */
};

/* Prints the problem, and returns false. */
bool cross_complain(const struct cross_run *r, const struct fr_candidate *c, const char *who,
		    const char *what);
/* Is a yes with this schedule right? */
bool cross_yes(const struct cross_run *r, const struct fr_candidate *c, const char *who,
	       const struct fr_schedule *s);
/* A solver on a segment: for each of n candidates exactly the expected answer, or none: that is
   counted as undecided. */
bool cross_solver(struct cross_run *r, const struct fr_solver_ops *ops, fr_ev cut, fr_ev end,
		  const struct fr_candidate *c, size_t n, const bool *expected);
/* The refuter never says no, sync never yes, where the other is expected. Under a mask, sync may
   say yes for another cut than that of the expected answers. */
bool cross_cheap(struct cross_run *r, const struct fr_candidate *c, size_t n, const bool *expected);
/* The oracle as a whole: the same. */
bool cross_oracle(struct cross_run *r, const struct fr_candidate *c, size_t n, const bool *expected,
		  bool z3);
/* Asks a solver about the candidates, and keeps those that it decides in time. anew: with a new
   solver for each candidate. *ret: the answers, to free. */
bool cross_decided(struct cross_run *r, const struct fr_solver_ops *ops, bool anew, struct asked *a,
		   bool **ret);
/* Adds the candidate that was wrong, if it is still there. */
void cross_again(const struct cross_run *r, struct asked *a);
/* Returns the first event at or after e that is not a part of the event before it. */
fr_ev cross_boundary(const struct fr_model *m, fr_ev e);

/* A check of random runs. */
struct cross_check {
	bool (*agrees)(struct cross_run *r);
	/* The approximate number of events of a run; NULL or 0: few enough for brute force. */
	uint32_t (*events)(uint64_t seed);
	const char *failure;
};

/* Checks n random runs. Makes the first one that fails small, shows it, and fails the test. */
void cross_runs(const struct cross_check *check, uint64_t n, struct cross_how *how);

#endif
