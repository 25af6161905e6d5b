/*
 * The runtime: the code that forerun links into the program. It records the actions of each thread,
 * and under a schedule it controls their order.
 *
 * Start:     init.c runs before any constructor. It maps the pool that the recorder made
 *            (format/pool.h) and makes the main thread. Without a pool, frt_pool and frt_self stay
 *            NULL, and every hook and wrapper returns at once or calls the real function.
 * Thread:    struct frt_thread, in a slot of the pool; frt_self is that of the current thread.
 *            frt_wrap_pthread_create (wrap_thread.c) makes one with frt_thread_new. The new thread
 *            calls frt_thread_start first and frt_thread_exit last (rt_thread.c).
 * Hooks:     code that the pass inserts (format/hook_abi.h), or that -fsanitize=thread inserts
 *            (runtime/tsan/). Each counts in `hook`. hooks.c is inlined and drops an
 *            access if the ownership table shows that only this thread uses the memory (shadow.h).
 *            Other accesses go to frt_slow_access (rt_access.c). A thread whose hook reaches
 *            `limit` calls frt_slow_limit.
 * Wrappers:  calls of libc by the program come to frt_wrap_NAME (runtime/wrap/), through names that
 *            interpose_dynamic.c or interpose_static.c define. A wrapper emits the event and calls
 *            REAL(NAME) (real.h).
 * Buffers:   emit.c writes events of 24 bytes into the thread's open block of the pool. Full blocks
 *            go to the recorder, which writes the trace (rt_pool.c on this side,
 *            fr_pool_reader_drain in src/trace/pool_reader.c on the other).
 * Control:   if the pool names a control file, frt_slow_limit and the wrappers call the controller
 *            (runtime/control/ctl.h), which parks the thread until the schedule lets it continue.
 * Failure:   if the recorder is behind, a thread waits for a free block. If the recorder dies or
 *            stops, recording stops and the program continues. Each lost event is counted
 *            (FR_RT_COUNTERS).
 *
 * The files of core/, besides those above:
 *   emit.h, slow.h, strides.h      the emitter; the slow paths of the inlined hooks; accesses of
 *                                  loops (strides.c, rt_nest.c)
 *   rt_access.h, rt_atomic.c, rt_branch.h, rt_point.c
 *                                  hooks of accesses, atomics, branches, and calls that the user
 *                                  named
 *   rt_interrupt.h                 hooks that a signal handler interrupts
 *   shadow.h, shared_mapping.h, mapped.h, module_span.h
 *                                  memory: the ownership table, memory mapped twice, the end of
 *                                  mapped memory, the memory of a module
 *   kernel.h, kernel_key.c, rt_stream.h
 *                                  keys of kernel objects, and the order that the kernel imposes
 *   rt_input.h, outside_name.h, peer.h, socket_name.h, keep_file.h
 *                                  the outside world: inputs, names, peers and their addresses, and
 *                                  files that the recorder keeps
 *   crash.h, sanitizer.h, heap_key.h, program_state.h
 *                                  the end of the program, sanitizers, libc's heap, and the
 *                                  registers and stack of the program at a hook
 *   own.h, own.c, own_dynamic.c, own_static.c, own_sys.c, public.h
 *                                  libc's functions for the runtime itself, and those of the
 *                                  program
 *   rt_assert.h                    invariants as code
 *
 * Everything here runs inside the program under test: libc only, no malloc, no stdio, no lock on
 * the access path, errno preserved, async-signal-safe where a hook can run in a signal handler.
 *
 * A wrapper of a call that acquires emits the event after the real call:
 *
 *	int frt_wrap_pthread_mutex_lock(pthread_mutex_t *m)
 *	{
 *		struct frt_thread *t = frt_self;
 *		int r;
 *
 *		// Recording is off, or this thread is not recorded.
 *		if (!t)
 *			return REAL(pthread_mutex_lock)(m);
 *		// Only for calls that can block; under a schedule they wait for their turn.
 *		frt_pending(t, FR_EV_MUTEX_LOCK, m);
 *		r = frt_controlled() ? frt_ctl_mutex_lock(t, m, NULL)
 *				     : REAL(pthread_mutex_lock)(m);
 *		frt_after(FR_EV_MUTEX_LOCK, FR_SYNC(frt_outcome(r), FR_PLAIN, type), m);
 *		return r;
 *	}
 *
 * A wrapper of a call that releases calls frt_sync first and the real function after it. If the
 * release can fail, the wrapper emits the event only when the call will succeed; where it cannot
 * know that, it emits the event with the outcome after the call.
 */
