/*
 * Builds a model from events in recorded order. The arrays grow as events arrive. fr_builder_finish
 * sorts the events by thread and by object with a counting sort: linear, ascending within each
 * list.
 *
 * Relies on the caller having added each thread and object before the events that name it. Whether
 * the events make sense is for fr_model_validate to check. THREAD objects are threads, and MARK
 * objects are numbers of the caller's; neither class has lists.
 */
#include "model/model.h"
#include "model/builder_internal.h"
#include <string.h>

struct fr_builder *fr_builder_new(void)
{
	return fr_xcalloc(1, sizeof(struct fr_builder));
}

void fr_builder_free(struct fr_builder *b)
{
	if (!b)
		return;
	FR_VEC_FOREACH (t, &b->thread) {
		free((char *)t->path);
		fr_hooks_free(&t->hooks);
	}
	for (unsigned i = 0; i < FR_C_COUNT; i++)
		fr_vec_free(&b->obj[i]);
	fr_vec_free(&b->thread);
	fr_vec_free(&b->ev);
	fr_vec_free(&b->used);
	free(b);
}

uint32_t fr_builder_thread(struct fr_builder *b, const char *path, uint32_t id)
{
	fr_assert(b->thread.n < UINT16_MAX);
	fr_vec_push(&b->thread,
		    (struct fr_mthread){.path = fr_xstrdup(path), .id = id, .create = FR_NO_EV});
	return (uint32_t)b->thread.n - 1;
}

uint32_t fr_builder_obj(struct fr_builder *b, enum fr_class c, struct fr_mobj o)
{
	fr_assert(c != FR_C_THREAD && c != FR_C_MARK && b->obj[c].n < UINT32_MAX - 1);
	fr_vec_push(&b->obj[c], o);
	return (uint32_t)b->obj[c].n - 1;
}

void fr_builder_reserve(struct fr_builder *b, uint64_t n)
{
	if (b->ev.cap)
		return;
	n = fr_min(n, (uint64_t)1 << 26); /* grows later if more are needed */
	b->ev.v = fr_xrealloc(NULL, n, sizeof(*b->ev.v));
	b->ev.cap = n;
}

fr_ev fr_builder_add(struct fr_builder *b, const struct fr_mev *e, uint64_t hook)
{
	fr_ev at = fr_builder_push(b, e, hook);

	if (e->op == FR_OP_CREATE && e->obj < b->thread.n && b->thread.v[e->obj].create == FR_NO_EV)
		b->thread.v[e->obj].create = at;
	return at;
}

/* Renumbers objects: maps the kept ones to new numbers in order, and the others to UINT32_MAX. */
static uint32_t *renumber(const bool *keep, struct fr_mobj *obj, size_t *n)
{
	uint32_t *map = fr_xmalloc(*n * sizeof(*map)), k = 0;

	for (size_t i = 0; i < *n; i++) {
		map[i] = keep[i] ? k : UINT32_MAX;
		if (keep[i])
			obj[k++] = obj[i];
	}
	*n = k;
	return map;
}

/* Hooks of one thread while events are removed: the old ones, and those that are kept. */
struct rehook {
	struct fr_hooks_cursor was;
	struct fr_hooks now;
};

static struct rehook *rehook_begin(struct fr_builder *b)
{
	struct rehook *r = fr_xcalloc(b->thread.n, sizeof(*r));

	for (size_t t = 0; t < b->thread.n; t++) {
		fr_hooks_end(&b->thread.v[t].hooks);
		r[t].was.h = &b->thread.v[t].hooks;
	}
	return r;
}

static void rehook_end(struct fr_builder *b, struct rehook *r)
{
	for (size_t t = 0; t < b->thread.n; t++) {
		fr_assert(r[t].was.position == b->thread.v[t].hooks.n); /* one for each event */
		fr_hooks_free(&b->thread.v[t].hooks);
		b->thread.v[t].hooks = r[t].now;
	}
	free(r);
}

