/*
 * The control file: shared memory between the tool and a program that runs under a schedule.
 * confirm/control_file_build.c makes it. The controller (runtime/control/ctl.c) maps it.
 * The pool holds its path (fr_pool.control_file).
 *
 * Meaning: the first part is a schedule (schedule_text.h) with numbers instead of names: turns,
 *          expectations, targets, and the answers that the recorded run got from outside. The tool
 *          writes it before the program starts. The program's threads, of which one runs at a time,
 *          write the second part. confirm/execution.c reads it when `phase` allows.
 * Layout:  header | threads | turns | stops | expectations | events | places | made turns | reads |
 *          inputs | names; each part at its offset, 8-byte aligned.
 * Meeting: at the end of the turns, every target is pending: the next hook of its thread. The
 *          targets then happen in their order.
 * Stop:    a meeting of one or two targets after a given number of turns; afterwards the turns
 *          continue. The targets in the header meet last.
 * Hook:    (thread, hook), as in event.h.
 * Place:   a site, an object, and an occurrence count. With `by_place`, the program left the
 *          schedule in an earlier execution. The controller then follows the turns from
 *          `place_from` on by place (runtime/control/ctl_place.c). It stores the turns that it
 *          made, from which confirm/place_plan.c builds a schedule with the hooks of that
 *          execution.
 * Record:  `recording` is set while a run is recorded in a fixed order (record/run_order.h). The
 *          program is then in the free stage from the start, and the turns are those of the order.
 * The file exists only while the program runs. Tool and runtime are built together, so no other
 * version is ever read.
 */
#ifndef FR_FORMAT_CONTROL_FILE_H
#define FR_FORMAT_CONTROL_FILE_H

#include "pool.h"
#include <stdint.h>

#define FR_CONTROL_FILE_MAGIC UINT64_C(0x316c7274636672) /* "rfctrl1" */
#define FR_CONTROL_FILE_VERSION 23

#define FR_CONTROL_FILE_TARGETS 16
#define FR_CONTROL_FILE_EVENTS 32 /* limit of one finding's events before its targets */
#define FR_CONTROL_FILE_WAITERS 64
#define FR_CONTROL_FILE_PAUSES 64
#define FR_CONTROL_FILE_NAME 200
#define FR_CONTROL_FILE_FAILED 8
#define FR_CONTROL_FILE_MILESTONES (FR_CONTROL_FILE_EVENTS + FR_CONTROL_FILE_TARGETS)
#define FR_CONTROL_FILE_MADE 16384
#define FR_CONTROL_FILE_READS 16384

/* A thread of the schedule. Index 0 is the main thread. */
struct fr_control_file_thread {
	uint32_t parent; /* index of its parent; main: ~0 */
	uint32_t nth;	 /* n-th child of its parent, from 1 */
	/* Its part of the expectations (first, number) and of the inputs (offset, bytes). */
	uint32_t expect, nexpect;
	uint64_t input, ninput;
	/* By place: the thread waits at this hook until its next milestone is due; 0: nowhere. */
	uint64_t hold;
	/* Written by the program: the hook at which it left the recorded path; 0: it did not. */
	uint64_t left;
};
_Static_assert(sizeof(struct fr_control_file_thread) == 48,
	       "shared layout: bump FR_CONTROL_FILE_VERSION");

/* The thread runs until `hook` of its hooks have happened. While a run is recorded, `thread` is its
   pool id - 1, and it runs until it must wait, ends, or has executed `quantum` hooks. */
struct fr_control_file_turn {
	uint32_t thread;
	uint32_t create; /* recording: the turn also ends when the thread has created another */
	uint64_t hook;
};
_Static_assert(sizeof(struct fr_control_file_turn) == 16,
	       "shared layout: bump FR_CONTROL_FILE_VERSION");

