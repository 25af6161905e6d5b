/*
 * The model of a run: every event that can matter to a reordering, in one array, in the *recorded
 * order*, the order in which the run took place as far as it is known.
 *
 * The loader (load.h) builds a model from a run folder, recorded or imported; tests build one with
 * fr_builder_*. causality, generate and oracle read the model and never change it. fr_model_load
 * fails with -errno if the trace cannot be read, with -EBADMSG if it contradicts itself and with
 * -EFBIG if it is too long. `count` records every event that the loader did not understand or had
 * to guess.
 *
 *   load.h            the loader and its files: load_*.c, recorded_order.c, spin_reads.h
 *   atomic_lock.h     locks that the program makes of atomic accesses (atomic_lock_internal.h,
 *                     queue_lock.c); lock_role.h: semaphores that are used as locks
 *   builder.c         builds a model from events in recorded order (builder_internal.h: for the
 *                     loader)
 *   model_check.c     the rules that every model obeys
 *   hook_list.h       the hooks of events; model_heap.h: heap objects by address; model_name.c:
 *                     names of objects
 *   candidate.h       what a generator asks, and the decision of the oracle; region_kind.h,
 *                     region_shape.h and meeting.h describe it further
 *   schedule.h        the reordering that the oracle answers
 *   mask.h            the reads that matter to a candidate
 *   machine.h         the model machine, which performs a reordering step by step: machine_state.c,
 *                     machine_step.c, machine_memory.c; machine_along.c is its fast path
 *
 * Event:    `fr_ev` is an event's position in the recorded order. Any prefix of that order is
 *           feasible: the schedule checker accepts it, and a test asserts this for every trace.
 * Step:     an event with the flag FR_F_PART happens together with the event before it, which
 *           belongs to the same thread. An atomic read-modify-write is a READ and a WRITE part. An
 *           access to several granules has one part for each. A condition wait releases its mutex
 *           and begins to wait in one step. The first event of a step is its head. Schedules and
 *           orders consist of heads.
 * Left out: accesses to memory that only one thread touches, or whose order is fixed by creation,
 *           joins and barriers (load_phase.c); inner acquisitions of a recursive lock; failed
 *           unlocks; failed creations.
 * Locks:    also those that the program makes of atomic accesses, if they are certain
 *           (atomic_lock.h). Their words have no accesses then.
 * Location: one granule during the lifetime of one object. An access has a mask of the bytes that
 *           it touches; two accesses conflict if their masks overlap. Memory that was freed and
 *           allocated again is another location. Adjacent granules with the same accesses are one
 *           location, with the address of the first.
 * Size:     20 bytes per event, 4 in its thread's list and 4 in its object's list, 4 more for a
 *           write. The hook takes under half a byte where few events are left out, and about one
 *           byte where many are.
 */
#ifndef FR_MODEL_MODEL_H
#define FR_MODEL_MODEL_H

#include "base/assert.h"
#include "base/err.h"
#include "base/mem.h"
#include "model/hook_list.h"
#include "trace/trace.h"
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t fr_ev;
#define FR_NO_EV UINT32_MAX
/* Limit for events plus locations. The checker stores both in 31-bit words; 2^20 are in reserve. */
#define FR_MODEL_MAX ((UINT64_C(1) << 31) - (UINT64_C(1) << 20))

/*
 * X(NAME, class of obj, "name"). A reordering is feasible if this holds for each of its events at
 * the moment it happens:
 *
 *   READ           Each byte holds the value that the read returned. Without FR_F_NOVALUE, any
 *                  write of that value will do. But a byte that was written without a known value,
 *                  or that was never written and never read before, counts as equal only if the
 *                  read saw the same write (or none) in the recorded order. With FR_F_NOVALUE, the
 *                  last write of each byte is the one that the read saw in the recorded order.
 *   ACQUIRE        No thread holds the lock.
 *   ACQUIRE_SHARED No thread holds it exclusively.
 *   *_FAILED       Some thread holds it (SHARED: exclusively).
 *   RELEASE*       The thread holds it (true by program order).
 *   WAIT_BEGIN     Part of the RELEASE of the mutex: the thread waits from here on. At a futex
 *                  there is none, and the READ by which the kernel compares the word comes next.
 *   WAIT           With FR_F_TIMEOUT (timed out, cancelled, no recorded signal woke it): nothing.
 *                  Otherwise a BROADCAST of its condition happened since its WAIT_BEGIN, or a
 *                  SIGNAL that serves no other WAIT. The signals must suffice for all WAITs.
 *   SEM_WAIT       The count is above zero.
 *   SEM_FAILED     The count is zero.
 *   BARRIER_ENTER  All threads of the previous generation have entered it.
 *   BARRIER_LEAVE  All threads of this generation have entered it.
 *   ONCE_DONE      The ONCE_END has happened.
 *   CREATE         Creates the thread: its events come after CREATE, JOIN after its last event.
 *   ACQUIRE_ALL    Every RELEASE_ALL of the object before it in the recorded order has happened.
 *   READ, WRITE    If the location belongs to a HEAP object: its ALLOC has happened, and its FREE
 *                  has not, unless the recorded order has them the other way round. Memory that is
 *                  allocated again is another object.
 *   others         Nothing.
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

/* Classes of objects. A THREAD object is an index into `thread`. The other classes, except MARK,
   have a list of events for each object. */