/* Removes events whose object is gone, and renumbers the objects of the others. */
static void prune_events(struct fr_builder *b, const uint32_t *loc, const uint32_t *heap,
			 const uint8_t *benign)
{
	struct rehook *hooks = rehook_begin(b);
	bool headless = false;
	uint32_t out = 0;

	for (size_t i = 0; i < b->ev.n; i++) {
		struct fr_mev e = b->ev.v[i];
		uint64_t hook = fr_hooks_next(&hooks[e.thread].was);

		if (fr_is_access(&e)) {
			if (benign[e.obj] & e.mask)
				e.flags |= FR_F_BENIGN;
			e.obj = loc[e.obj];
		} else if (fr_op_class[e.op] == FR_C_HEAP) {
			e.obj = heap[e.obj];
		}
		headless = (e.flags & FR_F_PART) && headless;
		if (e.obj == UINT32_MAX) {
			headless |= !(e.flags & FR_F_PART);
			continue;
		}
		if (headless)
			e.flags &= ~FR_F_PART & 0x3ff;
		headless = false;
		fr_assert_slow(fr_op_class[e.op] != FR_C_THREAD || e.obj < b->thread.n);
		if (e.op == FR_OP_CREATE)
			b->thread.v[e.obj].create = out;
		else if (e.op == FR_OP_ALLOC)
			b->obj[FR_C_HEAP].v[e.obj].count = out + 1;
		fr_hooks_push(&hooks[e.thread].now, hook);
		b->ev.v[out++] = e;
	}
	b->ev.n = out;
	fr_assert(!out || !(b->ev.v[0].flags & FR_F_PART));
	rehook_end(b, hooks);
}

void fr_builder_prune(struct fr_builder *b, const bool *keep_loc, const uint8_t *benign)
{
	bool *keep_heap = fr_xcalloc(b->obj[FR_C_HEAP].n, sizeof(*keep_heap));
	uint32_t *loc, *heap;

	for (size_t i = 0; i < b->obj[FR_C_LOC].n; i++) {
		fr_assert(b->obj[FR_C_LOC].v[i].aux <= b->obj[FR_C_HEAP].n);
		if (keep_loc[i] && b->obj[FR_C_LOC].v[i].aux)
			keep_heap[b->obj[FR_C_LOC].v[i].aux - 1] = true;
	}
	FR_VEC_FOREACH (used, &b->used)
		keep_heap[*used] = true;
	for (size_t i = 0; i < b->ev.n; i++) {
		const struct fr_mev *e = &b->ev.v[i];
		const struct fr_mobj *o;

		if (e->op != FR_OP_FREE)
			continue;
		o = &b->obj[FR_C_HEAP].v[e->obj];
		fr_assert(o->count <= i); /* a block is allocated before it is freed */
		if (o->count && b->ev.v[o->count - 1].thread != e->thread)
			keep_heap[e->obj] = true;
	}
	loc = renumber(keep_loc, b->obj[FR_C_LOC].v, &b->obj[FR_C_LOC].n);
	heap = renumber(keep_heap, b->obj[FR_C_HEAP].v, &b->obj[FR_C_HEAP].n);
	for (size_t i = 0; i < b->obj[FR_C_LOC].n; i++) {
		struct fr_mobj *o = &b->obj[FR_C_LOC].v[i];

		fr_assert(!o->aux || heap[o->aux - 1] != UINT32_MAX);
		if (o->aux)
			o->aux = heap[o->aux - 1] + 1;
	}
	prune_events(b, loc, heap, benign);
	free(loc);
	free(heap);
	free(keep_heap);
}

/* Makes the lists of the threads, and counts the events of object i in first[i + 2] and the writes
   of location i in first_write[i + 2]. Returns the end of the lists. */
