/*
 * Tiny programs for the tests of slicing: threads of reads, writes, registers, branches and locks,
 * without loops. A program can be executed under all schedules, recorded under one, and has the
 * graph of influences that the compiler pass would make.
 *
 * Several threads may execute the same code. The sites are 1 + number of the code * MP_CODE + index
 * of the instruction. An *instance* is an instruction of a thread: 1 + thread * MP_CODE + index. It
 * has at most one step in a run.
 */
#ifndef FR_TESTS_MODEL_PROGRAM_H
#define FR_TESTS_MODEL_PROGRAM_H

#include "causality/slice_graph.h"
#include "model/candidate.h"

#define MP_THREADS 3
#define MP_CODE 14
#define MP_LOCS 3
#define MP_LOCKS 2
#define MP_REGS 2
#define MP_VALUES 3 /* values are 0 ... MP_VALUES - 1 */

enum mp_kind {
	MP_END,
	MP_READ,   /* reg = loc */
	MP_WRITE,  /* loc = reg + value, or = value if reg is MP_REGS */
	MP_RMW,	   /* at once: reg = loc, loc = loc + value */
	MP_ASSIGN, /* reg = other + value, other: another register or MP_REGS */
	MP_LOCK,
	MP_UNLOCK,
	MP_IF,	/* if (reg == value) the next `skip` instructions, accesses and assignments */
	MP_IFX, /* the same, with any instructions */
	MP_USE, /* a use of reg that cannot be followed */
};
struct mp_op {
	uint8_t kind, obj, reg, other, value, skip;
};
struct mp_program {
	struct mp_op code[MP_THREADS][MP_CODE];
	unsigned threads;
	uint8_t same; /* bit t: thread t executes the code of thread 0 */
};
/* The instance of an event. */
uint32_t mp_instance(const struct fr_mev *e);

/* A random program. */
void mp_random(struct mp_program *p, uint64_t *random);
/* Executes the program under a random schedule and makes the model of that run. As the loader does,
   it leaves out locations that one thread alone touches or that no thread writes. *ret_size: number
   of events. NULL if the run has a deadlock. */
struct fr_model *mp_record(const struct mp_program *p, uint64_t *random);
/* The same under a given schedule: threads by number, each for one visible instruction; then the
   threads run in turn to their ends. */
struct fr_model *mp_record_order(const struct mp_program *p, const uint8_t *order, unsigned n);
/* The graph of the program, closed. */
struct fr_slice_graph *mp_graph(const struct mp_program *p);
void mp_print(const struct mp_program *p);

/* All states that the program can reach. */
struct mp_all;
struct mp_all *mp_explore(const struct mp_program *p);
void mp_all_free(struct mp_all *a);
/* Can both instances be next at once? */
bool mp_pair(const struct mp_all *a, uint32_t instance, uint32_t other);
/* Can a read be next when its location holds this value, which this write stored? write 0: nothing
   has been written. */
bool mp_sees(const struct mp_all *a, uint32_t read, uint32_t write, uint64_t value);

#endif