/* The expected event at a hook. Those of one thread are adjacent, in the order of their hooks. */
struct fr_control_file_expect {
	uint64_t hook;
	uint64_t value;
	uint32_t thread;
	uint32_t site;
	uint8_t kind; /* enum fr_event_kind */
	uint8_t flags;
	uint8_t outcome; /* enum fr_outcome; with FR_CTL_SIGNAL: a child sent the signal */
	uint8_t pad;
	uint32_t event;	 /* 1 + number of the finding's event that this is; 0: none */
	uint32_t memory; /* target: accesses common bytes with all others of this number; 0: none */
	/* FR_CTL_OBJECT: thread and hook that allocated the object, and the offset in it */
	uint32_t object_thread;
	uint64_t object_hook, offset;
};
_Static_assert(sizeof(struct fr_control_file_expect) == 56,
	       "shared layout: bump FR_CONTROL_FILE_VERSION");
#define FR_CTL_VALUE 0x01   /* the value must be the same */
#define FR_CTL_POINTER 0x02 /* ... or both values are addresses: objects may move */
#define FR_CTL_OBJECT 0x40  /* ... or both values are this offset in the same heap object */
#define FR_CTL_OUTCOME 0x04 /* the outcome must be the same; forced on timed calls and barriers */
#define FR_CTL_ANYSITE 0x08 /* only the outcome is compared, not site and event kind */
#define FR_CTL_SIGNAL 0x20  /* the handler of signal `value` begins here; not for faults */
#define FR_CTL_GAP 0x80	    /* ... and counts the hook before, which has no event */
#define FR_CTL_BLOCKS 0x10  /* target: the call blocks for ever instead of happening (deadlock) */

/* A place where a turn ends, or where an event of the finding happens. */
struct fr_control_file_place {
	uint64_t addr; /* of the object, in the recorded run; 0: any object */
	uint32_t site;
	uint32_t count; /* occurrences of site and object since the turn began, this one included */
	uint8_t kind;	/* enum fr_event_kind; 0: the turn ends at its hook only */
	uint8_t pad[7];
};
_Static_assert(sizeof(struct fr_control_file_place) == 24,
	       "shared layout: bump FR_CONTROL_FILE_VERSION");

/* By place: an event of the finding, or a target. They happen in this order. */
struct fr_control_file_milestone {
	uint64_t hook; /* in the recorded run */
	struct fr_control_file_place place;
	uint32_t thread;
	uint32_t memory; /* as in struct fr_control_file_expect */
	uint64_t turn;	 /* the turn in which it happens; nturns: after all turns */
	uint32_t total;	 /* like place.count, but since the thread's previous milestone or first
			    turn */
	uint8_t blocks;	 /* the call blocks for ever instead of happening */
	uint8_t once;	 /* it does not happen again before the thread's next milestone */
	/* The lowest frames of the call stack that are the same at the thread's previous milestone:
	   both happen in one call of each of these functions. 0: they need not */
	uint16_t frames;
	uint32_t stays; /* its thread then waits for the other milestones: all were pending at
			   once */
	uint32_t pad;
};
_Static_assert(sizeof(struct fr_control_file_milestone) == 64,
	       "shared layout: bump FR_CONTROL_FILE_VERSION");

/* By place: a turn that ended here. */
struct fr_control_file_made {
	uint32_t id; /* the thread's pool id */
	uint32_t site;
	uint64_t hook;
	uint8_t kind, pad[7];
};
_Static_assert(sizeof(struct fr_control_file_made) == 24,
	       "shared layout: bump FR_CONTROL_FILE_VERSION");

/* By place: a read. */
struct fr_control_file_read {
	uint32_t thread; /* index in the schedule */
	uint32_t site;
	uint64_t hook, addr, value;
};
_Static_assert(sizeof(struct fr_control_file_read) == 32,
	       "shared layout: bump FR_CONTROL_FILE_VERSION");

/* How a run follows its schedule by place. */
enum fr_by_place {
	FR_BY_PLACE_NOT,
	FR_BY_PLACE_TURNS,	/* as far as it can, by the turns */
	FR_BY_PLACE_MILESTONES, /* a turn also ends at a milestone; then the thread of the next
				     milestone runs */
	FR_BY_PLACE_OTHERS,	/* likewise, but the last milestone comes when no other thread can
			       run */
	FR_BY_PLACE_FIRST,	/* without turns: the thread of the next milestone runs, from the
			       beginning */
	FR_BY_PLACE_COUNT
};

