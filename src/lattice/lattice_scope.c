/*
 * The sliced trace of a walk.
 *
 * Scope:    each thread of an item up to its last item, and whatever can help it there: a write
 *           that a read may see, a signal, a post, the release of a lock, a creation, the rest of a
 *           joined thread. The scope is closed under this rule. A step outside never makes a step
 *           inside possible, so no order that leads to a violation needs it.
 * Commutes: a step without items. No remaining step of another lane changes its result, and it
 *           disables none of them. From each cut where such a step is possible, the walk takes it
 *           alone: any order that leaves it out, or takes it later, remains possible after it, and
 *           passes the same items.
 */
#include "base/assert.h"
#include "lattice/lattice_internal.h"

#define EVENTS_MAX (1u << 20) /* of a scope */

static uint64_t key_of(enum fr_class c, uint32_t obj)
{
	return (uint64_t)c << 32 | obj;
}

/* Position of the first event of a thread that is not before e. */
static uint32_t position_from(const struct fr_mthread *t, fr_ev e)
{
	return t->n ? fr_list_lower(t->ev, t->n, e) : 0;
}

/* The lane of a thread; a new one if there is none. */
static struct fr_lane *lane_for(struct fr_scope *s, uint32_t thread)
{
	if (!s->lane_of[thread]) {
		uint32_t from = position_from(&s->m->thread[thread], s->q->cut);

		if (s->lane.n == FR_LANES) {
			s->too_large = true;
			return NULL;
		}
		fr_vec_push(
		    &s->lane,
		    ((struct fr_lane){.thread = thread, .from = from, .end = from, .done = from}));
		s->lane_of[thread] = (uint32_t)s->lane.n;
	}
	return &s->lane.v[s->lane_of[thread] - 1];
}

/* The step that contains e takes part, and everything before it in its thread. */
static void need(struct fr_scope *s, fr_ev e)
{
	const struct fr_mthread *t = &s->m->thread[s->m->ev[e].thread];
	struct fr_lane *l;
	uint32_t end;

	if (e < s->q->cut)
		return;
	l = lane_for(s, s->m->ev[e].thread);
	if (!l)
		return;
	end = position_from(t, e) + 1;
	while (end < t->n && s->m->ev[t->ev[end]].flags & FR_F_PART)
		end++;
	l->end = fr_max(l->end, end);
}

/* All events of an object from the cut on that are not by `thread` and have one of these
   operations. */
static void need_others(struct fr_scope *s, enum fr_class class, uint32_t obj, uint32_t thread,
			uint32_t ops, fr_ev before)
{
	const struct fr_mclass *c = &s->m->cls[class];
	uint32_t n = c->first[obj + 1] - c->first[obj];
	const fr_ev *list = c->list + c->first[obj];

	for (uint32_t i = n ? fr_list_lower(list, n, s->q->cut) : 0; i < n && list[i] < before; i++)
		if (ops >> s->m->ev[list[i]].op & 1 && s->m->ev[list[i]].thread != thread)
			need(s, list[i]);
}

static void need_writes(struct fr_scope *s, uint32_t loc, uint32_t thread, bool own)
{
	const fr_ev *list = s->m->write + s->m->first_write[loc];
	uint32_t n = s->m->first_write[loc + 1] - s->m->first_write[loc];

	for (uint32_t i = n ? fr_list_lower(list, n, s->q->cut) : 0; i < n; i++)
		if ((s->m->ev[list[i]].thread == thread) == own)
			need(s, list[i]);
}

#define OP(x) (1u << FR_OP_##x)
#define ACQUIRES (OP(ACQUIRE) | OP(ACQUIRE_SHARED))
#define ALL_THREADS UINT32_MAX

/* Is this the first time that the thread needs something of the object? 2: another one needed it
   before. */
static unsigned first_time(struct fr_scope *s, uint64_t key, uint32_t thread, uint32_t *ret_other)
{
	uint64_t *at = fr_map_put(&s->asked, key);

	if (!*at) {
		*at = (uint64_t)thread + 1;
		return 1;
	}
	if (*at == ALL_THREADS || *at == (uint64_t)thread + 1)
		return 0;
	*ret_other = (uint32_t)*at - 1;
	*at = ALL_THREADS;
	return 2;
}

