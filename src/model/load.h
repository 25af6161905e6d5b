/*
 * The inside of the loader, which turns a trace into a model. fr_model_load (model.h) calls
 * fr_load_run, which runs these passes:
 *
 *   load_scan.c        first pass: which threads touch which granule (load_shadow.h), accesses that
 *                      other threads recorded for a thread, the condition of each wait
 *   load_fault.c       adds the access with which the recorded run crashed
 *   load_phase.c       between the passes: finds the accesses whose order is fixed (load_quiet.c)
 *   load_feed.c        second pass: turns a thread's slots into items in program order
 *   recorded_order.c   finds the recorded order: chooses the thread that goes next
 *   load_order_step.c  one step of a thread: simulates memory, and lets other threads go first
 *                      where needed (load_order_ask.c, load_order_ahead.c). load_order_node.h has
 *                      lists of accesses ahead, load_order_open.h reads whose write is not certain.
 *   load_sync.c        emits synchronisation events (load_lock.c: locks; load_life.c: memory)
 *   load_wait.h        which sites decide the exit of a waiting loop
 *   spin_reads.h       leaves the reads of waiting loops out of the trace, and fr_model_load loads
 *                      it once more
 *
 * Every event but an access carries a *stamp* from one counter of the process (format/event.h), so
 * the order of synchronisation is exact. Accesses have no stamp. A *coarse* stamp (FR_EV_STAMP) is
 * a lower bound between accesses. An item is *ahead* of a thread if the loader has read it but the
 * thread has not taken it yet.
 *
 * Memory:  the items ahead of each live thread, a record for each shared granule, and the model.
 *          Until the model needs its memory, that memory holds the slots that the first pass
 *          decoded.
 * Failure: -EBADMSG for a trace that contradicts itself, -EFBIG for one that is too long. An
 *          incomplete trace is loaded as far as it goes.
 */
#ifndef FR_MODEL_LOAD_H
#define FR_MODEL_LOAD_H

#include "model/builder_internal.h"
#include "model/load_shadow.h"
#include "model/load_wait.h"
#include "trace/trace.h"

#define FR_NONE UINT32_MAX
#define FR_UNEXPLAINED 16
/* limit for threads that wait for each other in load_order_step.c */
#define FR_ORDER_DEPTH 4
#define FR_STACK (UINT64_C(8) << 20) /* assumed size of a thread's stack in bytes */
#define FR_STACK_HEAD 8192	     /* assumed size of its thread-local variables and the like */

/* The next action of a thread: an access to one granule, or an event with a stamp. */
struct fr_item {
	uint64_t value; /* access: the bytes at their positions; else the stamp */
	uint64_t hook;
	union {
		uint64_t addr; /* not an access: the event's address; coarse stamp: the clock */
		struct {
			uint32_t granule;
			uint32_t next; /* index of the thread's next item on the granule */
		};
	};
	uint64_t ext; /* not an access: address of the first EXT; FR_ITEM_REST: all 8 bytes */
	uint32_t site;
	uint16_t flags; /* FR_F_*; for an access also FR_ITEM_REST and FR_ITEM_ORIGIN */
	uint8_t kind;	/* FR_EV_READ or FR_EV_WRITE for an access, else the event's kind */
	uint8_t aux;	/* access: mask */
};
#define FR_ITEM_REST 0x400 /* a LAST_WRITE: `ext` has the granule's eight bytes after it */

#define FR_ITEM_ORIGIN(x) ((unsigned)(x) << 13) /* FR_ORIGIN_* */
_Static_assert(FR_ITEM_REST > FR_F_BLOCKING && FR_ITEM_ORIGIN(1) > FR_ITEM_REST &&
		   FR_ITEM_ORIGIN(FR_ORIGIN_SPLIT | FR_ORIGIN_ONCE_END) <= UINT16_MAX,
	       "FR_F_*, FR_ITEM_REST and the origin share 16 bits");

static inline bool fr_item_is_access(const struct fr_item *i)
{
	return i->kind == FR_EV_READ || i->kind == FR_EV_WRITE;
}

