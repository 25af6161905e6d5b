/*
 * The runtime's own contract: a thread's state, how events are emitted, how wrappers are written.
 *
 * Everything here runs inside the program under test: libc only, no malloc, no stdio, no lock on
 * the access path, errno preserved, async-signal-safe where a hook can run in a signal handler.
 *
 * A wrapper looks like this:
 *
 *	int frt_wrap_pthread_mutex_lock(pthread_mutex_t *m)
 *	{
 *		struct frt_thread *t = frt_self;
 *		int r;
 *
 *		// Off, or not ours: as if we were not there.
 *		if (!t)
 *			return REAL(pthread_mutex_lock)(m);
 *		// Only for calls that can block; under a schedule they wait for their turn.
 *		frt_pending(t, FR_EV_MUTEX_LOCK, m);
 *		r = frt_controlled() ? frt_ctl_mutex_lock(t, m, NULL)
 *				     : REAL(pthread_mutex_lock)(m);
 *		// After it was taken.
 *		frt_after(FR_EV_MUTEX_LOCK, FR_SYNC(frt_outcome(r), FR_PLAIN, type), m);
 *		return r;
 *	}
 *
 * and for a release: frt_sync(...) first, the real call after. A release that fails is corrected by
 * emitting the event only when it will succeed where that can be told, else with its outcome after.
 */
#ifndef FRT_RT_H
#define FRT_RT_H

#include "format/event.h"
#include "format/pool.h"
#include <stdbool.h>
#include <stdint.h>

#define FRT_FRAMES 16384 /* frames kept of a call stack; deeper ones share the last place */
#define FRT_SIDE 1024	 /* slots for a signal handler that interrupts the emitter */

struct frt_frame {
	uint32_t call; /* site of the call that this frame is in */
	uint32_t func; /* site of the function */
};

struct frt_cell;
struct frt_repeat;
struct frt_tsan;

/* One thread. Lies in its slot of the pool, so that what matters survives the process. */
struct frt_thread {
	/* must mirror struct fr_pool_thread */
	_Atomic uint32_t state;
	uint32_t id, parent, nth;
	uint32_t block, seq;
	uint64_t idx;
	struct fr_event *pos, *end;
	_Atomic uint64_t pending;
	uint32_t pending_site, os_tid;
	/* the runtime's own */
	uint64_t limit;		 /* the hook that reaches this index leaves the fast path */
	struct frt_cell *shadow; /* the ownership table */
	uint64_t owner; /* what a cell's key must say for an access to be dropped: this thread's id
			   in its place */
	uint8_t *hot;	/* executions of each site in this thread, up to the threshold */
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
	const void *late_addr; /* a write announced before it happens (tsan_abi.c), its value still
				  to be read */
	uint64_t late_site_size; /* site << 32 | size */
	void *memory;		 /* of this thread: everything above that is not in the slot */
	struct frt_tsan *tsan;	 /* in that memory: tsan.h */
};
_Static_assert(sizeof(struct frt_thread) <= sizeof(struct fr_pool_thread),
	       "frt_thread outgrew its slot");
_Static_assert(__builtin_offsetof(struct frt_thread, idx) ==
		       __builtin_offsetof(struct fr_pool_thread, idx) &&
		   __builtin_offsetof(struct frt_thread, pos) ==
		       __builtin_offsetof(struct fr_pool_thread, pos) &&
		   __builtin_offsetof(struct frt_thread, pending) ==
		       __builtin_offsetof(struct fr_pool_thread, pending),
	       "frt_thread must mirror fr_pool_thread");

/* This thread, or NULL: recording is off, the thread is not ours, or it is over. */
extern _Thread_local struct frt_thread *frt_self __attribute__((tls_model("initial-exec")));

/* The pool, NULL when the program does not run under `forerun record`. */
extern struct fr_pool *frt_pool;

/* A copy that is never a call: a sanitizer would look at what is copied. gcc has no such thing, and
   only checks the sources. */
#ifdef __clang__
#define frt_copy_inline(to, from, n) __builtin_memcpy_inline(to, from, n)
#else
#define frt_copy_inline(to, from, n) __builtin_memcpy(to, from, n)
#endif

#define frt_likely(x) __builtin_expect(!!(x), 1)
#define frt_unlikely(x) __builtin_expect(!!(x), 0)

