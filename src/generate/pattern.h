/*
 * Patterns that a user gives (PECAN section 3): a sequence of accesses, by thread, location, atomic
 * region and kind, that is wrong if it happens in this order. Read from a file, then searched for
 * like the other kinds of bugs.
 *
 *	# a check whose answer is overwritten before it is used
 *	pattern stale-check
 *	E   check  change  use
 *	T   t1     t2      t1
 *	SV  x      x       x
 *	AR  u      -       u
 *	AT  r      w       w
 *
 * Rows are of equal length, in any order. Equal symbols in a row are the same thread, bytes in
 * common, the same region; different ones are different threads, different bytes, different
 * regions. AR may be left out; `-` in it: it does not matter. AT: `r`, `w`, or `*` for either.
 */
#ifndef FR_GENERATE_PATTERN_H
#define FR_GENERATE_PATTERN_H

#include "generate/generate.h"
#include "base/err.h"

#define FR_PATTERN_EVENTS 16
#define FR_PATTERN_NAME 64 /* bytes */
#define FR_PATTERN_ANY UINT8_MAX

_Static_assert(FR_PATTERN_EVENTS <= FR_EDGES, "a chain of edges through all events");

struct fr_pattern {
	struct fr_generator generator; /* first; its name is "pattern:NAME"; owned */
	uint32_t n;
	struct fr_pattern_event {
		uint8_t thread, loc; /* symbols, from 0, in the order in which they appear */
		uint8_t region;	     /* ditto; FR_PATTERN_ANY: it does not matter */
		bool read, write;    /* which kinds it may be of */
	} ev[FR_PATTERN_EVENTS];
};

struct fr_patterns {
	FR_VEC(struct fr_pattern *) v; /* owned */
};
/* Adds those of a file. -EINVAL with FILE:LINE:COLUMN: what is wrong, or what happened when it was
   read; then nothing is added. */
int fr_patterns_read(const char *path, struct fr_patterns *ret, struct fr_err *reterr);
void fr_patterns_free(struct fr_patterns *p);

/* self: the generator of a pattern. Actors in order, "event", with the number of the location as
   place. */
void fr_pattern_generate(const struct fr_generator *self, const struct fr_model *m,
			 const struct fr_causality *c, const struct fr_generate_opt *opt,
			 struct fr_groups *ret);

#endif
