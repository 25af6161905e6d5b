/* Interleavings that correct programs intend: see intended_order.h. */
#include "confirm/intended_order.h"
#include "base/assert.h"

void fr_intended_free(struct fr_intended *x)
{
	fr_vec_free(&x->key);
}

/* By sites and roles, which stay the same on another path. The order does not matter. */
static uint64_t key_of(uint64_t key, enum fr_role role, uint32_t site)
{
	return key + fr_hash_mix(fr_hash_mix(0, role), site);
}

/* Returns the position of a recorded event in its thread, UINT32_MAX = unknown. */
static uint32_t position_of(const struct fr_model *m, const struct fr_finding_event *e)
{
	const struct fr_mthread *t = e->thread < m->nthreads ? &m->thread[e->thread] : NULL;
	uint32_t i = t ? fr_hooks_find(&t->hooks, 0, t->n, e->hook) : 0;

	return t && i < t->n && fr_hooks_get(&t->hooks, i) == e->hook ? i : UINT32_MAX;
}

static uint32_t site_of(const struct fr_model *m, const struct fr_finding_event *e)
{
	uint32_t i = position_of(m, e);

	return i == UINT32_MAX ? 0 : m->ev[m->thread[e->thread].ev[i]].site;
}

static bool share_lock(const struct fr_finding_event *a, const struct fr_finding_event *b)
{
	FR_VEC_FOREACH (x, &a->lock)
		FR_VEC_FOREACH (y, &b->lock)
			if (x->object == y->object && !(x->shared && y->shared))
				return true;
	return false;
}

/* Can no two accesses of different threads race? */
static bool is_protected(const struct fr_interleaving *w)
{
	FR_VEC_FOREACH (a, &w->event)
		FR_VEC_FOREACH (b, &w->event)
			if (a->thread != b->thread && !(a->atomic && b->atomic) &&
			    !share_lock(a, b))
				return false;
	return true;
}

/* Is the thread's next access to the bytes of its event at position i a write at this hook? */
static bool writes_next(const struct fr_model *m, const struct fr_mthread *t, uint32_t i,
			uint64_t hook)
{
	const struct fr_mev *x = &m->ev[t->ev[i]];

	while (++i < t->n && fr_hooks_get(&t->hooks, i) <= hook) {
		const struct fr_mev *y = &m->ev[t->ev[i]];

		if (fr_is_access(y) && !(y->flags & FR_F_SYNTH) && y->obj == x->obj &&
		    y->mask & x->mask)
			return y->op == FR_OP_WRITE && fr_hooks_get(&t->hooks, i) == hook;
	}
	return false;
}

/* Does the thread overwrite a value that it read before, without another read? */
static bool may_lose(const struct fr_model *m, const struct fr_interleaving *w)
{
	const struct fr_finding_event *a = NULL, *b = NULL;
	const struct fr_mthread *t;
	uint32_t i;

	FR_VEC_FOREACH (e, &w->event) {
		a = e->role == FR_ROLE_LOCAL_FIRST ? e : a;
		b = e->role == FR_ROLE_LOCAL_SECOND ? e : b;
	}
	i = a && b ? position_of(m, a) : UINT32_MAX;
	if (i == UINT32_MAX)
		return false;
	fr_assert(a->thread == b->thread && a->hook < b->hook);
	t = &m->thread[a->thread];
	for (; i < t->n && fr_hooks_get(&t->hooks, i) == a->hook; i++)
		if (m->ev[t->ev[i]].op == FR_OP_READ && writes_next(m, t, i, b->hook))
			return true;
	return false;
}

/* Is it about two units of work, and so about several locations? */
static bool is_set(const struct fr_interleaving *w)
{
	FR_VEC_FOREACH (e, &w->event)
		if (e->role == FR_ROLE_FIRST_UNIT)
			return true;
	return false;
}

void fr_intended_add(struct fr_intended *x, const struct fr_model *m, const struct fr_finding *f)
{
	if (!fr_finding_is_guess(f))
		return;
	FR_VEC_FOREACH (w, &f->interleaving) {
		uint64_t key = 0;

		if (!(is_set(w) || is_protected(w)) || may_lose(m, w))
			continue;
		FR_VEC_FOREACH (e, &w->event)
			key = key_of(key, e->role, site_of(m, e));
		fr_vec_push(&x->key, key);
	}
}

bool fr_intended_has(const struct fr_intended *x, const struct fr_schedule_file *of)
{
	uint64_t key = 0;

	FR_VEC_FOREACH (h, &of->event)
		key = key_of(key, h->role, h->site);
	FR_VEC_FOREACH (h, &of->target)
		key = key_of(key, h->role, h->site);
	FR_VEC_FOREACH (k, &x->key)
		if (*k == key)
			return true;
	return false;
}