/* Adds what a read may see: once for all reads of a location by one thread. */
static void need_for_read(struct fr_scope *s, fr_ev e)
{
	const struct fr_mev *v = &s->m->ev[e];
	uint32_t other = 0;
	unsigned times;

	if (!fr_mask_read(s->q->mask, e))
		return;
	times = first_time(s, key_of(FR_C_LOC, v->obj), v->thread, &other);
	if (times == 1)
		need_writes(s, v->obj, v->thread, false);
	if (times == 2)
		need_writes(s, v->obj, other, true);
}

/* Adds the events of other threads that e may need. */
static void needs_of(struct fr_scope *s, fr_ev e)
{
	const struct fr_mev *v = &s->m->ev[e];
	const struct fr_mthread *t = &s->m->thread[v->thread];
	uint32_t other;
	fr_ev x;

	if (fr_is_access(v)) {
		x = fr_model_alloc(s->m, e);
		if (x != FR_NO_EV)
			need(s, x);
	}
	if (t->create != FR_NO_EV && e == t->ev[0])
		need(s, t->create);
	switch (v->op) {
	case FR_OP_READ:
		need_for_read(s, e);
		return;
	case FR_OP_ACQUIRE:
	case FR_OP_ACQUIRE_SHARED:
		x = fr_release_of(s->c, e);
		if (x != FR_NO_EV)
			need(s, x);
		return;
	case FR_OP_JOIN:
		if (s->m->thread[v->obj].n)
			need(s, s->m->thread[v->obj].ev[s->m->thread[v->obj].n - 1]);
		else if (s->m->thread[v->obj].create != FR_NO_EV)
			need(s, s->m->thread[v->obj].create);
		return;
	case FR_OP_ACQUIRE_FAILED:
	case FR_OP_ACQUIRE_SHARED_FAILED:
	case FR_OP_WAIT:
	case FR_OP_SEM_WAIT:
	case FR_OP_SEM_FAILED:
	case FR_OP_BARRIER_ENTER:
	case FR_OP_BARRIER_LEAVE:
	case FR_OP_ONCE_DONE:
		if (first_time(s, key_of(fr_op_class[v->op], v->obj), v->thread, &other))
			need_others(s, fr_op_class[v->op], v->obj, ALL_THREADS,
				    ACQUIRES | OP(SIGNAL) | OP(BROADCAST) | OP(SEM_POST) |
					OP(SEM_WAIT) | OP(BARRIER_ENTER) | OP(ONCE_END),
				    FR_NO_EV);
		if (v->op == FR_OP_BARRIER_ENTER && s->m->cls[FR_C_BARRIER].obj[v->obj].aux)
			need_others(s, FR_C_BARRIER, s->m->cls[FR_C_BARRIER].obj[v->obj].aux - 1,
				    ALL_THREADS, OP(BARRIER_ENTER), FR_NO_EV);
		return;
	case FR_OP_ACQUIRE_ALL:
		need_others(s, FR_C_FLAG, v->obj, ALL_THREADS, OP(RELEASE_ALL), e);
		return;
	}
}

static void close(struct fr_scope *s)
{
	uint64_t total = 0;
	bool more = true;

	while (more && !s->too_large) {
		more = false;
		for (uint32_t i = 0; i < s->lane.n && !s->too_large; i++)
			while (s->lane.v[i].done < s->lane.v[i].end && !s->too_large) {
				const struct fr_mthread *t = &s->m->thread[s->lane.v[i].thread];

				more = true;
				s->too_large = ++total > EVENTS_MAX;
				needs_of(s, t->ev[s->lane.v[i].done++]);
			}
	}
}

/* ---- objects that lanes share ---- */

static uint32_t use_of(const struct fr_mev *v, const struct fr_mask *mask, fr_ev e)
{
	switch (v->op) {
	case FR_OP_READ:
		return fr_mask_read(mask, e) ? FR_SHARES_READ : FR_SHARES_OTHER;
	case FR_OP_WRITE:
	case FR_OP_ACQUIRE:
	case FR_OP_ACQUIRE_SHARED:
	case FR_OP_SEM_WAIT:
	case FR_OP_FREE:
		return FR_SHARES_WRITE;
	case FR_OP_ACQUIRE_FAILED:
	case FR_OP_ACQUIRE_SHARED_FAILED:
	case FR_OP_SEM_FAILED:
		return FR_SHARES_READ;
	default:
		return FR_SHARES_OTHER;
	}
}

