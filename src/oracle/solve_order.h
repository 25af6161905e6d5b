/* Counters of the order solver, for benchmarks and profiling. */
#ifndef FR_ORACLE_SOLVE_ORDER_H
#define FR_ORACLE_SOLVE_ORDER_H

#include "oracle/solve.h"

#define FR_SOLVER_STATS(X)                                            \
	X(asked, "candidates asked")                                  \
	X(forced, "candidates that forced orders exclude")            \
	X(direct, "candidates decided by the first trial")            \
	X(near, "candidates decided in the last part of the segment") \
	X(branched, "candidates decided by cases")                    \
	X(cases, "cases tried, with the orders that they force")      \
	X(restarts, "restarts of the search by cases")

struct fr_solver_stats {
#define FR_X(n, s) uint64_t n;
	FR_SOLVER_STATS(FR_X)
#undef FR_X
};
const struct fr_solver_stats *fr_solver_order_stats(const struct fr_solver *v);

#endif
