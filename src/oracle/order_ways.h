/*
 * The repairs of a fault of a trial (order_trial.h). Every solution contains one of them, and each
 * changes the order of the trial. order_cases.c searches with them.
 */
#ifndef FR_ORACLE_ORDER_WAYS_H
#define FR_ORACLE_ORDER_WAYS_H

#include "oracle/order_trial.h"

struct fr_way {
	uint32_t a, b;	       /* a new edge; or */
	uint32_t read, source; /* the read (FR_NODE_NONE = none) and its new source */
};
struct fr_ways {
	struct fr_way *v;
	size_t n, cap;
};

/* Fills *ret, the recorded order first. */
void fr_ways_find(const struct fr_po *po, const struct fr_trial *x, const struct fr_fault *f,
		  struct fr_ways *ret);
/* The number of repairs, up to 16; an estimate where counting them takes time. */
uint32_t fr_ways_count(const struct fr_po *po, const struct fr_fault *f);

#endif
