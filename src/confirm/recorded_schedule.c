/*
 * The schedule of the recorded run. Its turns follow the order that the model has found. In
 * between, memory is allocated and freed in the order of the stamps, as long as that adds not too
 * many turns. Events that order nothing come after the last turn. The schedule expects every
 * operation on locks and threads at its site, and the value of the last read of every turn. Hook
 * counts alone would mistake another path through the program for the recorded one.
 *
 * Invariant:   the model's order obeys all stamps, also those of events that the model leaves out.
 * Why memory:  libc allocates for itself, for example the buffer of standard output, in the thread
 *              that comes first.
 * Not checked: values of writes, which follow from reads; values of ranges, which are not recorded;
 *              reads in handlers of signals from outside: timing decides which steps they
 *              interrupt; and reads of padding (struct padding), because earlier calls decide its
 *              content.
 */
#include "confirm/recorded_schedule.h"
#include "base/assert.h"
#include "findings/recorded_turns.h"
#include "findings/run_failure.h"
#include <stdlib.h>
#include <string.h>

#define MORE 4096 /* turns that may be added, beyond twice the original number */

/* An event with a stamp. */
struct stamped {
	uint64_t stamp, hook;
	uint32_t thread;
};

struct recorded_draft {
	const struct fr_trace *t;
	struct fr_schedule_file *s;
	FR_VEC(struct stamped) event;  /* by thread, then by hook */
	FR_VEC(struct stamped) memory; /* by stamp */
	size_t *first;		       /* by thread: its first entry in `event` */
	uint64_t *most;		       /* by thread: last hook that a turn may have */
	struct fr_err *err;
};

/* ---- turns ---- */

static int by_stamp(const void *pa, const void *pb)
{
	const struct stamped *a = pa, *b = pb;

	return (a->stamp > b->stamp) - (a->stamp < b->stamp);
}

static void add_turn(struct recorded_draft *b, uint32_t thread, uint64_t hook)
{
	fr_schedule_file_turn(b->s, thread, fr_min(hook, b->most[thread]));
}

/* Adds the events after the last turns. */
static void add_tail(struct recorded_draft *b, const uint64_t *done)
{
	size_t n = 0;

	for (size_t i = 0; i < b->event.n; i++)
		if (b->event.v[i].hook > done[b->event.v[i].thread])
			b->event.v[n++] = b->event.v[i];
	if (n)
		qsort(b->event.v, n, sizeof(*b->event.v), by_stamp);
	for (size_t i = 0; i < n; i++)
		add_turn(b, b->event.v[i].thread, b->event.v[i].hook);
}

static void add_turns(struct recorded_draft *b, const struct fr_schedule_file *whole)
{
	FR_CLEANUP(fr_freep) uint64_t *done = fr_xcalloc(b->s->thread.n + 1, sizeof(*done));
	size_t limit = whole->turn.n * 2 + MORE, at = 0;

	if (b->memory.n)
		qsort(b->memory.v, b->memory.n, sizeof(*b->memory.v), by_stamp);
	FR_VEC_FOREACH (turn, &whole->turn) {
		size_t *i = &b->first[turn->thread];

		fr_assert_slow(turn->thread < b->s->thread.n);
		for (; *i < b->event.n && b->event.v[*i].thread == turn->thread &&
		       b->event.v[*i].hook <= turn->hook;
		     ++*i) {
			const struct stamped *e = &b->event.v[*i];

			for (; at < b->memory.n && b->memory.v[at].stamp < e->stamp; at++) {
				const struct stamped *x = &b->memory.v[at];

				if (x->hook <= done[x->thread] || b->s->turn.n >= limit)
					continue;
				add_turn(b, x->thread, x->hook);
				done[x->thread] = x->hook;
			}
			if (e->hook > done[turn->thread]) {
				add_turn(b, turn->thread, e->hook);
				done[turn->thread] = e->hook;
			}
		}
		if (turn->hook > done[turn->thread]) {
			add_turn(b, turn->thread, turn->hook);
			done[turn->thread] = turn->hook;
		}
	}
	add_tail(b, done);
}

/* ---- expectations ---- */

/* Is it a read with a recorded value? */
static bool has_value(const struct fr_event *e)
{
	unsigned kind = fr_event_kind(e), aux = fr_event_aux(e);

	if (kind == FR_EV_READ && aux & (FR_ACC_NOVALUE | FR_ACC_LATE))
		return false;
	return fr_reads_value(kind) && FR_ACC_SIZE(aux) <= 8;
}

