/*
 * The tables of a segment [cut, end) of a run that both solvers read: steps, threads, the order
 * that every reordering keeps, critical sections, cells of memory, failed tries, conditions,
 * semaphores. Everything before `cut` has happened as recorded; its effect is in the tables.
 *
 * Meaning:   a node is a step of the segment; nodes are numbered in recorded order. A reordering
 *            runs a prefix of each chain (the nodes of one thread).
 * Relies on: every prefix of the recorded order is feasible (model/model.h). Must-happen-before is
 *            taken from the model itself, not from causality, so that a fault there is noticed.
 */
#ifndef FR_ORACLE_SEGMENT_H
#define FR_ORACLE_SEGMENT_H

#include "oracle/oracle.h"

#define FR_NODE_NONE UINT32_MAX
#define FR_SEG_CUT (UINT32_MAX - 1) /* "the state at the cut", where a node could stand */

struct fr_seg_edge {
	uint32_t a, b;
};

/* A critical section. acq == FR_SEG_CUT: held at the cut; rel == FR_NODE_NONE: to the end. */
struct fr_seg_section {
	uint32_t lock, thread;
	uint32_t acq, rel;
	uint32_t last_x; /* the last exclusive section of this chain and lock up to here, + 1 */
	bool shared;
};

/* Sections of one lock in one thread are sections[first[t]] ... [first[t + 1]), ascending. */
struct fr_seg_lock {
	uint32_t obj;
	uint32_t *first;
};

struct fr_seg_try {
	uint32_t node, lock;
	bool shared; /* fails only if somebody holds the lock alone */
};

/* The write that a step leaves in a cell. */
struct fr_seg_write {
	uint32_t node, cell;
	uint64_t value;
	bool opaque;
};

/* A read of a cell; it may take what a write leaves if it is good (fr_seg_good), or what was there
   at the cut if cut_ok. */
struct fr_seg_read {
	uint32_t node, cell;
	uint32_t saw; /* index of the write it saw, FR_SEG_CUT: the state at the cut */
	uint64_t value;
	uint32_t class; /* of writes of that value; FR_NODE_NONE: none will do but the one it saw */
	uint32_t group; /* wgroup of those writes, if it has a class */
	bool opaque, cut_ok;
};

/* Bytes that are always accessed together in the segment. Writes of thread t are
   writes[wfirst[t]] ... ascending, and so for reads. */
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
/* Can the signal come within the wait, as far as the part before the cut tells? */
bool fr_seg_serves(const struct fr_seg_signal *s, const struct fr_seg_wait *w);

struct fr_seg_sem {
	uint32_t obj, count; /* at the cut */
	FR_VEC(uint32_t) wait, post, failed;
};

/* Some of `any` must have happened before the node. */
struct fr_seg_after {
	uint32_t node;
	FR_VEC(uint32_t) any;
};

/* What a step does, in its order: an index into the table that the kind names. */
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

struct fr_seg {
	const struct fr_model *m;
	fr_ev cut, end;
	uint32_t n, nthreads;
	fr_ev *head; /* of each node */
	uint32_t *thread, *pos;
	uint32_t *chain;		 /* nodes by thread */
	uint32_t *first;		 /* nthreads + 1: chain of t is chain[first[t]] ... */
	uint32_t *local;		 /* thread of the model -> thread here, FR_NODE_NONE */
	uint32_t *global;		 /* and back */
	FR_VEC(struct fr_seg_edge) edge; /* must-happen-before across threads */
	FR_VEC(struct fr_seg_lock) lock;
	FR_VEC(struct fr_seg_section) section;
	FR_VEC(struct fr_seg_try) try;
	FR_VEC(struct fr_seg_cell) cell;
	FR_VEC(struct fr_seg_write) write;
	FR_VEC(struct fr_seg_read) read;
	/* Of each write, its place in its thread, and a number that writes of one cell share if
	   they leave the same value. */
	uint32_t *wpos, *wclass;
	/* Reads that can take write w as far as values tell, and perhaps some that cannot:
	   reader[reader_first[wgroup[w]]] ... [reader_first[wgroup[w] + 1]). */
	uint32_t *wgroup, *reader_first, *reader;
	FR_VEC(struct fr_seg_cond) cond;
	FR_VEC(struct fr_seg_sem) sem;
	FR_VEC(struct fr_seg_after) after;
	FR_VEC(struct fr_seg_item) item; /* by node */
	uint32_t *item_first;		 /* n + 1 */
};

struct fr_seg *fr_seg_new(const struct fr_model *m, fr_ev cut, fr_ev end);
void fr_seg_free(struct fr_seg *s);
/* The node of a step, FR_NODE_NONE if it is not in the segment. */
uint32_t fr_seg_node(const struct fr_seg *s, fr_ev head);

static inline uint32_t fr_seg_len(const struct fr_seg *s, uint32_t t)
{
	return s->first[t + 1] - s->first[t];
}
static inline uint32_t fr_seg_at(const struct fr_seg *s, uint32_t t, uint32_t pos)
{
	return s->chain[s->first[t] + pos];
}
static inline bool fr_seg_good(const struct fr_seg *s, const struct fr_seg_read *r, uint32_t w)
{
	return s->wclass[w] == r->class || w == r->saw;
}
static inline bool fr_seg_exclude(const struct fr_seg_section *a, const struct fr_seg_section *b)
{
	return !a->shared || !b->shared;
}

/*
 * A candidate in terms of a segment: how many nodes of each thread must be in (lo) and may be in
 * (hi), and order edges between nodes. False: it cannot be in this segment.
 */
struct fr_seg_goal {
	uint32_t *lo, *hi; /* nthreads */
	uint32_t nedges;
	struct fr_seg_edge edge[FR_EDGES];
};
bool fr_seg_goal(const struct fr_seg *s, const struct fr_candidate *c, struct fr_seg_goal *ret);
void fr_seg_goal_free(struct fr_seg_goal *g);

/* Parts of fr_seg_new. */
void fr_seg_memory(struct fr_seg *s);
void fr_seg_sync(struct fr_seg *s);
#define fr_seg_item_add(s, nd, k, i) \
	fr_vec_push(&(s)->item, (struct fr_seg_item){.node = (nd), .kind = (k), .index = (i)})

#endif
