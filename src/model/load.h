/*
 * The loader's inside: how a trace becomes a model.
 *
 *   load.c         runs the passes
 *   load_scan.c    first pass: who touches what (load_shadow.h), accesses that stand in other
 *                  threads' streams, which condition each wait is for
 *   load_phase.c   between the passes: what must happen one after the other is left out
 *                  (load_quiet.c)
 *   load_feed.c    second pass: a thread's slots as items in program order
 *   recorded_order.c        the recorded order: which thread goes next
 *   order_step.c   one step of a thread: what memory holds, whom to let go first (order_ask.c,
 *                  order_ahead.c); order_node.h: lists of what is ahead
 *   load_sync.c    synchronisation as events of the model; load_lock.c, load_life.c: of locks,
 * memory
 *
 * Memory: the items ahead of each live thread, a record for each granule that is shared, and the
 * model itself. Until the model needs it, its memory holds the slots as the first pass decoded
 * them.
 */
#ifndef FR_MODEL_LOAD_H
#define FR_MODEL_LOAD_H

#include "model/builder_internal.h"
#include "model/load_shadow.h"
#include "trace/trace.h"

#define FR_NONE UINT32_MAX
#define FR_UNEXPLAINED 16
#define FR_ORDER_DEPTH 4	     /* threads that wait for each other in order_step.c */
#define FR_STACK (UINT64_C(8) << 20) /* bytes that a thread's stack is thought to have */

/* What a thread does next: an access of one granule, or an event with a stamp. */
struct fr_item {
	uint64_t value; /* access: the bytes in place; else the stamp */
	uint64_t idx;
	union {
		uint64_t addr; /* not an access: the event's; of a coarse stamp the clock */
		struct {
			uint32_t granule;
			uint32_t next; /* next item of this thread on the granule: its place */
		};
	};
	uint64_t ext; /* not an access: address of the first EXT; LAST_WRITE: the rest's bytes */
	uint32_t site;
	uint16_t flags; /* FR_F_*; of an access also ITEM_REST */
	uint8_t kind;	/* FR_EV_READ, FR_EV_WRITE: an access; else the event's kind */
	uint8_t aux;	/* access: mask */
};
#define FR_ITEM_REST 0x400 /* a LAST_WRITE: `ext` has all eight bytes as they were after it */

static inline bool fr_item_is_access(const struct fr_item *i)
{
	return i->kind == FR_EV_READ || i->kind == FR_EV_WRITE;
}

/* An access that another thread has written down. */
struct fr_late {
	uint64_t idx, addr, value;
	uint32_t site;
	uint8_t kind, aux; /* LAST_READ, LAST_WRITE; aux of the access */
};

/* From this index on a thread is in this segment (load_phase.c). */
struct fr_segment {
	uint64_t idx;
	uint32_t number; /* from 1, in an order that extends what must happen before what */
};

/* When a thread's next event with a stamp is its turn. */
struct fr_due {
	uint64_t key;	/* stamp * 2, + 1 if it is a lower bound: a coarse one */
	uint64_t clock; /* of a coarse one: of several with one number the first comes first */
};

/* A read at the head of a thread whose value nobody had ahead when the granule had so many news. */
struct fr_vain {
	uint64_t head, value;
	uint32_t granule, news;
	uint8_t mask; /* 0: there is none */
};

