/*
 * Builds a model from events in recorded order: the arrays grow as they come, finish sorts events
 * by thread and by object (counting sort: linear, ascending within each).
 *
 * Relies on: nothing about the events but that thread and object were added before; whether they
 * make sense is for fr_model_validate. THREAD objects are threads, MARK objects are numbers of the
 * caller's: both have no list.
 */
#include "trace/model.h"
#include <string.h>

struct fr_builder {
	FR_VEC(struct fr_mev) ev;
	FR_VEC(struct fr_mthread) thread;
	FR_VEC(struct fr_mobj) obj[FR_C_COUNT];
	FR_VEC(uint32_t) high; /* of each thread's last event: high half of the index */
};

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
		fr_vec_free(&t->high);
	}
	for (unsigned i = 0; i < FR_C_COUNT; i++)
		fr_vec_free(&b->obj[i]);
	fr_vec_free(&b->thread);
	fr_vec_free(&b->high);
	fr_vec_free(&b->ev);
	free(b);
}

uint32_t fr_builder_thread(struct fr_builder *b, const char *path, uint32_t id)
{
	assert(b->thread.n < UINT16_MAX);
	fr_vec_push(&b->thread,
		    (struct fr_mthread){.path = fr_xstrdup(path), .id = id, .create = FR_NO_EV});
	fr_vec_push(&b->high, 0);
	return (uint32_t)b->thread.n - 1;
}

uint32_t fr_builder_obj(struct fr_builder *b, enum fr_class c, struct fr_mobj o)
{
	assert(c != FR_C_THREAD && c != FR_C_MARK && b->obj[c].n < UINT32_MAX - 1);
	fr_vec_push(&b->obj[c], o);
	return (uint32_t)b->obj[c].n - 1;
}

fr_ev fr_builder_add(struct fr_builder *b, const struct fr_mev *e, uint64_t idx)
{
	struct fr_mthread *t = &b->thread.v[e->thread];
	fr_ev at = (fr_ev)b->ev.n;
	uint32_t high = (uint32_t)(idx >> 32);

	assert(e->thread < b->thread.n && b->ev.n < FR_NO_EV);
	fr_vec_push(&b->ev, *e);
	b->ev.v[at].idx = (uint32_t)idx;
	if (high != b->high.v[e->thread]) {
		fr_vec_push(&t->high, (struct fr_idx_mark){t->n, high});
		b->high.v[e->thread] = high;
	}
	t->n++;
	if (e->op == FR_OP_CREATE && e->obj < b->thread.n && b->thread.v[e->obj].create == FR_NO_EV)
		b->thread.v[e->obj].create = at;
	return at;
}

static void thread_lists(struct fr_model *m)
{
	fr_ev *list = fr_xmalloc((size_t)m->n * sizeof(*list)), *p = list;

	for (uint32_t t = 0; t < m->nthreads; t++) {
		m->thread[t].ev = p;
		p += m->thread[t].n;
		m->thread[t].n = 0;
	}
	for (fr_ev e = 0; e < m->n; e++) {
		struct fr_mthread *t = &m->thread[m->ev[e].thread];

		t->ev[t->n++] = e;
	}
	if (!m->nthreads)
		free(list);
}

static void object_lists(struct fr_model *m)
{
	for (unsigned c = 0; c < FR_C_COUNT; c++)
		m->cls[c].first = fr_xcalloc((size_t)m->cls[c].n + 2, sizeof(uint32_t));
	/* first[i + 2] counts, then first[i + 1] is where the next of i goes, then where i ends. */
	for (fr_ev e = 0; e < m->n; e++) {
		struct fr_mclass *c = &m->cls[fr_op_class[m->ev[e].op]];

		if (m->ev[e].obj < c->n)
			c->first[m->ev[e].obj + 2]++;
	}
	for (unsigned i = 0; i < FR_C_COUNT; i++) {
		struct fr_mclass *c = &m->cls[i];

		for (uint32_t o = 0; o < c->n; o++)
			c->first[o + 2] += c->first[o + 1];
		c->list = fr_xmalloc((size_t)c->first[c->n + 1] * sizeof(fr_ev));
	}
	for (fr_ev e = 0; e < m->n; e++) {
		struct fr_mclass *c = &m->cls[fr_op_class[m->ev[e].op]];

		if (m->ev[e].obj < c->n)
			c->list[c->first[m->ev[e].obj + 1]++] = e;
	}
}

struct fr_model *fr_builder_finish(struct fr_builder *b)
{
	struct fr_model *m = fr_xcalloc(1, sizeof(*m));

	m->n = (uint32_t)b->ev.n;
	m->ev = fr_xrealloc(fr_steal(b->ev.v), b->ev.n, sizeof(*m->ev));
	m->nthreads = (uint32_t)b->thread.n;
	m->thread = fr_steal(b->thread.v);
	for (unsigned i = 0; i < FR_C_COUNT; i++) {
		m->cls[i].n = (uint32_t)b->obj[i].n;
		m->cls[i].obj = fr_steal(b->obj[i].v);
		b->obj[i].n = 0;
	}
	b->thread.n = 0;
	fr_builder_free(b);
	thread_lists(m);
	object_lists(m);
	return m;
}