#ifndef FRT_RT_H
#define FRT_RT_H

#include "format/event.h"
#include "format/pool.h"
#include <stdbool.h>
#include <stdint.h>

/* Where the kernel maps nothing by itself: mappings of the runtime that differ between a recording
   and a re-execution lie here, so that the program's own get the same addresses in both. Only
   hints, for machines that do not have these addresses. */
#define FRT_CONTROL_AT ((void *)UINT64_C(0x200000000000))
#define FRT_OBJECTS_AT ((void *)UINT64_C(0x210000000000))
#define FRT_POOL_AT ((void *)UINT64_C(0x220000000000))

#define FRT_FRAMES 16384 /* frames kept of a call stack; deeper ones share the last entry */
#define FRT_SIDE 1024	 /* slots for the events of a signal handler that interrupts the emitter */

struct frt_frame {
	uint32_t call; /* site of the call that this frame is in */
	uint32_t func; /* site of the function */
};

struct frt_cell;
struct frt_interrupt;
struct frt_repeat;
struct frt_tsan;

/* One thread. Lies in its slot of the pool, so that the shared part survives the process. */
struct frt_thread {
	FR_POOL_THREAD_SHARED;
	/* private to the runtime */
	uint64_t limit;		 /* the first hook that leaves the fast path */
	struct frt_cell *shadow; /* the ownership table */
	/* owner in the key of a cell whose accesses may be dropped: this thread's id */
	uint64_t owner;
	uint8_t *hot; /* executions of each site in this thread, up to the threshold */
	struct frt_frame *stack;
	uint32_t depth;	  /* frames on the stack */
	uint32_t synced;  /* lowest frames that have not changed since they were last written */
	uint32_t emitted; /* depth that was last written */
	uint32_t epoch;	  /* synchronisations so far */
	uint32_t children;
	uint32_t busy; /* inside the emitter: a signal handler's events go to `side` */
	uint32_t side_n;
	uint32_t stamp_in; /* kept accesses until the next coarse stamp */
	struct fr_event *side;
	struct frt_repeat *repeat; /* ranges read lately */
	uint64_t dropped_repeat, forgotten;
	uint32_t in_wrapper; /* depth of wrappers that call others (C11, allocation inside libc) */
	uint32_t raising;    /* signal that the thread is sending to itself */
	/* a write announced before it happens (tsan_abi.c); its value is not read yet */
	const void *announced_addr;
	uint64_t announced_site_size; /* site << 32 | size */
	void *memory;	       /* this thread's memory: the arrays above that are not in the slot */
	struct frt_tsan *tsan; /* part of that memory: tsan.h */
	struct frt_interrupt *interrupt; /* likewise: rt_interrupt.h */
};
_Static_assert(sizeof(struct frt_thread) <= sizeof(struct fr_pool_thread),
	       "frt_thread outgrew its slot");

/* This thread. NULL: recording is off, the thread is not recorded, or it has ended. */
extern _Thread_local struct frt_thread *frt_self __attribute__((tls_model("initial-exec")));

/* The pool, NULL when the program does not run under `forerun record`. */
extern struct fr_pool *frt_pool;

/* A copy that never becomes a call: a sanitizer's memcpy would check the memory. gcc has no such
   builtin, but it only checks the sources. */
#ifdef __clang__
#define frt_copy_inline(to, from, n) __builtin_memcpy_inline(to, from, n)
#else
#define frt_copy_inline(to, from, n) __builtin_memcpy(to, from, n)
#endif

/* A hash of 24 bits. */
static inline uint32_t frt_hash_address(uintptr_t p)
{
	return (uint32_t)((uint64_t)p * UINT64_C(0x9e3779b97f4a7c15) >> 40);
}

#define frt_likely(x) __builtin_expect(!!(x), 1)
#define frt_unlikely(x) __builtin_expect(!!(x), 0)

static inline struct frt_frame *frt_frame_at(const struct frt_thread *t, uint32_t d)
{
	return &t->stack[d < FRT_FRAMES ? d : FRT_FRAMES - 1];
}

/* Site of the call that the program is in now: the caller of a wrapped function. */
static inline uint32_t frt_call_site(const struct frt_thread *t)
{
	return t->depth ? frt_frame_at(t, t->depth - 1)->call : 0;
}

/* ---- emit.c: counts the hook, takes a stamp, writes. Safe in signal handlers. ---- */

