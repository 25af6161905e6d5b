/*
 * Reading a run folder, and the entry to the module `trace`: trace files and the other data of a
 * run folder. doc/trace-format.md describes the files.
 *
 * Writing (used by record/ and import/):
 *   writer.h          appends blocks of events to the file `trace`
 *   pool_reader.h     takes events out of the pool while the program runs, and at its end
 *   run_info.h        run.json: program, arguments, counters, modules, exit status (reads it too)
 *   initial.h         the initial contents of static memory, from ELF files (initial_elf.c); reads
 *                     them too
 *   codec.h           encodes and decodes the slots of a block; codec_predictor.h predicts them
 * Reading (used by model/, confirm/ and cmd/):
 *   trace.h           struct fr_trace, a run folder; struct fr_iter, the events of one thread
 *                     (iter.c)
 *   merge.h           the events of all threads in the recorded order
 *   stack.h           call stacks
 *   inputs.h          the answers from outside of one thread
 *   peer_steps.h      what came from peers, for the ghost
 *   kept_files.h      the files that the run changed, as they were before; the recorder adds them
 *   salvage.h         completes the trace of a killed recorder from the pool; used by trace.c
 *
 * fr_trace_open verifies everything except the inside of blocks, which fr_iter_next verifies when
 * it decodes them. One of three cases holds: all recorded events are present (`complete`); the
 * trace is incomplete, and `why` gives the reason; or opening fails with an error that names file
 * and offset. If the recorder was killed, the pool file completes the trace (`salvaged`).
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

/* One block of events: an encoded payload in the mapped file, or raw slots from the pool. */
struct fr_event_block {
	const uint8_t *payload;
	const struct fr_event *raw; /* not NULL: `slots` slots, not encoded */
	uint64_t offset;	    /* of the block in the file */
	uint64_t position;	    /* number of slots in the file before it; not for raw blocks */
	uint64_t first_hook;
	uint32_t slots, plain, length;
	uint8_t codec;
};

/* Hooks [from, to) of a thread are reads by which a waiting loop found its lock taken. The thread
   could as well have come later (model/spin_reads.h). The trace is read as if it had: without the
   accesses at these hooks, and with the hooks after them counted down. */
struct fr_spin_reads {
	uint64_t from, to;
	uint64_t before; /* number of hooks left out before `from` */
	uint32_t site;	 /* of the first read; the access at `to` gets this site */
};

struct fr_trace_thread {
	uint32_t id, parent, nth;
	char *path;	/* identity by creation: "0", "0.1", "0.1.3"; "?N" if not known */
	uint64_t slots; /* in all blocks */
	uint64_t hooks; /* executed hooks; 0 if not known */
	FR_VEC(struct fr_event_block) block;
	FR_VEC(struct fr_spin_reads) spins; /* ascending and disjoint */
};

struct fr_trace {
	char *dir, *file; /* folder; the trace file */
	struct fr_run run;
	struct fr_sites *sites;
	struct fr_initial *initial;	       /* NULL: not known */
	FR_VEC(struct fr_trace_thread) thread; /* sorted by id */
	bool complete;
	char *why;     /* a sentence: why it is not complete; NULL */
	bool salvaged; /* some events came from the pool */
	uint64_t created_ns, bytes, slots;
	struct fr_mapped *map;
	struct fr_event *raw;	/* slots from the pool */
	struct fr_event fault;	/* the access that crashed (model/load_fault.c); w0 == 0: none */
	struct fr_codec *codec; /* of all iterators */
	_Atomic uint64_t *read; /* progress: counts decoded slots >> read_shift; or NULL */
	unsigned read_shift;
};

/* Opens a run folder. Returns 0 or -errno; -EBADMSG if a file is damaged, -EPROTO if it has another
   version. An incomplete trace is not an error. */
int fr_trace_open(const char *dir, struct fr_trace **ret, struct fr_err *reterr);
void fr_trace_free(struct fr_trace *t);
void fr_trace_freep(struct fr_trace **t);
/* Returns the thread with this id, or NULL. */
const struct fr_trace_thread *fr_trace_thread(const struct fr_trace *t, uint32_t id);

/* Leaves spin reads out of the thread from now on: `from` and `to` count as the trace does so far,
   and `before` is not used. They are ascending and disjoint. At most once for each thread, and
   before any hook of the thread is stored elsewhere. */
void fr_trace_leave_out(struct fr_trace_thread *th, const struct fr_spin_reads *spins, size_t n);
/* The number that a hook of the recorded program has when the trace is read. *left_out: the hook is
   one of those left out; the result is then the hook before them. */
uint64_t fr_trace_hook(const struct fr_trace_thread *th, uint64_t recorded, bool *left_out);

/* An event with its EXT slots: e[1] ... e[n - 1]. Valid until the next call. */
struct fr_rec {
	const struct fr_event *e;
	uint32_t n;
	uint64_t hook; /* all 64 bits */
};

/*
 * A cache of decoded blocks, in the order of the file, for a second pass over the trace. It lies in
 * memory that its owner (model/load.c) fills from the lower end: *taken units of `unit` bytes so
 * far. A block that the owner has not overwritten yet need not be decoded again.
 */
struct fr_kept {
	struct fr_event *slot; /* indexed by position; NULL: no cache */
	uint64_t before;       /* bytes of the owner's memory before `slot` */
	const size_t *taken;
	size_t unit;
	bool full; /* the cache has all blocks */
};

/* An iterator over the events of one thread, in the order of the trace. Different threads may use
   different iterators of one trace at the same time. */
struct fr_iter {
	const struct fr_trace *trace;
	const struct fr_trace_thread *thread;
	struct fr_event *slot;
	uint32_t at, n, cap;  /* position, number and capacity of `slot` */
	size_t next;	      /* next block to decode */
	uint64_t hook;	      /* of the last event, as recorded */
	bool spins;	      /* some spin reads are left out */
	struct fr_kept *kept; /* NULL: no cache */
};
/* Starts before the first event of the thread. Cannot fail. */
void fr_iter_open(struct fr_iter *it, const struct fr_trace *t, const struct fr_trace_thread *th);
/* The slow path of fr_iter_next: empty slots, EXT slots, the end of a block. */
int fr_iter_seek(struct fr_iter *it, struct fr_rec *ret, struct fr_err *reterr);
void fr_iter_close(struct fr_iter *it);

/* Returns 1 and the next event in *ret, 0 at the end, or -errno. Skips empty slots. */
static inline int fr_iter_next(struct fr_iter *it, struct fr_rec *ret, struct fr_err *reterr)
{
	const struct fr_event *e = it->slot + it->at;

	if (__builtin_expect(it->spins || it->at + 1 >= it->n || fr_event_kind(e) == FR_EV_NONE ||
				 fr_event_kind(e + 1) == FR_EV_EXT,
			     0))
		return fr_iter_seek(it, ret, reterr);
	/* A signed difference: a late access has a lower hook than the event before it. */
	it->hook += (uint64_t)(int64_t)(int32_t)(e->hook - (uint32_t)it->hook);
	*ret = (struct fr_rec){.e = e, .n = 1, .hook = it->hook};
	it->at++;
	return 1;
}

/* Returns the class of an event kind (format/event.h: 'a', 's', ...), 0 for an unknown one. */
char fr_event_class(unsigned kind);
/* Returns the name of an event kind, NULL for an unknown one. */
const char *fr_event_name(unsigned kind);

#endif
