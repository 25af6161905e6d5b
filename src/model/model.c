/*
 * The model of a run: names, access, freeing. builder.c builds models, model_check.c checks them,
 * load.c loads them.
 */
#include "model/model.h"
#include <string.h>

const char *const fr_op_name[FR_OP_COUNT] = {
#define FR_X(n, c, s) [FR_OP_##n] = s,
    FR_OPS(FR_X)
#undef FR_X
};

const uint8_t fr_op_class[FR_OP_COUNT] = {
#define FR_X(n, c, s) [FR_OP_##n] = FR_C_##c,
    FR_OPS(FR_X)
#undef FR_X
};

const char *const fr_model_counter_name[FR_MC_COUNT] = {
#define FR_X(n, s) [FR_MC_##n] = #n,
    FR_MODEL_COUNTERS(FR_X)
#undef FR_X
};

const char *const fr_model_counter_text[FR_MC_COUNT] = {
#define FR_X(n, s) [FR_MC_##n] = s,
    FR_MODEL_COUNTERS(FR_X)
#undef FR_X
};
_Static_assert(FR_MC_COUNT <= sizeof(((struct fr_model *)0)->count) / sizeof(uint64_t),
	       "room for the counters");

/* Index of e in an ascending list that contains it. */
static uint32_t position(const fr_ev *list, uint32_t n, fr_ev e)
{
	uint32_t lo = (uint32_t)fr_bisect(n, i, list[i] < e);

	fr_assert(lo < n && list[lo] == e);
	return lo;
}

uint32_t fr_model_thread(const struct fr_model *m, const char *path)
{
	fr_assert(path);
	for (uint32_t i = 0; i < m->nthreads; i++)
		if (!strcmp(m->thread[i].path, path))
			return i;
	return UINT32_MAX;
}

uint32_t fr_model_pos(const struct fr_model *m, fr_ev e)
{
	const struct fr_mthread *t = &m->thread[m->ev[e].thread];

	return position(t->ev, t->n, e);
}

unsigned fr_model_kind(const struct fr_mev *e)
{
	const bool read = e->op == FR_OP_READ;

	if (!fr_is_access(e))
		return e->kind;
	switch (e->origin & ~FR_ORIGIN_SPLIT) {
	case FR_ORIGIN_RMW:
		return FR_EV_ATOMIC_RMW;
	case FR_ORIGIN_CAS:
		return FR_EV_ATOMIC_CAS;
	case FR_ORIGIN_ONCE_END:
		return FR_EV_ONCE_END;
	}
	if (e->flags & FR_F_ATOMIC)
		return read ? FR_EV_ATOMIC_LOAD : FR_EV_ATOMIC_STORE;
	if (e->flags & FR_F_RANGE)
		return read ? FR_EV_RANGE_READ : FR_EV_RANGE_WRITE;
	return read ? FR_EV_READ : FR_EV_WRITE;
}

fr_ev fr_model_prev(const struct fr_model *m, fr_ev e)
{
	uint32_t pos;

	if (e > 0 && m->ev[e - 1].thread == m->ev[e].thread)
		return e - 1;
	pos = fr_model_pos(m, e);
	return pos ? m->thread[m->ev[e].thread].ev[pos - 1] : FR_NO_EV;
}

fr_ev fr_model_next(const struct fr_model *m, fr_ev e)
{
	const struct fr_mthread *t = &m->thread[m->ev[e].thread];
	uint32_t pos;

	if (e + 1 < m->n && m->ev[e + 1].thread == m->ev[e].thread)
		return e + 1;
	pos = fr_model_pos(m, e);
	return pos + 1 < t->n ? t->ev[pos + 1] : FR_NO_EV;
}

/* May it come between the begin and the end of a wait? */
static bool in_wait(const struct fr_mev *v)
{
	return v->op == FR_OP_READ || fr_op_class[v->op] == FR_C_MARK;
}

fr_ev fr_wait_end(const struct fr_model *m, fr_ev begin)
{
	fr_ev e = fr_model_next(m, begin);

	fr_assert(m->ev[begin].op == FR_OP_WAIT_BEGIN);
	while (e != FR_NO_EV && in_wait(&m->ev[e]))
		e = fr_model_next(m, e);
	if (e == FR_NO_EV || m->ev[e].op != FR_OP_WAIT)
		return FR_NO_EV;
	fr_assert(m->ev[e].obj == m->ev[begin].obj);
	return e;
}

fr_ev fr_wait_begin(const struct fr_model *m, fr_ev end)
{
	fr_ev e = fr_model_prev(m, end);

	fr_assert(m->ev[end].op == FR_OP_WAIT);
	while (e != FR_NO_EV && in_wait(&m->ev[e]))
		e = fr_model_prev(m, e);
	if (e == FR_NO_EV || m->ev[e].op != FR_OP_WAIT_BEGIN)
		return FR_NO_EV;
	fr_assert(m->ev[e].obj == m->ev[end].obj);
	return e;
}

uint64_t fr_model_hook(const struct fr_model *m, fr_ev e)
{
	return fr_hooks_get(&m->thread[m->ev[e].thread].hooks, fr_model_pos(m, e));
}

void fr_model_writers(const struct fr_model *m, fr_ev read, fr_ev ret[8])
{
	const struct fr_mev *r = &m->ev[read];
	const fr_ev *list = m->write + m->first_write[r->obj];
	uint32_t n = m->first_write[r->obj + 1] - m->first_write[r->obj];
	unsigned todo = r->mask;

	fr_assert(r->op == FR_OP_READ);
	for (unsigned i = 0; i < 8; i++)
		ret[i] = FR_NO_EV;
	for (uint32_t i = (uint32_t)fr_bisect(n, k, list[k] < read); i-- && todo;) {
		unsigned hit = m->ev[list[i]].mask & todo;

		todo &= ~hit;
		for (; hit; hit &= hit - 1)
			ret[__builtin_ctz(hit)] = list[i];
	}
}

void fr_model_free(struct fr_model *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; i < m->nthreads; i++) {
		free((char *)m->thread[i].path);
		fr_hooks_free(&m->thread[i].hooks);
	}
	free(m->thread);
	for (unsigned i = 0; i < FR_C_COUNT; i++) {
		free(m->cls[i].obj);
		free(m->cls[i].first);
	}
	free(m->ev);
	free(m->head);
	free(m->first_write);
	free(m->write);
	free(m->heap_index);
	fr_trace_free(m->trace);
	free(m);
}

void fr_model_freep(struct fr_model **m)
{
	fr_model_free(*m);
}

bool fr_op_separates(unsigned op)
{
	switch (op) {
	case FR_OP_WAIT_BEGIN:
	case FR_OP_WAIT:
	case FR_OP_SIGNAL:
	case FR_OP_BROADCAST:
	case FR_OP_SEM_WAIT:
	case FR_OP_SEM_POST:
	case FR_OP_BARRIER_ENTER:
	case FR_OP_BARRIER_LEAVE:
	case FR_OP_CREATE:
	case FR_OP_JOIN:
		return true;
	default:
		return false;
	}
}
