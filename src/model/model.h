/*
 * The model of a run: every event that can matter to a reordering, in one array, in the order in
 * which the run took place as far as it is known (the *recorded order*).
 *
 * Meaning:   an event's handle is its place in the recorded order. Any prefix of that order is
 *            feasible: the schedule checker accepts it, which a test asserts for every trace.
 * Steps:     an event whose flag FR_F_PART is set happens together with the one before it, which
 *            is of the same thread: an atomic read-modify-write is a READ and a WRITE part, an
 *            access of more than one granule is a part for each, a condition wait gives up its
 *            mutex and begins to wait at once. The first event of a step is its head. Schedules
 *            and orders are over heads.
 * Left out:  accesses of memory that one thread alone touches, or that creation, joining and
 *            barriers put in one order (load_phase.c); inner acquisitions of a recursive lock;
 *            failed unlocks, failed creations.
 * Locations: a granule of 8 aligned bytes of one life of an object, with a mask of the bytes that
 *            an access touches; two accesses conflict if their masks overlap. Memory that was freed
 *            and allocated again is another location. Granules in a row that have the same accesses
 *            are one location, with the address of the first.
 * Size:      20 bytes an event, 4 in its thread's list, 4 in its object's list; under half a byte
 *            for its hook index where few events are left out, about one where many are.
 */
#ifndef FR_MODEL_MODEL_H
#define FR_MODEL_MODEL_H

#include "base/err.h"
#include "base/mem.h"
#include "model/hook_index.h"
#include "trace/trace.h"
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t fr_ev;
#define FR_NO_EV UINT32_MAX
/* Events and locations together: the checker has both in words of 31 bits, and some to spare. */
#define FR_MODEL_MAX ((UINT64_C(1) << 31) - (UINT64_C(1) << 20))

/*
 * X(NAME, class of obj, "name")
 * Feasible means that each event of the reordering finds this to be true when it happens:
 *  READ        each byte holds what it returned. Without FR_F_NOVALUE: the same value, whoever
 *              wrote it (a byte written without a value, or never written and never read before,
 *              counts as the same only if the same write, or none, was seen in the recorded order).
 *              With FR_F_NOVALUE: each byte was last written by the write that it saw in the
 *              recorded order.
 *  ACQUIRE     nobody holds the lock.        ACQUIRE_SHARED  nobody holds it exclusively.
 *  *_FAILED    somebody holds it (SHARED: exclusively).
 *  RELEASE*    the thread holds it (true by program order).
 *  WAIT_BEGIN  part of the RELEASE of the mutex: the thread waits from here on.
 *  WAIT        with FR_F_TIMEOUT (timed out, cancelled, woken by nothing that was seen): nothing.
 *              Else there was a SIGNAL of its condition since its WAIT_BEGIN which is given to no
 *              other WAIT, or a BROADCAST: all the WAITs of the reordering can be served so.
 *  SEM_WAIT    the count is above zero.      SEM_FAILED      it is zero.
 *  BARRIER_ENTER  all of the generation before have entered. BARRIER_LEAVE: all of its own have.
 *  ONCE_DONE   the ONCE_END has happened.
 *  CREATE      makes the thread; a thread's events come after it, JOIN after its last event.
 *  ACQUIRE_ALL every RELEASE_ALL of the object that was before it in the recorded order has
 * happened. others      nothing.
 */
#define FR_OPS(X)                                               \
	X(READ, LOC, "read")                                    \
	X(WRITE, LOC, "write")                                  \
	X(ACQUIRE, LOCK, "acquire")                             \
	X(RELEASE, LOCK, "release")                             \
	X(ACQUIRE_SHARED, LOCK, "acquire-shared")               \
	X(RELEASE_SHARED, LOCK, "release-shared")               \
	X(ACQUIRE_FAILED, LOCK, "acquire-failed")               \
	X(ACQUIRE_SHARED_FAILED, LOCK, "acquire-shared-failed") \
	X(WAIT_BEGIN, COND, "wait-begin")                       \
	X(WAIT, COND, "wait")                                   \
	X(SIGNAL, COND, "signal")                               \
	X(BROADCAST, COND, "broadcast")                         \
	X(SEM_WAIT, SEM, "sem-wait")                            \
	X(SEM_POST, SEM, "sem-post")                            \
	X(SEM_FAILED, SEM, "sem-failed")                        \
	X(BARRIER_ENTER, BARRIER, "barrier-enter")              \
	X(BARRIER_LEAVE, BARRIER, "barrier-leave")              \
	X(ONCE_BEGIN, ONCE, "once-begin")                       \
	X(ONCE_END, ONCE, "once-end")                           \
	X(ONCE_DONE, ONCE, "once-done")                         \
	X(CREATE, THREAD, "create")                             \
	X(JOIN, THREAD, "join")                                 \
	X(START, THREAD, "start")                               \
	X(EXIT, THREAD, "exit")                                 \
	X(ACQUIRE_ALL, FLAG, "acquire-all")                     \
	X(RELEASE_ALL, FLAG, "release-all")                     \
	X(ALLOC, HEAP, "alloc")                                 \
	X(FREE, HEAP, "free")                                   \
	X(MARK, MARK, "mark")