static uint32_t note_use(struct fr_scope *s, enum fr_class class, uint32_t obj, uint32_t lane,
			 uint32_t kind, uint32_t after)
{
	uint64_t *at = fr_map_put(&s->index, key_of(class, obj));
	struct fr_scope_object *o;

	if (!*at) {
		fr_vec_push(&s->object, ((struct fr_scope_object){0}));
		*at = s->object.n;
	}
	o = &s->object.v[*at - 1];
	if (!o->use.n || o->use.v[o->use.n - 1].lane != lane)
		fr_vec_push(&o->use, ((struct fr_lane_use){.lane = lane}));
	o->use.v[o->use.n - 1].last[kind] = after;
	return (uint32_t)*at;
}

static void note_uses(struct fr_scope *s, uint32_t i)
{
	struct fr_lane *l = &s->lane.v[i];

	fr_assert(l->from <= l->end && l->done == l->end);
	l->use = fr_xcalloc(l->end - l->from + 1, sizeof(*l->use));
	for (uint32_t k = l->from; k < l->end; k++) {
		fr_ev e = s->m->thread[l->thread].ev[k];
		const struct fr_mev *v = &s->m->ev[e];
		enum fr_class class = fr_op_class[v->op];

		if (class == FR_C_MARK || class == FR_C_THREAD)
			continue;
		l->use[k - l->from] =
		    note_use(s, class, v->obj, i, use_of(v, s->q->mask, e), k + 1);
		if (class == FR_C_LOC && s->m->cls[FR_C_LOC].obj[v->obj].aux)
			note_use(s, FR_C_HEAP, s->m->cls[FR_C_LOC].obj[v->obj].aux - 1, i,
				 FR_SHARES_READ, k + 1);
	}
}

/* Has another lane such a use left? */
static bool others(const struct fr_scope *s, const struct fr_machine *x, uint32_t object,
		   uint32_t lane, unsigned kinds)
{
	const struct fr_scope_object *o = &s->object.v[object - 1];

	fr_assert_slow(o->use.n);
	FR_VEC_FOREACH (u, &o->use) {
		uint32_t th = fr_machine_thread(x, s->lane.v[u->lane].thread);

		if (u->lane == lane)
			continue;
		for (unsigned k = 0; k < FR_SHARES_COUNT; k++)
			if (kinds >> k & 1 && x->w[th + FR_TW_NEXT] < u->last[k])
				return true;
	}
	return false;
}

bool fr_scope_read_later(const struct fr_scope *s, const struct fr_machine *x, uint32_t object)
{
	return others(s, x, object, UINT32_MAX, 1u << FR_SHARES_READ);
}

/* Will the lane itself read the location after its next step? */
static bool reads_later(const struct fr_scope *s, uint32_t object, uint32_t lane, uint32_t after)
{
	FR_VEC_FOREACH (u, &s->object.v[object - 1].use)
		if (u->lane == lane)
			return u->last[FR_SHARES_READ] > after;
	return false;
}

#define READS (1u << FR_SHARES_READ)
#define WRITES (1u << FR_SHARES_WRITE)
#define ANY_USE ((1u << FR_SHARES_COUNT) - 1)

/* Does one event commute with all that other lanes may still do? pos: in its thread's list. */
static bool event_commutes(const struct fr_scope *s, const struct fr_machine *x, uint32_t lane,
			   uint32_t pos)
{
	const struct fr_lane *l = &s->lane.v[lane];
	fr_ev e = s->m->thread[l->thread].ev[pos];
	const struct fr_mev *v = &s->m->ev[e];
	uint32_t object = l->use[pos - l->from], heap;

	if (!object)
		return true;
	switch (v->op) {
	case FR_OP_READ:
	case FR_OP_WRITE:
		heap = s->m->cls[FR_C_LOC].obj[v->obj].aux;
		if (heap &&
		    others(s, x, (uint32_t)*fr_map_get(&s->index, key_of(FR_C_HEAP, heap - 1)),
			   lane, WRITES))
			return false;
		if (v->op == FR_OP_READ)
			return !fr_mask_read(s->q->mask, e) || !others(s, x, object, lane, WRITES);
		return !others(s, x, object, lane, READS) &&
		       (!reads_later(s, object, lane, pos) || !others(s, x, object, lane, WRITES));
	case FR_OP_ACQUIRE:
	case FR_OP_ACQUIRE_SHARED:
	case FR_OP_SEM_WAIT:
		return !others(s, x, object, lane, READS | WRITES);
	case FR_OP_ACQUIRE_FAILED:
	case FR_OP_ACQUIRE_SHARED_FAILED:
	case FR_OP_SEM_FAILED:
		return !others(s, x, object, lane, ANY_USE);
	case FR_OP_RELEASE:
	case FR_OP_RELEASE_SHARED:
	case FR_OP_SEM_POST:
	case FR_OP_FREE:
		return !others(s, x, object, lane, READS);
	case FR_OP_WAIT_BEGIN:
	case FR_OP_WAIT:
	case FR_OP_SIGNAL:
	case FR_OP_BROADCAST:
		return !others(s, x, object, lane, ANY_USE);
	default: /* makes steps of other lanes possible, and never impossible */
		return true;
	}
}

