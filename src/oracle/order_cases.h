/*
 * Search by cases with forced orders, for a trial order that breaks a rule (order_trial.h). See
 * order_cases.c. solve_order.c is the only caller.
 */
#ifndef FR_ORACLE_ORDER_CASES_H
#define FR_ORACLE_ORDER_CASES_H

#include "oracle/order_trial.h"

struct fr_cases {
	struct fr_po *po; /* forced already; on return, with everything that holds in all cases */
	struct fr_trial *x;
	uint64_t limit; /* cases that may still be tried; 0 makes the answer FR_UNKNOWN */
	bool (*out_of_time)(void *arg);
	void *arg;
	uint32_t *weight;	    /* by subject of a fault: how often its repairs failed */
	uint32_t *common, *lo, *hi; /* of an order: common to all repairs of a fault */
	uint64_t cases, restarts;
};

/* FR_FEASIBLE: the trial holds the order. FR_UNKNOWN: the limit was reached, or the time was up. */
enum fr_answer fr_cases_search(struct fr_cases *b);

#endif