/* An access that another thread recorded, as LAST_READ or LAST_WRITE. */
struct fr_late {
	uint64_t hook, addr, value;
	uint32_t site;
	uint8_t kind, aux; /* kind: LAST_READ or LAST_WRITE; aux: that of the access */
};

/* From this hook on, a thread is in this stretch (load_phase.c). */
struct fr_stretch {
	uint64_t hook;
	uint32_t number; /* from 1, in an order that extends must-happen-before */
};

/* The time at which a thread's next event with a stamp is due. */
struct fr_due {
	uint64_t key;	/* stamp * 2, + 1 for a coarse stamp, which is a lower bound */
	uint64_t clock; /* coarse: orders stamps with the same number */
};

/* A read at the head of a thread for whose value no write was ahead when the granule had `news`
   writes. */
struct fr_vain {
	uint64_t head, value;
	uint32_t granule, news;
	uint8_t mask; /* 0: no such read */
};

struct fr_lthread {
	const struct fr_trace_thread *t;
	uint32_t index; /* index in the model */
	/* From the first pass. */
	FR_VEC(struct fr_late) late;   /* ordered by hook */
	FR_VEC(uint64_t) wait;	       /* conditions of its waits, 0 = unknown */
	FR_VEC(uint64_t) taken_back;   /* hooks of events that turned out to have failed */
	uint32_t slack;		       /* number of records by which one may be out of order */
	uint64_t first_stamp, highest; /* highest: largest hook */
	struct fr_item pending;	       /* the lock that it waited for at the end; kind 0: none */
	FR_VEC(struct fr_stretch) stretch;
	/* The second pass. */
	struct fr_iter it;
	bool open, ended;
	size_t next_late, next_wait, next_stretch;
	uint64_t *border; /* ring: index of the first item of each of the last `slack` records */
	uint64_t records;
	/* Items [head, tail) are at item[i & mask]. Those in [head, known) are on their granules'
	   lists. `stop` is the next item with a stamp, or the limit of the look-ahead. */
	struct fr_item *item;
	uint64_t mask, head, known, stop, tail;
	/* Hash table of its nodes, by granule. */
	uint32_t *bucket, nodes;
	unsigned bucket_bits;
	uint64_t eff, eff_clock; /* stamp that it has passed; if coarse, its clock */
	uint64_t begun, end;	 /* keys of the stamps before and after the items ahead */
	uint64_t hook;		 /* hook of its last event */
	/* For load_order_step.c: the last searches that asked this thread, and where it could not
	   continue. */
	uint32_t asked[FR_ORDER_DEPTH];
	struct {
		uint64_t attempt, head;
		unsigned how, depth;
	} failed;
	struct fr_vain vain;
	bool soft;	/* `stop` is not at a stamp: more accesses may come before the next one */
	bool busy;	/* in the middle of a step */
	bool done;	/* no more items */
	uint64_t stuck; /* it could not continue in this state of the search (recorded_order.c) */
	struct fr_due deadline; /* of the next stamp beyond `stop`; key 0: not searched yet */
	/* The thread's state in the model. */
	bool started, exited, joined, created;
	bool cancelled;	  /* its next event may be a consequence of the cancellation */
	uint32_t cond;	  /* condition that it waits on, + 1 */
	fr_ev began;	  /* its WAIT_BEGIN */
	uint32_t barrier; /* object of its barrier generation, + 1 */
};

/* A call on a lock, condition variable or semaphore: as a use of the object that contains it. */
static inline bool fr_is_call_on_object(unsigned kind)
{
	switch (kind) {
	case FR_EV_COND_WAIT:
	case FR_EV_COND_SIGNAL:
	case FR_EV_COND_BROADCAST:
	case FR_EV_SEM_WAIT:
	case FR_EV_SEM_POST:
		return true;
	default:
		return kind != FR_EV_USER_LOCK && kind != FR_EV_USER_UNLOCK &&
		       fr_event_is(kind) & (FR_IS_ACQUIRE | FR_IS_RELEASE);
	}
}