/* Emits a synchronisation, thread or memory event on `obj` with a new stamp. */
void frt_sync(struct frt_thread *t, unsigned kind, unsigned aux, const void *obj);
/* The same with one EXT slot. */
void frt_sync_ext(struct frt_thread *t, unsigned kind, unsigned aux, const void *obj,
		  uint64_t ext_addr, uint64_t ext_value);
/* Emits prepared slots. Slot 0 is the event and counts as a hook; this fills in its hook, and its
   site if that is 0. The other slots are EXT. */
void frt_emit(struct frt_thread *t, struct fr_event *slots, unsigned n);
/* Takes the next stamp. */
uint64_t frt_stamp(void);
/* Writes slots that are not hooks of the program (FRAMES, STAMP, LAST_*, TU, PC_SITE). */
void frt_put(struct frt_thread *t, struct fr_event *slots, unsigned n);
/* Counts one hook and returns it. */
uint64_t frt_tick(struct frt_thread *t, uint64_t w0, uint64_t value, uint32_t site);
/* tsan_announced.c: writes the announced write of t->announced_addr, whose value is now in memory,
   and clears it. */
void frt_flush_announced(struct frt_thread *t);

/* Writes the present call stack if it has changed. */
void frt_put_frames(struct frt_thread *t);
/* Notes in the pool that the thread is about to block on obj, for a reader after a crash. The call
   stack is in the trace then; the event after the call would need it anyway. */
static inline void frt_pending(struct frt_thread *t, unsigned kind, const void *obj)
{
	if (t->depth != t->emitted || t->synced != t->emitted)
		frt_put_frames(t);
	t->pending_site = frt_call_site(t);
	__atomic_store_n((uint64_t *)&t->pending, fr_w0((uintptr_t)obj, kind, 0), __ATOMIC_RELAXED);
}
static inline void frt_pending_done(struct frt_thread *t)
{
	__atomic_store_n((uint64_t *)&t->pending, 0, __ATOMIC_RELAXED);
}

/* Adds to a counter of the pool (FR_RTC_*). Does nothing when recording is off. */
void frt_count(enum fr_rt_counter c, uint64_t n);
/* Counts a call of a threading function that is not modelled, under its name. */
void frt_unmodelled(const char *name);

/* ---- shadow.c ---- */

/* Bytes [addr, addr+size) start or end their life: no thread owns them any more. For a free, call
   it before the FREE event; it writes the last accesses of other threads to these bytes. */
void frt_shadow_forget(struct frt_thread *t, const void *addr, uint64_t size);
/* A range access by a wrapper (memcpy and the like), after it happened. t must not be NULL. */
void frt_range(struct frt_thread *t, bool write, const void *addr, uint64_t size, uint32_t site);

/* ---- rt_thread.c: the life of a thread, called by the wrappers of pthread_create and exit ---- */

/* In the parent, before the child exists: takes a slot for the child. The caller emits
   THREAD_CREATE. NULL when recording is off or there are too many threads. */
struct frt_thread *frt_thread_new(struct frt_thread *parent);
/* In the parent, when the creation failed. */
void frt_thread_abandon(struct frt_thread *child);
/* In the child, first: makes t the current thread and emits THREAD_START. */
void frt_thread_start(struct frt_thread *t, const void *start_routine);
/* In the child, last (after the last thread-specific destructor): emits THREAD_EXIT, hands its
   block over and sets frt_self to NULL. */
void frt_thread_exit(struct frt_thread *t);

/* Adds the thread's own counts to the pool's counters. */
void frt_thread_counters(struct frt_thread *t);

/* In the child after fork: recording is off for good in this process. */
void frt_off_after_fork(void);
/* Before exit, _exit or exec: completes the recording. May be called more than once. */
void frt_finish(unsigned how);
/* At the start: finds the thread-local variables, which end with their thread. */
void frt_thread_find_tls(void);
/* rt_atomic.c: those of t end. Other threads may use them only later, so this is always
   recorded. */
void frt_tls_ends(struct frt_thread *t, const void *addr, uint64_t size);
/* After dlopen: looks for new modules. */
void frt_scan_modules(void);

/* Opens the pool or the control file, which the tool names as one of its own descriptors. In a box,
   a program may not look at the tool's descriptors, but inherits these two, by the same numbers
   (process/spawn.c); this closes the inherited one. Returns a descriptor or -1. */
int frt_open_shared(const char *path);

/* ---- options: FORERUN_OPTIONS as given to the recorder, "key=value:..." ---- */
bool frt_option_bool(const char *key, bool def);
uint64_t frt_option_u64(const char *key, uint64_t def);

#endif
