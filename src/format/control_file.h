/*
 * The control file: what the runtime of a program that runs under a schedule needs to know, and
 * what it tells of the run. Made by the tool, mapped shared by both; found through the pool
 * (fr_pool.control holds its path).
 *
 * Meaning:   the first part is a schedule (schedule_text.h) with numbers for names: turns, what is
 * to be found at named hooks, targets, and what the recorded run got from outside. Only the tool
 * writes it, before the program starts. The second part is written by the program's threads, of
 * which one runs at a time, and read by the tool when `phase` says so. Layout:    header | threads
 * | turns | stops | expectations | events | inputs | names; each at its offset, 8-byte aligned.
 * Stops:     meetings on the way: after so many turns two threads are at the brink of a target
 * each; these happen, in this order, and the turns go on. The targets of the header meet last.
 * Hook:      (thread, hook index), as in event.h.
 * Nothing here is kept: no version but that of the tool and runtime that are built together.
 */
#ifndef FR_FORMAT_CONTROL_FILE_H
#define FR_FORMAT_CONTROL_FILE_H

#include "pool.h"
#include <stdint.h>

#define FR_CONTROL_MAGIC UINT64_C(0x316c7274636672) /* "rfctrl1" */
#define FR_CONTROL_VERSION 9

#define FR_CONTROL_TARGETS 16
#define FR_CONTROL_EVENTS 32 /* of one finding, before its targets */
#define FR_CONTROL_FRAMES 64
#define FR_CONTROL_TEXT 512
#define FR_CONTROL_WAITERS 64
#define FR_CONTROL_PAUSES 64
#define FR_CONTROL_NAME 200

/* A thread that the schedule knows: main is 0. */
struct fr_control_thread {
	uint32_t parent; /* index of its parent; main: ~0 */
	uint32_t nth;	 /* n-th child of it, from 1 */
	/* Its part of the expectations and of the inputs: first, and how many (bytes of inputs). */
	uint32_t expect, nexpect;
	uint64_t input, ninput;
};

/* The thread runs until so many of its hooks have happened. */
struct fr_control_turn {
	uint32_t thread;
	uint32_t pad;
	uint64_t hook;
};

/* What is found at a hook. Those of one thread stand together, in the order of their hooks. */
struct fr_control_expect {
	uint64_t hook;
	uint64_t value;
	uint32_t thread;
	uint32_t site;
	uint8_t kind; /* enum fr_event_kind */
	uint8_t flags;
	uint8_t outcome; /* enum fr_outcome */
	uint8_t pad;
	uint32_t event; /* 1 + number of the event of a finding that this is; 0: none */
	uint32_t place; /* target: accesses common bytes with all of the same place; 0: none */
	uint32_t
	    object_thread; /* FR_CTL_OBJECT: who allocated it, at which hook, and where in it */
	uint64_t object_hook, offset;
};
#define FR_CTL_VALUE 0x01   /* the value must be the same */
#define FR_CTL_POINTER 0x02 /* ... or both are addresses: objects may lie elsewhere */
#define FR_CTL_OBJECT 0x40  /* ... or both are that place in the same heap object */
#define FR_CTL_OUTCOME 0x04 /* the outcome must be the same: timed calls and barriers obey it */
#define FR_CTL_ANYSITE 0x08 /* site and kind are not compared: only the outcome matters */
#define FR_CTL_SIGNAL 0x20  /* the handler of signal `value` begins here: not for faults */
#define FR_CTL_BLOCKS 0x10  /* target: it waits for ever, instead of happening (deadlocks) */

/*
 * What a thread got from outside, one after the other in the order of its calls; `len` bytes
 * follow, then zeroes up to a multiple of 8.
 */
struct fr_control_input {
	uint32_t what; /* enum fr_input */
	uint32_t len;
	uint64_t hook; /* hooks that the thread had executed before the call */
	int64_t result;
};

/* A name outside of the program, as the recorded run found it. They stand in the order of hashes.
 */
struct fr_control_name {
	uint64_t name;
	uint32_t flags; /* FR_NAME_* */
	uint32_t size, content;
	uint32_t sort; /* enum fr_name_sort */
};