/* A granule that several threads touch. */
struct fr_gran {
	uint64_t value, addr;
	uint8_t known;	 /* bytes whose value is known */
	uint8_t written; /* bytes written in this lifetime */
	uint8_t benign;
	uint8_t open;	   /* bytes whose last write is open (load_order_open.h) */
	uint8_t given;	   /* bytes whose value is known only from the program's file */
	uint8_t wrote[2];  /* load_order_open.h: bytes that `writer` wrote, that others wrote */
	uint32_t loc;	   /* object of the model; FR_NONE: none yet in this lifetime */
	uint32_t node;	   /* first node of the threads that have it ahead, or FR_NONE */
	uint32_t news;	   /* number of writes ever put on the list */
	uint32_t heap;	   /* object + 1, or FR_ENDED | index into `ended` */
	uint32_t from;	   /* stretches before this one are left out */
	uint32_t writer;   /* last thread that wrote, FR_NONE */
	uint64_t until[2]; /* wrote[i] happened before this stamp (key of a fr_due) */
};
_Static_assert(sizeof(struct fr_gran) == 64, "a line of the cache");

/* A HEAP object that a thread has freed. */
#define FR_ENDED (UINT32_C(1) << 31)
struct fr_freed {
	uint32_t obj, thread;
};

/* The accesses of one thread to one granule that are ahead: see load_order_node.h. */
struct fr_node {
	uint32_t next, prev; /* on the granule's list */
	uint32_t chain;	     /* next in the thread's hash bucket */
	uint32_t granule, thread;
	uint32_t first, last; /* indices of items */
	uint32_t values[2];   /* filters of the reads and of the writes: fr_value_bit */
	uint8_t mask;	      /* mask of all accesses; 0: they differ */
};

/* Facts about a location that decide whether it is kept. */
struct fr_locinfo {
	uint16_t thread; /* + 1; 0 = several */
	bool written, freed;
	bool differs;	/* its initial value was not the one in the program's file */
	uint32_t start; /* index into `start` + 1; 0 = nothing left to find out */
};

/*
 * Bytes of static memory whose first access is a write. Their initial value is known from the
 * program's file, but no read shows it. If some read returns that value, the read may have come
 * first in another order. The loader then loads the trace once more, and inserts a write of the
 * value when the main thread starts.
 */
struct fr_load_start {
	uint64_t value;
	uint32_t granule, loc;
	uint32_t next; /* next entry of the location, + 1 */
	uint8_t mask;
	bool needed;
};

struct fr_load_sync; /* load_sync.h */

struct fr_load {
	struct fr_trace *trace;
	struct fr_err *err;
	uint64_t max; /* limit for events plus locations */
	int r;	      /* an error inside a step, 0 = none */
	bool exact;   /* imported trace: the hook is the order */
	bool opaque;  /* some reads have no value */
	bool phases;  /* a search for phases may pay */
	/* the last site that was asked about, and its FR_SITE_* */
	struct {
		uint32_t site;
		unsigned access;
	} fill;
	struct fr_wait_sites waits; /* no sites in an imported trace */
	bool any_wait;		    /* some atomic read belongs to a waiting loop */
	struct fr_lthread *thread;
	uint32_t nthreads;
	struct fr_map by_id;	  /* thread id -> index + 1 */
	struct fr_map dead_owner; /* mutexes that some thread acquired from a dead owner */
	struct fr_shadow shadow;
	struct fr_gran *gran;
	FR_VEC(struct fr_node) node;
	uint32_t free_node;
	FR_VEC(struct fr_locinfo) loc;
	FR_VEC(struct fr_freed) ended;
	FR_VEC(struct fr_load_start) start; /* found in this load */
	/* found by the previous load: values to write at the start */
	const struct fr_load_start *put_start;
	size_t put_starts;
	FR_VEC(uint8_t) loc_benign;
	struct fr_builder *b;
	/* slots that the first pass decoded, in memory that the model will use */
	struct fr_kept kept;
	struct fr_load_sync *sync;
	uint64_t attempt; /* load_order_step.c: number of steps that no other thread asked for */
	bool due;	  /* the stepping thread is the one that is due */
	/* number of changes to memory or to the items ahead, besides new events */
	uint64_t changes;
	uint32_t calls; /* number of searches through a granule's list */
	uint64_t seed;	/* not 0: another attempt, at random (recorded_order.c) */
	/* FR_UNEXPLAINED for each unexplained read; 1 for each read that only the initial value
	   explains although a write ahead might */
	uint64_t doubts;
	uint64_t limit; /* stop when `doubts` reaches this limit */
	uint64_t count[FR_MC_COUNT];
};