struct fr_lthread {
	const struct fr_trace_thread *t;
	uint32_t index; /* in the model */
	/* From the first pass. */
	FR_VEC(struct fr_late) late;   /* by idx */
	FR_VEC(uint64_t) wait;	       /* conditions of its waits, 0: not known */
	FR_VEC(uint64_t) taken_back;   /* indices of events that did not happen after all */
	uint32_t slack;		       /* records that one may stand behind its place */
	uint64_t first_stamp, highest; /* highest: index */
	struct fr_item pending;	       /* the lock that it waited for at the end; kind 0: none */
	FR_VEC(struct fr_segment) segment;
	/* The second pass. */
	struct fr_iter it;
	bool open, ended;
	size_t next_late, next_wait, next_segment;
	uint64_t *border; /* where the last `slack` records began */
	uint64_t records;
	/* Items [head, tail) at [i & mask]; [head, known) are on their granules' lists. */
	struct fr_item *item;
	uint64_t mask, head, known, stop, tail;
	/* Its nodes, by granule. */
	uint32_t *bucket, nodes;
	unsigned bucket_bits;
	uint64_t eff, eff_clock; /* stamp that it has passed; a coarse one: its clock */
	uint64_t begun, end;	 /* keys of the stamps before and after what is ahead */
	uint64_t idx;		 /* of its last event with a stamp */
	/* order_step.c: the looks that have asked it last, and where it could not go on. */
	uint32_t asked[FR_ORDER_DEPTH];
	struct {
		uint64_t attempt, head;
		unsigned how, depth;
	} failed;
	struct fr_vain vain;
	bool soft; /* `stop` is not at a stamp: more may come before the next one */
	bool busy; /* in the middle of a step */
	bool done; /* no more items */
	struct fr_due
	    deadline; /* of the next stamp beyond what is looked at; key 0: not searched */
	/* State of the model. */
	bool started, exited, joined, created;
	bool cancelled;	  /* what it does next may be because of that */
	uint32_t cond;	  /* that it waits on, + 1 */
	fr_ev began;	  /* its WAIT_BEGIN */
	uint32_t barrier; /* object of the generation that it is in, + 1 */
};

/* A granule of several threads. */
struct fr_gran {
	uint64_t value, addr;
	uint8_t known;	 /* bytes whose value is known */
	uint8_t written; /* bytes written in this life */
	uint8_t benign;
	uint8_t open;  /* bytes whose last write is not settled */
	uint8_t given; /* bytes whose value is what the program's file has, and no more is known */
	uint8_t wrote[2];  /* order_open.h: bytes that `writer` wrote, that others did ... */
	uint32_t loc;	   /* object of the model, FR_NONE: none yet in this life */
	uint32_t node;	   /* list of threads that have it ahead, FR_NONE */
	uint32_t news;	   /* writes that were put on the list, ever */
	uint32_t heap;	   /* object + 1 */
	uint32_t from;	   /* segment: what is before it is left out */
	uint32_t writer;   /* last thread that wrote, FR_NONE */
	uint64_t until[2]; /* ... all of them before this stamp: key of a fr_due */
};
_Static_assert(sizeof(struct fr_gran) == 64, "a line of the cache");

/* Accesses ahead of one thread to one granule: see order_node.h. */
struct fr_node {
	uint32_t next, prev; /* on the granule's list */
	uint32_t chain;	     /* in the thread's table */
	uint32_t granule, thread;
	uint32_t first, last; /* places of items */
	uint32_t values[2];   /* of reads, of writes: fr_value_bit */
	uint8_t mask;	      /* of all of them; 0: they differ */
};

/* What is known of a location: decides whether it is kept. */
struct fr_locinfo {
	uint16_t thread; /* + 1; 0: several */
	bool written, freed;
	bool differs;	/* held at first something else than what the program's file has */
	uint32_t start; /* in `start` + 1; 0: there is nothing to be found out */
};

/*
 * Bytes of static memory whose first access is a write: what they held before that is known from
 * the program's file, but not from a read. Where some read returns that value, it may have come
 * first in another order. Then all is loaded once more, with a write of it by the main thread, when
 * that starts.
 */
struct fr_load_start {
	uint64_t value;
	uint32_t granule, loc;
	uint32_t next; /* of the location, + 1 */
	uint8_t mask;
	bool needed;
};

struct fr_load_sync; /* load_sync.c */

