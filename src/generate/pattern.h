/*
 * User-defined patterns (PECAN section 3): a sequence of accesses, by thread, location, atomic
 * region and kind, that is a bug if it happens in this order. fr_patterns_read reads patterns from
 * a file; each becomes a generator.
 *
 *      # a check whose answer is overwritten before it is used
 *      pattern stale-check
 *      E   check  change  use
 *      T   t1     t2      t1
 *      SV  x      x       x
 *      AR  u      -       u
 *      AT  r      w       w
 *
 * Rows have equal lengths and may be in any order. Equal symbols in a row mean the same thread,
 * common bytes, or the same region; different symbols mean different ones. The row AR may be
 * missing, and `-` in it means any region. AT is `r`, `w`, or `*` for either.
 *
 * In row E, an operator may stand between two events:
 *
 *      a b     b happens after a
 *      a ; b   consecutive: b happens after a, and in between neither thread takes a step
 *      a || b  at once: in some state, each is the next step of its thread
 *
 * A step is an event of the model, so accesses to memory of one thread alone do not count. All
 * events joined by `||` are at once together. Two accesses to one location at once, or consecutive
 * in two threads, are not both atomic: that is no race. As in PECAN, a pattern of two events in two
 * named regions describes a race, and its events are consecutive.
 */
#ifndef FR_GENERATE_PATTERN_H
#define FR_GENERATE_PATTERN_H

#include "generate/generate.h"
#include "base/err.h"

#define FR_PATTERN_EVENTS 16
#define FR_PATTERN_NAME 64 /* bytes, at most */
#define FR_PATTERN_ANY UINT8_MAX

_Static_assert(FR_PATTERN_EVENTS <= FR_EDGES, "a chain of edges through all events");

/* How an event of a pattern follows the one before it. */
enum fr_pattern_link { FR_LINK_LATER, FR_LINK_NEXT, FR_LINK_AT_ONCE };

struct fr_pattern {
	struct fr_generator generator; /* must be first; its name "pattern:NAME" is owned */
	uint32_t n;
	struct fr_pattern_event {
		uint8_t thread, loc; /* numbers of the symbols, from 0, in order of appearance */
		uint8_t region;	     /* likewise; FR_PATTERN_ANY: any region */
		uint8_t link;	     /* enum fr_pattern_link; FR_LINK_LATER for the first event */
		bool read, write;    /* the kinds of access that it may be */
	} ev[FR_PATTERN_EVENTS];
};

/* Are the threads of event i and of the one before it, in this order, both about to act? */
static inline bool fr_pattern_meets(const struct fr_pattern *p, uint32_t i)
{
	return p->ev[i].link == FR_LINK_AT_ONCE ||
	       (p->ev[i].link == FR_LINK_NEXT && p->ev[i].thread != p->ev[i - 1].thread);
}
/* Are two events, a before b, joined by `||`? */
static inline bool fr_pattern_at_once(const struct fr_pattern *p, uint32_t a, uint32_t b)
{
	while (b > a && p->ev[b].link == FR_LINK_AT_ONCE)
		b--;
	return a == b;
}

struct fr_patterns {
	FR_VEC(struct fr_pattern *) v; /* owned */
};
/* Adds the patterns of a file. Returns -EINVAL with "FILE:LINE:COLUMN: ..." for a bad pattern, or
   the error from reading the file; then adds none. */
int fr_patterns_read(const char *path, struct fr_patterns *ret, struct fr_err *reterr);
void fr_patterns_free(struct fr_patterns *p);

/* Generates the candidates of a pattern. self: its generator. The actors have the role
   FR_ROLE_EVENT, in the order of the pattern; their `memory` is the number of the location. */
void fr_pattern_generate(const struct fr_generator *self, const struct fr_model *m,
			 const struct fr_causality *c, const struct fr_generate_opt *opt,
			 struct fr_groups *ret);

#endif
