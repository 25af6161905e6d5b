/*
 * Spin reads: see spin_reads.h. The walk follows each thread through its steps. A *row* is a
 * sequence of reads of the word of one lock, with nothing of the model between them, up to the read
 * that gets the lock. An iteration of the loop may consist of several reads, such as a load and an
 * exchange, so the reads are left out up to the last step with the same event kind as the first.
 */
#include "model/spin_reads.h"
#include "base/assert.h"
#include "model/atomic_lock_internal.h"

struct spin_row {
	fr_ev first;	  /* FR_NO_EV: no row */
	bool found_taken; /* the first read did */
	bool again;	  /* a later one is at the same site */
	uint32_t second;  /* site of the second read; 0: none */
};

static bool is_spin_read(const struct atomic_lock_find *f, fr_ev e)
{
	enum atomic_change how = fr_atomic_change_of(f, e);

	return f->m->ev[e].op == FR_OP_READ && fr_atomic_waits(f, e) &&
	       (how == FR_AC_FAILED || how == FR_AC_DROP || how == FR_AC_MARK);
}

/* Are both steps accesses to the same bytes, and parts of the same lock? */
static bool is_same(const struct atomic_lock_find *f, fr_ev a, fr_ev b)
{
	const struct fr_mev *x = &f->m->ev[a], *y = &f->m->ev[b];

	return fr_is_access(x) && fr_is_access(y) && x->obj == y->obj && x->mask == y->mask &&
	       fr_atomic_lock_of(f, a) == fr_atomic_lock_of(f, b);
}

static void add_read(const struct atomic_lock_find *f, struct spin_row *r, fr_ev e)
{
	uint32_t site = f->m->ev[e].site;

	if (r->first == FR_NO_EV || !is_same(f, r->first, e)) {
		*r = (struct spin_row){.first = e,
				       .found_taken = fr_atomic_change_of(f, e) != FR_AC_DROP};
		return;
	}
	r->second = r->second ? r->second : site;
	r->again |= site == f->m->ev[r->first].site;
}

/* The step like the first read, in the iteration that got the lock at `got`; FR_NO_EV: none. */
static fr_ev like_first(const struct atomic_lock_find *f, const struct spin_row *r, fr_ev got)
{
	unsigned kind = fr_model_kind(&f->m->ev[r->first]);

	for (fr_ev e = got; e != FR_NO_EV && is_same(f, got, e); e = fr_atomic_next_step(f, e)) {
		if (e != got && fr_atomic_change_of(f, e) != FR_AC_DROP)
			break;
		if (fr_model_kind(&f->m->ev[e]) == kind)
			return e;
		if (fr_atomic_is_update(f, e))
			break;
	}
	return FR_NO_EV;
}

/* Does the loop begin with the first read as it continued with `last`? They are one site, or the
   first is a copy of the test before the loop, which found the lock taken. */
static bool begins_loop(const struct atomic_lock_find *f, const struct spin_row *r, fr_ev last)
{
	uint32_t first = f->m->ev[r->first].site,
		 then = r->second ? r->second : f->m->ev[last].site;

	return first == f->m->ev[last].site || (r->found_taken && !r->again && then != first);
}

static void end_row(const struct atomic_lock_find *f, const struct spin_row *r, fr_ev got,
		    struct fr_spin_loops *ret)
{
	fr_ev last = like_first(f, r, got);
	struct fr_spin_loop x = {.thread = f->m->ev[got].thread};

	if (last == FR_NO_EV || !begins_loop(f, r, last))
		return;
	x.addr = f->m->cls[FR_C_LOC].obj[f->m->ev[got].obj].addr;
	x.reads = (struct fr_spin_reads){.from = fr_model_hook(f->m, r->first),
					 .to = fr_model_hook(f->m, last),
					 .site = f->m->ev[r->first].site};
	if (x.reads.from < x.reads.to)
		fr_vec_push(&ret->loop, x);
}

void fr_atomic_spin_loops(const struct atomic_lock_find *f, struct fr_spin_loops *ret)
{
	for (uint32_t t = 0; t < f->m->nthreads; t++) {
		const struct fr_mthread *th = &f->m->thread[t];
		struct spin_row r = {.first = FR_NO_EV};

		for (uint32_t i = 0; i < th->n; i++) {
			fr_ev e = th->ev[i];
			enum atomic_change how = fr_atomic_change_of(f, e);

			if (f->m->ev[e].flags & FR_F_PART)
				continue;
			if (is_spin_read(f, e)) {
				add_read(f, &r, e);
				continue;
			}
			if ((how == FR_AC_ACQUIRE || how == FR_AC_THEN_ACQUIRE) &&
			    r.first != FR_NO_EV && is_same(f, r.first, e))
				end_row(f, &r, e, ret);
			r.first = FR_NO_EV;
		}
	}
}

/* ---- the trace ---- */

/* Removes the loops in which the thread did anything but read the word. */
static int check(const struct fr_trace *t, const struct fr_trace_thread *th, const uint64_t *addr,
		 struct fr_spin_reads *v, size_t *n, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) bool *bad = fr_xcalloc(*n, sizeof(*bad));
	struct fr_iter it;
	struct fr_rec rec;
	size_t kept = 0;
	int r;

	fr_iter_open(&it, t, th);
	while ((r = fr_iter_next(&it, &rec, reterr)) > 0) {
		unsigned kind = fr_event_kind(rec.e);
		char class = fr_event_class(kind);
		size_t i = fr_bisect(*n, k, v[k].to <= rec.hook);

		if (i == *n || rec.hook < v[i].from)
			continue;
		/* The model has no other read, so it returns the same in every order: a pointer
		   to the word, say. */
		bad[i] |= class == 'a'
			      ? kind != FR_EV_READ && fr_event_addr(rec.e) / 8 != addr[i] / 8
			  : class == 'x' ? kind == FR_EV_INPUT
					 : true;
	}
	fr_iter_close(&it);
	for (size_t i = 0; i < *n; i++)
		if (!bad[i])
			v[kept++] = v[i];
	*n = kept;
	return r;
}

static struct fr_trace_thread *thread_of(struct fr_trace *t, uint32_t id)
{
	FR_VEC_FOREACH (x, &t->thread)
		if (x->id == id)
			return x;
	return NULL;
}

int fr_spin_loops_leave_out(const struct fr_spin_loops *v, const struct fr_model *m,
			    struct fr_trace *t, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep)
	struct fr_spin_reads *reads = fr_xcalloc(v->loop.n + 1, sizeof(*reads));
	FR_CLEANUP(fr_freep) uint64_t *addr = fr_xcalloc(v->loop.n + 1, sizeof(*addr));
	bool any = false;

	for (size_t i = 0, next; i < v->loop.n; i = next) {
		uint32_t thread = v->loop.v[i].thread;
		struct fr_trace_thread *th = thread_of(t, m->thread[thread].id);
		size_t n = 0;
		int r;

		for (next = i; next < v->loop.n && v->loop.v[next].thread == thread; next++) {
			addr[n] = v->loop.v[next].addr;
			reads[n++] = v->loop.v[next].reads;
		}
		fr_assert(th && n);
		r = check(t, th, addr, reads, &n, reterr);
		if (r < 0)
			return r;
		if (!n)
			continue;
		fr_trace_leave_out(th, reads, n);
		if (t->run.crash.hook && t->run.crash.stack.id == th->id) {
			bool left_out;

			t->run.crash.hook = fr_trace_hook(th, t->run.crash.hook, &left_out);
		}
		any = true;
	}
	return any;
}
