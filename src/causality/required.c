/*
 * The events that every reordering with a candidate's targets pending must contain: the pasts of
 * the targets in their threads, closed under these rules:
 * - must-happen-before;
 * - if only one write can have provided the value of a read that matters, that write is in;
 * - if a pending thread holds a lock, every other thread that acquired it in an excluding mode has
 *   released it;
 * - if only one signal can have ended a condition wait, that signal is in;
 * - if a semaphore wait needs all posts, they are all in.
 *
 * If a target gets into the set, or a write that must hide the write that a read should see, the
 * candidate is infeasible. (ExceptioNULL 5, GPredict III-C: orders that follow from a single
 * possible writer.)
 *
 * Invariant: the set only ever contains events that must be in it. Events below the floor are not
 * examined; that loses conclusions but never makes one wrong. Not handled: the order among the
 * events of the set. The solver goes further there.
 */
#include "causality/required.h"
#include "causality/prefix.h"
#include "causality/values.h"

#define EVENTS_MAX 512	     /* events examined for one question, */
#define EVENTS_MAX_FAR 16384 /* and if it begins earlier than at the first target */
#define LIST_MAX 256	     /* longer lists of an object are not searched */
#define SAME_MAX 16	     /* nor are more writes of one value */
#define HELD 64

struct pin {
	uint32_t epoch;
	uint16_t thread;
	bool shared;
	bool many; /* several pending threads share it */
};

struct fr_required {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_prefix f;
	struct fr_values values;
	const struct fr_mask *mask; /* of the question */
	const struct fr_candidate *what;
	struct pin *pin; /* for each lock, the pending thread that holds it */
};

struct fr_required *fr_required_new(const struct fr_model *m, const struct fr_causality *c)
{
	struct fr_required *x = fr_xcalloc(1, sizeof(*x));

	x->m = m;
	x->c = c;
	fr_prefix_init(&x->f, m);
	fr_values_init(&x->values, m, c);
	x->pin = fr_xcalloc(m->cls[FR_C_LOCK].n, sizeof(*x->pin));
	return x;
}

void fr_required_free(struct fr_required *x)
{
	if (!x)
		return;
	fr_prefix_free(&x->f);
	fr_values_free(&x->values);
	free(x->pin);
	free(x);
}

static void pin_locks(struct fr_required *x, const struct fr_candidate *what)
{
	struct fr_held held[HELD];

	for (uint32_t i = 0; i < what->npending; i++) {
		uint32_t n = fr_locks_held(x->c, what->pending[i], held, HELD);

		for (uint32_t k = 0; k < fr_min(n, (uint32_t)HELD); k++) {
			struct pin *p = &x->pin[held[k].lock];
			bool again = p->epoch == x->f.epoch &&
				     p->thread != x->m->ev[what->pending[i]].thread;

			*p = (struct pin){x->f.epoch, x->m->ev[what->pending[i]].thread,
					  held[k].shared, again};
		}
	}
}

static void must_acquire(struct fr_required *x, fr_ev e)
{
	const struct fr_mev *v = &x->m->ev[e];
	const struct pin *p = &x->pin[v->obj];
	fr_ev release;

	if (p->epoch != x->f.epoch || (p->thread == v->thread && !p->many) ||
	    (p->shared && v->op == FR_OP_ACQUIRE_SHARED))
		return;
	release = fr_release_of(x->c, e);
	if (release == FR_NO_EV)
		x->f.failed = true;
	else
		fr_prefix_need(&x->f, release);
}

/* Must e stay out, because its thread's pending target must? */
static bool is_out(const struct fr_required *x, fr_ev e)
{
	const struct fr_prefix_thread *t = &x->f.thread[x->m->ev[e].thread];

	return t->epoch == x->f.epoch && e >= t->limit;
}

/* Can the byte's initial value be the value that the read returned? The first read of the byte
   tells. */
