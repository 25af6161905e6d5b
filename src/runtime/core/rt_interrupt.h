/*
 * Signal handlers that interrupt a hook. Every hook still gets a number of its own, and an access
 * whose hook a handler interrupts stays before or after the handler. Only for recordings: under
 * control, handlers begin between two hooks.
 *
 * Count:     an inlined hook loads the count, adds one and stores it. A handler in between counts
 *            its own hooks, and the store then loses them. The access path pays nothing for the
 *            repair: the end of the handler sets the thread's limit to 0, so that the next hook of
 *            the interrupted code calls frt_slow_limit, which calls frt_interrupt_hook.
 * Order:     the access of a hook comes before its count. So the handler may begin after an access
 *            that is not counted yet. frt_interrupt_begin leaves one hook free for it, the *gap*.
 *            frt_interrupt_hook compares the access with those of the handler: if the values show
 *            that the access came first, it gets the hook of the gap. Otherwise the order does not
 *            matter, or the access came last; it gets the next hook, and the gap stays empty. If
 *            another handler begins before the next hook, each of them has its gap.
 * Limits:    only accesses of up to 8 bytes are compared, with at most FRT_INTERRUPT_LOG accesses
 *            of the handlers. Other threads may change a location in the meantime. After a wrong
 *            guess the run may not be repeated.
 */
#ifndef FRT_INTERRUPT_H
#define FRT_INTERRUPT_H

#include "rt.h"

#define FRT_INTERRUPT_LOG 64
#define FRT_INTERRUPT_ROW 4 /* handlers in a row whose gaps are kept */

/* The code that a handler interrupted. */
struct frt_interrupted {
	uint64_t counted; /* the last hook that the interrupted code had counted */
	/* the handlers since then: the hook left free, and the first entry of the log */
	uint64_t gap[FRT_INTERRUPT_ROW];
	uint32_t from[FRT_INTERRUPT_ROW], n;
	bool logging;	/* the interrupted code is a handler too */
	uint32_t first; /* its first entry in the log */
	struct frt_frame frame;
	uint32_t depth;
};

/* An access of a handler. */
struct frt_interrupt_entry {
	uint64_t addr, last; /* the value after it */
	uint8_t size;
	bool wrote;
};

/* One for each thread. */
struct frt_interrupt {
	struct frt_interrupted row; /* while `armed`: the handlers that ended last */
	uint64_t end;		    /* the hook then */
	bool armed;		    /* the interrupted code has executed no hook since */
	bool logging;		    /* a handler runs: its accesses are logged */
	uint32_t first;		    /* entry of the running handler */
	uint32_t n;
	struct frt_interrupt_entry log[FRT_INTERRUPT_LOG];
};

/* Before SIGNAL_BEGIN and after SIGNAL_END, with all signals blocked. */
void frt_interrupt_begin(struct frt_thread *t, struct frt_interrupted *ret);
void frt_interrupt_end(struct frt_thread *t, const struct frt_interrupted *was);

/* The hook has been counted, and the thread's limit is 0. Returns the true hook, and
   sets the limit. */
uint64_t frt_interrupt_hook(struct frt_thread *t, uint64_t w0, uint64_t value);

/* The hook whose count and limit are behind it, although a handler may have run
   since. */
static inline uint64_t frt_interrupt_counted(const struct frt_thread *t)
{
	uint64_t hook = t->hook;

	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (frt_unlikely(!t->limit) && t->interrupt->armed)
		return t->interrupt->row.counted;
	return hook;
}

#endif
