/*
 * The simulation that turns a script into a model: real memory, locks with owners, waiters that are
 * woken one by one. Written independently of every other machine: its behaviour defines the run.
 */
#include "gen.h"
#include <assert.h>
#include <string.h>

struct sim {
	const struct gen_script *s;
	struct fr_builder *b;
	uint32_t n, site;
	uint32_t next[GEN_THREADS]; /* operation of each thread, s->n: none is left */
	uint8_t memory[GEN_LOCS][8];
	uint32_t heap[GEN_LOCS]; /* object + 1, 0: none */
	bool freed[GEN_LOCS], touched[GEN_LOCS];
	fr_ev alloc[GEN_LOCS];			/* event + 1, 0: none */
	int8_t owner[GEN_LOCKS];		/* -1: nobody */
	uint8_t shared[GEN_LOCKS][GEN_THREADS]; /* how often each thread has it */
	uint32_t sem[GEN_OTHERS], inside[GEN_OTHERS], barrier[GEN_OTHERS];
	int8_t once[GEN_OTHERS]; /* -1: not begun, -2: done, else the thread inside */
	struct sim_thread {
		bool there, joined;
		enum { RUNS, WAITS, LOCKS, STANDS } phase; /* in a wait, after it, in a barrier */
		bool woken;
		uint32_t denied; /* turns in which it could not go on */
		uint8_t cond;
		uint32_t generation; /* BARRIER object */
	} thread[GEN_THREADS];
};

static void emit(struct sim *x, unsigned thread, enum fr_op op, uint32_t obj, unsigned flags)
{
	fr_builder_add(x->b,
		       &(struct fr_mev){.obj = obj,
					.thread = (uint16_t)thread,
					.op = (uint8_t)op,
					.flags = flags & 0x3ff,
					.site = x->site},
		       x->n);
	x->n++;
}

/* ---- memory ---- */

static void emit_access(struct sim *x, const struct gen_op *o, enum fr_op op, unsigned loc,
			unsigned flags)
{
	struct fr_mev e = {.obj = loc,
			   .thread = o->thread,
			   .op = (uint8_t)op,
			   .mask = o->mask,
			   .flags = flags & 0x3ff,
			   .site = x->site};
	unsigned low = (unsigned)__builtin_ctz(o->mask);

	for (unsigned i = 0; i < 8; i++) {
		if (!(o->mask >> i & 1))
			continue;
		if (op == FR_OP_WRITE)
			x->memory[loc][i] = i == low ? o->value : 0;
		e.value |= (uint64_t)x->memory[loc][i] << (8 * i);
	}
	if (flags & FR_F_NOVALUE)
		e.value = 0;
	fr_builder_add(x->b, &e, x->n);
	x->n++;
}

static void access_op(struct sim *x, const struct gen_op *o)
{
	unsigned loc = o->obj % x->s->locs, other = o->obj2 % x->s->locs;
	unsigned flags = o->flags & (FR_F_NOVALUE | FR_F_ATOMIC);

	if (x->freed[loc])
		return;
	if (x->freed[other])
		other = loc;
	x->touched[loc] = x->touched[other] = true;
	switch (o->kind) {
	case GEN_READ:
		emit_access(x, o, FR_OP_READ, loc, flags);
		return;
	case GEN_WRITE:
		emit_access(x, o, FR_OP_WRITE, loc, flags);
		return;
	case GEN_RMW:
		flags = (flags & FR_F_NOVALUE) | FR_F_ATOMIC;
		emit_access(x, o, FR_OP_READ, loc, flags);
		emit_access(x, o, FR_OP_WRITE, loc, flags | FR_F_PART);
		return;
	case GEN_TWO:
		emit_access(x, o, FR_OP_WRITE, loc, flags);
		if (loc != other)
			emit_access(x, o, o->value ? FR_OP_WRITE : FR_OP_READ, other,
				    flags | FR_F_PART);
		return;
	default:
		emit_access(x, o, FR_OP_WRITE, loc, FR_F_SYNTH);
		emit_access(x, o, FR_OP_READ, loc, FR_F_PART);
	}
}

/* ---- locks ---- */

static unsigned sharers(const struct sim *x, unsigned lock)
{
	unsigned n = 0;

	for (unsigned i = 0; i < GEN_THREADS; i++)
		n += x->shared[lock][i];
	return n;
}

