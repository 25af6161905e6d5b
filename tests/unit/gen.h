/*
 * Random runs for the cross-checks of the oracle.
 *
 * A script is a small program for each thread and an order in which they get their turns. A
 * simulation, independent of every other machine in the tree, runs it and records the model. So
 * the recorded order is feasible by construction, a seed gives the same run again, and a script
 * without some of its operations is a script: which is how a failure is made small.
 */
#ifndef FR_TESTS_GEN_H
#define FR_TESTS_GEN_H

#include "model/model.h"
#include <stdio.h>

#define GEN_THREADS 8
#define GEN_LOCS 8
#define GEN_LOCKS 8
#define GEN_OTHERS 4 /* of any other class */
#define GEN_OPS 4096
#define GEN_TURNS 24576

enum gen_kind {
	GEN_READ,
	GEN_WRITE,
	GEN_RMW,   /* atomic: a read and a write part */
	GEN_TWO,   /* an access of two locations at once: a write and a write or read part */
	GEN_SYNTH, /* a read behind the write that explains it */
	GEN_LOCK,
	GEN_TRY,
	GEN_SHARE,
	GEN_TRY_SHARE,
	GEN_UNLOCK,
	GEN_WAIT,
	GEN_SIGNAL,
	GEN_BROADCAST,
	GEN_SEM_WAIT,
	GEN_SEM_TRY,
	GEN_SEM_POST,
	GEN_BARRIER,
	GEN_ONCE, /* enters, or waits for the thread inside */
	GEN_ONCE_END,
	GEN_CREATE,
	GEN_JOIN,
	GEN_END,
	GEN_ACQUIRE_ALL,
	GEN_RELEASE_ALL,
	GEN_HEAP,
	GEN_ALLOC, /* begins the object in which the location is, unless it was accessed before */
	GEN_FREE,  /* ends the object in which the location is */
	GEN_MARK,
	GEN_KINDS,
};

struct gen_op {
	uint8_t kind, thread;
	uint8_t obj, obj2;
	uint8_t mask, value;
	uint16_t id;	/* the site of its events: stays when others are taken out */
	uint16_t flags; /* FR_F_*; FR_F_TIMEOUT: of a wait: it is given up at once */
};

struct gen_script {
	uint64_t seed;
	/* The number of each. */
	uint8_t threads, locs, mutexes, rwlocks, conds, sems, barriers, onces, flags;
	uint8_t heap; /* bit i: location i is in an object of its own */
	uint8_t made; /* bit t: thread t is created by another one */
	uint8_t sem[GEN_OTHERS], barrier[GEN_OTHERS], memory[GEN_LOCS];
	uint32_t max;	   /* events */
	uint32_t patience; /* turns after which a thread gives up a wait */
	uint32_t n, nturns;
	struct gen_op op[GEN_OPS]; /* of all the threads */
	uint8_t turn[GEN_TURNS];   /* threads: the next operation, if it can go on */
};

/* A new script: `max` events at most, 0: a number up to about 14. */
struct gen_script *gen_random(uint64_t seed, uint32_t max);
struct fr_model *gen_build(const struct gen_script *s);

/* Takes operations out as long as `bad` stays true. */
void gen_shrink(struct gen_script *s, bool (*bad)(const struct fr_model *m, void *arg), void *arg);

/* One line an event. */
void gen_print(FILE *f, const struct fr_model *m);
/* The same with the seed, on stderr: a failing test prints its run so. */
void gen_show(const struct gen_script *s, const struct fr_model *m);

#endif
