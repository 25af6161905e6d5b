/*
 * The state of synchronisation objects while a trace is loaded, shared by load_sync.c, load_lock.c
 * and load_life.c.
 */
#ifndef FR_MODEL_LOAD_SYNC_H
#define FR_MODEL_LOAD_SYNC_H

#include "model/load.h"

struct fr_sreader {
	uint32_t thread, count;
};
struct fr_slock {
	uint32_t obj;
	uint32_t owner; /* thread + 1 */
	uint32_t depth;
	FR_VEC(struct fr_sreader) reader;
};
struct fr_scond {
	uint32_t obj, waiters;
	fr_ev broadcast;      /* the last one */
	FR_VEC(fr_ev) signal; /* signals that have served no wait yet */
};
struct fr_ssem {
	uint32_t obj, count;
	bool guess; /* its initial count is unknown */
};
struct fr_sbarrier {
	uint32_t count, generation; /* object + 1 */
};
struct fr_sbarriers {
	struct fr_sbarrier *v;
	size_t n, cap;
};
/* The barrier of an event. BARRIER_INIT gives it a new count, and no generation. `at`: address ->
   index in `all` + 1. */
struct fr_sbarrier *fr_sbarrier_of(struct fr_map *at, struct fr_sbarriers *all,
				   const struct fr_item *i);
enum { FR_ONCE_NEW, FR_ONCE_BEGUN, FR_ONCE_ENDED };
struct fr_sonce {
	uint32_t obj, thread;
	uint8_t state;
	bool tried; /* begun and abandoned */
};

struct fr_load_sync {
	struct fr_map map[FR_C_COUNT]; /* address -> index + 1; FLAG, HEAP: object + 1 */
	FR_VEC(struct fr_slock) lock;
	FR_VEC(struct fr_scond) cond;
	FR_VEC(struct fr_ssem) sem;
	struct fr_sbarriers barrier;
	FR_VEC(uint32_t) arrived; /* threads that entered, by BARRIER object */
	FR_VEC(struct fr_sonce) once;
	FR_VEC(uint32_t) changed; /* FLAG objects of files, in the order of their releases */
	FR_VEC(size_t) told;	  /* by thread: the part of `changed` before its last signal */
	struct fr_map stacks;	  /* address of the first frame of a stack -> its last thread + 1 */
	FR_VEC(uint64_t) stack;
	struct fr_map called;	   /* HEAP objects with calls of other threads: fr_life_call */
	struct fr_map allocations; /* thread << 32 | site -> number of allocations */
};

/* Does the call wait without a time limit: in itself, or in a loop that tries until it succeeds? */
bool fr_sync_waits(struct fr_load *l, const struct fr_item *i);
/* Appends an event of thread t to the model, at the item's site and hook. */
fr_ev fr_sync_put(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i, unsigned op,
		  uint32_t obj, unsigned flags);

/* ---- load_lock.c ---- */

/* Emit an event of a lock, of a condition variable. */
void fr_lock_event(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i);
void fr_cond_event(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i);
/* A thread ends: releases the robust mutexes that it holds and that others acquired afterwards. */
void fr_lock_dead(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i);

/* ---- load_life.c ---- */

/* Emits an allocation or a free, ends a stack object, or marks benign memory. */
void fr_life_event(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i);
/* A call on a lock or the like: notes that another thread than the one that allocated it uses the
   block. */
void fr_life_call(struct fr_load *l, const struct fr_lthread *t, const struct fr_item *i);
/* Thread t starts with its first stack frame at `top`: ends the objects of a reused stack. */
void fr_life_stack(struct fr_load *l, struct fr_lthread *t, uint64_t top);

#endif