enum fr_class {
	FR_C_LOC,
	FR_C_LOCK,
	FR_C_COND,
	FR_C_SEM,
	FR_C_BARRIER, /* one object per generation; count: number of threads that enter */
	FR_C_ONCE,
	FR_C_FLAG,
	FR_C_HEAP,
	FR_C_MARK, /* obj is the kind of the trace event */
	FR_C_THREAD,
	FR_C_COUNT,
};
extern const uint8_t fr_op_class[FR_OP_COUNT];
/* Does the operation end a stretch in which accesses of a thread belong together? */
bool fr_op_separates(unsigned op);

#define FR_F_PART 0x01	  /* happens together with the event before it */
#define FR_F_ATOMIC 0x02  /* an atomic access: does not race with another atomic access */
#define FR_F_NOVALUE 0x04 /* the value is unknown */
#define FR_F_TIMEOUT 0x08 /* WAIT: needs no signal */
#define FR_F_WAIT 0x10	  /* RELEASE, ACQUIRE: part of a condition wait */
#define FR_F_SYNTH 0x20	  /* a write or release that the loader inserted; never a target */
/* from LAST_*: the thread may have made more accesses to this location */
#define FR_F_LATE 0x40
#define FR_F_BENIGN 0x80 /* marked FORERUN_BENIGN: never a target */
#define FR_F_RANGE 0x100 /* part of a range access */
/* ACQUIRE*, SEM_WAIT, WAIT, BARRIER_LEAVE, ONCE_DONE, JOIN: waits without a time limit (neither
   timed, nor an attempt outside a waiting loop) */
#define FR_F_BLOCKING 0x200

struct fr_mev {
	uint64_t value; /* READ, WRITE: the bytes at their positions in the granule; ALLOC: size */
	uint32_t obj;
	uint32_t site : 22, flags : 10;
	uint16_t thread;
	uint8_t op : 5;
	uint8_t origin : 3; /* READ, WRITE: FR_ORIGIN_* */
	union {
		uint8_t mask; /* READ, WRITE: bit i is byte i of the granule */
		uint8_t kind; /* others: the kind of the trace event */
	};
} __attribute__((packed, aligned(4)));
_Static_assert(sizeof(struct fr_mev) == 20, "the promise of 32 bytes an event");
_Static_assert(FR_OP_COUNT <= 32, "op has 5 bits");
_Static_assert(FR_F_BLOCKING < 1 << 10, "flags has 10 bits");
_Static_assert(FR_OP_READ < 2 && FR_OP_WRITE < 2, "fr_is_access");
/* The trace event of an access, where its flags do not tell. */
#define FR_ORIGIN_RMW 1	     /* ATOMIC_RMW */
#define FR_ORIGIN_CAS 2	     /* ATOMIC_CAS */
#define FR_ORIGIN_ONCE_END 3 /* ONCE_END, which writes a guard */
/* added to the others: the access touches two granules, one of which the model may leave out */
#define FR_ORIGIN_SPLIT 4
_Static_assert((FR_ORIGIN_ONCE_END & FR_ORIGIN_SPLIT) == 0, "they are added");

