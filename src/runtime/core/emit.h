/* The inlined part of the emitter; emit.c states its invariants. */
#ifndef FRT_EMIT_H
#define FRT_EMIT_H

#include "rt.h"

#define FRT_STAMP_EVERY 256		  /* kept accesses between coarse stamps */
#define FRT_HEARTBEAT (UINT64_C(1) << 30) /* hooks without any event */

/* The rare cases: a new block, a changed call stack, a signal handler inside the emitter. */
void frt_put_slow(struct frt_thread *t, const struct fr_event *slots, unsigned n);
/* Writes the events that a signal handler left in the side buffer. */
void frt_drain_side(struct frt_thread *t);
/* Call it when no frame of the emitter is on this thread's stack. Asynchronous cancellation may
   have thrown the thread out of one; its later events are then in the side buffer. */
void frt_emit_heal(struct frt_thread *t);

/* Writes a coarse stamp: the counter and the clock. The thread's earlier events happened before it
   and its later ones happen after it. */
void frt_put_stamp(struct frt_thread *t, uint64_t stamp);
uint64_t frt_stamp_now(void);
/* The thread begins a turn of a schedule. If its events are judged: writes FR_STAMP_TURN. */
void frt_put_turn(struct frt_thread *t);

/* Leaves the emitter. A signal may come at any point here. */
static inline void frt_put_end(struct frt_thread *t)
{
	for (;;) {
		if (frt_unlikely(__atomic_load_n(&t->side_n, __ATOMIC_RELAXED)))
			frt_drain_side(t);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		t->busy = 0;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		if (frt_likely(!__atomic_load_n(&t->side_n, __ATOMIC_RELAXED)))
			return;
		t->busy = 1;
	}
}

/* Writes slots whose `hook` is already filled in. */
static inline void frt_put_inline(struct frt_thread *t, const struct fr_event *slots, unsigned n)
{
	struct fr_event *e;

	if (frt_unlikely(t->busy | t->side_n || t->end - t->pos < (long)n ||
			 t->depth != t->emitted || t->synced != t->emitted)) {
		frt_put_slow(t, slots, n);
		return;
	}
	t->busy = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	e = t->pos;
	for (unsigned i = 0; i < n; i++)
		e[i] = slots[i];
	__atomic_store_n(&t->pos, e + n, __ATOMIC_RELEASE);
	frt_put_end(t);
}

#endif