enum fr_op {
#define FR_X(n, c, s) FR_OP_##n,
	FR_OPS(FR_X)
#undef FR_X
	    FR_OP_COUNT
};
extern const char *const fr_op_name[FR_OP_COUNT];

/* Classes of objects. THREAD objects are indices into `thread`; the others have lists of events. */
enum fr_class {
	FR_C_LOC,
	FR_C_LOCK,
	FR_C_COND,
	FR_C_SEM,
	FR_C_BARRIER, /* one object a generation; count: how many enter */
	FR_C_ONCE,
	FR_C_FLAG,
	FR_C_HEAP,
	FR_C_MARK, /* obj is the kind of the trace's event */
	FR_C_THREAD,
	FR_C_COUNT,
};
extern const uint8_t fr_op_class[FR_OP_COUNT];

#define FR_F_PART 0x01	    /* happens with the event before it */
#define FR_F_ATOMIC 0x02    /* an atomic access: does not race with another one */
#define FR_F_NOVALUE 0x04   /* the value is not known */
#define FR_F_TIMEOUT 0x08   /* WAIT: needs no signal */
#define FR_F_WAIT 0x10	    /* RELEASE, ACQUIRE: of a condition wait */
#define FR_F_SYNTH 0x20	    /* put in by the loader: a write that was left out; never a target */
#define FR_F_LATE 0x40	    /* from LAST_*: others of the thread to this location may be missing */
#define FR_F_BENIGN 0x80    /* FORERUN_BENIGN: never a target */
#define FR_F_RANGE 0x100    /* part of a range access */
#define FR_F_BLOCKING 0x200 /* ACQUIRE*, JOIN: waits without limit (neither try nor timed) */

struct fr_mev {
	uint64_t value; /* READ, WRITE: the bytes, each at its place in the granule; ALLOC: size */
	uint32_t obj;
	uint32_t site : 22, flags : 10;
	uint16_t thread;
	uint8_t op;
	uint8_t mask; /* READ, WRITE: bit i: byte i of the granule */
} __attribute__((packed, aligned(4)));
_Static_assert(sizeof(struct fr_mev) == 20, "the promise of 32 bytes an event");

struct fr_mobj {
	uint64_t addr;	/* LOC: of the granule */
	uint32_t count; /* SEM: at the start; BARRIER: how many enter; HEAP: its ALLOC + 1 */
	uint32_t aux;	/* BARRIER: object of the generation before + 1, 0: none; LOCK: enum
			   fr_lock_kind; LOC: HEAP object + 1, 0: none; HEAP: allocation count */
};
enum fr_lock_kind { FR_LOCK_MUTEX, FR_LOCK_RECURSIVE, FR_LOCK_SPIN, FR_LOCK_RW, FR_LOCK_USER };

struct fr_mthread {
	const char *path; /* "0.2"; of an imported trace: its name there */
	uint32_t id;	  /* in the trace */
	fr_ev create;	  /* the CREATE of it, FR_NO_EV: there from the start */
	fr_ev *ev;	  /* its events, in program order, which is ascending */
	uint32_t n;
	struct fr_hooks hooks; /* the hook index of each of them */
};

struct fr_model {
	struct fr_mev *ev; /* in one block of memory with all lists of events */
	uint32_t n;
	struct fr_mthread *thread;
	uint32_t nthreads;
	struct fr_mclass {
		struct fr_mobj *obj;
		uint32_t n;
		uint32_t *first; /* n + 1: events of object i are list[first[i]] ... ascending */
		fr_ev *list;
	} cls[FR_C_COUNT];		  /* THREAD and MARK: empty */
	struct fr_trace *trace;		  /* where it came from; NULL in tests */
	struct fr_heap_index *heap_index; /* model_heap.c; NULL: not asked for yet */
	/* What was not understood or had to be assumed: see fr_model_counters. */
	uint64_t count[16];
};

/* X(name, "text"): each is reported when it is not zero. */
#define FR_MODEL_COUNTERS(X)                                                                    \
	X(reads_unexplained, "reads of values that no recorded write explains")                 \
	X(starts_differ,                                                                        \
	  "locations that held at first what neither a write nor the program's file has")       \
	X(order_conflicts, "reads whose place in the recorded order could not be found")        \
	X(lives_ambiguous, "accesses near the end of an object's life whose object is a guess") \
	X(wakes_unseen, "condition waits that returned without a recorded signal")              \
	X(locks_unbalanced, "locks given up by a thread that did not hold them")                \
	X(threads_partial, "threads whose events end early")                                    \
	X(fails_unplaced, "failed attempts at locks that were free in the recorded order")      \
	X(writers_open, "reads without a value whose write the order leaves open")              \
	X(lates_torn, "accesses written down by another thread that make no sense")
