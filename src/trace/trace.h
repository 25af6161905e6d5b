/*
 * A run folder, reading: everything is verified when it is opened, except the inside of blocks,
 * which is verified when they are decoded.
 *
 * Invariant: either all events that the recorder wrote down are there, or the trace says that it is
 * incomplete and why, or there is an error that names file and offset. When the recorder was
 * killed, what is left in the pool file completes the trace.
 */
#ifndef FR_TRACE_TRACE_H
#define FR_TRACE_TRACE_H

#include "base/err.h"
#include "base/mem.h"
#include "format/event.h"
#include "trace/codec.h"
#include "trace/initial.h"
#include "trace/run_info.h"
#include "symbols/sites.h"
#include <stdbool.h>
#include <stdint.h>

/* One block of events; the payload is in the mapped file, or raw slots out of the pool. */
struct fr_tblock {
	const uint8_t *payload;
	const struct fr_event *raw; /* not NULL: `slots` slots as they are */
	uint64_t offset;	    /* in the file, of the block */
	uint64_t place;		    /* slots of the file before it; not of a raw one */
	uint64_t first_idx;
	uint32_t slots, plain, length;
	uint8_t codec;
};

struct fr_trace_thread {
	uint32_t id, parent, nth;
	char *path;	/* identity by creation: "0", "0.1", "0.1.3"; "?N" if not known */
	uint64_t slots; /* all blocks together */
	uint64_t hooks; /* executed; 0 if not known */
	FR_VEC(struct fr_tblock) block;
};

struct fr_trace {
	char *dir, *file; /* folder; the trace file */
	struct fr_run run;
	struct fr_sites *sites;
	struct fr_initial *initial;	       /* NULL: not known */
	FR_VEC(struct fr_trace_thread) thread; /* by id */
	bool complete;
	char *why;     /* it is not: a sentence; NULL */
	bool salvaged; /* something came out of the pool */
	uint64_t created_ns, bytes, slots;
	struct fr_mapped *map;
	struct fr_event *raw;	/* slots that came out of the pool */
	struct fr_codec *codec; /* of the iterators: those of one trace belong to one thread */
	_Atomic uint64_t *read; /* counts slots as they are decoded, by `read_shift` less; NULL */
	unsigned read_shift;
};

int fr_trace_open(const char *dir, struct fr_trace **ret, struct fr_err *reterr);
void fr_trace_free(struct fr_trace *t);
void fr_trace_freep(struct fr_trace **t);
/* The thread with this id, NULL if there is none. */
const struct fr_trace_thread *fr_trace_thread(const struct fr_trace *t, uint32_t id);

/* An event with its EXT slots: e[1] ... e[n - 1]. Valid until the next call. */
struct fr_rec {
	const struct fr_event *e;
	uint32_t n;
	uint64_t idx; /* hook index, all 64 bits */
};

/*
 * Blocks as they were decoded, in the order of the file, in memory that is somebody else's and that
 * he takes from its lower end on: *taken units of `unit` bytes so far. What he has not come to yet
 * need not be decoded again.
 */
struct fr_kept {
	struct fr_event *slot; /* by place; NULL: nothing is kept */
	uint64_t before;       /* bytes of the memory before that */
	const size_t *taken;
	size_t unit;
	bool full; /* everything has been decoded */
};

/* The events of one thread in program order. */
struct fr_iter {
	const struct fr_trace *trace;
	const struct fr_trace_thread *thread;
	struct fr_event *slot;
	uint32_t at, n, cap; /* in slot */
	size_t next;	     /* block to be decoded */
	uint64_t idx;
	struct fr_kept *kept; /* NULL: everything is decoded, nothing is kept */
};
void fr_iter_open(struct fr_iter *it, const struct fr_trace *t, const struct fr_trace_thread *th);
/* fr_iter_next for whatever is not one slot with another one behind it. */
int fr_iter_seek(struct fr_iter *it, struct fr_rec *ret, struct fr_err *reterr);
void fr_iter_close(struct fr_iter *it);

/* 1 and *ret, 0 at the end, -errno. Empty slots are left out. */
static inline int fr_iter_next(struct fr_iter *it, struct fr_rec *ret, struct fr_err *reterr)
{
	const struct fr_event *e = it->slot + it->at;

	if (__builtin_expect(it->at + 1 >= it->n || fr_event_kind(e) == FR_EV_NONE ||
				 fr_event_kind(e + 1) == FR_EV_EXT,
			     0))
		return fr_iter_seek(it, ret, reterr);
	/* Followed in both directions: an access that was written down late has a lower one. */
	it->idx += (uint64_t)(int64_t)(int32_t)(e->idx - (uint32_t)it->idx);
	*ret = (struct fr_rec){.e = e, .n = 1, .idx = it->idx};
	it->at++;
	return 1;
}

/* The class of a kind of event as format/event.h has it ('a', 's', ...), 0 if there is no such. */
char fr_event_class(unsigned kind);
/* Its name, NULL if there is no such. */
const char *fr_event_name(unsigned kind);

#endif
