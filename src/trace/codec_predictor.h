/*
 * The predictors of the codec, run by encoder and decoder alike. A slot's address and value go
 * through the same steps, as the two halves of one vector.
 *
 * - Symbol (site, kind, aux): the one that followed the previous symbol last time.
 * - Address: this symbol's last one plus its stride, or the previous slot's plus the same distance
 *   as last time (fields of one object), whichever was right the last time one of them was.
 * - Value: likewise. Slots with values and slots with stamps are followed apart.
 * - Index: as far from the previous slot's as last time.
 *
 * Changing anything here changes the format: a new FR_TRACE_VERSION, and doc/trace-format.md.
 */
#ifndef FR_TRACE_CODEC_PREDICTOR_H
#define FR_TRACE_CODEC_PREDICTOR_H

#include "format/event.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define ENTRIES_LOG 10
#define ENTRIES (1u << ENTRIES_LOG)

/* An address and a value. */
typedef uint64_t pair __attribute__((vector_size(16)));
typedef int64_t signed_pair __attribute__((vector_size(16)));

/* What a symbol did last. */
struct entry {
	pair last;
	pair stride; /* distance that was seen twice in a row */
	pair step;   /* last distance */
	pair rel;    /* last distance from the slot before */
	pair near;   /* all ones: predict from the slot before */
	uint32_t idx_step;
};

#define NOTHING UINT64_MAX /* no symbol: those have 48 bits */

struct predictor {
	/* Apart, because these are all that must be empty at the start of a block. */
	uint64_t symbol[ENTRIES]; /* kind and aux << 32 | site; NOTHING */
	uint16_t next[ENTRIES];	  /* entry that followed */
	struct entry entry[ENTRIES];
};

/* All zero at the start of a block. */
struct state {
	/* The slot before with: 0 a value, 1 a stamp. EXT slots leave the address as it was,
	   branches and inputs both. */
	pair before[2];
	uint32_t idx;
	uint32_t entry; /* of the slot before */
};

/* What a kind is, from its class in the table of kinds. Part of the format: see its document. */
#define KIND_STAMPED 1 /* `value` is a stamp */
#define KIND_EVENT 2   /* of the program */
#define KIND_NAMES 4   /* says what sites or names there are; no part of the format */
#define KIND_ASIDE 8   /* the slot after it does not take it for the slot before */
#define KIND_EXT 16    /* nor its address */
#define NAMES_(num) \
	((num) == FR_EV_TU || (num) == FR_EV_PC_SITE || (num) == FR_EV_USER_EVENT ? KIND_NAMES : 0)
#define ASIDE_(num) ((num) == FR_EV_BRANCH || (num) == FR_EV_INPUT ? KIND_ASIDE : 0)
static const uint8_t kind_flags[256] = {
#define FR_X(n, num, s, class)                                                    \
	[num] = NAMES_(num) | ASIDE_(num) | ((num) == FR_EV_EXT ? KIND_EXT : 0) | \
		((class) == 'x'	  ? 0                                             \
		 : (class) == 'a' ? KIND_EVENT                                    \
				  : KIND_EVENT | KIND_STAMPED),
    FR_EVENT_KINDS(FR_X)
#undef FR_X
};

/* EXT slots are told apart by the slot that they belong to. */
static inline uint32_t home(uint64_t symbol, uint32_t previous)
{
	uint64_t ext = ((symbol >> 32) & 0xff) == FR_EV_EXT ? previous + 1 : 0;

	return (uint32_t)((symbol ^ ext << 44) * UINT64_C(0x9e3779b97f4a7c15) >>
			  (64 - ENTRIES_LOG));
}

/* Bytes that hold z, 0 to 8. */
static inline unsigned bytes_of(uint64_t z)
{
	return (71u - (z ? (unsigned)__builtin_clzll(z) : 64u)) >> 3;
}

/* Lengths have three bits: seven bytes are written as eight. */
static inline unsigned class_of(uint64_t z)
{
	unsigned n = bytes_of(z);

	return n - (n == 8);
}

static inline unsigned class_bytes(unsigned class)
{
	return class + (class == 7);
}

/* Lengths of indices have two: 0, 1, 2, 4. */
static inline unsigned idx_bytes(unsigned class)
{
	return 1u << class >> 1;
}

static inline pair choose(pair mask, pair yes, pair no)
{
	return (yes & mask) | (no & ~mask);
}

static inline pair predict(const struct entry *e, const struct state *s, unsigned class)
{
	return choose(e->near, s->before[class] + e->rel, e->last + e->stride);
}

/* Learns from a slot, of a kind with these flags; the same in both directions. */
static inline void learn(struct entry *e, struct state *s, pair now, uint32_t idx, unsigned flags)
{
	/* What is left as it was: by KIND_ASIDE, KIND_EXT. */
	static const pair keep[4] = {{0, 0}, {-1ull, -1ull}, {-1ull, 0}, {-1ull, -1ull}};
	unsigned class = flags & KIND_STAMPED;
	pair before = s->before[class], step = now - e->last;
	pair far_hit = (pair)(now == e->last + e->stride);
	pair near_hit = (pair)(now == before + e->rel);

	e->near = (e->near | near_hit) & ~far_hit;
	e->stride = choose((pair)(step == e->step), step, e->stride);
	e->step = step;
	e->rel = now - before;
	e->last = now;
	s->before[class] = choose(keep[flags >> 3 & 3], before, now);
	e->idx_step = idx - s->idx;
	s->idx = idx;
}

/* A symbol that is new here takes the place of another. */
static inline void replace(struct predictor *p, uint32_t at, const struct state *s, uint64_t symbol,
			   unsigned class)
{
	p->symbol[at] = symbol;
	p->entry[at] = (struct entry){.last = s->before[class]};
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