/* How a run by place ended. */
enum fr_control_file_placed {
	FR_PLACED_NOT,	  /* it is not over */
	FR_PLACED_ALL,	  /* every milestone happened in order */
	FR_PLACED_EARLY,  /* a thread reached its next milestone before it was due: `early` */
	FR_PLACED_REGION, /* a thread began its work anew before its next milestone */
	FR_PLACED_STUCK,  /* no thread could run that may run */
	FR_PLACED_BOUND,  /* the run became too long */
};

/*
 * One answer from outside. A thread's answers are in the order of its calls. `len` bytes follow,
 * then zeros up to a multiple of 8.
 */
struct fr_control_file_input {
	uint16_t what; /* enum fr_input */
	uint16_t from; /* READ: fr_read_from() */
	uint32_t len;
	uint64_t hook; /* hooks that the thread had executed before the call */
	int64_t result;
};
_Static_assert(sizeof(struct fr_control_file_input) == 24,
	       "shared layout: bump FR_CONTROL_FILE_VERSION");

/* A name outside the program, as the recorded run found it. Sorted by `name`. */
struct fr_control_file_name {
	uint64_t name;	/* hash of the name */
	uint32_t flags; /* FR_NAME_* */
	uint32_t size, content;
	uint32_t kind; /* enum fr_name_kind */
};
_Static_assert(sizeof(struct fr_control_file_name) == 24,
	       "shared layout: bump FR_CONTROL_FILE_VERSION");

/* How the controller continues after the targets have met. */
enum fr_control_file_then {
	FR_THEN_GO_ON,	/* run to the end of the program, one thread at a time */
	FR_THEN_OTHERS, /* the same, but the thread of the last target does not run first */
	FR_THEN_STOP,	/* wait for the tool to end the process: the rest is not wanted */
	FR_THEN_AWAKE,	/* as FR_THEN_GO_ON, but a thread that sleeps lets no other thread run */
};

enum fr_control_file_sleeps {
	FR_SLEEPS_NOT,
	FR_SLEEPS_IN_WAIT,    /* the finding is a wait without a wake-up */
	FR_SLEEPS_AFTER_READ, /* it is a read that may lead to one */
};

enum fr_control_file_phase {
	FR_PHASE_NEW,	   /* not attached */
	FR_PHASE_TURNS,	   /* follows the turns */
	FR_PHASE_MEET,	   /* the turns are over: all targets are pending */
	FR_PHASE_MET,	   /* the targets happened (or block) in their order; threads run on */
	FR_PHASE_DIVERGED, /* `diverged` describes the divergence; the process ends itself */
	FR_PHASE_HANG,	   /* final: no thread can continue; `waiter` lists what each waits for */
	FR_PHASE_OUTSIDE,  /* final: the same, but the causes in `outside` could still end a wait */
	FR_PHASE_PLACED,   /* final: `placed` says how the run by place ended */
	FR_PHASE_ENDED,	   /* the program ended (exit, _exit, exec) */
};

/* Causes that could still end a wait when no thread of the program can run (ctl_idle.c). */
#define FR_OUTSIDES(X)                                                           \
	X(CHILD, "a child process is alive")                                     \
	X(SHARED, "a thread waits for an object that other processes can share") \
	X(THREADS, "threads that forerun does not control are alive")            \
	X(AWAY, "a thread is blocked in a system call")                          \
	X(INPUT, "a thread waits for input from outside")                        \
	X(SIGNAL, "a thread waits for a signal")                                 \
	X(TIMER, "a timer of the kernel will send a signal")

enum fr_outside {
#define FR_X(n, s) FR_OUTSIDE_BIT_##n,
	FR_OUTSIDES(FR_X)
#undef FR_X
	    FR_OUTSIDE_COUNT
};
#define FR_OUTSIDE_CHILD (1u << FR_OUTSIDE_BIT_CHILD)
#define FR_OUTSIDE_SHARED (1u << FR_OUTSIDE_BIT_SHARED)
#define FR_OUTSIDE_THREADS (1u << FR_OUTSIDE_BIT_THREADS)
#define FR_OUTSIDE_AWAY (1u << FR_OUTSIDE_BIT_AWAY)
#define FR_OUTSIDE_INPUT (1u << FR_OUTSIDE_BIT_INPUT)
#define FR_OUTSIDE_SIGNAL (1u << FR_OUTSIDE_BIT_SIGNAL)
#define FR_OUTSIDE_TIMER (1u << FR_OUTSIDE_BIT_TIMER)