static bool start_may_hold(const struct fr_required *x, fr_ev read, unsigned byte)
{
	const struct fr_mclass *k = &x->m->cls[FR_C_LOC];
	const struct fr_mev *r = &x->m->ev[read];

	for (uint32_t i = k->first[r->obj]; i < k->first[r->obj + 1]; i++) {
		const struct fr_mev *v = &x->m->ev[k->list[i]];

		if (!(v->mask >> byte & 1))
			continue;
		if (v->op == FR_OP_WRITE)
			return false;
		if (v->flags & FR_F_NOVALUE)
			return true; /* unknown */
		return !((v->value ^ r->value) >> (8 * byte) & 0xff);
	}
	return false;
}

/* Must some write of the byte happen before the read? */
static bool written_before(const struct fr_required *x, fr_ev read, unsigned byte)
{
	const struct fr_mclass *k = &x->m->cls[FR_C_LOC];
	uint32_t first = k->first[x->m->ev[read].obj], end = k->first[x->m->ev[read].obj + 1];

	for (uint32_t i = first; i < end && i < first + LIST_MAX && k->list[i] < read; i++)
		if (x->m->ev[k->list[i]].op == FR_OP_WRITE &&
		    x->m->ev[k->list[i]].mask >> byte & 1 && fr_mhb(x->c, k->list[i], read))
			return true;
	return false;
}

/* An unreliable write provides a value only before the cut, and then also in the recorded order. */
static bool can_write(const struct fr_required *x, fr_ev write, fr_ev read)
{
	return (fr_mask_write(x->mask, write) || write < read) && !is_out(x, write) &&
	       !fr_mhb(x->c, read, write);
}

/* Is `writer` the only write that can have provided the byte that `read` returned? */
static bool only_writer(struct fr_required *x, fr_ev read, fr_ev writer, unsigned byte)
{
	const struct fr_mclass *k = &x->m->cls[FR_C_LOC];
	const struct fr_mev *r = &x->m->ev[read];
	uint32_t first = k->first[r->obj], end = k->first[r->obj + 1], n;
	const fr_ev *same;

	fr_assert(x->m->ev[writer].op == FR_OP_WRITE && x->m->ev[writer].mask >> byte & 1);
	if (r->flags & FR_F_NOVALUE)
		return true;
	if (fr_values_find(&x->values, read, &same, &n)) {
		if (n > SAME_MAX)
			return false;
		for (uint32_t i = 0; i < n; i++)
			if (same[i] != writer && can_write(x, same[i], read))
				return false;
	} else if (end - first > LIST_MAX) {
		return false;
	} else {
		for (uint32_t i = first; i < end; i++) {
			const struct fr_mev *v = &x->m->ev[k->list[i]];

			if (v->op == FR_OP_WRITE && v->mask >> byte & 1 && k->list[i] != writer &&
			    !(v->flags & FR_F_NOVALUE) &&
			    !((v->value ^ r->value) >> (8 * byte) & 0xff) &&
			    can_write(x, k->list[i], read))
				return false;
		}
	}
	return !start_may_hold(x, read, byte) || written_before(x, read, byte);
}

static void must_read(struct fr_required *x, fr_ev e)
{
	const struct fr_mev *r = &x->m->ev[e];
	fr_ev writer[8];
	uint32_t n = fr_writers_since(x->c, e, x->f.floor, writer);
	unsigned todo = r->mask;

	for (uint32_t i = 0; i < n; i++) {
		unsigned bytes = x->m->ev[writer[i]].mask & todo;

		todo &= ~bytes;
		if (x->m->ev[writer[i]].thread == r->thread)
			continue; /* in by program order, whatever else could have written it */
		for (; bytes; bytes &= bytes - 1) {
			if (only_writer(x, e, writer[i], (unsigned)__builtin_ctz(bytes))) {
				fr_prefix_need(&x->f, writer[i]);
				break;
			}
		}
	}
}

