/*
 * A set of numbers below n, as bits with two levels of summaries. It finds the nearest member below
 * a number quickly, however far away that member is, and the nearest one above it.
 */
#ifndef FR_CAUSALITY_BITS_H
#define FR_CAUSALITY_BITS_H

#include "base/assert.h"
#include "base/mem.h"
#include <stdbool.h>
#include <stdint.h>

#define FR_BITS_LEVELS 3
struct fr_bits {
	uint64_t *w[FR_BITS_LEVELS]; /* bit i of level k + 1: word i of level k is not zero */
	uint32_t words;		     /* number of words of level 0 */
};

static inline void fr_bits_init(struct fr_bits *b, uint32_t n)
{
	uint32_t words = n / 64 + 1;

	b->words = words;
	for (unsigned k = 0; k < FR_BITS_LEVELS; k++, words = words / 64 + 1)
		b->w[k] = fr_xcalloc(words, sizeof(uint64_t));
}

static inline void fr_bits_free(struct fr_bits *b)
{
	for (unsigned k = 0; k < FR_BITS_LEVELS; k++)
		free(b->w[k]);
}

/* fr_bits_finish must follow the last fr_bits_set: it makes the summaries. */
static inline void fr_bits_set(struct fr_bits *b, uint32_t i)
{
	fr_assert_slow(i / 64 < b->words);
	b->w[0][i / 64] |= UINT64_C(1) << (i % 64);
}

static inline bool fr_bits_get(const struct fr_bits *b, uint32_t i)
{
	return b->w[0][i / 64] >> (i % 64) & 1;
}

static inline void fr_bits_finish(struct fr_bits *b)
{
	uint32_t words = b->words;

	for (unsigned k = 0; k + 1 < FR_BITS_LEVELS; k++, words = words / 64 + 1)
		for (uint32_t i = 0; i < words; i++)
			if (b->w[k][i])
				b->w[k + 1][i / 64] |= UINT64_C(1) << (i % 64);
}

/* The greatest member in [from, end), or `none`. */
static inline uint32_t fr_bits_before(const struct fr_bits *b, uint32_t from, uint32_t end,
				      uint32_t none)
{
	uint64_t w;
	uint32_t i;
	unsigned k = 0;

	fr_assert_slow(end / 64 < b->words);
	if (end <= from)
		return none;
	/* Go up to the first level that has a member before the position, then down again. */
	for (i = end; k < FR_BITS_LEVELS; k++, i /= 64) {
		w = i % 64 ? b->w[k][i / 64] & ((UINT64_C(1) << (i % 64)) - 1) : 0;
		if (w) {
			i = i / 64 * 64 + 63 - (uint32_t)__builtin_clzll(w);
			break;
		}
		if (i / 64 == 0)
			return none;
	}
	if (k == FR_BITS_LEVELS) { /* search the topmost level word by word */
		k--;
		while (i && !b->w[k][i - 1])
			i--;
		if (!i)
			return none;
		i = (i - 1) * 64 + 63 - (uint32_t)__builtin_clzll(b->w[k][i - 1]);
	}
	while (k--)
		i = i * 64 + 63 - (uint32_t)__builtin_clzll(b->w[k][i]);
	fr_assert_slow(i < end && fr_bits_get(b, i));
	return i >= from ? i : none;
}

/* The smallest member in [from, end), or `none`. */
static inline uint32_t fr_bits_from(const struct fr_bits *b, uint32_t from, uint32_t end,
				    uint32_t none)
{
	while (from < end) {
		uint64_t w = b->w[0][from / 64] >> (from % 64);

		if (w) {
			from += (uint32_t)__builtin_ctzll(w);
			return from < end ? from : none;
		}
		from = (from / 64 + 1) * 64;
		while (from < end && from % 4096 == 0 && !b->w[1][from / 4096])
			from += 4096;
	}
	return none;
}

#endif
