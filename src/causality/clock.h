/*
 * Vector clocks that share equal parts. A clock holds a number for each thread, as a tree of
 * immutable nodes with FR_CLOCK_FAN entries each: numbers in the lowest level, nodes above it. Node
 * 0 is the tree of zeros.
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
/* The clock a with the entry of `thread` raised to at least `value`. */
fr_clock fr_clock_raise(struct fr_clocks *c, fr_clock a, uint32_t thread, uint32_t value);
/* The maximum of both for every thread. Returns a or b itself if that is the maximum. */
fr_clock fr_clock_join(struct fr_clocks *c, fr_clock a, fr_clock b);

static inline uint32_t fr_clock_get(const struct fr_clocks *c, fr_clock a, uint32_t thread)
{
	for (uint32_t l = c->levels; a && l--;)
		a = c->node.v[a].slot[thread >> (l * FR_CLOCK_BITS) & (FR_CLOCK_FAN - 1)];
	return a;
}

#endif
