/*
 * Clocks that share what is equal: for each thread a number, as a tree whose nodes are never
 * changed once made. Nodes: FR_CLOCK_FAN entries, of the last level numbers, above it nodes; node 0
 * is the tree of zeros.
 */
#ifndef FR_CAUSALITY_CLOCK_H
#define FR_CAUSALITY_CLOCK_H

#include "base/mem.h"
#include <stdint.h>

typedef uint32_t fr_clock;
#define FR_CLOCK_BITS 4
#define FR_CLOCK_FAN (1u << FR_CLOCK_BITS)

struct fr_clock_node {
	uint32_t slot[FR_CLOCK_FAN];
};
struct fr_clocks {
	FR_VEC(struct fr_clock_node) node;
	uint32_t levels;
};

void fr_clocks_init(struct fr_clocks *c, uint32_t nthreads);
void fr_clocks_free(struct fr_clocks *c);
/* The clock with the entry of `thread` at least `value`. */
fr_clock fr_clock_raise(struct fr_clocks *c, fr_clock a, uint32_t thread, uint32_t value);
/* The greater of both for every thread; a or b itself if that is it. */
fr_clock fr_clock_join(struct fr_clocks *c, fr_clock a, fr_clock b);

static inline uint32_t fr_clock_get(const struct fr_clocks *c, fr_clock a, uint32_t thread)
{
	for (uint32_t l = c->levels; a && l--;)
		a = c->node.v[a].slot[thread >> (l * FR_CLOCK_BITS) & (FR_CLOCK_FAN - 1)];
	return a;
}

#endif