/* The recorded clocks, in the order of FR_POOL_CLOCK_IDS. */
#define FR_CONTROL_FILE_CLOCKS FR_POOL_CLOCKS

/* The reasons for a divergence. */
#define FR_DIVERGENCES(X)                                                          \
	X(KIND, "another operation")                                               \
	X(SITE, "the same operation at another place")                             \
	X(VALUE, "another value")                                                  \
	X(OUTCOME, "another outcome")                                              \
	X(BLOCKED, "it must wait, but the schedule expects it to continue")        \
	X(NOT_BLOCKED, "it continues, but should wait")                            \
	X(NO_THREAD, "a thread that does not exist yet")                           \
	X(THREAD_ENDED, "the thread ended too early")                              \
	X(PROGRAM_ENDED, "the program ended too early")                            \
	X(BRINK, "the thread is already past its target")                          \
	X(APART, "the accesses are to different memory")                           \
	X(ORDER, "an expected event did not happen")                               \
	X(REUSED, "the memory may belong to another variable now")                 \
	X(OUTSIDE, "the thread waits for something that forerun does not control") \
	X(INPUT, "the program asked the outside world another question")

enum fr_divergence {
	FR_DIV_NONE,
#define FR_X(n, s) FR_DIV_##n,
	FR_DIVERGENCES(FR_X)
#undef FR_X
	    FR_DIV_COUNT
};

/* An observed hook. */
struct fr_control_file_seen {
	uint32_t thread; /* index in the schedule, ~0: not in it */
	uint32_t id;	 /* the thread's pool id */
	uint64_t hook;
	uint64_t addr, value;
	uint32_t site;
	uint32_t size; /* bytes, of accesses */
	uint8_t kind, outcome, pad[2];
	uint32_t order; /* events of findings: 1-based position in observed order, 0 = not seen */
};
_Static_assert(sizeof(struct fr_control_file_seen) == 48,
	       "shared layout: bump FR_CONTROL_FILE_VERSION");

/* Events of a finding before its targets. Each happens after those before it in the list; with
   `by_memory`, after those of them that have the same memory number. Events with `any_order` have
   no order among themselves. */
struct fr_control_file_before {
	uint32_t n;
	struct {
		uint32_t event;	 /* number */
		uint32_t memory; /* as in struct fr_control_file_expect */
		uint32_t any_order;
	} event[FR_CONTROL_FILE_EVENTS];
	uint32_t by_memory;
};
/* Must event b of the list happen after event a, which comes before it there? */
static inline int fr_control_file_is_ordered(const struct fr_control_file_before *w, uint32_t a,
					     uint32_t b)
{
	return !(w->by_memory && w->event[a].memory != w->event[b].memory) &&
	       !(w->event[a].any_order && w->event[b].any_order);
}

struct fr_control_file_diverged {
	uint32_t why;  /* enum fr_divergence */
	uint32_t turn; /* number of the current turn */
	struct fr_control_file_seen seen;
	struct fr_control_file_expect expected;
	uint32_t holder; /* BLOCKED: pool id of the lock's holder, 0: not known */
	uint32_t pad;
};

/* A meeting of one or two targets between turns. */
struct fr_control_file_stop {
	uint64_t turn; /* number of turns before it */
	uint32_t ntargets, pad;
	struct fr_control_file_expect target[2];
	struct fr_control_file_before before;
	struct fr_control_file_seen met[2]; /* written by the program */
};

/* A waiting thread when no thread can continue, or a thread that polls for ever. */
struct fr_control_file_waiter {
	/* event kind of the call and address of its object; FR_EV_INPUT: the number of a
	   descriptor */
	struct fr_control_file_seen seen;
	uint32_t holder; /* pool id of the object's holder, 0: not known */
	uint32_t polls;	 /* it repeats a loop; seen: a step of the loop, kind 0: a call */
	struct fr_crash_stack stack;
};

