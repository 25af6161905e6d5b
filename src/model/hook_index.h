/*
 * The hook indices of a thread's events, by place in its list: whole 64-bit numbers in a few bits
 * each, because from event to event they grow by little. Only reports and schedules ask for them.
 *
 * Meaning: blocks of 64. A block has its first index, and how far each of the others is from the
 * one before, all in as many bits as the largest needs. Any numbers are kept, also such as go back
 * (then a block takes as much as they would): no index has a form of its own.
 * Cost: a quarter of a byte an event and the bits; to find one, a walk through its block.
 */
#ifndef FR_MODEL_HOOK_INDEX_H
#define FR_MODEL_HOOK_INDEX_H

#include "base/mem.h"
#include <stdint.h>

#define FR_HOOKS_BLOCK 64

struct fr_hooks {
	FR_VEC(struct fr_hooks_mark) mark; /* one a block */
	FR_VEC(uint64_t) word;
	uint64_t *open; /* the block that is not full yet; NULL: nothing comes any more */
	uint32_t n;	/* all that there are */
};
struct fr_hooks_mark {
	uint64_t first;
	uint64_t at : 57, width : 7; /* first word; bits each */
};

/* Packs the open block. */
void fr_hooks_pack(struct fr_hooks *h);
/* Makes the open block. */
void fr_hooks_begin(struct fr_hooks *h);

static inline void fr_hooks_push(struct fr_hooks *h, uint64_t idx)
{
	if (__builtin_expect(!h->open, 0))
		fr_hooks_begin(h);
	h->open[h->n % FR_HOOKS_BLOCK] = idx;
	if (__builtin_expect(++h->n % FR_HOOKS_BLOCK == 0, 0))
		fr_hooks_pack(h);
}

/* Nothing more will come: gives back what is too much. */
void fr_hooks_end(struct fr_hooks *h);
void fr_hooks_free(struct fr_hooks *h);

/* The one at a place below n. After the end. */
uint64_t fr_hooks_get(const struct fr_hooks *h, uint32_t place);
/* The first place from `from` on, below n, that has this hook or a later one; n: none has. */
uint32_t fr_hooks_find(const struct fr_hooks *h, uint32_t from, uint32_t n, uint64_t hook);

/* All in order, after the end. {.h = h} at first; as many calls as there are. */
struct fr_hooks_cursor {
	const struct fr_hooks *h;
	uint32_t place;
	uint64_t idx;
};
uint64_t fr_hooks_next(struct fr_hooks_cursor *c);

#endif
