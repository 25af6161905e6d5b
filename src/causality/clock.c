/*
 * Vector clocks that share equal parts. Joining two clocks costs as much as they differ. Raising
 * the entry of one thread costs one node per level. A program that makes a thread for each request
 * has tens of thousands of threads, and plain vectors would need quadratic memory.
 *
 * Invariant: a node never changes after it was made, so equal indices mean equal clocks (but not
 * the reverse).
 */
#include "causality/clock.h"
#include "base/assert.h"
#include <string.h>

void fr_clocks_init(struct fr_clocks *c, uint32_t nthreads)
{
	*c = (struct fr_clocks){.levels = 1};
	while (c->levels * FR_CLOCK_BITS < 32 && nthreads > 1u << (c->levels * FR_CLOCK_BITS))
		c->levels++;
	fr_vec_push(&c->node, (struct fr_clock_node){0});
}

void fr_clocks_free(struct fr_clocks *c)
{
	fr_vec_free(&c->node);
}

static fr_clock add(struct fr_clocks *c, const struct fr_clock_node *n)
{
	fr_assert(c->node.n < UINT32_MAX);
	fr_vec_push(&c->node, *n);
	return (fr_clock)c->node.n - 1;
}

static fr_clock raise_at(struct fr_clocks *c, fr_clock a, uint32_t level, uint32_t thread,
			 uint32_t value)
{
	struct fr_clock_node n = c->node.v[a];
	uint32_t *s = &n.slot[thread >> (level * FR_CLOCK_BITS) & (FR_CLOCK_FAN - 1)];

	*s = level ? raise_at(c, *s, level - 1, thread, value) : value;
	return add(c, &n);
}

fr_clock fr_clock_raise(struct fr_clocks *c, fr_clock a, uint32_t thread, uint32_t value)
{
	fr_assert(a < c->node.n && !((uint64_t)thread >> (c->levels * FR_CLOCK_BITS)));
	if (fr_clock_get(c, a, thread) >= value)
		return a;
	return raise_at(c, a, c->levels - 1, thread, value);
}

static fr_clock join_at(struct fr_clocks *c, fr_clock a, fr_clock b, uint32_t level)
{
	struct fr_clock_node na, nb, r;

	if (a == b || !b)
		return a;
	if (!a)
		return b;
	na = c->node.v[a];
	nb = c->node.v[b];
	for (unsigned i = 0; i < FR_CLOCK_FAN; i++)
		r.slot[i] = level ? join_at(c, na.slot[i], nb.slot[i], level - 1)
			    : na.slot[i] > nb.slot[i] ? na.slot[i]
						      : nb.slot[i];
	if (!memcmp(&r, &na, sizeof(r)))
		return a;
	if (!memcmp(&r, &nb, sizeof(r)))
		return b;
	return add(c, &r);
}

fr_clock fr_clock_join(struct fr_clocks *c, fr_clock a, fr_clock b)
{
	fr_assert(a < c->node.n && b < c->node.n);
	return join_at(c, a, b, c->levels - 1);
}
