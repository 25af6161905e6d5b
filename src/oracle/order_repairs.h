/*
 * The repairs of a fault of a trial (order_trial.h). Every solution contains one of them, and each
 * changes the order of the trial. order_cases.c searches with them.
 */
#ifndef FR_ORACLE_ORDER_REPAIRS_H
#define FR_ORACLE_ORDER_REPAIRS_H

#include "oracle/order_trial.h"

struct fr_repair {
	uint32_t a, b;	       /* a new edge; or */
	uint32_t read, source; /* the read (FR_NODE_NONE = none) and its new source */
};
struct fr_repairs {
	struct fr_repair *v;
	size_t n, cap;
};

/* Fills *ret, the recorded order first. */
void fr_repairs_find(const struct fr_po *po, const struct fr_trial *x, const struct fr_fault *f,
		     struct fr_repairs *ret);
/* The number of repairs, up to 16; an estimate where counting them takes time. */
uint32_t fr_repairs_count(const struct fr_po *po, const struct fr_fault *f);

#endif