static void must_wait(struct fr_required *x, fr_ev e)
{
	const struct fr_mev *v = &x->m->ev[e];
	const struct fr_mclass *k = &x->m->cls[FR_C_COND];
	uint32_t first = k->first[v->obj], end = k->first[v->obj + 1], n = 0;
	fr_ev only = FR_NO_EV, begun = 0;

	if (v->flags & FR_F_TIMEOUT || end - first > LIST_MAX)
		return;
	for (uint32_t i = first; i < end && k->list[i] < e; i++)
		if (x->m->ev[k->list[i]].op == FR_OP_WAIT_BEGIN &&
		    x->m->ev[k->list[i]].thread == v->thread)
			begun = k->list[i];
	fr_assert(x->m->ev[begun].op == FR_OP_WAIT_BEGIN);
	for (uint32_t i = first; i < end && n < 2; i++) {
		fr_ev s = k->list[i];

		if (x->m->ev[s].op != FR_OP_SIGNAL && x->m->ev[s].op != FR_OP_BROADCAST)
			continue;
		if (is_out(x, s) || fr_mhb(x->c, e, s) || fr_mhb(x->c, s, begun))
			continue;
		only = s;
		n++;
	}
	if (n == 1)
		fr_prefix_need(&x->f, only);
}

static void must_sem_wait(struct fr_required *x, fr_ev e)
{
	const struct fr_mev *v = &x->m->ev[e];
	const struct fr_mclass *k = &x->m->cls[FR_C_SEM];
	uint32_t first = k->first[v->obj], end = k->first[v->obj + 1];
	uint64_t units = k->obj[v->obj].count, needed = 1;

	if (end - first > LIST_MAX)
		return;
	for (uint32_t i = first; i < end; i++) {
		fr_ev p = k->list[i];

		if (x->m->ev[p].op == FR_OP_SEM_WAIT)
			needed += fr_mhb(x->c, p, e);
		else if (x->m->ev[p].op == FR_OP_SEM_POST)
			units += !is_out(x, p) && !fr_mhb(x->c, e, p);
	}
	if (needed < units)
		return;
	x->f.failed |= needed > units;
	for (uint32_t i = first; i < end; i++) {
		fr_ev p = k->list[i];

		if (x->m->ev[p].op == FR_OP_SEM_POST && !is_out(x, p) && !fr_mhb(x->c, e, p))
			fr_prefix_need(&x->f, p);
	}
}

static void must_event(struct fr_required *x, fr_ev e)
{
	switch (x->m->ev[e].op) {
	case FR_OP_READ:
		if (fr_mask_read(x->mask, e))
			must_read(x, e);
		break;
	case FR_OP_WRITE:
		x->f.failed |=
		    fr_sees_other(x->m, x->what, e) && fr_sees_hidden(x->c, x->m, x->what, e);
		break;
	case FR_OP_ACQUIRE:
	case FR_OP_ACQUIRE_SHARED:
		must_acquire(x, e);
		break;
	case FR_OP_WAIT:
		must_wait(x, e);
		break;
	case FR_OP_SEM_WAIT:
		must_sem_wait(x, e);
		break;
	default:
		fr_prefix_order(&x->f, e);
		break;
	}
}

bool fr_required_hits(struct fr_required *x, const struct fr_mask *mask,
		      const struct fr_candidate *what, uint32_t back)
{
	uint32_t most = back ? EVENTS_MAX_FAR : EVENTS_MAX;
	fr_ev floor = x->m->n, e;

	for (uint32_t i = 0; i < what->npending; i++)
		floor = fr_min(floor, what->pending[i]);
	if (!what->npending)
		return false;
	fr_assert(floor < x->m->n);
	fr_prefix_begin(&x->f, floor > back ? fr_head(x->m, floor - back) : 0);
	x->f.events = 0;
	x->mask = mask;
	x->what = what;
	pin_locks(x, what);
	fr_prefix_candidate(&x->f, what);
	while (x->f.events < most && (e = fr_prefix_next(&x->f)) != FR_NO_EV)
		must_event(x, e);
	return x->f.failed;
}