enum fr_model_counter {
#define FR_X(n, s) FR_MC_##n,
	FR_MODEL_COUNTERS(FR_X)
#undef FR_X
	    FR_MC_COUNT
};
extern const char *const fr_model_counter_name[FR_MC_COUNT],
    *const fr_model_counter_text[FR_MC_COUNT];

/*
 * Building, for the loaders and for tests: objects and threads first or on the way, events in
 * recorded order; finish makes the lists. The builder is used up.
 */
struct fr_builder;
struct fr_builder *fr_builder_new(void);
/* Adds a thread / an object and returns its index. `path` is copied. */
uint32_t fr_builder_thread(struct fr_builder *b, const char *path, uint32_t id);
uint32_t fr_builder_obj(struct fr_builder *b, enum fr_class c, struct fr_mobj o);
/* Appends to the recorded order. idx is the whole hook index. */
fr_ev fr_builder_add(struct fr_builder *b, const struct fr_mev *e, uint64_t idx);
struct fr_model *fr_builder_finish(struct fr_builder *b);
void fr_builder_free(struct fr_builder *b);

/* Checks what every model must fulfil whatever its source (balanced locks, creation before the
   first event, one join, parts of one thread ...): 0, or -EBADMSG with what is wrong and which
   event, in `ret_ev`. */
int fr_model_validate(const struct fr_model *m, fr_ev *ret_ev, struct fr_err *reterr);

/*
 * Loads a run folder, recorded or imported. Besides what one thread alone touches, locations that
 * nobody writes or frees are left out. START and EXIT have their own thread as object.
 */
int fr_model_load(const char *dir, struct fr_model **ret, struct fr_err *reterr);
/*
 * The same, for somebody who watches from another thread: how many slots of the trace have been
 * read, of how many there are; 0 of 0 until that is known. A trace is read more than once, and each
 * time counts for a part, so that `done` grows steadily to `total`, less a few for each block.
 */
struct fr_load_progress {
	_Atomic uint64_t done, total;
};
int fr_model_load_watched(const char *dir, struct fr_load_progress *progress, struct fr_model **ret,
			  struct fr_err *reterr);
void fr_model_free(struct fr_model *m);
void fr_model_freep(struct fr_model **m);

static inline bool fr_is_access(const struct fr_mev *e)
{
	return e->op <= FR_OP_WRITE;
}
/* The head of the step that an event is in. */
static inline fr_ev fr_head(const struct fr_model *m, fr_ev e)
{
	while (m->ev[e].flags & FR_F_PART)
		e--;
	return e;
}
/* Place of an event in its thread's list, by binary search. */
uint32_t fr_model_pos(const struct fr_model *m, fr_ev e);
/* The event before / after it in its thread, FR_NO_EV if there is none. */
fr_ev fr_model_prev(const struct fr_model *m, fr_ev e);
fr_ev fr_model_next(const struct fr_model *m, fr_ev e);
/* The whole hook index. */
uint64_t fr_model_idx(const struct fr_model *m, fr_ev e);
/* The line of an event in the file that it was imported from; 0 if it was recorded. */
uint64_t fr_model_line(const struct fr_model *m, fr_ev e);
/*
 * What an object is called in reports, as a new string: its name in an imported trace; the variable
 * that the site names, the symbol of a global, the allocation that it lies in; else its address.
 * `c` is LOC, LOCK, COND, SEM, BARRIER, ONCE, FLAG, HEAP or THREAD.
 */
char *fr_model_obj_name(const struct fr_model *m, enum fr_class c, uint32_t obj);
/* What an event calls the object that it synchronises on, by its site and those of the calls on its
   stack, innermost first; a new string, NULL: nothing. */
char *fr_model_sync_name(const struct fr_model *m, fr_ev e, const uint32_t *call, size_t n);
/* For each byte of a READ's mask the write that it saw in the recorded order; FR_NO_EV: none. */
void fr_model_writers(const struct fr_model *m, fr_ev read, fr_ev ret[8]);

/* 0xff in each byte whose bit is set. */
static inline uint64_t fr_mask_bytes(uint8_t mask)
{
	/* Bit i alone in byte i, then carried up to the top bit of its byte, then spread. */
	uint64_t x = mask * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);

	x = (x + UINT64_C(0x7f7f7f7f7f7f7f7f)) & UINT64_C(0x8080808080808080);
	return (x >> 7) * 0xff;
}

#endif