/* A point at which a thread had to let others run, after the turns of a control file with
   `runs_first`. */
struct fr_control_file_pause {
	uint32_t kind; /* of the call that waits, 0: another call; FR_PAUSE_SPENT: not in a call */
	struct fr_crash_stack stack;
};
#define FR_PAUSE_SPENT UINT32_MAX

/*
 * Differences between the world of the recorded run and that of this run. In this run, a named
 * object outside the program existed, was missing or was different before the program changed it;
 * or a call with an unknown name failed for an external reason. With `lost`, a difference may have
 * escaped: the program used too many names.
 */
#define FR_WORLD_SIGNAL UINT32_MAX     /* a child did not send a signal that it sent then */
#define FR_WORLD_PEER (UINT32_MAX - 1) /* a ghost could not do what a peer did then */
struct fr_control_file_world {
	_Atomic uint32_t n; /* number of differences; the rest describes the first */
	uint32_t phase;	    /* enum fr_control_file_phase at that time */
	uint32_t kind;	    /* enum fr_name_kind; FR_WORLD_* */
	uint32_t then, now; /* FR_NAME_* in the recorded run and now; then = 0: not known */
	int32_t error;	    /* errno of the call, 0: it succeeded */
	uint32_t lost;	    /* the recorded run, or this one, used names that are not tracked */
	uint32_t pad;
	struct fr_control_file_seen seen;
	char name[FR_CONTROL_FILE_NAME];
};

struct fr_control_file {
	uint64_t magic;
	uint32_t version;
	uint32_t then;	  /* enum fr_control_file_then */
	uint64_t size;	  /* of the file */
	uint64_t quantum; /* hooks that a thread may execute at a time after the targets */
	uint32_t nthreads, ntargets;
	uint64_t nturns, nexpect, ninput; /* ninput: bytes */
	uint64_t threads_off, turns_off, stops_off, expect_off, events_off, input_off;
	uint64_t nstops, nevents;
	uint64_t names_off, nnames;
	struct fr_control_file_expect
	    target[FR_CONTROL_FILE_TARGETS];  /* in the order of the schedule */
	struct fr_control_file_before before; /* events before the targets */
	uint32_t cpu;			      /* 1 + number of the processor to run on; 0: any */
	uint32_t debugger;		      /* stop for a debugger where the targets meet */
	uint64_t patience; /* nanoseconds of real time to wait for an event outside the program */
	uint64_t clock[FR_CONTROL_FILE_CLOCKS]; /* at the start of the recorded run; 0: not known */
	uint32_t files;				/* the recorded run asked, or asks, about files */
	uint32_t recording; /* see "Record" above; then norder replaces nturns */
	uint64_t norder;
	uint64_t seed;	/* recording: of a random order after these turns; 0: none */
	uint32_t other; /* answer with made-up times and random numbers, not the recorded ones */
	/* Without targets: 1 + the thread that runs first after the turns; 0: any. */
	uint32_t runs_first;
	/* Signals, one bit each, whose handlers the recorded run began: in the thread that sent the
	   signal; in another thread. */
	uint64_t handled_here, handled_elsewhere;
	/* After the first event, freed memory is not used again, so that a second free is
	   noticed. */
	uint32_t keeps_all;
	/* Reads before the targets may return other values than in the recorded run, and so lead to
	   another variable at the same address. */
	uint32_t guesses;
	/* With FR_THEN_OTHERS: the thread of the last target runs only when no other can. */
	uint32_t gives_way;
	/* enum fr_control_file_sleeps. The schedule may lead to a wait: threads that yield before
	   they sleep come to sleep. With IN_WAIT, FR_THEN_GO_ON is as FR_THEN_AWAKE: a thread that
	   sleeps after a signal may use it up before the thread that it woke runs. */
	uint32_t sleeps;
	uint32_t departs;  /* the schedule is not the recorded one, nor a serial order of it */
	uint32_t by_place; /* enum fr_by_place; see "Place" above */
	/* If the next milestone cannot be reached: 1: the threads run on freely to the end of the
	   program; 0: a thread that comes early ends the run, and another one follows. */
	uint32_t goes_on;
	uint32_t nmilestones;
	uint64_t place_from; /* the first turn that is followed by place */
	uint64_t bound;	     /* hooks that may be executed by place */
	uint64_t places_off, made_off, reads_off;
	struct fr_control_file_milestone milestone[FR_CONTROL_FILE_MILESTONES];