static bool lock_op(struct sim *x, const struct gen_op *o)
{
	bool share = o->kind == GEN_SHARE || o->kind == GEN_TRY_SHARE;
	bool try = o->kind == GEN_TRY || o->kind == GEN_TRY_SHARE;
	unsigned lock = o->obj % (x->s->mutexes + x->s->rwlocks);
	bool free = x->owner[lock] < 0 && (share || !sharers(x, lock));

	assert(!share || lock >= x->s->mutexes);
	if (free && share) {
		emit(x, o->thread, FR_OP_ACQUIRE_SHARED, lock, try ? 0 : o->flags & FR_F_BLOCKING);
		x->shared[lock][o->thread]++;
	} else if (free) {
		emit(x, o->thread, FR_OP_ACQUIRE, lock, try ? 0 : o->flags & FR_F_BLOCKING);
		x->owner[lock] = (int8_t)o->thread;
	} else if (try) {
		emit(x, o->thread, share ? FR_OP_ACQUIRE_SHARED_FAILED : FR_OP_ACQUIRE_FAILED, lock,
		     0);
	}
	return free || try;
}

/* If the thread has it. */
static void unlock_op(struct sim *x, const struct gen_op *o)
{
	unsigned lock = o->obj % (x->s->mutexes + x->s->rwlocks);

	if (x->owner[lock] == o->thread) {
		emit(x, o->thread, FR_OP_RELEASE, lock, 0);
		x->owner[lock] = -1;
	} else if (x->shared[lock][o->thread]) {
		emit(x, o->thread, FR_OP_RELEASE_SHARED, lock, 0);
		x->shared[lock][o->thread]--;
	}
}

/* ---- conditions ---- */

static bool wait_op(struct sim *x, const struct gen_op *o)
{
	struct sim_thread *t = &x->thread[o->thread];
	unsigned cond = o->obj % x->s->conds, mutex = o->obj2 % x->s->mutexes;
	bool late;

	switch (t->phase) {
	case WAITS:
		late = o->flags & FR_F_TIMEOUT || t->denied > x->s->patience;
		if (!t->woken && !late)
			return false;
		emit(x, o->thread, FR_OP_WAIT, cond, late ? FR_F_TIMEOUT : 0);
		t->phase = LOCKS;
		return false;
	case LOCKS:
		if (x->owner[mutex] >= 0)
			return false;
		emit(x, o->thread, FR_OP_ACQUIRE, mutex, FR_F_WAIT | FR_F_BLOCKING);
		x->owner[mutex] = (int8_t)o->thread;
		t->phase = RUNS;
		return true;
	default:
		if (x->owner[mutex] != o->thread)
			return true;
		emit(x, o->thread, FR_OP_RELEASE, mutex, FR_F_WAIT);
		emit(x, o->thread, FR_OP_WAIT_BEGIN, cond, FR_F_PART);
		x->owner[mutex] = -1;
		t->phase = WAITS;
		t->woken = false;
		t->cond = (uint8_t)cond;
		return false;
	}
}

static void signal_op(struct sim *x, const struct gen_op *o)
{
	unsigned cond = o->obj % x->s->conds;

	emit(x, o->thread, o->kind == GEN_SIGNAL ? FR_OP_SIGNAL : FR_OP_BROADCAST, cond, 0);
	for (unsigned i = 0; i < GEN_THREADS; i++) {
		struct sim_thread *w = &x->thread[(o->obj2 + i) % GEN_THREADS];

		if (w->phase == WAITS && !w->woken && w->cond == cond) {
			w->woken = true;
			if (o->kind == GEN_SIGNAL)
				return;
		}
	}
}

/* ---- the others ---- */

static bool sem_op(struct sim *x, const struct gen_op *o)
{
	unsigned sem = o->obj % x->s->sems;

	if (o->kind == GEN_SEM_POST) {
		emit(x, o->thread, FR_OP_SEM_POST, sem, 0);
		x->sem[sem]++;
	} else if (x->sem[sem]) {
		emit(x, o->thread, FR_OP_SEM_WAIT, sem, 0);
		x->sem[sem]--;
	} else if (o->kind == GEN_SEM_TRY) {
		emit(x, o->thread, FR_OP_SEM_FAILED, sem, 0);
	} else {
		return false;
	}
	return true;
}

