/*
 * The tables of a segment [cut, end) of a run, which both solvers read: steps, threads, the order
 * that every reordering keeps, critical sections, memory cells, failed try-locks, conditions,
 * semaphores. Everything before `cut` has happened as recorded; the tables contain its effect.
 *
 * Meaning:   a node is a step of the segment. Nodes are numbered in recorded order. A reordering
 *            runs a prefix of each chain (the nodes of one thread).
 * Relies on: every prefix of the recorded order is feasible (model/model.h). Must-happen-before
 *            comes from the model itself, not from src/causality, so that a fault there is noticed.
 */
#ifndef FR_ORACLE_SEGMENT_H
#define FR_ORACLE_SEGMENT_H

#include "base/assert.h"
#include "oracle/oracle.h"

#define FR_NODE_NONE UINT32_MAX
#define FR_SEG_CUT (UINT32_MAX - 1) /* instead of a node: the state at the cut */
_Static_assert(FR_MODEL_MAX < FR_SEG_CUT, "no node has these numbers");

struct fr_seg_edge {
	uint32_t a, b;
};

/* A critical section. acq == FR_SEG_CUT: held at the cut. rel == FR_NODE_NONE: held to the end. */
struct fr_seg_section {
	uint32_t lock, thread;
	uint32_t acq, rel;
	/* the last exclusive section of this chain and lock up to here, + 1; 0 = none */
	uint32_t last_x;
	bool shared;
};

/* The sections of one lock in thread t are section[first[t]] up to section[first[t + 1] - 1]. */
struct fr_seg_lock {
	uint32_t obj;
	uint32_t *first;
};

struct fr_seg_try {
	uint32_t node, lock;
	bool shared; /* fails only if another thread holds the lock exclusively */
};

/* The value that a step leaves in a cell. */
struct fr_seg_write {
	uint32_t node, cell;
	uint64_t value;
	bool opaque; /* the value is not recorded, or the write is not reliable */
};

/* A read of a cell, if it matters. It may take the value of a write that is good (fr_seg_good), or
   the value at the cut if cut_ok. */
struct fr_seg_read {
	uint32_t node, cell;
	fr_ev ev;
	/* index of the write it saw; FR_SEG_CUT = the state at the cut; FR_NODE_NONE = a write that
	   is not reliable */
	uint32_t saw;
	uint64_t value;
	/* wclass of the writes of its value; FR_NODE_NONE: only the write that it saw is good */
	uint32_t class;
	uint32_t group; /* wgroup of those writes, if it has a class */
	bool opaque, cut_ok;
};

/* Bytes that the segment always accesses together. The writes of thread t begin at
   write[wfirst[t]], ascending, and its reads at read[rfirst[t]]. */
struct fr_seg_cell {
	uint32_t loc;
	uint8_t mask;
	uint32_t *wfirst, *rfirst;
};

struct fr_seg_wait {
	uint32_t begin, node; /* FR_SEG_CUT: before the cut */
	fr_ev begin_ev, ev;
};
struct fr_seg_signal {
	uint32_t node; /* FR_SEG_CUT: before the cut */
	fr_ev ev;
	bool broadcast;
};
struct fr_seg_cond {
	uint32_t obj;
	FR_VEC(struct fr_seg_wait) wait;
	FR_VEC(struct fr_seg_signal) signal;
};
/* Can the signal serve the wait, as far as the part before the cut decides that? */
bool fr_seg_serves(const struct fr_seg_signal *s, const struct fr_seg_wait *w);

struct fr_seg_sem {
	uint32_t obj, count; /* at the cut */
	FR_VEC(uint32_t) wait, post, failed;
};

/* At least one of `any` must happen before the node. */
struct fr_seg_after {
	uint32_t node;
	FR_VEC(uint32_t) any;
};

/* If the node is in, then of the nodes of `thread` at these positions (ascending), those that are
   in come before it. */
struct fr_seg_last {
	uint32_t node, thread;
	FR_VEC(uint32_t) pos;
};

/* The effects of a step, in their order: indices into the table that the kind names. */
enum fr_seg_kind {
	FR_SEG_ACQ,
	FR_SEG_REL,
	FR_SEG_TRY,
	FR_SEG_READ,
	FR_SEG_WRITE,
	FR_SEG_SEM_WAIT,
	FR_SEG_SEM_POST,
	FR_SEG_SEM_FAILED,
};
struct fr_seg_item {
	uint32_t node;
	uint32_t kind : 4, index : 28;
};

