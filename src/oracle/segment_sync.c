/*
 * Critical sections, failed try-locks, semaphores and conditions of a segment, with the state that
 * the part of the run before the cut left. See segment.h.
 *
 * Relies on: a thread's releases of a lock end its sections in the order in which they began
 * (shared locks can be taken twice). So along a chain neither beginnings nor ends cross.
 */
#include "oracle/segment.h"
#include "base/assert.h"
#include <stdlib.h>

/* Sections of one lock and thread that have begun and not ended, the oldest first. */
struct begun {
	FR_VEC(uint32_t) section;
};
/* State during the collection. */
struct sync {
	struct fr_seg *s;
	struct fr_map lock, sem, cond; /* object -> index */
	struct fr_map open;	       /* lock index, thread -> index into `begun` + 1 */
	/* by lock: held by a thread without steps in the segment: 1 = shared, 2 = exclusively */
	FR_VEC(uint8_t) outside;
	FR_VEC(struct begun) begun;
};

static uint32_t find(struct fr_map *map, uint32_t obj, uint32_t next, bool *is_new)
{
	uint64_t *v = fr_map_put(map, obj);

	*is_new = !*v;
	if (!*v)
		*v = (uint64_t)next + 1;
	return (uint32_t)(*v - 1);
}

/* Returns the number of the object's events before the cut; *list is its list of events. */
static uint32_t before_cut(const struct fr_seg *s, enum fr_class c, uint32_t obj,
			   const fr_ev **list)
{
	const struct fr_mclass *k = &s->m->cls[c];
	const fr_ev *v = k->list + k->first[obj];

	*list = v;
	return (uint32_t)fr_bisect(k->first[obj + 1] - k->first[obj], i, v[i] < s->cut);
}

/* ---- locks ---- */

static struct begun *begun_of(struct sync *x, uint32_t lock, uint32_t thread)
{
	uint64_t *v = fr_map_put(&x->open, (uint64_t)lock << 32 | thread);

	if (!*v) {
		fr_vec_push(&x->begun, (struct begun){0});
		*v = x->begun.n;
	}
	return &x->begun.v[*v - 1];
}

static uint32_t begin_section(struct sync *x, uint32_t lock, uint32_t thread, uint32_t acq,
			      bool shared)
{
	struct begun *b = begun_of(x, lock, thread);

	fr_assert(shared || !b->section.n); /* it holds the lock alone, once */
	fr_vec_push(&b->section, (uint32_t)x->s->section.n);
	fr_vec_push(
	    &x->s->section,
	    (struct fr_seg_section){
		.lock = lock, .thread = thread, .acq = acq, .rel = FR_NODE_NONE, .shared = shared});
	return (uint32_t)x->s->section.n - 1;
}

static void held_at_cut(struct sync *x, uint32_t lock, uint16_t thread, bool shared)
{
	uint32_t t = x->s->local[thread];

	if (t == FR_NODE_NONE)
		x->outside.v[lock] |= shared ? 1 : 2;
	else
		begin_section(x, lock, t, FR_SEG_CUT, shared);
}

/* Finds the lock's holders at the cut. Walks back to the last exclusive acquisition or release: no
   other thread held the lock across it. */
static void add_holders(struct sync *x, uint32_t lock)
{
	const struct fr_seg *s = x->s;
	const fr_ev *list;
	uint32_t n = before_cut(s, FR_C_LOCK, s->lock.v[lock].obj, &list);
	struct fr_map released = {0};

	while (n--) {
		const struct fr_mev *v = &s->m->ev[list[n]];
		uint64_t *r;

		if (v->op == FR_OP_RELEASE)
			break;
		if (v->op == FR_OP_RELEASE_SHARED) {
			++*fr_map_put(&released, v->thread);
		} else if (v->op == FR_OP_ACQUIRE_SHARED) {
			r = fr_map_put(&released, v->thread);
			if (*r)
				--*r;
			else
				held_at_cut(x, lock, v->thread, true);
		} else if (v->op == FR_OP_ACQUIRE) {
			held_at_cut(x, lock, v->thread, false);
			break;
		}
	}
	fr_map_free(&released);
}

static uint32_t lock_of(struct sync *x, uint32_t obj)
{
	bool is_new;
	uint32_t lock = find(&x->lock, obj, (uint32_t)x->s->lock.n, &is_new);

	if (is_new) {
		fr_vec_push(&x->s->lock, (struct fr_seg_lock){.obj = obj});
		fr_vec_push(&x->outside, 0);
		add_holders(x, lock);
	}
	return lock;
}

/* A failed try-lock needs no constraint if its own thread holds the lock, or a thread without steps
   in the segment does. */
static bool is_explained(struct sync *x, uint32_t lock, uint32_t thread, bool shared)
{
	const struct begun *b = begun_of(x, lock, thread);

	if (x->outside.v[lock] & 2 || (x->outside.v[lock] && !shared))
		return true;
	FR_VEC_FOREACH (i, &b->section)
		if (!shared || !x->s->section.v[*i].shared)
			return true;
	return false;
}

