/* Interleavings that correct programs intend: see intended.h. */
#include "confirm/intended.h"
#include "base/assert.h"
#include "format/event.h"

void fr_intended_free(struct fr_intended *x)
{
	fr_vec_free(&x->key);
}

/* By sites and roles, which stay the same on another path. The order does not matter. */
static uint64_t key_of(uint64_t key, enum fr_role role, uint32_t site)
{
	return key + fr_hash_mix(fr_hash_mix(0, role), site);
}

/* Returns the recorded event, NULL = unknown. */
static const struct fr_mev *event_of(const struct fr_model *m, const struct fr_finding_event *e)
{
	const struct fr_mthread *t = e->thread < m->nthreads ? &m->thread[e->thread] : NULL;
	uint32_t i = t ? fr_hooks_find(&t->hooks, 0, t->n, e->hook) : 0;

	return t && i < t->n && fr_hooks_get(&t->hooks, i) == e->hook ? &m->ev[t->ev[i]] : NULL;
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

/* Does the event write, by itself or as part of a read-modify-write? */
static bool writes(const struct fr_model *m, const struct fr_finding_event *e)
{
	const struct fr_mev *v = event_of(m, e);

	return e->access == FR_OP_WRITE || !v || fr_event_is(fr_model_kind(v)) & FR_IS_WRITE;
}

/* May it lose an update: does a thread only read, another write, and then the first write? */
static bool may_lose(const struct fr_model *m, const struct fr_interleaving *w)
{
	unsigned fit = 0;

	FR_VEC_FOREACH (e, &w->event)
		fit += (e->role == FR_ROLE_LOCAL_FIRST && !writes(m, e)) ||
		       ((e->role == FR_ROLE_REMOTE || e->role == FR_ROLE_LOCAL_SECOND) &&
			writes(m, e));
	fr_assert(fit <= w->event.n);
	return fit == 3;
}

void fr_intended_add(struct fr_intended *x, const struct fr_model *m, const struct fr_finding *f)
{
	if (!fr_finding_is_guess(f))
		return;
	FR_VEC_FOREACH (w, &f->interleaving) {
		uint64_t key = 0;

		if (!is_protected(w) || may_lose(m, w))
			continue;
		FR_VEC_FOREACH (e, &w->event) {
			const struct fr_mev *v = event_of(m, e);

			key = key_of(key, e->role, v ? v->site : 0);
		}
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
