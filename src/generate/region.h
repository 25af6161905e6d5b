/*
 * Regions: what of a thread's run is meant to be atomic, as far as can be told.
 *
 * A span is a stretch of one thread over which nothing changes: the locks it holds, the regions it
 * is in. Of each access of a location that matters the span is kept, and from the span follows with
 * which earlier accesses of the thread it belongs together:
 *  annotated   between the outermost FORERUN_ATOMIC_BEGIN and its END;
 *  named       within one call of a function that the user named, or of one in a file so named;
 *  lock        from the first lock taken with none held until none is held;
 *  split       in two lock regions that begin with the same lock, one after the other, that one
 *              function has, the second below the first: in it, or in functions that it calls;
 *  near        one after the other of the same bytes, with no more to say for it than that; not if
 *              both are one place, or the second is above the first in one function: a loop.
 * What waits for another thread or wakes one ends all of them (PECAN 4.1): creation, join,
 * condition waits and signals, semaphores, barriers, annotated acquire and release. A call on a
 * kernel object ends them only if it passes something between threads: exchange.h.
 */
#ifndef FR_GENERATE_REGION_H
#define FR_GENERATE_REGION_H

#include "generate/generate.h"
#include "generate/caller.h"

/* The strongest first. Sets and fields are for units of work: unit.h. */
enum fr_region {
	FR_R_ANNOTATED,
	FR_R_NAMED,
	FR_R_LOCK,
	FR_R_SPLIT,
	FR_R_SET,
	FR_R_FIELDS,
	FR_R_NEAR,
	FR_R_NONE
};
extern const char *const fr_region_name[];

struct fr_span {
	fr_ev annotated, named, lock; /* where the region begins; FR_NO_EV: it is in none */
	fr_ev split, split_end;	      /* the region of the same lock before: [split, split_end) */
	fr_ev since;		      /* after what separates */
	uint32_t held, nheld;	      /* in fr_regions.held */
	uint32_t locks;		      /* hash of what is held */
	/* The two split regions: has one function both? */
	enum { FR_NOT_ASKED, FR_OF_ONE, FR_OF_TWO } of_one;
};

/* Where a site is in the source. */
struct fr_code {
	uint32_t function; /* hash; 0: not known */
	uint32_t line, column;
	uint32_t nth;  /* in one expression: what is read is before what is written */
	uint32_t copy; /* of an inlined function: hash of where */
	bool cas;      /* it compares and writes */
};

struct fr_regions {
	const struct fr_model *m;
	FR_VEC(struct fr_span) span;
	FR_VEC(struct fr_held) held;
	/* Of location i that matters, place of its first access in `of`; UINT32_MAX: it does not
	   matter. `of`: the span of each access, in the order of the location's list. */
	uint32_t *first;
	uint32_t *of;
	struct fr_map codes; /* site: index in code + 1 */
	FR_VEC(struct fr_code) code;
	struct fr_callers callers;
};

/*
 * Locations matter that two threads access, one of them writing, leaving out what one thread did at
 * the beginning if all of it must happen before everything else.
 */
void fr_regions_init(struct fr_regions *r, const struct fr_model *m, const struct fr_causality *c,
		     const struct fr_generate_opt *opt);
void fr_regions_free(struct fr_regions *r);
struct fr_code fr_regions_code(struct fr_regions *r, uint32_t site);

/* The same for all copies of a place, wherever it is inlined: what bugs are told apart by. */
uint32_t fr_regions_place(struct fr_regions *r, uint32_t site);

/* Is y below x in one function? */
static inline bool fr_code_follows(const struct fr_code *x, const struct fr_code *y)
{
	if (!x->function || x->function != y->function || x->copy != y->copy)
		return false;
	if (x->line != y->line)
		return y->line > x->line;
	return x->column != y->column ? y->column > x->column : y->nth > x->nth;
}
static inline bool fr_code_same_function(const struct fr_code *x, const struct fr_code *y)
{
	return x->function && x->function == y->function;
}

/* The first event that can be in any of the regions, near apart. */
static inline fr_ev fr_span_from(const struct fr_span *s)
{
	return fr_min(fr_min(s->annotated, s->named), fr_min(s->lock, s->split));
}
/*
 * The strongest region that an earlier access e of the thread is in together with one in span s,
 * FR_R_NEAR if none but that may be. Whether split and near hold is for the caller to see from
 * where they are in the source.
 */
static inline enum fr_region fr_span_region(const struct fr_span *s, fr_ev e)
{
	if (e < s->since)
		return FR_R_NONE;
	if (e >= s->annotated)
		return FR_R_ANNOTATED;
	if (e >= s->named)
		return FR_R_NAMED;
	if (e >= s->lock)
		return FR_R_LOCK;
	if (e >= s->split && e < s->split_end)
		return FR_R_SPLIT;
	return FR_R_NEAR;
}

/*
 * Are a and b, in the two lock regions of a span, those of one function? They are if b is below a
 * in its text, or if it has the regions, whatever it calls in them.
 */
enum fr_split { FR_SPLIT_NOT, FR_SPLIT_TEXT, FR_SPLIT_CALLS };
enum fr_split fr_regions_split(struct fr_regions *r, uint32_t span, fr_ev a, fr_ev b);

/* Does a thread in span x exclude one in y by a lock that it took before `taken`? */
bool fr_spans_exclude(const struct fr_regions *r, uint32_t x, fr_ev taken, uint32_t y);

#endif
