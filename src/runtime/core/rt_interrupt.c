/* The numbers of hooks that a signal handler interrupts: see rt_interrupt.h. */
#include "emit.h"
#include "rt_assert.h"
#include "rt_interrupt.h"
#include "shared_mapping.h"

void frt_interrupt_begin(struct frt_thread *t, struct frt_interrupted *ret)
{
	struct frt_interrupt *s = t->interrupt;

	ret->n = 0;
	if (s->armed && t->hook == s->end) {
		*ret = s->row;
	} else {
		/* A hook may have been counted, but has not met the limit yet. */
		if (s->armed && t->hook < s->end)
			t->hook = s->end + 1;
		ret->counted = t->hook;
	}
	frt_assert(ret->n <= FRT_INTERRUPT_ROW && ret->counted <= t->hook);
	++t->hook;
	if (ret->n < FRT_INTERRUPT_ROW) {
		ret->gap[ret->n] = t->hook;
		ret->from[ret->n++] = s->n;
	}
	ret->logging = s->logging;
	ret->first = s->first;
	s->first = s->n;
	/* Entering a function stores the frame first and the depth after it. */
	ret->depth = t->depth;
	ret->frame = *frt_frame_at(t, t->depth);
	s->armed = false;
	s->logging = true;
	t->limit = 0;
}

void frt_interrupt_end(struct frt_thread *t, const struct frt_interrupted *was)
{
	struct frt_interrupt *s = t->interrupt;

	if (t->depth == was->depth)
		*frt_frame_at(t, t->depth) = was->frame;
	s->row = *was;
	s->logging = was->logging;
	s->first = was->first;
	s->end = t->hook;
	s->armed = true;
	t->limit = 0;
}

/* ---- accesses ---- */

/* Bytes of an access that can be compared, 0: none. The address of an atomic access may be that of
   another mapping of the memory, which may have gone. */
static unsigned size_of(uint64_t w0)
{
	unsigned kind = w0 >> 48 & 0xff, aux = (unsigned)(w0 >> 56);

	if (!(w0 & FR_ADDR_MASK) || (frt_aliases && kind >= FR_EV_ATOMIC_LOAD))
		return 0;
	if (kind < FR_EV_READ || kind > FR_EV_ATOMIC_CAS || kind == FR_EV_RANGE_READ ||
	    kind == FR_EV_RANGE_WRITE || (kind == FR_EV_READ && aux & FR_ACC_NOVALUE) ||
	    (aux & 7) > 3)
		return 0;
	return 1u << (aux & 7);
}

static bool only_writes(uint64_t w0)
{
	unsigned kind = w0 >> 48 & 0xff;

	return kind == FR_EV_WRITE || kind == FR_EV_ATOMIC_STORE;
}

static bool only_reads(uint64_t w0)
{
	unsigned kind = w0 >> 48 & 0xff;

	return kind == FR_EV_READ || kind == FR_EV_ATOMIC_LOAD;
}

/* The thread has just accessed the memory, so that it exists. */
static uint64_t memory_at(uint64_t addr, unsigned size)
{
	const void *p = (const void *)(uintptr_t)addr;
	uint64_t v = 0;

	switch (size) {
	case 1:
		return *(const volatile uint8_t *)p;
	case 2:
		frt_copy_inline(&v, p, 2);
		return v;
	case 4:
		frt_copy_inline(&v, p, 4);
		return v;
	default:
		frt_copy_inline(&v, p, 8);
		return v;
	}
}

/* Adds an access to the part of the log that belongs to the running handler. */
static void add(struct frt_interrupt *s, const struct frt_interrupt_entry *e)
{
	uint32_t i = s->first;

	frt_assert(s->first <= s->n && s->n <= FRT_INTERRUPT_LOG);
	while (i < s->n && (s->log[i].addr != e->addr || s->log[i].size != e->size))
		i++;
	if (i == FRT_INTERRUPT_LOG)
		return;
	if (i == s->n) {
		s->log[i] = *e;
		s->n = i + 1;
		return;
	}
	s->log[i].wrote |= e->wrote;
	s->log[i].last = e->last;
}

static void note(struct frt_interrupt *s, uint64_t w0)
{
	struct frt_interrupt_entry e = {
	    .addr = w0 & FR_ADDR_MASK, .size = (uint8_t)size_of(w0), .wrote = !only_reads(w0)};

	if (!e.size)
		return;
	e.last = memory_at(e.addr, e.size);
	add(s, &e);
}

/* Accesses of handlers that interrupted this one count as its own. */
static void take_over(struct frt_interrupt *s, uint32_t from)
{
	uint32_t n = s->n;

	s->n = from;
	for (uint32_t i = from; i < n; i++) {
		struct frt_interrupt_entry e = s->log[i];

		add(s, &e);
	}
}

/* Finds a handler's access to the bytes [addr, addr + size), by its number in the row of
   handlers. */
static bool accessed(const struct frt_interrupt *s, uint32_t i, uint64_t addr, unsigned size,
		     uint64_t *ret_last, bool *ret_wrote)
{
	const struct frt_interrupted *r = &s->row;

	for (uint32_t k = r->from[i], to = i + 1 < r->n ? r->from[i + 1] : s->n; k < to; k++) {
		const struct frt_interrupt_entry *e = &s->log[k];

		if (addr < e->addr || addr + size > e->addr + e->size)
			continue;
		*ret_last = e->last >> 8 * (addr - e->addr) & UINT64_MAX >> (64 - 8 * size);
		*ret_wrote = e->wrote;
		return true;
	}
	return false;
}

/* Returns the hook of an access that happened before one of the handlers; 0 if it came last. A
   value that was read is the value after the last handler that wrote before. Of the writes, the
   last is in memory. If a handler only read, it read the value that was written before. */
static uint64_t gap_of(const struct frt_interrupt *s, uint64_t w0, uint64_t value)
{
	uint64_t addr = w0 & FR_ADDR_MASK, last, gap = 0;
	unsigned size = size_of(w0);
	bool wrote;

	if (!size)
		return 0;
	value &= UINT64_MAX >> (64 - 8 * size);
	for (uint32_t i = s->row.n; i-- > 0;) {
		if (!accessed(s, i, addr, size, &last, &wrote))
			continue;
		if (!only_writes(w0)) {
			if (wrote && value == last)
				break;
			if (wrote)
				gap = s->row.gap[i];
		} else if (wrote ? value != memory_at(addr, size) : value == last) {
			gap = s->row.gap[i];
		}
	}
	return gap;
}

uint64_t frt_interrupt_hook(struct frt_thread *t, uint64_t w0, uint64_t value)
{
	struct frt_interrupt *s = t->interrupt;
	uint64_t hook = t->hook;

	while (s->armed) {
		uint64_t end = s->end, counted = s->row.counted, gap;

		/* Another handler may come at any point here. */
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		hook = __atomic_load_n(&t->hook, __ATOMIC_RELAXED);
		if (hook == end) {
			hook = counted;
			break;
		}
		if (hook > end + 1)
			break;
		gap = gap_of(s, w0, value);
		if (__atomic_compare_exchange_n(&t->hook, &hook, gap ? end : end + 1, false,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			hook = gap ? gap : end + 1;
			break;
		}
	}
	if (s->logging) {
		if (s->armed)
			take_over(s, s->row.from[0]);
		s->armed = false;
		note(s, w0);
		return hook;
	}
	s->armed = false;
	s->n = 0;
	t->limit = t->hook + FRT_HEARTBEAT;
	return hook;
}