/* What happens after the targets have met. */
enum fr_control_then {
	FR_THEN_GO_ON,	/* to the end of the program, one thread at a time */
	FR_THEN_OTHERS, /* the same, the thread of the last target not first, but in its turn */
	FR_THEN_STOP,	/* the process stops itself with SIGKILL: nothing after them is wanted */
};

enum fr_control_phase {
	FR_PHASE_NEW,	/* not attached */
	FR_PHASE_TURNS, /* following the turns */
	FR_PHASE_MEET,	/* the turns are over: every target thread is at the brink of its target */
	FR_PHASE_MET,	/* the targets have happened (or wait) in the order wanted: going on */
	FR_PHASE_DIVERGED, /* `diverged` says how; the process ends itself */
	FR_PHASE_HANG,	   /* no thread can go on: `waiter` says who waits for what; stops there */
	FR_PHASE_OUTSIDE,  /* the same, but `outside` names what could still end a wait; stops there
			    */
	FR_PHASE_ENDED,	   /* the program came to its end (exit, _exit, exec) */
};

/* What could still end a wait when no thread of the program can run (ctl_idle.c). */
#define FR_OUTSIDES(X)                                                           \
	X(CHILD, "a child process is alive")                                     \
	X(SHARED, "a thread waits for an object that other processes can share") \
	X(THREADS, "threads that forerun does not control are alive")            \
	X(AWAY, "a thread is blocked in a system call")                          \
	X(INPUT, "a thread waits for input from outside")                        \
	X(SIGNAL, "a thread waits for a signal")

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

/* Clocks whose value at the start of the recorded run is known: REALTIME, MONOTONIC, RAW, BOOTTIME,
   TAI, in this order. */
#define FR_CONTROL_CLOCKS FR_POOL_CLOCKS

/* How a run left its schedule. */
#define FR_DIVERGENCES(X)                                               \
	X(KIND, "another operation")                                    \
	X(SITE, "the same operation at another place")                  \
	X(VALUE, "another value")                                       \
	X(OUTCOME, "another outcome")                                   \
	X(BLOCKED, "it has to wait, where the schedule lets it go on")  \
	X(NOT_BLOCKED, "it goes on, where it should wait")              \
	X(NO_THREAD, "a thread that does not exist yet")                \
	X(THREAD_ENDED, "the thread ended before")                      \
	X(PROGRAM_ENDED, "the program ended before")                    \
	X(BRINK, "the thread is past its target already")               \
	X(APART, "the accesses are to different memory")                \
	X(ORDER, "an event that should have happened has not")          \
	X(OUTSIDE, "the thread waits outside of what forerun controls") \
	X(INPUT, "the program asked the outside world for something else")

enum fr_divergence {
	FR_DIV_NONE,
#define FR_X(n, s) FR_DIV_##n,
	FR_DIVERGENCES(FR_X)
#undef FR_X
	    FR_DIV_COUNT
};

/* A hook as it was seen. */
struct fr_control_seen {
	uint32_t thread; /* index of the schedule, ~0: not in it */
	uint32_t id;	 /* of the thread in the pool */
	uint64_t hook;
	uint64_t addr, value;
	uint32_t site;
	uint32_t size; /* bytes, of accesses */
	uint8_t kind, outcome, pad[2];
	uint32_t order; /* events of findings: the how manieth, from 1; 0: not seen */
};

/* Events of a finding before its targets, in the order in which they must have happened. */
struct fr_control_way {
	uint32_t n;
	struct {
		uint32_t event; /* number */
		uint32_t place; /* as of targets */
	} event[FR_CONTROL_EVENTS];
	uint32_t pad;
};

struct fr_control_diverged {
	uint32_t why;  /* enum fr_divergence */
	uint32_t turn; /* number of the turn that was followed */
	struct fr_control_seen seen;
	struct fr_control_expect expected;
	uint32_t holder; /* BLOCKED: pool id of the thread that holds it, 0: not known */
	uint32_t pad;
};

