/*
 * Search by cases with forced orders: the first answer to what a trial breaks. See order_cases.c.
 */
#ifndef FR_ORACLE_ORDER_CASES_H
#define FR_ORACLE_ORDER_CASES_H

#include "oracle/order_trial.h"

struct fr_cases {
	struct fr_po *po; /* forced already; afterwards with what was found for every case */
	struct fr_trial *x;
	uint64_t limit; /* cases that may still be tried; 0: unknown */
	bool (*is_late)(void *arg);
	void *arg;
	uint32_t *weight;	    /* by section, then by read: how often it led nowhere */
	uint32_t *common, *lo, *hi; /* of an order: what all the ways of a fault have in common */
	uint64_t cases, restarts;
};

/* FR_FEASIBLE: the trial holds the order. FR_UNKNOWN: the limit was reached, or something is broken
   that this search does not repair. */
enum fr_answer fr_cases_search(struct fr_cases *b);

#endif