struct fr_mobj {
	uint64_t addr; /* LOC: address of the granule */
	/* SEM: initial count; BARRIER: threads that enter; HEAP: its ALLOC + 1; LOC: mask of the
	   bytes that are known to be zero before the first access, and FR_LOC_PARTIAL */
	uint32_t count;
	/* BARRIER: object of the previous generation + 1, 0 = none; LOCK: enum fr_lock_kind; LOC:
	   HEAP object + 1, 0 = none; HEAP: 1-based number of the allocation among those of its
	   thread and site */
	uint32_t aux;
};
#define FR_LOC_PARTIAL 0x100 /* the model leaves out accesses of a quiet phase (load_phase.c) */
/* FR_LOCK_RW_WRITERS: while a writer waits, a reader waits behind it */
enum fr_lock_kind {
	FR_LOCK_MUTEX,
	FR_LOCK_RECURSIVE,
	FR_LOCK_SPIN,
	FR_LOCK_RW,
	FR_LOCK_USER,
	FR_LOCK_RW_WRITERS,
};

struct fr_mthread {
	const char *path; /* "0.2"; in an imported trace: the name given there */
	uint32_t id;	  /* thread id in the trace */
	fr_ev create;	  /* its CREATE; FR_NO_EV: exists from the start */
	fr_ev *ev;	  /* its events in program order, ascending */
	uint32_t n;
	struct fr_hooks hooks; /* the hook of each event */
};

#define FR_HEAD_EACH 64

struct fr_model {
	struct fr_mev *ev; /* shares one block of memory with all lists of events */
	uint32_t n;
	fr_ev *head; /* [i]: head of the step that contains event i * FR_HEAD_EACH */
	struct fr_mthread *thread;
	uint32_t nthreads;
	struct fr_mclass {
		struct fr_mobj *obj;
		uint32_t n;
		/* n + 1 entries: object i has list[first[i]] ... list[first[i + 1] - 1],
		   ascending */
		uint32_t *first;
		fr_ev *list;
	} cls[FR_C_COUNT]; /* THREAD and MARK: empty */
	/* The writes of location i are write[first_write[i]] ... write[first_write[i + 1] - 1],
	   ascending. A location on which threads spin has many more reads than writes. */
	uint32_t *first_write;
	fr_ev *write;
	struct fr_trace *trace;		  /* the trace that was loaded; NULL in tests */
	struct fr_heap_index *heap_index; /* see model_heap.c; NULL: not built yet */
	/* Counters of guesses and losses: see FR_MODEL_COUNTERS. */
	uint64_t count[16];
};

/* X(name, "text"): the report prints each counter that is not zero. */
#define FR_MODEL_COUNTERS(X)                                                                    \
	X(reads_unexplained, "reads of a value that no recorded write stored")                  \
	X(starts_differ, "locations whose first read contradicts the program's file, with no "  \
			 "recorded write between")                                              \
	X(order_conflicts, "reads whose position in the recorded order is unknown")             \
	X(lives_ambiguous, "accesses near the end of an object's life whose object is guessed") \
	X(wakes_unseen, "condition waits that returned without a recorded signal")              \
	X(locks_unbalanced, "releases of a lock that the thread did not hold")                  \
	X(threads_partial, "threads whose trace ends early")                                    \
	X(fails_unplaced, "failed attempts to take a lock that is free in the recorded order")  \
	X(writers_open, "reads without a recorded value that may see several writes")           \
	X(lates_torn, "impossible accesses that another thread recorded, left out")
enum fr_model_counter {
#define FR_X(n, s) FR_MC_##n,
	FR_MODEL_COUNTERS(FR_X)
#undef FR_X
	    FR_MC_COUNT
};
extern const char *const fr_model_counter_name[FR_MC_COUNT],
    *const fr_model_counter_text[FR_MC_COUNT];

/* Building a model, for the loader and for tests. Add a thread or object before the first event
   that names it, and add the events in recorded order. fr_builder_finish makes the lists and frees
   the builder. */
struct fr_builder;
struct fr_builder *fr_builder_new(void);
/* Add a thread or an object, and return its index. fr_builder_thread copies `path`. */
uint32_t fr_builder_thread(struct fr_builder *b, const char *path, uint32_t id);
uint32_t fr_builder_obj(struct fr_builder *b, enum fr_class c, struct fr_mobj o);
/* Appends an event to the recorded order. hook is the full 64-bit hook. */
fr_ev fr_builder_add(struct fr_builder *b, const struct fr_mev *e, uint64_t hook);
struct fr_model *fr_builder_finish(struct fr_builder *b);
/* Frees a builder that is not finished. NULL is allowed. */
void fr_builder_free(struct fr_builder *b);

