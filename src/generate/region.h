/*
 * Atomic regions: the parts of a thread's run that should be atomic, as far as can be told.
 *
 * A span is a stretch of one thread in which neither the locks held nor the regions change. Each
 * access to a location that matters has a span. From the span follow the earlier accesses of the
 * thread with which the access belongs together:
 *
 *   annotated   between the outermost FORERUN_ATOMIC_BEGIN and its END;
 *   named       within one call of a function that the user named, or in a file so named;
 *   lock        from the first lock acquired with none held until none is held;
 *   split       in two successive lock regions that begin with the same lock and belong to one
 *               function, the second below the first: in it, or in functions that it calls;
 *   near        successive accesses to the same bytes, without any other reason; not if both have
 *               the same site, or if the second is above the first in one function: a loop.
 *
 * A semaphore that the program uses as a lock counts as one (model/lock_role.h). So does the word
 * of a std::binary_semaphore (sem_word.h), which does not matter itself.
 *
 * Waiting for another thread or waking one ends all of them (PECAN 4.1): creation, joins, condition
 * waits and signals, other semaphores, barriers, annotated acquire and release. A call on a kernel
 * object ends them only if it passes something between threads (region_end.h).
 */
#ifndef FR_GENERATE_REGION_H
#define FR_GENERATE_REGION_H

#include "generate/generate.h"
#include "generate/caller.h"
#include "generate/sem_word.h"
#include "model/lock_role.h"
#include "model/region_kind.h"

struct fr_span {
	fr_ev annotated, named, lock; /* first event of the region; FR_NO_EV = in none */
	fr_ev split, split_end;	      /* previous region of the same lock: [split, split_end) */
	fr_ev since;		      /* after the last event that ends regions */
	uint32_t held, nheld;	      /* range of fr_regions.held */
	uint32_t locks;		      /* hash of the locks held */
	/* Do the two split regions belong to one function? */
	enum { FR_NOT_ASKED, FR_OF_ONE, FR_OF_TWO } of_one;
};

/* The position of a site in the source. */
struct fr_code {
	uint32_t function; /* hash; 0 = unknown */
	uint32_t line, column;
	uint32_t site; /* order within a position: the pass numbers sites as the code runs */
	uint32_t nth;  /* 1 for a write; tells apart the accesses of `x += n` */
	uint32_t copy; /* if inlined: hash of the positions at which it is inlined */
	bool cas;      /* a compare-and-swap */
};

struct fr_regions {
	const struct fr_model *m;
	struct fr_lock_roles locks;
	struct fr_sem_words words;
	FR_VEC(struct fr_span) span;
	FR_VEC(struct fr_held) held;
	/* first[i]: index in `of` of the first access to location i; UINT32_MAX: i does not matter.
	   `of`: the span of each access, in the order of the location's list. */
	uint32_t *first;
	uint32_t *of;
	struct fr_map codes; /* site -> index into code + 1 */
	FR_VEC(struct fr_code) code;
	struct fr_callers callers;
};

/* Finds the regions of a run. A location matters if two threads access it and one writes it.
   Accesses that happen before all others do not count. */
void fr_regions_init(struct fr_regions *r, const struct fr_model *m, const struct fr_causality *c,
		     const struct fr_generate_opt *opt);
void fr_regions_free(struct fr_regions *r);
struct fr_code fr_regions_code(struct fr_regions *r, uint32_t site);

/* Does an access never belong to a unit or pair? */
bool fr_regions_ignore(const struct fr_regions *r, const struct fr_mev *v);

/* A hash of the site's source position, equal for all inlined copies. It identifies bugs. */
uint32_t fr_regions_position(struct fr_regions *r, uint32_t site);

/* Is y below x in one function? A macro, or a line without columns, is one position. */
static inline bool fr_code_follows(const struct fr_code *x, const struct fr_code *y)
{
	if (!x->function || x->function != y->function || x->copy != y->copy)
		return false;
	if (x->line != y->line)
		return y->line > x->line;
	return x->column != y->column ? y->column > x->column : y->site > x->site;
}
static inline bool fr_code_same_function(const struct fr_code *x, const struct fr_code *y)
{
	return x->function && x->function == y->function;
}

/* The first event that can be in any of the regions other than near. */
static inline fr_ev fr_span_from(const struct fr_span *s)
{
	return fr_min(fr_min(s->annotated, s->named), fr_min(s->lock, s->split));
}
/* The strongest region that contains both an earlier access e of the thread and an access in span
   s; FR_REGION_NEAR if only that is possible. The caller must still check FR_REGION_SPLIT and
   FR_REGION_NEAR against the source positions. */
static inline enum fr_region fr_span_region(const struct fr_span *s, fr_ev e)
{
	if (e < s->since)
		return FR_REGION_NONE;
	if (e >= s->annotated)
		return FR_REGION_ANNOTATED;
	if (e >= s->named)
		return FR_REGION_NAMED;
	if (e >= s->lock)
		return FR_REGION_LOCK;
	if (e >= s->split && e < s->split_end)
		return FR_REGION_SPLIT;
	return FR_REGION_NEAR;
}

/* Do a and b, in the two lock regions of a span, belong to one function? TEXT: b is below a in its
   source. CALLS: the function contains both regions, whatever it calls in them. */
enum fr_split { FR_SPLIT_NOT, FR_SPLIT_TEXT, FR_SPLIT_CALLS };
enum fr_split fr_regions_split(struct fr_regions *r, uint32_t span, fr_ev a, fr_ev b);

/* Does one call of a function contain the lock regions of both spans, x before y, in itself or in
   functions that it calls? */
bool fr_regions_one_call(struct fr_regions *r, uint32_t x, uint32_t y);

/* Does a thread in span x exclude a thread in span y, by a lock that it acquired before `taken`? */
bool fr_spans_exclude(const struct fr_regions *r, uint32_t x, fr_ev taken, uint32_t y);

#endif
