/*
 * Postdominators of a function's blocks. Edges that only an exception takes do not count:
 * fr_flow_successors leaves them out. A block that reaches no end of the function (an endless loop)
 * counts as reaching the virtual exit from some block of the loop, which can only make regions
 * larger.
 */
#ifndef FR_PASS_POSTDOM_H
#define FR_PASS_POSTDOM_H

#include "cfg.h"

struct fr_postdom {
	const struct fr_cfg *cfg;
	unsigned *ipdom; /* immediate postdominator; cfg->n is the virtual exit */
};

void fr_postdom_build(struct fr_postdom *p, const struct fr_cfg *c);
void fr_postdom_free(struct fr_postdom *p);
/* The number of successors of a block without exceptions; they are the first of cfg->succ. */
unsigned fr_flow_successors(const struct fr_cfg *c, unsigned block);

#endif