static void add_lock_event(struct sync *x, const struct fr_mev *v, uint32_t node)
{
	struct fr_seg *s = x->s;
	uint32_t lock = lock_of(x, v->obj), t = s->thread[node];
	bool shared = v->op == FR_OP_ACQUIRE_SHARED || v->op == FR_OP_ACQUIRE_SHARED_FAILED;
	struct begun *b;

	switch (v->op) {
	case FR_OP_ACQUIRE:
	case FR_OP_ACQUIRE_SHARED:
		begin_section(x, lock, t, node, shared);
		break;
	case FR_OP_RELEASE:
	case FR_OP_RELEASE_SHARED:
		b = begun_of(x, lock, t);
		fr_assert(b->section.n && s->section.v[b->section.v[0]].rel == FR_NODE_NONE);
		s->section.v[b->section.v[0]].rel = node;
		b->section.n--;
		for (size_t i = 0; i < b->section.n; i++)
			b->section.v[i] = b->section.v[i + 1];
		break;
	default:
		fr_assert_slow(v->op == FR_OP_ACQUIRE_FAILED ||
			       v->op == FR_OP_ACQUIRE_SHARED_FAILED);
		if (is_explained(x, lock, t, shared))
			break;
		fr_seg_item_add(s, node, FR_SEG_TRY, (uint32_t)s->try.n);
		fr_vec_push(&s->try,
			    (struct fr_seg_try){.node = node, .lock = lock, .shared = shared});
		break;
	}
}

static uint64_t section_key(const struct fr_seg_section *a)
{
	return (uint64_t)a->lock << 32 | a->thread;
}

/* Sorts by lock and thread, and along a thread by acquisition (held at the cut = first). */
static int compare_sections(const void *pa, const void *pb)
{
	const struct fr_seg_section *a = pa, *b = pb;
	uint64_t ka = section_key(a), kb = section_key(b);
	uint32_t na = a->acq == FR_SEG_CUT ? 0 : a->acq + 1;
	uint32_t nb = b->acq == FR_SEG_CUT ? 0 : b->acq + 1;

	if (ka != kb)
		return ka < kb ? -1 : 1;
	if (na != nb)
		return na < nb ? -1 : 1;
	return a->rel < b->rel ? -1 : a->rel > b->rel;
}

static void index_sections(struct fr_seg *s)
{
	uint32_t i = 0;

	if (s->section.n)
		qsort(s->section.v, s->section.n, sizeof(*s->section.v), compare_sections);
	for (uint32_t l = 0; l < s->lock.n; l++) {
		s->lock.v[l].first = fr_xcalloc((size_t)s->nthreads + 1, sizeof(uint32_t));
		for (uint32_t t = 0; t < s->nthreads; t++) {
			uint32_t last_x = 0;

			s->lock.v[l].first[t] = i;
			for (; i < s->section.n && s->section.v[i].lock == l &&
			       s->section.v[i].thread == t;
			     i++) {
				struct fr_seg_section *c = &s->section.v[i];

				fr_assert(i == s->lock.v[l].first[t] || c[-1].rel <= c->rel);
				fr_assert(c->acq == FR_SEG_CUT || c->acq <= c->rel);
				if (!c->shared)
					last_x = i + 1;
				c->last_x = last_x;
			}
		}
		s->lock.v[l].first[s->nthreads] = i;
	}
	fr_assert(i == s->section.n); /* each belongs to a lock and a thread */
	for (i = 0; i < s->section.n; i++) {
		if (s->section.v[i].acq != FR_SEG_CUT)
			fr_seg_item_add(s, s->section.v[i].acq, FR_SEG_ACQ, i);
		if (s->section.v[i].rel != FR_NODE_NONE)
			fr_seg_item_add(s, s->section.v[i].rel, FR_SEG_REL, i);
	}
}

/* ---- semaphores ---- */

static void add_sem_event(struct sync *x, const struct fr_mev *v, uint32_t node)
{
	struct fr_seg *s = x->s;
	bool is_new;
	uint32_t i = find(&x->sem, v->obj, (uint32_t)s->sem.n, &is_new);
	struct fr_seg_sem *c;

	if (is_new) {
		struct fr_seg_sem a = {.obj = v->obj};
		const fr_ev *list;
		uint32_t n = before_cut(s, FR_C_SEM, v->obj, &list);

		a.count = s->m->cls[FR_C_SEM].obj[v->obj].count;
		for (uint32_t k = 0; k < n; k++) {
			fr_assert(a.count || s->m->ev[list[k]].op != FR_OP_SEM_WAIT);
			a.count += s->m->ev[list[k]].op == FR_OP_SEM_POST;
			a.count -= s->m->ev[list[k]].op == FR_OP_SEM_WAIT;
		}
		fr_vec_push(&s->sem, a);
	}
	c = &s->sem.v[i];
	if (v->op == FR_OP_SEM_WAIT) {
		fr_vec_push(&c->wait, node);
		fr_seg_item_add(s, node, FR_SEG_SEM_WAIT, i);
	} else if (v->op == FR_OP_SEM_POST) {
		fr_vec_push(&c->post, node);
		fr_seg_item_add(s, node, FR_SEG_SEM_POST, i);
	} else {
		fr_assert_slow(v->op == FR_OP_SEM_FAILED);
		fr_vec_push(&c->failed, node);
		fr_seg_item_add(s, node, FR_SEG_SEM_FAILED, i);
	}
}