static fr_ev *thread_lists(struct fr_model *m, fr_ev *list)
{
	const fr_ev *begin = list;

	for (unsigned c = 0; c < FR_C_COUNT; c++)
		m->cls[c].first = fr_xcalloc((size_t)m->cls[c].n + 2, sizeof(uint32_t));
	m->first_write = fr_xcalloc((size_t)m->cls[FR_C_LOC].n + 2, sizeof(*m->first_write));
	for (uint32_t t = 0; t < m->nthreads; t++) {
		m->thread[t].ev = list;
		list += m->thread[t].hooks.n;
		fr_hooks_end(&m->thread[t].hooks);
	}
	fr_assert((size_t)(list - begin) == m->n);
	for (fr_ev e = 0; e < m->n; e++) {
		struct fr_mthread *t = &m->thread[m->ev[e].thread];
		struct fr_mclass *c = &m->cls[fr_op_class[m->ev[e].op]];

		t->ev[t->n++] = e;
		if (m->ev[e].obj < c->n)
			c->first[m->ev[e].obj + 2]++;
		if (m->ev[e].op == FR_OP_WRITE)
			m->first_write[m->ev[e].obj + 2]++;
	}
	for (uint32_t t = 0; t < m->nthreads; t++)
		fr_assert(m->thread[t].n == m->thread[t].hooks.n);
	return list;
}

/* Makes a sum of the numbers in first[2] and after it. first[i + 1] is then where the next event of
   object i goes; in the end it is the end of i's list. */
static void sum(uint32_t *first, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		first[i + 2] += first[i + 1];
}

static void object_lists(struct fr_model *m, fr_ev *list)
{
	const fr_ev *begin = list;
	uint32_t locations = m->cls[FR_C_LOC].n;

	for (unsigned i = 0; i < FR_C_COUNT; i++) {
		struct fr_mclass *c = &m->cls[i];

		sum(c->first, c->n);
		c->list = list;
		list += c->first[c->n + 1];
	}
	fr_assert((size_t)(list - begin) <= m->n); /* no event is in two lists */
	sum(m->first_write, locations);
	m->write = fr_xmalloc(((size_t)m->first_write[locations + 1] + 1) * sizeof(*m->write));
	for (fr_ev e = 0; e < m->n; e++) {
		struct fr_mclass *c = &m->cls[fr_op_class[m->ev[e].op]];

		if (m->ev[e].obj < c->n)
			c->list[c->first[m->ev[e].obj + 1]++] = e;
		if (m->ev[e].op == FR_OP_WRITE)
			m->write[m->first_write[m->ev[e].obj + 1]++] = e;
	}
	fr_assert(m->first_write[locations] == m->first_write[locations + 1]);
	for (unsigned i = 0; i < FR_C_COUNT; i++) {
		const struct fr_mclass *c = &m->cls[i];

		fr_assert(!c->first[0] && c->first[c->n] == c->first[c->n + 1]);
	}
}

/* Notes the head of the step of some events, so that fr_head need not go through long steps. */
static void note_heads(struct fr_model *m)
{
	fr_ev head = 0;

	m->head = fr_xmalloc(((size_t)m->n / FR_HEAD_EACH + 1) * sizeof(*m->head));
	for (fr_ev e = 0; e < m->n; e++) {
		if (!(m->ev[e].flags & FR_F_PART))
			head = e;
		if (e % FR_HEAD_EACH == 0)
			m->head[e / FR_HEAD_EACH] = head;
	}
}

struct fr_model *fr_builder_finish(struct fr_builder *b)
{
	struct fr_model *m = fr_xcalloc(1, sizeof(*m));

	m->n = (uint32_t)b->ev.n;
	m->ev = fr_xrealloc(fr_steal(b->ev.v), b->ev.n, FR_MODEL_BYTES);
	m->nthreads = (uint32_t)b->thread.n;
	m->thread = fr_steal(b->thread.v);
	for (unsigned i = 0; i < FR_C_COUNT; i++) {
		m->cls[i].n = (uint32_t)b->obj[i].n;
		m->cls[i].obj = fr_steal(b->obj[i].v);
		b->obj[i].n = 0;
	}
	b->thread.n = 0;
	fr_builder_free(b);
	object_lists(m, thread_lists(m, (fr_ev *)(m->ev + m->n)));
	note_heads(m);
	return m;
}