static bool barrier_op(struct sim *x, const struct gen_op *o)
{
	struct sim_thread *t = &x->thread[o->thread];
	unsigned barrier = o->obj % x->s->barriers;

	if (t->phase == STANDS) {
		if (x->barrier[barrier] == t->generation)
			return false;
		emit(x, o->thread, FR_OP_BARRIER_LEAVE, t->generation, 0);
		t->phase = RUNS;
		return true;
	}
	emit(x, o->thread, FR_OP_BARRIER_ENTER, x->barrier[barrier], 0);
	t->phase = STANDS;
	t->generation = x->barrier[barrier];
	if (++x->inside[barrier] < x->s->barrier[barrier])
		return false;
	x->inside[barrier] = 0;
	x->barrier[barrier] = fr_builder_obj(
	    x->b, FR_C_BARRIER,
	    (struct fr_mobj){.count = x->s->barrier[barrier], .aux = x->barrier[barrier] + 1});
	return false;
}

static bool once_op(struct sim *x, const struct gen_op *o)
{
	unsigned once = o->obj % x->s->onces;

	if (o->kind == GEN_ONCE_END) {
		if (x->once[once] != o->thread)
			return true;
		emit(x, o->thread, FR_OP_ONCE_END, once, 0);
		x->once[once] = -2;
	} else if (x->once[once] == -1) {
		emit(x, o->thread, FR_OP_ONCE_BEGIN, once, 0);
		x->once[once] = (int8_t)o->thread;
	} else if (x->once[once] == -2) {
		emit(x, o->thread, FR_OP_ONCE_DONE, once, 0);
	} else {
		return x->once[once] == o->thread;
	}
	return true;
}

static bool thread_op(struct sim *x, const struct gen_op *o)
{
	unsigned other = o->obj % x->s->threads;
	struct sim_thread *t = &x->thread[other];

	if (o->kind == GEN_END) {
		emit(x, o->thread, FR_OP_EXIT, o->thread, 0);
	} else if (other == o->thread) {
		return true;
	} else if (o->kind == GEN_CREATE && !t->there) {
		emit(x, o->thread, FR_OP_CREATE, other, 0);
		t->there = true;
		if (o->value)
			emit(x, other, FR_OP_START, other, 0);
	} else if (o->kind == GEN_JOIN && !t->joined) {
		if (!t->there || x->next[other] < x->s->n)
			return false;
		emit(x, o->thread, FR_OP_JOIN, other, FR_F_BLOCKING);
		t->joined = true;
	}
	return true;
}

/* False: the thread stays where it is. */
static bool do_op(struct sim *x, const struct gen_op *o)
{
	switch (o->kind) {
	case GEN_READ ... GEN_SYNTH:
		access_op(x, o);
		return true;
	case GEN_LOCK ... GEN_TRY_SHARE:
		return lock_op(x, o);
	case GEN_UNLOCK:
		unlock_op(x, o);
		return true;
	case GEN_WAIT:
		return wait_op(x, o);
	case GEN_SIGNAL:
	case GEN_BROADCAST:
		signal_op(x, o);
		return true;
	case GEN_SEM_WAIT ... GEN_SEM_POST:
		return sem_op(x, o);
	case GEN_BARRIER:
		return barrier_op(x, o);
	case GEN_ONCE:
	case GEN_ONCE_END:
		return once_op(x, o);
	case GEN_CREATE ... GEN_END:
		return thread_op(x, o);
	case GEN_ACQUIRE_ALL:
	case GEN_RELEASE_ALL:
		emit(x, o->thread,
		     o->kind == GEN_ACQUIRE_ALL ? FR_OP_ACQUIRE_ALL : FR_OP_RELEASE_ALL,
		     o->obj % x->s->flags, 0);
		return true;
	case GEN_HEAP:
		emit(x, o->thread, FR_OP_ALLOC,
		     fr_builder_obj(x->b, FR_C_HEAP, (struct fr_mobj){.count = x->n + 1}), 0);
		return true;
	case GEN_ALLOC:
		if (!x->heap[o->obj] || x->touched[o->obj] || x->freed[o->obj] || x->alloc[o->obj])
			return true;
		x->alloc[o->obj] = x->n + 1;
		emit(x, o->thread, FR_OP_ALLOC, x->heap[o->obj] - 1, 0);
		return true;
	case GEN_FREE:
		if (x->heap[o->obj] && !x->freed[o->obj])
			emit(x, o->thread, FR_OP_FREE, x->heap[o->obj] - 1, 0);
		x->freed[o->obj] |= x->heap[o->obj] > 0;
		return true;
	default:
		emit(x, o->thread, FR_OP_MARK, o->obj, 0);
		return true;
	}
}