/* A meeting on the way. */
struct fr_control_stop {
	uint64_t turn; /* after so many turns */
	struct fr_control_expect target[2];
	struct fr_control_way way;
	struct fr_control_seen met[2]; /* written by the program */
};

/* The call stack of a thread: sites of calls, outermost first (format/event.h, FRAMES). */
struct fr_control_stack {
	uint32_t id; /* of the thread in the pool; 0: none */
	uint32_t n;
	uint32_t call[FR_CONTROL_FRAMES], func[FR_CONTROL_FRAMES];
};

/* Who waits for what when nothing can go on. */
struct fr_control_waiter {
	struct fr_control_seen seen; /* kind and addr: what it waits in and for */
	uint32_t holder;	     /* pool id of who holds it, as far as known; 0 */
	uint32_t pad;
	struct fr_control_stack stack;
};

/* Where a thread had to let others run, after the turns of a schedule that has an heir. */
struct fr_control_pause {
	uint32_t kind; /* of the call that waits, 0: another call; FR_PAUSE_SPENT: it was not in a
			  call */
	struct fr_control_stack stack;
};
#define FR_PAUSE_SPENT UINT32_MAX

/* A signal that is about to kill the program, or a failed assertion. */
struct fr_control_crash {
	uint32_t signal, code;
	uint64_t addr, pc;
	struct fr_control_stack stack;
	char assertion[FR_CONTROL_TEXT]; /* "file:line: Assertion `text' failed", or empty */
};

/*
 * The world was not that of the recorded run: something outside of the program was there, missing
 * or different before the program changed it in this run, or an unknown name failed for a reason
 * of the outside. Or nobody knows, as there are too many names (lost).
 */
struct fr_control_world {
	_Atomic uint32_t n; /* how often; the rest is about the first */
	uint32_t phase;	    /* enum fr_control_phase at that time */
	uint32_t sort;	    /* enum fr_name_sort */
	uint32_t then, now; /* FR_NAME_*; then = 0: not known */
	int32_t error;	    /* errno of the call, 0: it succeeded */
	uint32_t lost;	    /* the recorded run, or this one, used names that were not followed */
	uint32_t pad;
	struct fr_control_seen seen;
	char name[FR_CONTROL_NAME];
};

struct fr_control {
	uint64_t magic;
	uint32_t version;
	uint32_t then;	  /* enum fr_control_then */
	uint64_t size;	  /* of the file */
	uint64_t quantum; /* hooks that a thread executes at a time after the targets */
	uint32_t nthreads, ntargets;
	uint64_t nturns, nexpect, ninput; /* of inputs: bytes */
	uint64_t threads_off, turns_off, stops_off, expect_off, events_off, input_off;
	uint64_t nstops, nevents;
	uint64_t names_off, nnames;
	struct fr_control_expect target[FR_CONTROL_TARGETS]; /* in the order they are to happen */
	struct fr_control_way way;			     /* before them */
	uint32_t cpu;	   /* number of the processor to run on, + 1; 0: any */
	uint32_t debugger; /* stop for a debugger where the targets meet */
	uint64_t patience; /* nanoseconds of real time to wait for what comes from outside */
	uint64_t clock[FR_CONTROL_CLOCKS]; /* at the start of the recorded run; 0: not known */
	uint32_t files, pad0;		   /* the recorded run asked about files */
	uint32_t other; /* times and random numbers are made up, not those recorded */
	uint32_t heir;	/* 1 + the thread that goes on first if there are no targets; 0: any */