struct fr_load {
	struct fr_trace *trace;
	struct fr_err *err;
	uint64_t max; /* events and locations */
	int r;	      /* an error in the middle of things */
	bool exact;   /* imported: the index is the order */
	bool opaque;  /* there are reads without a value */
	bool phases;  /* looking for phases may pay */
	struct fr_lthread *thread;
	uint32_t nthreads;
	struct fr_map by_id;	  /* thread id -> index + 1 */
	struct fr_map dead_owner; /* mutexes that somebody got from a dead owner */
	struct fr_shadow shadow;
	struct fr_gran *gran;
	FR_VEC(struct fr_node) node;
	uint32_t free_node;
	FR_VEC(struct fr_locinfo) loc;
	FR_VEC(struct fr_load_start) start;    /* found in this load */
	const struct fr_load_start *put_start; /* from the load before: to be written */
	size_t put_starts;
	FR_VEC(uint8_t) loc_benign;
	struct fr_builder *b;
	struct fr_kept kept; /* what the first pass decoded, in memory that the model will take */
	struct fr_load_sync *sync;
	uint64_t attempt; /* of order_step.c: steps that a thread began of its own */
	bool due;	  /* that thread is the one that is due */
	uint64_t changes; /* of memory and of what is ahead, but for events put into the model */
	uint32_t calls;	  /* looks at the lists of a granule */
	uint64_t seed;	  /* not 0: another try, at random (recorded_order.c) */
	uint64_t doubts;  /* FR_UNEXPLAINED for each read that is not explained, 1 for each that is
			     only by what was there at the start, though a write ahead might do it */
	uint64_t limit;	  /* so many: no need to go on */
	uint64_t count[FR_MC_COUNT];
};

/* fr_model_load; `phases` false: without leaving out phases, `max`: another bound than
   FR_MODEL_MAX, both for tests. `progress` may be NULL. */
int fr_load_run(const char *dir, bool phases, uint64_t max, struct fr_load_progress *progress,
		struct fr_model **ret, struct fr_err *reterr);

/* ---- load_scan.c ---- */

/* 0 or -errno. */
int fr_load_scan(struct fr_load *l);

/* ---- load_feed.c ---- */

/* Opens the stream of a thread. */
void fr_feed_open(struct fr_load *l, struct fr_lthread *t);
void fr_feed_close(struct fr_lthread *t);
/* Closes it if it is open; it can be opened again. */
void fr_feed_rewind(struct fr_lthread *t);
/* Adds items behind `tail` until there are some more that can be relied on. 1, 0 at the end,
   -errno. */
int fr_feed_more(struct fr_load *l, struct fr_lthread *t);
/* Items up to here are in their final order. */
static inline uint64_t fr_feed_ready(const struct fr_lthread *t)
{
	if (t->ended || !t->slack)
		return t->tail;
	return t->records < t->slack ? 0 : t->border[t->records % t->slack];
}

/* ---- recorded_order.c ---- */

int fr_order_run(struct fr_load *l);
/* -EFBIG if the model has become larger than a model can be, else 0. */
int fr_order_bound(struct fr_load *l);
/* Puts more of what is ahead of a thread on its granules' lists: up to the next stamp, or enough.
   0 or -errno. */
int fr_order_look(struct fr_load *l, struct fr_lthread *t);

/* ---- order_step.c ---- */

/* Gently: takes nothing away that others have yet to read. Roughly: reads are explained, no more.
 */
enum fr_how { FR_GENTLY, FR_ROUGHLY, FR_BY_FORCE };
/* Runs a thread up to and including the item at place `to` (< stop). False if it cannot go on in
   this way. */
bool fr_step_until(struct fr_load *l, struct fr_lthread *t, uint64_t to, enum fr_how how,
		   unsigned depth);
/* Takes the next step of a thread, which has one (head < stop), if that is possible as it is. */
bool fr_step_try(struct fr_load *l, struct fr_lthread *t, enum fr_how how);
/* Is that step a read, of bytes whose value is known? */
bool fr_step_reads(const struct fr_load *l, const struct fr_lthread *t);
/* Writes what memory held at the start, as far as that was asked for. */
void fr_step_starts(struct fr_load *l, struct fr_lthread *t, uint64_t idx);
/* Lets other threads finish with a granule whose life is about to end. */
void fr_step_settle(struct fr_load *l, struct fr_lthread *t, uint32_t granule);

/* ---- load_sync.c ---- */

struct fr_load_sync *fr_load_sync_new(void);
void fr_load_sync_free(struct fr_load_sync *s);
/* An event with a stamp happens. */
void fr_sync_event(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i);

static inline struct fr_item *fr_item_at(const struct fr_lthread *t, uint64_t place)
{
	return &t->item[place & t->mask];
}

#endif