static bool is_landmark(unsigned kind)
{
	char class = fr_event_class(kind);

	return class == 's' || kind == FR_EV_USER_ACQUIRE || kind == FR_EV_USER_RELEASE ||
	       (class == 't' && kind != FR_EV_SIGNAL_BEGIN && kind != FR_EV_SIGNAL_END);
}

/* Collects the stamped events and landmarks of one thread. */
static int take_stamps(struct recorded_draft *b, const struct fr_trace_thread *th, uint32_t thread)
{
	uint64_t last = 0;
	struct fr_iter it;
	struct fr_rec rec;
	unsigned final = 0;
	int got;

	fr_iter_open(&it, b->t, th);
	while ((got = fr_iter_next(&it, &rec, b->err)) > 0) {
		unsigned kind = fr_event_kind(rec.e);
		bool memory = fr_event_class(kind) == 'm', landmark = is_landmark(kind);
		struct stamped x = {rec.e->value, rec.hook, thread};
		struct fr_schedule_hook h = {
		    .thread = thread, .hook = rec.hook, .kind = (uint8_t)kind, .site = rec.e->site};

		b->most[thread] = rec.hook;
		final = kind == FR_EV_EXT ? final : kind;
		if ((!memory && !landmark) || rec.hook <= last)
			continue;
		last = rec.hook;
		fr_vec_push(&b->event, x);
		if (memory)
			fr_vec_push(&b->memory, x);
		else
			fr_vec_push(&b->s->expect, h);
	}
	fr_iter_close(&it);
	/* The access faults before its hook. */
	if (b->t->fault.w0 && th->id == b->t->run.crash.stack.id)
		b->most[thread]--;
	/* The call comes after its event, and may have crashed: the thread does not reach the end
	   of a turn there. */
	if (final == FR_EV_FREE && fr_run_crash(&b->t->run))
		b->most[thread]--;
	return got;
}

/* ---- padding ---- */

#define RECENT 1024 /* granules that a thread wrote not long ago; a power of two */

/* Which bytes a thread wrote of the granules that it touched last. A read of some bytes that it
   wrote and some that it did not, such as the copy of a structure with gaps, may return anything
   in the others: the runtime's own calls leave other bytes on the stack in each execution. */
struct padding {
	struct {
		uint64_t granule;
		uint8_t written;
	} recent[RECENT];
	/* The last read of such bytes: a write of the same value copies them. */
	uint64_t value;
	unsigned size;
	uint8_t gaps; /* 0: none yet; bit 0 is the first byte of the access */
};

static unsigned bytes_of(unsigned size)
{
	return (1u << size) - 1;
}

static void padding_write(struct padding *p, const struct fr_event *e, unsigned size)
{
	uint64_t granule = fr_event_addr(e) / 8;
	unsigned at = fr_event_addr(e) % 8, bytes = bytes_of(size);
	size_t i = granule % RECENT;

	if (size > 8 || at + size > 8)
		return;
	if (p->recent[i].granule != granule) {
		p->recent[i].granule = granule;
		p->recent[i].written = 0;
	}
	if (p->gaps && size == p->size && e->value == p->value)
		bytes &= ~(unsigned)p->gaps;
	p->recent[i].written |= (uint8_t)(bytes << at);
}

/* Does the read return bytes of padding? */
static bool padding_read(struct padding *p, const struct fr_event *e, unsigned size)
{
	uint64_t granule = fr_event_addr(e) / 8;
	unsigned at = fr_event_addr(e) % 8, bytes = bytes_of(size), written;
	size_t i = granule % RECENT;

	if (size > 8 || at + size > 8 || p->recent[i].granule != granule)
		return false;
	written = p->recent[i].written >> at & bytes;
	if (!written || written == bytes)
		return false;
	p->value = e->value;
	p->size = size;
	p->gaps = (uint8_t)(bytes & ~written);
	return true;
}

/* Notes the event; returns true for a read of padding. */
static bool padding_feed(struct padding *p, const struct fr_event *e)
{
	unsigned kind = fr_event_kind(e), is = fr_event_is(kind);
	unsigned size = fr_access_size(kind, fr_event_aux(e));

	if (is & FR_IS_RANGE && is & FR_IS_WRITE)
		memset(p->recent, 0, sizeof(p->recent));
	if (!size)
		return false;
	if (is & FR_IS_WRITE)
		padding_write(p, e, size);
	return kind == FR_EV_READ && padding_read(p, e, size);
}

