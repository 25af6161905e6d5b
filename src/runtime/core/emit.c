/*
 * The emitter: counts the hook, brings the call stack up to date, writes slots into the open block.
 *
 * Invariant: slots are complete before `pos` moves past them, so a reader of the pool sees only
 *            complete events whenever the process dies. EXT slots stay with their event: the
 *            emitter leaves the rest of a block unused rather than split them.
 * Re-entry:  while t->busy is set, the events of a signal handler in the same thread go to a small
 *            side buffer. The interrupted emitter writes them when it is done.
 */
#include "emit.h"
#include "rt_interrupt.h"
#include "rt_access.h"
#include "shared_mapping.h"
#include "runtime/control/ctl.h"
#include "program_state.h"
#include "rt_pool.h"
#include "real.h"
#include "rt.h"
#include "rt_assert.h"
#include "slow.h"
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define FRAMES_STEP 128 /* frames pushed by one FRAMES event */
_Static_assert(FRAMES_STEP < FR_BLOCK_SLOTS && FRT_SIDE <= FR_BLOCK_SLOTS,
	       "what is written at once fits a block");

uint64_t frt_stamp(void)
{
	return atomic_fetch_add_explicit(&frt_pool->stamp, 1, memory_order_seq_cst) + 1;
}

void frt_count(enum fr_rt_counter c, uint64_t n)
{
	if (frt_pool)
		atomic_fetch_add_explicit(&frt_pool->counters[c], n, memory_order_relaxed);
}

uint64_t frt_stamp_now(void)
{
	return atomic_load_explicit(&frt_pool->stamp, memory_order_relaxed);
}