/* Implements fr_model_load. For tests, `phases` false keeps all phases and `max` replaces
   FR_MODEL_MAX. `progress` may be NULL. */
int fr_load_run(const char *dir, bool phases, uint64_t max, struct fr_load_progress *progress,
		struct fr_model **ret, struct fr_err *reterr);

/* ---- load_scan.c ---- */

/* The first pass. Returns 0 or -errno. */
int fr_load_scan(struct fr_load *l);

/* ---- load_feed.c ---- */

/* Opens the stream of a thread. */
void fr_feed_open(struct fr_load *l, struct fr_lthread *t);
void fr_feed_close(struct fr_lthread *t);
/* Closes the stream if it is open. It can be opened again. */
void fr_feed_rewind(struct fr_lthread *t);
/* Appends items behind `tail` until more of them are in their final order. Returns 1, 0 at the end,
   or -errno. */
int fr_feed_more(struct fr_load *l, struct fr_lthread *t);
/* Items before this index are in their final order. */
static inline uint64_t fr_feed_ready(const struct fr_lthread *t)
{
	if (t->ended || !t->slack)
		return t->tail;
	return t->records < t->slack ? 0 : t->border[t->records % t->slack];
}

/* ---- recorded_order.c ---- */

/* Finds the recorded order and emits it, or stops at `limit` doubts. Returns 0 or -errno. */
int fr_order_run(struct fr_load *l);
/* Returns -EFBIG if the model has grown beyond `max`, else 0. */
int fr_order_bound(struct fr_load *l);
/* Puts more items ahead of a thread on their granules' lists: up to the next stamp, or a limited
   number. Returns 0 or -errno. */
int fr_order_fill(struct fr_load *l, struct fr_lthread *t);

/* ---- load_order_step.c ---- */

/* How a step treats other threads. Gently: it destroys no value that others have yet to read.
   Roughly: its own reads are explained, and no more. By force: it always happens. */
enum fr_how { FR_GENTLY, FR_ROUGHLY, FR_BY_FORCE };
/* Runs a thread up to and including item `to` (< stop). Returns false if it cannot continue in this
   way. */
bool fr_step_until(struct fr_load *l, struct fr_lthread *t, uint64_t to, enum fr_how how,
		   unsigned depth);
/* Takes the next step of a thread (head < stop) if that is possible without steps of others. */
bool fr_step_try(struct fr_load *l, struct fr_lthread *t, enum fr_how how);
/* Is the next step a read of bytes whose value is known? */
bool fr_step_reads(const struct fr_load *l, const struct fr_lthread *t);
/* Inserts the writes of initial values in `put_start`. */
void fr_step_starts(struct fr_load *l, struct fr_lthread *t, uint64_t hook);
/* Lets other threads finish their accesses to a granule whose lifetime is about to end. */
void fr_step_settle(struct fr_load *l, struct fr_lthread *t, uint32_t granule);

/* ---- load_sync.c ---- */

struct fr_load_sync *fr_load_sync_new(void);
void fr_load_sync_free(struct fr_load_sync *s);
/* Emits an event with a stamp. */
void fr_sync_event(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i);

static inline struct fr_item *fr_item_at(const struct fr_lthread *t, uint64_t position)
{
	return &t->item[position & t->mask];
}

/* load_fault.c: adds the access with which the run crashed in freed memory, if there is one.
   Returns 0 or -errno. */
int fr_load_fault(struct fr_trace *t, struct fr_err *reterr);

#endif
