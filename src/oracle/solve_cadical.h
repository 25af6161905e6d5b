/* Counters of the CaDiCaL solver, for benchmarks and profiling. */
#ifndef FR_ORACLE_SOLVE_CADICAL_H
#define FR_ORACLE_SOLVE_CADICAL_H

#include "oracle/solve.h"

#define FR_SOLVER_STATS(X)                                            \
	X(asked, "candidates asked")                                  \
	X(forced, "candidates refuted by forced orders")              \
	X(direct, "candidates decided by the first trial")            \
	X(late, "candidates decided in the last part of the segment") \
	X(cases, "cases tried, with the orders that they force")      \
	X(restarts, "restarts of the search by cases")                \
	X(branched, "candidates decided by cases")                    \
	X(rounds, "rounds of the search")                             \
	X(cyclic, "rounds whose model had a cycle")                   \
	X(cores, "sets of choices refuted")                           \
	X(checks, "sets of choices examined")                         \
	X(faults, "faults found in trials")                           \
	X(variables, "variables")                                     \
	X(clauses, "clauses of constraints")                          \
	X(lemmas, "clauses that follow from the order")

struct fr_solver_stats {
#define FR_X(n, s) uint64_t n;
	FR_SOLVER_STATS(FR_X)
#undef FR_X
};
const struct fr_solver_stats *fr_solver_cadical_stats(const struct fr_solver *v);
/* Sets the greatest number of cases before clauses are used; 0 lets tests reach the clauses. */
void fr_solver_cadical_cases(struct fr_solver *v, uint64_t max);

#endif