static void put_stamp(struct frt_thread *t, uint64_t stamp, unsigned aux)
{
	struct timespec ts;
	struct fr_event e;

	t->stamp_in = FRT_STAMP_EVERY;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	e = (struct fr_event){.w0 = fr_w0(stamp, FR_EV_STAMP, aux),
			      .value = (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec};
	frt_put(t, &e, 1);
}

void frt_put_stamp(struct frt_thread *t, uint64_t stamp)
{
	put_stamp(t, stamp, 0);
}

void frt_put_turn(struct frt_thread *t)
{
	if (frt_pool->judged)
		put_stamp(t, frt_stamp(), FR_STAMP_TURN);
}

/* While recording, the limit makes the thread write a slot now and then even if it drops
   everything: slots carry the low half of the hook, and a reader relies on gaps of less than 2^31
   hooks. Returns the hook. */
static __attribute__((noinline)) uint64_t limit(struct frt_thread *t, uint64_t w0, uint64_t value,
						uint32_t site)
{
	if (frt_controlled()) {
		frt_ctl_hook(t, w0, value, site);
		if (!frt_ctl->recording)
			return t->hook;
	} else if (!t->limit) {
		return frt_interrupt_hook(t, w0, value);
	} else {
		t->limit = t->hook + FRT_HEARTBEAT;
	}
	/* The access of this hook was earlier, so the stamp carries no position. */
	frt_put_stamp(t, 0);
	return t->hook;
}

static __attribute__((noinline)) bool slow_limit(struct frt_thread *t, const void *addr,
						 uint64_t value, uint64_t site_access)
{
	unsigned kind = site_access & FRT_SLOW_WRITE ? FR_EV_WRITE : FR_EV_READ;
	/* In a signal handler, or the first hook after one. */
	bool interrupted = addr && !t->limit && !frt_controlled();
	bool first = addr && site_access & FRT_SLOW_WRITE && frt_ordered();
	uint64_t hook;

	if (first)
		frt_access_kept(t, t->hook, addr, value, site_access);
	hook = limit(t, fr_w0((uintptr_t)addr, kind, site_access & 0xff), value,
		     (uint32_t)(site_access >> 32));
	if (interrupted)
		frt_access_kept(t, hook, addr, value, site_access);
	return interrupted || first;
}

/* Has no state of its own: see program_state.h. */
FRT_PRESERVE bool frt_slow_limit(struct frt_thread *t, const void *addr, uint64_t value,
				 uint64_t site_access)
{
	frt_keep_state();
	return slow_limit(t, addr, value, site_access);
}

uint64_t frt_tick(struct frt_thread *t, uint64_t w0, uint64_t value, uint32_t site)
{
	uint64_t hook;

	if (frt_unlikely(t->announced_addr))
		frt_flush_announced(t);
	hook = t->hook + 1;
	__atomic_store_n(&t->hook, hook, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (frt_unlikely(hook >= t->limit))
		hook = limit(t, w0, value, site);
	return hook;
}

/* Returns n slots of the open block, or NULL when recording has stopped. */
static struct fr_event *reserve(struct frt_thread *t, unsigned n)
{
	if (t->end - t->pos < (long)n && !frt_block_next(t)) {
		frt_count(FR_RTC_lost_stopped, 1);
		return NULL;
	}
	return t->pos;
}

static void commit(struct frt_thread *t, unsigned n)
{
	__atomic_store_n(&t->pos, t->pos + n, __ATOMIC_RELEASE);
}

/* Writes how the call stack has changed since the last event. */
static void sync_frames(struct frt_thread *t)
{
	uint32_t depth = t->depth, keep = t->synced;

	if (depth > FRT_FRAMES) {
		frt_count(FR_RTC_frames_deep, 1);
		depth = FRT_FRAMES;
	}
	if (keep > depth)
		keep = depth;
	frt_assert(t->busy);
	do {
		uint32_t n = depth - keep < FRAMES_STEP ? depth - keep : FRAMES_STEP;
		struct fr_event *e = reserve(t, n + 1);

		if (!e)
			return;
		e[0] = (struct fr_event){.w0 = fr_w0(keep, FR_EV_FRAMES, n),
					 .site = keep ? t->stack[keep - 1].call : 0,
					 .hook = (uint32_t)t->hook};
		for (uint32_t i = 0; i < n; i++)
			e[i + 1] =
			    (struct fr_event){.w0 = fr_w0(t->stack[keep + i].call, FR_EV_EXT, 0),
					      .value = t->stack[keep + i].func,
					      .hook = (uint32_t)t->hook};
		commit(t, n + 1);
		keep += n;
	} while (keep < depth);
	t->synced = t->emitted = t->depth;
}

/* Not memcpy: a sanitizer's memcpy would check the stack of a thread that
   was thrown out of its calls. */
static inline void copy(struct fr_event *to, const struct fr_event *from, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		to[i] = from[i];
}

/* Handlers can interrupt handlers: room is reserved in one atomic step, and
   later handlers end first. */
static void put_side(struct frt_thread *t, const struct fr_event *slots, unsigned n)
{
	uint32_t at = __atomic_fetch_add(&t->side_n, n, __ATOMIC_RELAXED);

	if (at + n > FRT_SIDE) {
		__atomic_fetch_sub(&t->side_n, n, __ATOMIC_RELAXED);
		frt_count(FR_RTC_lost_signal, 1);
		return;
	}
	copy(t->side + at, slots, n);
}

void frt_drain_side(struct frt_thread *t)
{
	struct fr_event *e;
	uint32_t done = 0, n;
	int cancel;

	/* A cancellation in here would write all events once more. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	e = reserve(t, FRT_SIDE); /* may wait: writes everything that has come by then */
	do {
		n = __atomic_load_n(&t->side_n, __ATOMIC_RELAXED);
		atomic_signal_fence(memory_order_seq_cst);
		frt_assert(n >= done && n <= FRT_SIDE);
		if (e) {
			copy(e + done, t->side + done, n - done);
			commit(t, n - done);
		}
		done = n;
	} while (!__atomic_compare_exchange_n(&t->side_n, &n, 0, false, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	pthread_setcancelstate(cancel, NULL);
}

void frt_emit_heal(struct frt_thread *t)
{
	if (frt_likely(!t->busy))
		return;
	/* Stays busy until the side buffer is empty, as if the emitter had reached its end. */
	frt_put_end(t);
}

void frt_put_slow(struct frt_thread *t, const struct fr_event *slots, unsigned n)
{
	struct fr_event *e;

	if (frt_filter.discard)
		return;
	if (frt_unlikely(atomic_load_explicit(&frt_pool->state, memory_order_relaxed) ==
			 FR_POOL_STOPPED)) {
		frt_count(FR_RTC_lost_stopped, 1);
		return;
	}
	if (t->busy) {
		put_side(t, slots, n);
		return;
	}
	t->busy = 1;
	atomic_signal_fence(memory_order_seq_cst);
	if (t->side_n)
		frt_drain_side(t);
	if (t->depth != t->emitted || t->synced != t->emitted)
		sync_frames(t);
	e = reserve(t, n);
	if (e) {
		copy(e, slots, n);
		commit(t, n);
	}
	frt_put_end(t);
}

void frt_put_frames(struct frt_thread *t)
{
	if (frt_filter.discard || t->busy || atomic_load(&frt_pool->state) == FR_POOL_STOPPED)
		return;
	t->busy = 1;
	atomic_signal_fence(memory_order_seq_cst);
	sync_frames(t);
	frt_put_end(t);
}

void frt_put(struct frt_thread *t, struct fr_event *slots, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		slots[i].hook = (uint32_t)t->hook;
	frt_put_inline(t, slots, n);
}

/* The thread may lose its turn at the hook, and the program may end before the thread gets another:
   writes the event first, because it happens. */
static void emit_judged(struct frt_thread *t, struct fr_event *slots, unsigned n)
{
	if (t->announced_addr)
		frt_flush_announced(t);
	for (unsigned i = 0; i < n; i++)
		slots[i].hook = (uint32_t)t->hook + 1;
	t->epoch++;
	frt_put_inline(t, slots, n);
	frt_tick(t, slots[0].w0, slots[0].value, slots[0].site);
}

void frt_emit(struct frt_thread *t, struct fr_event *slots, unsigned n)
{
	uint32_t hook;

	if (!slots[0].site)
		slots[0].site = frt_call_site(t);
	if (frt_unlikely(t->hook + 1 >= t->limit) && frt_pool->judged) {
		emit_judged(t, slots, n);
		return;
	}
	hook = (uint32_t)frt_tick(t, slots[0].w0, slots[0].value, slots[0].site);
	for (unsigned i = 0; i < n; i++)
		slots[i].hook = hook;
	t->epoch++;
	frt_put_inline(t, slots, n);
}

void frt_sync(struct frt_thread *t, unsigned kind, unsigned aux, const void *obj)
{
	struct fr_event e = {.w0 = fr_w0((uintptr_t)frt_alias(obj), kind, aux),
			     .value = frt_stamp()};

	frt_emit(t, &e, 1);
}

void frt_sync_ext(struct frt_thread *t, unsigned kind, unsigned aux, const void *obj,
		  uint64_t ext_addr, uint64_t ext_value)
{
	bool memory = kind == FR_EV_ALLOC || kind == FR_EV_FREE;
	struct fr_event e[2] = {
	    {.w0 = fr_w0((uintptr_t)(memory ? obj : frt_alias(obj)), kind, aux),
	     .value = frt_stamp()},
	    {.w0 = fr_w0(ext_addr, FR_EV_EXT, 0), .value = ext_value},
	};

	frt_emit(t, e, 2);
}