	/* ---- written by the program ---- */
	_Alignas(64) _Atomic uint32_t phase; /* futex of the tool */
	_Atomic uint32_t current;	     /* pool id of the thread that runs */
	_Atomic uint64_t switches, turn;     /* hand-overs; turns done */
	_Atomic uint32_t stops_met;	     /* meetings on the way that have taken place */
	_Atomic uint32_t inputs_differ;	     /* answers from outside that were not as recorded */
	/* Clocks, counters or random numbers gave an answer that is not the recorded one. */
	_Atomic uint32_t made_up;
	/* It left the schedule when all events but the last had happened, `diverged` says how, and
	   goes on, as after the targets: it may come to harm. */
	_Atomic uint32_t astray;
	_Atomic uint32_t away;	  /* written by the tool: pool id of a thread that waits outside */
	_Atomic uint32_t outside; /* FR_OUTSIDE_*, of the last time that no thread could run */
	_Atomic uint64_t beats;	  /* changes while the runtime itself waits for something outside */
	struct fr_control_seen met[FR_CONTROL_TARGETS];
	struct fr_control_diverged diverged;
	struct fr_control_seen apart;	   /* FR_DIV_APART: the other one */
	struct fr_control_seen input_seen; /* the first of inputs_differ; kind = enum fr_input */
	struct fr_control_world world;
	uint32_t nwaiters;
	/* All threads waited without a limit in time, as `waiter` says, and only a timer of the
	   program was left. It may have ended the program. */
	uint32_t stalled;
	struct fr_control_waiter waiter[FR_CONTROL_WAITERS];
	struct fr_control_crash crash;
	uint32_t npauses, pad2; /* different ones, there may be no room for all */
	struct fr_control_pause pause[FR_CONTROL_PAUSES];
	/*
	 * Threads by pool id - 1: what each is doing, and the futex on which it is parked. The tool
	 * may wake a parked one with FR_GO_DEPUTY: it then takes the turn from the thread in
	 * `away`.
	 */
	_Atomic uint32_t status[FR_POOL_MAX_THREADS], go[FR_POOL_MAX_THREADS];
	/* The object that each blocked thread waits for, 0: none. */
	_Atomic uint64_t waits_for[FR_POOL_MAX_THREADS];
};

enum fr_control_status {
	FR_CTL_NONE,
	FR_CTL_CREATED, /* about to exist */
	FR_CTL_READY,	/* parked; can go on */
	FR_CTL_RUNNING, /* has the turn */
	FR_CTL_BLOCKED, /* parked; waits for something that forerun knows of */
	FR_CTL_AWAY,	/* lost its turn because it waited for something else */
	FR_CTL_OVER,
};
#define FR_GO_ON 1
#define FR_GO_DEPUTY 2
#define FR_GO_WAITS 3 /* asleep, or about to be: it must be woken */

static inline struct fr_control_thread *fr_control_threads(struct fr_control *c)
{
	return (struct fr_control_thread *)((char *)c + c->threads_off);
}
static inline struct fr_control_turn *fr_control_turns(struct fr_control *c)
{
	return (struct fr_control_turn *)((char *)c + c->turns_off);
}
static inline struct fr_control_stop *fr_control_stops(struct fr_control *c)
{
	return (struct fr_control_stop *)((char *)c + c->stops_off);
}
static inline struct fr_control_expect *fr_control_expects(struct fr_control *c)
{
	return (struct fr_control_expect *)((char *)c + c->expect_off);
}
/* Thread, hook, kind and site are written by the tool, the rest by the program. */
static inline struct fr_control_seen *fr_control_events(struct fr_control *c)
{
	return (struct fr_control_seen *)((char *)c + c->events_off);
}
/* Have all events of the last finding happened but one, in their order, and to common memory? */
static inline int fr_control_all_but_last(struct fr_control *c)
{
	const struct fr_control_seen *seen = fr_control_events(c), *x, *y;
	const struct fr_control_way *w = &c->way;

	if (c->ntargets != 1 || w->n < 2 || w->n > FR_CONTROL_EVENTS)
		return 0;
	for (uint32_t i = 0; i < w->n; i++) {
		x = &seen[w->event[i].event];
		if (x->order <= (i ? seen[w->event[i - 1].event].order : 0))
			return 0;
		for (uint32_t k = 0; k < i; k++) {
			y = &seen[w->event[k].event];
			if (w->event[i].place && w->event[i].place == w->event[k].place &&
			    (x->addr >= y->addr + y->size || y->addr >= x->addr + x->size))
				return 0;
		}
	}
	return 1;
}
static inline struct fr_control_name *fr_control_names(struct fr_control *c)
{
	return (struct fr_control_name *)((char *)c + c->names_off);
}
static inline char *fr_control_inputs(struct fr_control *c)
{
	return (char *)c + c->input_off;
}

#endif