/* The thread's first operation from i on. */
static uint32_t find_op(const struct gen_script *s, unsigned thread, uint32_t i)
{
	while (i < s->n && s->op[i].thread != thread)
		i++;
	return i;
}

static void add_objects(struct sim *x, const struct gen_script *s)
{
	for (unsigned i = 0; i < s->threads; i++) {
		FR_CLEANUP(fr_freep) char *path = i ? fr_xasprintf("0.%u", i) : fr_xstrdup("0");

		fr_builder_thread(x->b, path, i);
		x->thread[i].there = !(s->made >> i & 1);
	}
	for (unsigned i = 0; i < s->locs; i++) {
		if (s->heap >> i & 1)
			x->heap[i] = 1 + fr_builder_obj(x->b, FR_C_HEAP,
							(struct fr_mobj){.addr = 0x1000 + 8 * i});
		fr_builder_obj(x->b, FR_C_LOC,
			       (struct fr_mobj){.addr = 0x1000 + 8 * i, .aux = x->heap[i]});
		x->memory[i][0] = s->memory[i];
	}
	for (unsigned i = 0; i < s->mutexes + s->rwlocks; i++) {
		fr_builder_obj(
		    x->b, FR_C_LOCK,
		    (struct fr_mobj){.addr = 0x2000 + 64 * i,
				     .aux = i < s->mutexes ? FR_LOCK_MUTEX : FR_LOCK_RW});
		x->owner[i] = -1;
	}
	for (unsigned i = 0; i < s->conds; i++)
		fr_builder_obj(x->b, FR_C_COND, (struct fr_mobj){.addr = 0x3000 + 64 * i});
	for (unsigned i = 0; i < s->sems; i++) {
		fr_builder_obj(x->b, FR_C_SEM,
			       (struct fr_mobj){.addr = 0x4000 + 64 * i, .count = s->sem[i]});
		x->sem[i] = s->sem[i];
	}
	for (unsigned i = 0; i < s->barriers; i++)
		x->barrier[i] =
		    fr_builder_obj(x->b, FR_C_BARRIER, (struct fr_mobj){.count = s->barrier[i]});
	for (unsigned i = 0; i < s->onces; i++) {
		fr_builder_obj(x->b, FR_C_ONCE, (struct fr_mobj){.addr = 0x5000 + 64 * i});
		x->once[i] = -1;
	}
	for (unsigned i = 0; i < s->flags; i++)
		fr_builder_obj(x->b, FR_C_FLAG, (struct fr_mobj){.addr = 0x6000 + 64 * i});
}

struct fr_model *gen_build(const struct gen_script *s)
{
	struct sim x = {.s = s, .b = fr_builder_new()};
	struct fr_model *m;

	assert(s->threads <= GEN_THREADS && s->locs <= GEN_LOCS);
	assert(s->mutexes + s->rwlocks <= GEN_LOCKS);
	add_objects(&x, s);
	for (unsigned t = 0; t < s->threads; t++)
		x.next[t] = find_op(s, t, 0);
	for (uint32_t i = 0; i < s->nturns && x.n < s->max; i++) {
		unsigned t = s->turn[i];

		if (!x.thread[t].there || x.next[t] == s->n)
			continue;
		x.site = s->op[x.next[t]].id;
		x.thread[t].denied++;
		/* out of patience: as if it had never been tried */
		if (do_op(&x, &s->op[x.next[t]]) ||
		    (x.thread[t].phase == RUNS && x.thread[t].denied > s->patience)) {
			x.next[t] = find_op(s, t, x.next[t] + 1);
			x.thread[t].denied = 0;
		}
	}
	m = fr_builder_finish(x.b);
	for (unsigned i = 0; i < s->locs; i++)
		if (x.alloc[i])
			m->cls[FR_C_HEAP].obj[x.heap[i] - 1].count = x.alloc[i];
	return m;
}
