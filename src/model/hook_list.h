/*
 * The hooks of a thread's events, in the order of the thread's list. Only reports and schedules ask
 * for them. They are full 64-bit numbers, stored in a few bits each because they grow little from
 * event to event.
 *
 * Layout: blocks of 64. A block stores its first hook and the difference of each other hook from
 *         the one before it. All differences of a block have the width of the largest. Decreasing
 *         numbers are possible too; their block then uses up to 64 bits for each.
 * Cost:   a quarter of a byte per event plus the bits. A lookup walks through one block.
 */
#ifndef FR_MODEL_HOOK_LIST_H
#define FR_MODEL_HOOK_LIST_H

#include "base/mem.h"
#include <stdint.h>

#define FR_HOOKS_BLOCK 64

struct fr_hooks {
	FR_VEC(struct fr_hooks_block) block; /* one per block */
	FR_VEC(uint64_t) word;
	uint64_t *open; /* the block that is not full yet; NULL after fr_hooks_end */
	uint32_t n;	/* number of hooks */
};
struct fr_hooks_block {
	uint64_t first;
	uint64_t at : 57, width : 7; /* index of its first word; bits per difference */
};

/* Packs the open block. */
void fr_hooks_pack(struct fr_hooks *h);
/* Allocates the open block. */
void fr_hooks_begin(struct fr_hooks *h);

static inline void fr_hooks_push(struct fr_hooks *h, uint64_t hook)
{
	if (__builtin_expect(!h->open, 0))
		fr_hooks_begin(h);
	h->open[h->n % FR_HOOKS_BLOCK] = hook;
	if (__builtin_expect(++h->n % FR_HOOKS_BLOCK == 0, 0))
		fr_hooks_pack(h);
}

/* Packs the last block and gives back unused memory. No fr_hooks_push may follow. */
void fr_hooks_end(struct fr_hooks *h);
void fr_hooks_free(struct fr_hooks *h);

/* The hook at index `position` < n. Only after fr_hooks_end. */
uint64_t fr_hooks_get(const struct fr_hooks *h, uint32_t position);
/* The first index in [from, n) with this hook or a later one; n if there is none. */
uint32_t fr_hooks_find(const struct fr_hooks *h, uint32_t from, uint32_t n, uint64_t hook);

/* Iterates over all hooks in order, after fr_hooks_end. Start with {.h = h}; call at most h->n
   times. */
struct fr_hooks_cursor {
	const struct fr_hooks *h;
	uint32_t position;
	uint64_t hook;
};
uint64_t fr_hooks_next(struct fr_hooks_cursor *c);

#endif