fr_ev fr_scope_next(const struct fr_scope *s, const struct fr_machine *x, uint32_t lane)
{
	const struct fr_lane *l = &s->lane.v[lane];
	uint32_t pos = x->w[fr_machine_thread(x, l->thread) + FR_TW_NEXT];

	fr_assert_slow(pos >= l->from);
	return pos < l->end ? fr_machine_next(x, l->thread) : FR_NO_EV;
}

uint32_t fr_scope_items(const struct fr_scope *s, uint32_t lane, fr_ev head, uint32_t *ret)
{
	const struct fr_lane *l = &s->lane.v[lane];
	const uint32_t *v = s->by_lane + l->item;
	uint32_t first = (uint32_t)fr_bisect(l->items, i, s->q->item[v[i]].ev < head), n = 0;

	while (first + n < l->items && fr_head(s->m, s->q->item[v[first + n]].ev) == head)
		n++;
	*ret = l->item + first;
	return n;
}

bool fr_scope_commutes(const struct fr_scope *s, const struct fr_machine *x, uint32_t lane)
{
	const struct fr_lane *l = &s->lane.v[lane];
	uint32_t pos = x->w[fr_machine_thread(x, l->thread) + FR_TW_NEXT], first;

	fr_assert_slow(pos >= l->from && pos < l->end);
	return !fr_scope_items(s, lane, s->m->thread[l->thread].ev[pos], &first) &&
	       fr_scope_indifferent(s, x, lane);
}

bool fr_scope_indifferent(const struct fr_scope *s, const struct fr_machine *x, uint32_t lane)
{
	const struct fr_lane *l = &s->lane.v[lane];
	const struct fr_mthread *t = &s->m->thread[l->thread];
	uint32_t pos = x->w[fr_machine_thread(x, l->thread) + FR_TW_NEXT];

	do {
		if (!event_commutes(s, x, lane, pos))
			return false;
		pos++;
	} while (pos < l->end && s->m->ev[t->ev[pos]].flags & FR_F_PART);
	return true;
}

/* ---- items ---- */

static void sort_items(struct fr_scope *s)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < s->q->n; i++) {
		struct fr_lane *l = lane_for(s, s->m->ev[s->q->item[i].ev].thread);

		if (!l)
			return;
		l->items++;
	}
	FR_VEC_FOREACH (l, &s->lane) {
		l->item = at;
		at += l->items;
		l->items = 0;
	}
	fr_assert(at == s->q->n);
	for (uint32_t i = 0; i < s->q->n; i++) {
		struct fr_lane *l = lane_for(s, s->m->ev[s->q->item[i].ev].thread);

		s->by_lane[l->item + l->items++] = i;
		need(s, s->q->item[i].ev);
	}
}

void fr_scope_find(struct fr_scope *s, const struct fr_model *m, const struct fr_causality *c,
		   const struct fr_lattice_question *q, bool to_end)
{
	*s = (struct fr_scope){.m = m, .c = c, .q = q, .to_end = to_end};
	s->lane_of = fr_xcalloc(m->nthreads + 1, sizeof(*s->lane_of));
	s->by_lane = fr_xcalloc(q->n + 1, sizeof(*s->by_lane));
	for (uint32_t i = 0; i < q->n; i++)
		fr_assert(q->item[i].ev >= q->cut && (!i || q->item[i - 1].ev < q->item[i].ev));
	sort_items(s);
	for (uint32_t t = 0; to_end && t < m->nthreads; t++)
		if (m->thread[t].n)
			need(s, m->thread[t].ev[m->thread[t].n - 1]);
	close(s);
	for (uint32_t i = 0; i < s->lane.n && !s->too_large; i++)
		note_uses(s, i);
}

void fr_scope_free(struct fr_scope *s)
{
	FR_VEC_FOREACH (l, &s->lane)
		free(l->use);
	FR_VEC_FOREACH (o, &s->object)
		fr_vec_free(&o->use);
	fr_vec_free(&s->lane);
	fr_vec_free(&s->object);
	fr_map_free(&s->index);
	fr_map_free(&s->asked);
	free(s->lane_of);
	free(s->by_lane);
}