/* Adds the last read of each turn of a thread; the turns end at the hooks in `end`. */
static int take_reads(struct recorded_draft *b, const struct fr_trace_thread *th, uint32_t thread,
		      const uint64_t *end, size_t n)
{
	/* running handlers, a bit each, set if the signal came from elsewhere */
	uint64_t handlers = 0;
	FR_CLEANUP(fr_freep) struct padding *padding = fr_xcalloc(1, sizeof(*padding));
	struct fr_schedule_hook read = {0};
	struct fr_iter it;
	struct fr_rec rec;
	size_t at = 0;
	int got;

	fr_iter_open(&it, b->t, th);
	while ((got = fr_iter_next(&it, &rec, b->err)) > 0) {
		unsigned kind = fr_event_kind(rec.e);

		for (; at < n && end[at] < rec.hook; at++) {
			if (read.hook)
				fr_vec_push(&b->s->expect, read);
			read.hook = 0;
		}
		if (kind == FR_EV_SIGNAL_BEGIN)
			handlers = handlers << 1 | !(fr_event_aux(rec.e) & FR_SIGNAL_OWN);
		else if (kind == FR_EV_SIGNAL_END)
			handlers >>= 1;
		if (!padding_feed(padding, rec.e) && has_value(rec.e) && !handlers)
			read = (struct fr_schedule_hook){.thread = thread,
							 .hook = rec.hook,
							 .kind = (uint8_t)kind,
							 .site = rec.e->site,
							 .known = true,
							 .value = rec.e->value};
	}
	fr_iter_close(&it);
	if (read.hook && at < n)
		fr_vec_push(&b->s->expect, read);
	return got;
}

/* ---- the schedule ---- */

static int build(struct recorded_draft *b, const struct fr_schedule_file *whole)
{
	FR_CLEANUP(fr_freep) uint64_t *end = NULL;
	size_t threads;
	int r = 0;

	for (size_t i = 0; i < b->t->thread.n; i++)
		fr_schedule_file_thread(b->s, b->t->thread.v[i].path);
	threads = b->s->thread.n;
	b->first = fr_xcalloc(threads + 1, sizeof(*b->first));
	b->most = fr_xcalloc(threads + 1, sizeof(*b->most));
	for (size_t i = 0; r >= 0 && i < b->t->thread.n; i++) {
		uint32_t thread = fr_schedule_file_thread(b->s, b->t->thread.v[i].path);

		fr_assert(thread < threads);
		b->first[thread] = b->event.n;
		r = take_stamps(b, &b->t->thread.v[i], thread);
	}
	if (r < 0)
		return r;
	add_turns(b, whole);
	end = fr_xcalloc(b->s->turn.n + 1, sizeof(*end));
	for (size_t i = 0; r >= 0 && i < b->t->thread.n; i++) {
		uint32_t thread = fr_schedule_file_thread(b->s, b->t->thread.v[i].path);
		size_t n = 0;

		FR_VEC_FOREACH (t, &b->s->turn)
			if (t->thread == thread) {
				fr_assert_slow(!n || end[n - 1] < t->hook);
				end[n++] = t->hook;
			}
		r = take_reads(b, &b->t->thread.v[i], thread, end, n);
	}
	return r < 0 ? r : 0;
}

int fr_recorded_schedule(const struct fr_model *m, struct fr_schedule_file *ret,
			 struct fr_err *reterr)
{
	FR_CLEANUP(fr_recorded_turns_free) struct fr_recorded_turns o = {.m = m};
	FR_CLEANUP(fr_schedule_file_clear)
	struct fr_schedule_file s = {.kind = fr_xstrdup("recorded")};
	struct recorded_draft b = {.t = m->trace, .s = &s, .err = reterr};
	int r;

	fr_recorded_turns_whole(&o);
	/* Threads have the same numbers. */
	FR_VEC_FOREACH (path, &o.whole.thread)
		fr_vec_push(&s.thread, fr_xstrdup(*path));
	fr_assert(s.thread.n == m->nthreads);
	r = build(&b, &o.whole);
	fr_vec_free(&b.event);
	fr_vec_free(&b.memory);
	free(b.first);
	free(b.most);
	if (r < 0)
		return r;
	*ret = s;
	s = (struct fr_schedule_file){0};
	return 0;
}
