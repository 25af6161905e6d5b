/*
 * Regions of small runs, found in a simple way: the rules of region.h again, by a walk over the
 * events between two of one thread. Every event's place in the program is its site; the whole
 * program is one function.
 */
#ifndef FR_TESTS_LOCAL_H
#define FR_TESTS_LOCAL_H

#include "generate/named_call.h"
#include "gen.h"

/* The kind of region that two steps of one thread (heads, a before b) have in common, near left
   out: FR_REGION_*, NULL: none. `separate`, if there is none: something separates them. */
enum fr_region local_region(const struct fr_model *m, fr_ev a, fr_ev b, bool *separate);
/* Calls of functions that the user named: here from the mark exec-begin to exec-end, the outermost.
   To be freed. */
void local_calls(const struct fr_model *m, struct fr_named *ret);
/* The effect of a step on a location: the bytes that it reads, and << 8 those that it writes. */
unsigned local_access(const struct fr_model *m, fr_ev head, uint32_t loc);
/* The number of locks and semaphores, which follow them. Does e's thread hold one before e? Nobody
   holds a semaphore that the run does not use as a lock. */
uint32_t local_locks(const struct fr_model *m);
bool local_holds(const struct fr_model *m, fr_ev e, uint32_t lock);
/* Is there a lock that one thread has from before a until after b, and another, which it keeps out,
   at e? */
bool local_locked(const struct fr_model *m, fr_ev a, fr_ev b, fr_ev e);
/* The region of two steps that access the location: with near. */
enum fr_region local_pair(const struct fr_model *m, fr_ev a, fr_ev b, uint32_t loc, bool near);

/* A random run that has little but units of work: two or three threads, two or three locations,
   locks and semaphores that are taken, given back and taken again. */
struct gen_script *local_random(uint64_t seed);

#endif