_Static_assert(FR_SEG_SEM_FAILED < 1 << 4, "kind has 4 bits");

struct fr_seg {
	const struct fr_model *m;
	const struct fr_mask *mask;
	fr_ev cut, end;
	uint32_t n, nthreads;
	fr_ev *head; /* first event of each node */
	uint32_t *thread, *pos;
	uint32_t *chain; /* nodes by thread */
	/* nthreads + 1: the chain of t begins at chain[first[t]] */
	uint32_t *first;
	/* thread of the model -> thread of the segment, or FR_NODE_NONE */
	uint32_t *local;
	uint32_t *global;		 /* thread of the segment -> thread of the model */
	FR_VEC(struct fr_seg_edge) edge; /* must-happen-before across threads */
	FR_VEC(struct fr_seg_lock) lock;
	FR_VEC(struct fr_seg_section) section;
	FR_VEC(struct fr_seg_try) try;
	FR_VEC(struct fr_seg_cell) cell;
	FR_VEC(struct fr_seg_write) write;
	FR_VEC(struct fr_seg_read) read;
	/* By write: its position in its thread, and a number that it shares with all writes of its
	   cell that leave the same value. */
	uint32_t *wpos, *wclass;
	/* Reads that can take write w by its value, and perhaps some that cannot:
	   reader[reader_first[wgroup[w]]] up to reader[reader_first[wgroup[w] + 1] - 1]. */
	uint32_t *wgroup, *reader_first, *reader;
	FR_VEC(struct fr_seg_cond) cond;
	FR_VEC(struct fr_seg_sem) sem;
	FR_VEC(struct fr_seg_after) after;
	FR_VEC(struct fr_seg_last) last; /* a free and the accesses to the object */
	FR_VEC(struct fr_seg_item) item; /* by node */
	uint32_t *item_first;		 /* n + 1 */
};

/* Builds the tables of [cut, end), widened to whole steps. Only the memory depends on the mask,
   which must outlive the tables. Never fails. */
struct fr_seg *fr_seg_new(const struct fr_model *m, const struct fr_mask *mask, fr_ev cut,
			  fr_ev end);
void fr_seg_free(struct fr_seg *s);
/* Returns the node of a step, or FR_NODE_NONE if it is not in the segment. */
uint32_t fr_seg_node(const struct fr_seg *s, fr_ev head);

/* Number of nodes of thread t. */
static inline uint32_t fr_seg_len(const struct fr_seg *s, uint32_t t)
{
	fr_assert_slow(t < s->nthreads);
	return s->first[t + 1] - s->first[t];
}
/* Node of thread t at position pos. */
static inline uint32_t fr_seg_at(const struct fr_seg *s, uint32_t t, uint32_t pos)
{
	fr_assert_slow(pos < fr_seg_len(s, t));
	return s->chain[s->first[t] + pos];
}
/* May the read take write w as its source, by its value? */
static inline bool fr_seg_good(const struct fr_seg *s, const struct fr_seg_read *r, uint32_t w)
{
	fr_assert_slow(w < s->write.n && s->write.v[w].cell == r->cell);
	return s->wclass[w] == r->class || w == r->saw;
}
/* Do two sections of one lock exclude each other? */
static inline bool fr_seg_exclude(const struct fr_seg_section *a, const struct fr_seg_section *b)
{
	fr_assert_slow(a->lock == b->lock);
	return !a->shared || !b->shared;
}

/* A candidate in terms of a segment: the number of nodes of each thread that must be in (lo) and
   may be in (hi), edges between nodes, and the writes that must not come after the write that a
   read sees. False: the candidate cannot happen in this segment. */
struct fr_seg_goal {
	uint32_t *lo, *hi; /* nthreads */
	uint32_t nedges;
	struct fr_seg_edge edge[FR_EDGES];
	FR_VEC(struct fr_seg_last) last;
};
bool fr_seg_goal(const struct fr_seg *s, const struct fr_candidate *c, struct fr_seg_goal *ret);
void fr_seg_goal_free(struct fr_seg_goal *g);

/* Parts of fr_seg_new. */
void fr_seg_memory(struct fr_seg *s);
void fr_seg_lives(struct fr_seg *s);
void fr_seg_sync(struct fr_seg *s);
#define fr_seg_item_add(s, nd, k, i) \
	fr_vec_push(&(s)->item, (struct fr_seg_item){.node = (nd), .kind = (k), .index = (i)})

#endif