	/* ---- written by the program ---- */
	_Alignas(64) _Atomic uint32_t phase; /* the tool waits on it (futex) */
	_Atomic uint32_t current;	     /* pool id of the running thread */
	_Atomic uint64_t switches, turn;     /* switches between threads; finished turns */
	uint64_t skipped, first_skipped;     /* recording: turns whose thread could not run */
	_Atomic uint32_t stops_met;	     /* stops whose targets have met */
	_Atomic uint32_t inputs_differ;	     /* answers from outside unlike the recorded ones */
	/* A clock, counter or random number gave an answer that is not the recorded one. */
	_Atomic uint32_t made_up;
	/* The program left the schedule after all events but the last; `diverged` describes how. It
	   continues as after the targets, because it may still come to harm. */
	_Atomic uint32_t left_before_last;
	/* FR_THEN_GO_ON: another thread than the last target's could have continued first */
	_Atomic uint32_t choice;
	_Atomic uint32_t freed_twice; /* a block was freed twice */
	/* After the targets: the first calls that fail (frt_h_fails), with the pool ids of their
	   threads. */
	uint32_t nfailed;
	struct {
		uint32_t id, site;
	} failed[FR_CONTROL_FILE_FAILED];
	_Atomic uint32_t away;	  /* written by the tool: pool id of a thread that waits outside */
	_Atomic uint32_t outside; /* FR_OUTSIDE_* of the last time that no thread could run */
	_Atomic uint64_t beats;	  /* increases while the runtime waits for something outside */
	_Atomic uint32_t asks_ghost, pad4; /* a thread waits for the ghost (ghost_file.h) */
	struct fr_control_file_seen met[FR_CONTROL_FILE_TARGETS];
	/* By place: enum fr_control_file_placed; the milestones so far; turns made; reads, of which
	   the last FR_CONTROL_FILE_READS are kept; the milestone that came early. */
	_Atomic uint32_t placed;
	uint32_t milestones_seen;
	uint32_t first_left, pad3; /* 1 + the first thread that left the recorded path; 0: none */
	uint64_t nmade, nreads;
	struct fr_control_file_seen milestone_seen[FR_CONTROL_FILE_MILESTONES];
	struct fr_control_file_seen early;
	struct fr_control_file_diverged diverged;
	struct fr_control_file_seen apart; /* FR_DIV_APART and REUSED: the other access */
	struct fr_control_file_seen
	    input_seen; /* the first of inputs_differ; kind = enum fr_input */
	struct fr_control_file_world world;
	uint32_t nwaiters;
	/* All threads waited without a timeout, as `waiter` lists, and only a timer of the program
	   was left. The timer may have ended the program. */
	uint32_t stalled;
	struct fr_control_file_waiter waiter[FR_CONTROL_FILE_WAITERS];
	struct fr_crash crash;
	uint32_t npauses, pad2; /* distinct pauses; may exceed the array */
	struct fr_control_file_pause pause[FR_CONTROL_FILE_PAUSES];
	/*
	 * By pool id - 1: each thread's status (enum fr_control_file_status), and the futex on
	 * which it is parked (FR_GO_*). The tool may wake a parked thread with FR_GO_DEPUTY
	 * (process/turn_watch.c). That thread then takes the turn from the thread in `away`.
	 */
	_Atomic uint32_t status[FR_POOL_MAX_THREADS], go[FR_POOL_MAX_THREADS];
	/* The object that each blocked thread waits for, 0: none. */
	_Atomic uint64_t waits_for[FR_POOL_MAX_THREADS];
};

