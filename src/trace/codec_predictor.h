/*
 * The predictors of the codec. Encoder and decoder run the same predictors. A slot's address and
 * value go through the same steps, as the two halves of one vector. The predictions are:
 *
 * - Symbol (site, kind, aux): the one that followed the previous symbol last time.
 * - Address: this symbol's last address plus its stride ("far"), or the previous slot's address
 *   plus the same distance as last time ("near": fields of one object); whichever of the two was
 *   right most recently.
 * - Value: likewise. Slots with values and slots with stamps have separate predecessors.
 * - Hook: the same distance from the previous slot's hook as last time.
 *
 * A change here changes the format: it needs a new FR_TRACE_VERSION, and doc/trace-format.md.
 */
#ifndef FR_TRACE_CODEC_PREDICTOR_H
#define FR_TRACE_CODEC_PREDICTOR_H

#include "base/hash.h"
#include "format/event.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define ENTRIES_LOG 10
#define ENTRIES (1u << ENTRIES_LOG)

/* An address and a value. */
typedef uint64_t pair __attribute__((vector_size(16)));
typedef int64_t signed_pair __attribute__((vector_size(16)));

/* The history of a symbol. */
struct predictor_entry {
	pair last;
	pair stride; /* the last distance seen twice in a row */
	pair step;   /* last distance */
	pair rel;    /* last distance from the slot before */
	pair near;   /* all ones: predict from the slot before */
	uint32_t hook_step;
};

#define NOTHING UINT64_MAX /* no symbol; symbols have 48 bits */

struct predictor {
	/* Separate arrays, because only these must be reset at the start of a block. */
	uint64_t symbol[ENTRIES]; /* event kind and aux << 32 | site; NOTHING */
	uint16_t next[ENTRIES];	  /* the entry that followed last time */
	struct predictor_entry entry[ENTRIES];
};

/* All zero at the start of a block. */
struct state {
	/* The last slot with [0] a value, [1] a stamp. EXT slots do not update the address,
	   branches and inputs neither address nor value. */
	pair before[2];
	uint32_t hook;
	uint32_t entry; /* of the slot before */
};

/* Returns the entry of a symbol. An EXT slot's entry also depends on the slot that it continues. */
static inline uint32_t home(uint64_t symbol, uint32_t previous)
{
	uint64_t ext = ((symbol >> 32) & 0xff) == FR_EV_EXT ? previous + 1 : 0;

	return (uint32_t)(fr_hash_spread(symbol ^ ext << 44) >> (64 - ENTRIES_LOG));
}

/* Returns the number of bytes that z needs, 0 to 8. */
static inline unsigned bytes_of(uint64_t z)
{
	return (71u - (z ? (unsigned)__builtin_clzll(z) : 64u)) >> 3;
}

/* Returns the length of z as three bits. Class 7 is eight bytes: seven are written as eight. */
static inline unsigned class_of(uint64_t z)
{
	unsigned n = bytes_of(z);

	return n - (n == 8);
}

static inline unsigned class_bytes(unsigned class)
{
	return class + (class == 7);
}

/* Returns the number of bytes of a hook from its two-bit class: 0, 1, 2, 4. */
static inline unsigned hook_bytes(unsigned class)
{
	return 1u << class >> 1;
}

static inline pair choose(pair mask, pair yes, pair no)
{
	return (yes & mask) | (no & ~mask);
}

static inline pair predict(const struct predictor_entry *e, const struct state *s, unsigned class)
{
	return choose(e->near, s->before[class] + e->rel, e->last + e->stride);
}

/* Updates the predictors with a slot, whose event kind has these flags. */
static inline void learn(struct predictor_entry *e, struct state *s, pair now, uint32_t hook,
			 unsigned flags)
{
	/* The halves of s->before that keep their value, by FR_IS_EXT and FR_IS_ASIDE. */
	static const pair keep[4] = {{0, 0}, {-1ull, -1ull}, {-1ull, 0}, {-1ull, -1ull}};
	unsigned class = flags & FR_IS_STAMPED;
	pair before = s->before[class], step = now - e->last;
	pair far_hit = (pair)(now == e->last + e->stride);
	pair near_hit = (pair)(now == before + e->rel);

	e->near = (e->near | near_hit) & ~far_hit;
	e->stride = choose((pair)(step == e->step), step, e->stride);
	e->step = step;
	e->rel = now - before;
	e->last = now;
	s->before[class] = choose(keep[flags >> 3 & 3], before, now);
	e->hook_step = hook - s->hook;
	s->hook = hook;
}

/* A new symbol evicts the old one from its entry. */
static inline void replace(struct predictor *p, uint32_t at, const struct state *s, uint64_t symbol,
			   unsigned class)
{
	p->symbol[at] = symbol;
	p->entry[at] = (struct predictor_entry){.last = s->before[class]};
}

static inline void forget_all(struct predictor *p)
{
	memset(p->symbol, 0xff, sizeof(p->symbol));
	memset(p->next, 0, sizeof(p->next));
}

static inline uint64_t symbol_of(const struct fr_event *e)
{
	return e->w0 >> 48 << 32 | e->site;
}

#endif