/* ---- conditions ---- */

bool fr_seg_serves(const struct fr_seg_signal *g, const struct fr_seg_wait *w)
{
	if (g->node == FR_SEG_CUT)
		return g->ev > w->begin_ev && (w->node != FR_SEG_CUT || g->ev < w->ev);
	return w->node != FR_SEG_CUT;
}

/* Returns the event at which the wait that returns at e began; 0 if it was not recorded. */
static fr_ev wait_begin(const struct fr_seg *s, fr_ev e)
{
	const struct fr_mev *v = &s->m->ev[e];

	for (fr_ev b = fr_model_prev(s->m, e); b != FR_NO_EV; b = fr_model_prev(s->m, b))
		if (s->m->ev[b].op == FR_OP_WAIT_BEGIN && s->m->ev[b].obj == v->obj)
			return b;
	return 0;
}

/* Adds the signals and waits before the cut that compete with waits under way at the cut. */
static void add_cond_past(struct fr_seg *s, struct fr_seg_cond *c)
{
	fr_ev from = s->cut;
	const fr_ev *list;
	uint32_t n;

	FR_VEC_FOREACH (w, &c->wait)
		from = fr_min(from, w->begin_ev);
	if (from == s->cut)
		return;
	n = before_cut(s, FR_C_COND, c->obj, &list);
	while (n-- && list[n] > from) {
		fr_ev e = list[n];
		const struct fr_mev *v = &s->m->ev[e];

		if (v->op == FR_OP_WAIT && !(v->flags & FR_F_TIMEOUT)) {
			fr_ev b = wait_begin(s, e);

			fr_vec_push(&c->wait, (struct fr_seg_wait){FR_SEG_CUT, FR_SEG_CUT, b, e});
			from = fr_min(from, b);
		} else if (v->op == FR_OP_SIGNAL || v->op == FR_OP_BROADCAST) {
			fr_vec_push(&c->signal, (struct fr_seg_signal){FR_SEG_CUT, e,
								       v->op == FR_OP_BROADCAST});
		}
	}
}

static void add_cond_event(struct sync *x, const struct fr_mev *v, uint32_t node, fr_ev e)
{
	struct fr_seg *s = x->s;
	bool is_new;
	uint32_t i = find(&x->cond, v->obj, (uint32_t)s->cond.n, &is_new);
	struct fr_seg_cond *c;

	if (is_new)
		fr_vec_push(&s->cond, (struct fr_seg_cond){.obj = v->obj});
	c = &s->cond.v[i];
	if (v->op == FR_OP_WAIT && !(v->flags & FR_F_TIMEOUT)) {
		fr_ev b = wait_begin(s, e);
		uint32_t nb = b >= s->cut ? fr_seg_node(s, fr_head(s->m, b)) : FR_SEG_CUT;

		fr_assert(nb != FR_NODE_NONE && (nb == FR_SEG_CUT || nb < node));
		fr_vec_push(&c->wait, (struct fr_seg_wait){nb, node, b, e});
	} else if (v->op == FR_OP_SIGNAL || v->op == FR_OP_BROADCAST) {
		fr_vec_push(&c->signal, (struct fr_seg_signal){node, e, v->op == FR_OP_BROADCAST});
	}
}

void fr_seg_sync(struct fr_seg *s)
{
	struct sync x = {.s = s};
	uint32_t node = FR_NODE_NONE;

	for (fr_ev e = s->cut; e < s->end; e++) {
		const struct fr_mev *v = &s->m->ev[e];

		if (!(v->flags & FR_F_PART))
			node++;
		switch (fr_op_class[v->op]) {
		case FR_C_LOCK:
			add_lock_event(&x, v, node);
			break;
		case FR_C_SEM:
			add_sem_event(&x, v, node);
			break;
		case FR_C_COND:
			add_cond_event(&x, v, node, e);
			break;
		default:
			break;
		}
	}
	fr_assert(node + 1 == s->n);
	index_sections(s);
	FR_VEC_FOREACH (c, &s->cond)
		add_cond_past(s, c);
	FR_VEC_FOREACH (b, &x.begun)
		fr_vec_free(&b->section);
	fr_vec_free(&x.begun);
	fr_vec_free(&x.outside);
	fr_map_free(&x.lock);
	fr_map_free(&x.sem);
	fr_map_free(&x.cond);
	fr_map_free(&x.open);
}