enum fr_control_file_status {
	FR_CTL_NONE,
	FR_CTL_CREATED, /* created, not started */
	FR_CTL_READY,	/* parked; can continue */
	FR_CTL_RUNNING, /* has the turn */
	FR_CTL_BLOCKED, /* parked; waits for an object that the controller tracks */
	FR_CTL_AWAY,	/* lost its turn because it waited for something else */
	FR_CTL_OVER,	/* ended */
};
#define FR_GO_ON 1     /* the thread has the turn */
#define FR_GO_DEPUTY 2 /* the tool's request, see above */
#define FR_GO_WAITS 3  /* asleep, or about to be: it must be woken */

static inline struct fr_control_file_thread *fr_control_file_threads(struct fr_control_file *c)
{
	return (struct fr_control_file_thread *)((char *)c + c->threads_off);
}
static inline struct fr_control_file_turn *fr_control_file_turns(struct fr_control_file *c)
{
	return (struct fr_control_file_turn *)((char *)c + c->turns_off);
}
static inline struct fr_control_file_stop *fr_control_file_stops(struct fr_control_file *c)
{
	return (struct fr_control_file_stop *)((char *)c + c->stops_off);
}
static inline struct fr_control_file_expect *fr_control_file_expects(struct fr_control_file *c)
{
	return (struct fr_control_file_expect *)((char *)c + c->expect_off);
}
/* The places at which the turns from `place_from` on end. */
static inline struct fr_control_file_place *fr_control_file_places(struct fr_control_file *c)
{
	return (struct fr_control_file_place *)((char *)c + c->places_off);
}
static inline struct fr_control_file_made *fr_control_file_made(struct fr_control_file *c)
{
	return (struct fr_control_file_made *)((char *)c + c->made_off);
}
static inline struct fr_control_file_read *fr_control_file_reads(struct fr_control_file *c)
{
	return (struct fr_control_file_read *)((char *)c + c->reads_off);
}
/* The tool writes thread, hook, event kind and site; the program writes the rest. */
static inline struct fr_control_file_seen *fr_control_file_events(struct fr_control_file *c)
{
	return (struct fr_control_file_seen *)((char *)c + c->events_off);
}
/* Returns 1 + the index of the first event that did not happen in the required order; 0: all
   did. */
static inline uint32_t fr_control_file_out_of_order(struct fr_control_file *c,
						    const struct fr_control_file_before *w)
{
	const struct fr_control_file_seen *seen = fr_control_file_events(c);

	for (uint32_t i = 0; i < w->n; i++) {
		uint32_t order = seen[w->event[i].event].order;

		if (!order)
			return i + 1;
		for (uint32_t k = 0; k < i; k++)
			if (fr_control_file_is_ordered(w, k, i) &&
			    seen[w->event[k].event].order >= order)
				return i + 1;
	}
	return 0;
}
/* Returns whether a thread that waits at the target repeats it in a loop of its own: an access, or
   an attempt to take a lock, which was refused. */
static inline int fr_control_file_polls(const struct fr_control_file_expect *target,
					const struct fr_control_file_seen *seen)
{
	return fr_event_is(target->kind) & (FR_IS_READ | FR_IS_WRITE) || seen->outcome == FR_BUSY;
}

/* Returns whether all events but the last have happened, in their order, and those of the same
   number to common memory. */
static inline int fr_control_file_all_but_last(struct fr_control_file *c)
{
	const struct fr_control_file_seen *seen = fr_control_file_events(c), *x, *y;
	const struct fr_control_file_before *w = &c->before;

	if (c->ntargets != 1 || w->n < 2 || w->n > FR_CONTROL_FILE_EVENTS ||
	    fr_control_file_out_of_order(c, w))
		return 0;
	for (uint32_t i = 0; i < w->n; i++) {
		x = &seen[w->event[i].event];
		for (uint32_t k = 0; k < i; k++) {
			y = &seen[w->event[k].event];
			if (w->event[i].memory && w->event[i].memory == w->event[k].memory &&
			    (x->addr >= y->addr + y->size || y->addr >= x->addr + x->size))
				return 0;
		}
	}
	return 1;
}
static inline struct fr_control_file_name *fr_control_file_names(struct fr_control_file *c)
{
	return (struct fr_control_file_name *)((char *)c + c->names_off);
}
static inline char *fr_control_file_inputs(struct fr_control_file *c)
{
	return (char *)c + c->input_off;
}

#endif