static inline struct frt_frame *frt_frame_at(const struct frt_thread *t, uint32_t d)
{
	return &t->stack[d < FRT_FRAMES ? d : FRT_FRAMES - 1];
}

/* Site of the call that the program is in now: where a wrapped function was called from. */
static inline uint32_t frt_call_site(const struct frt_thread *t)
{
	return t->depth ? frt_frame_at(t, t->depth - 1)->call : 0;
}

/* ---- emit.c: counts the hook, stamps, writes. Safe in signal handlers. ---- */

/* A synchronisation, thread or memory event on `obj`, stamped now. */
void frt_sync(struct frt_thread *t, unsigned kind, unsigned aux, const void *obj);
/* The same with one EXT slot. */
void frt_sync_ext(struct frt_thread *t, unsigned kind, unsigned aux, const void *obj,
		  uint64_t ext_addr, uint64_t ext_value);
/* Slots that are already made: slot 0 is the event (it counts as a hook; idx is filled in here, and
   site if it is 0), the rest EXT. */
void frt_emit(struct frt_thread *t, struct fr_event *slots, unsigned n);
/* Takes the next stamp. */
uint64_t frt_stamp(void);
/* Writes slots that are no hook of the program (FRAMES, STAMP, LAST_*, TU, PC_SITE). */
void frt_put(struct frt_thread *t, struct fr_event *slots, unsigned n);
/* Counts one hook; returns its index. */
uint64_t frt_tick(struct frt_thread *t, uint64_t w0, uint64_t value, uint32_t site);
/* tsan_abi.c: writes down the announced write of t->late_addr, whose value is now in memory, and
 * clears it. */
void frt_flush_late(struct frt_thread *t);

/* Says, for a post-mortem reader, that the thread is about to block on obj. */
static inline void frt_pending(struct frt_thread *t, unsigned kind, const void *obj)
{
	t->pending_site = frt_call_site(t);
	__atomic_store_n((uint64_t *)&t->pending, fr_w0((uintptr_t)obj, kind, 0), __ATOMIC_RELAXED);
}
static inline void frt_pending_done(struct frt_thread *t)
{
	__atomic_store_n((uint64_t *)&t->pending, 0, __ATOMIC_RELAXED);
}

/* A counter of the pool (FR_RTC_*). Nothing when off. */
void frt_count(enum fr_rt_counter c, uint64_t n);
/* A threading function that is not modelled was called: counted under its name. */
void frt_unmodelled(const char *name);

/* ---- shadow.c ---- */

/* Bytes [addr, addr+size) start or end their life: nobody owns them any more. For frees, call it
   before the FREE event; it writes down what other threads did last to these bytes. */
void frt_shadow_forget(struct frt_thread *t, const void *addr, uint64_t size);
/* A range access from a wrapper (memcpy and the like), after it happened. Not for NULL t. */
void frt_range(struct frt_thread *t, bool write, const void *addr, uint64_t size, uint32_t site);

/* ---- rt_thread.c: the life of a thread, called by the wrappers of pthread_create and exit ---- */

/* In the parent, before the child exists: a slot for it, and its THREAD_CREATE is left to the
   caller. NULL when off or when there are too many threads. */
struct frt_thread *frt_thread_new(struct frt_thread *parent);
/* In the parent, when creation failed after all. */
void frt_thread_abandon(struct frt_thread *child);
/* In the child, first thing: becomes the current thread; emits THREAD_START. */
void frt_thread_start(struct frt_thread *t, const void *start_routine);
/* In the child, last thing (after the last thread-specific destructor): emits THREAD_EXIT, hands
   over its block, and frt_self is NULL from then on. */
void frt_thread_exit(struct frt_thread *t);

/* Adds what the thread has counted by itself to the pool's counters. */
void frt_thread_counters(struct frt_thread *t);

/* After fork, in the child: recording is off for ever in this process. */
void frt_off_after_fork(void);
/* Around exit/_exit/exec: makes what is buffered final. Idempotent. */
void frt_finish(unsigned how);
/* After dlopen: looks for new modules. */
void frt_scan_modules(void);

/* ---- options: FORERUN_OPTIONS of the recorder, "key=value:..." ---- */
bool frt_option_bool(const char *key, bool def);
uint64_t frt_option_u64(const char *key, uint64_t def);

#endif