/* Checks the rules that every model must obey whatever its source: balanced locks, creation before
   the first event, one join, steps within one thread and so on. Returns 0, or -EBADMSG with a
   message, and the offending event in `ret_ev`. */
int fr_model_validate(const struct fr_model *m, fr_ev *ret_ev, struct fr_err *reterr);

/* Loads a run folder, recorded or imported. Leaves out memory that one thread alone touches, and
   also locations that no thread writes or frees. The object of START and EXIT is the thread
   itself. */
int fr_model_load(const char *dir, struct fr_model **ret, struct fr_err *reterr);
/* The same from an open trace, which belongs to the model if this succeeds. */
int fr_model_load_trace(struct fr_trace *t, struct fr_model **ret, struct fr_err *reterr);
/*
 * Like fr_model_load, for a caller that shows progress from another thread. `done` counts the trace
 * slots read so far and `total` all of them; both are 0 until the total is known. The loader reads
 * a trace more than once and counts each pass in part, so that `done` grows steadily to `total`,
 * less a few slots per block.
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
/* Returns the ALLOC of the object of an access, in any thread and before it in the recorded order;
   FR_NO_EV: none. */
static inline fr_ev fr_model_alloc(const struct fr_model *m, fr_ev e)
{
	uint32_t heap, alloc;

	fr_assert_slow(fr_is_access(&m->ev[e]));
	heap = m->cls[FR_C_LOC].obj[m->ev[e].obj].aux; /* + 1 */
	alloc = heap ? m->cls[FR_C_HEAP].obj[heap - 1].count : 0;
	return alloc && alloc - 1 < e ? alloc - 1 : FR_NO_EV;
}
/* Head of the step that contains the event. A step may have thousands of events (a copy). */
static inline fr_ev fr_head(const struct fr_model *m, fr_ev e)
{
	fr_assert_slow(e < m->n);
	for (; m->ev[e].flags & FR_F_PART; e--)
		if (e % FR_HEAD_EACH == 0)
			return m->head[e / FR_HEAD_EACH];
	return e;
}
/* The number of the thread with this path, UINT32_MAX = none. */
uint32_t fr_model_thread(const struct fr_model *m, const char *path);
/* Index of an event in its thread's list, by binary search. */
uint32_t fr_model_pos(const struct fr_model *m, fr_ev e);
/* The previous / next event of the same thread, or FR_NO_EV. */
fr_ev fr_model_prev(const struct fr_model *m, fr_ev e);
fr_ev fr_model_next(const struct fr_model *m, fr_ev e);
/* The WAIT of a WAIT_BEGIN and the other way round; FR_NO_EV: a signal handler ran in between, or
   the run ended. */
fr_ev fr_wait_end(const struct fr_model *m, fr_ev begin);
fr_ev fr_wait_begin(const struct fr_model *m, fr_ev end);
/* The kind of the trace event from which the event comes (enum fr_event_kind). */
unsigned fr_model_kind(const struct fr_mev *e);
/* The full 64-bit hook. */
uint64_t fr_model_hook(const struct fr_model *m, fr_ev e);
/* The event's line in the imported file; 0 if the event was recorded. */
uint64_t fr_model_line(const struct fr_model *m, fr_ev e);
/* The object's name in reports, as a new string: its name in an imported trace, else the variable
   named at its sites, else the symbol of a global, else the allocation that contains it, else its
   address. `c` is LOC, LOCK, COND, SEM, BARRIER, ONCE, FLAG, HEAP or THREAD. */
char *fr_model_obj_name(const struct fr_model *m, enum fr_class c, uint32_t obj);
/* The source name of the object that an event synchronises on, found from the event's site and the
   `n` call sites on its stack, innermost first. Returns a new string, or NULL if the source names
   none. */
char *fr_model_sync_name(const struct fr_model *m, fr_ev e, const uint32_t *call, size_t n);
/* For each byte of a READ's mask, the write that it saw in the recorded order, or FR_NO_EV. */
void fr_model_writers(const struct fr_model *m, fr_ev read, fr_ev ret[8]);

/* Returns 0xff in each byte whose bit is set. */
static inline uint64_t fr_mask_bytes(uint8_t mask)
{
	/* Isolate bit i in byte i, carry it up to the top bit of its byte, then spread it. */
	uint64_t x = mask * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);

	x = (x + UINT64_C(0x7f7f7f7f7f7f7f7f)) & UINT64_C(0x8080808080808080);
	return (x >> 7) * 0xff;
}

#endif
