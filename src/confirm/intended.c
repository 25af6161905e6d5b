/* Interleavings that correct programs intend: see intended.h. */
#include "confirm/intended.h"
#include "base/assert.h"
#include "format/event.h"
#include <string.h>

void fr_intended_free(struct fr_intended *x)
{
	fr_vec_free(&x->key);
}

/* By sites and roles, which stay the same on another path. The order does not matter. */
static uint64_t key_of(uint64_t key, enum fr_role role, uint32_t site)
{
	return key + fr_hash_mix(fr_hash_mix(0, role), site);
}

/* Returns the site of a recorded event, 0 = unknown. */
static uint32_t site_of(const struct fr_model *m, const struct fr_finding_event *e)
{
	const struct fr_mthread *t = e->thread < m->nthreads ? &m->thread[e->thread] : NULL;
	uint32_t i = t ? fr_hooks_find(&t->hooks, 0, t->n, e->hook) : 0;

	return t && i < t->n && fr_hooks_get(&t->hooks, i) == e->hook ? m->ev[t->ev[i]].site : 0;
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

void fr_intended_add(struct fr_intended *x, const struct fr_model *m, const struct fr_finding *f)
{
	if (!fr_finding_is_guess(f))
		return;
	FR_VEC_FOREACH (w, &f->interleaving) {
		uint64_t key = 0;

		if (!is_protected(w))
			continue;
		FR_VEC_FOREACH (e, &w->event)
			key = key_of(key, e->role, site_of(m, e));
		fr_vec_push(&x->key, key);
	}
}

/* ---- shapes ---- */

static bool is_known(const struct fr_intended *x, const struct fr_schedule_file *of)
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

/* Returns the only event or target in a role, NULL = there are none or several. */
static const struct fr_schedule_hook *in_role(const struct fr_schedule_file *of, enum fr_role role)
{
	const struct fr_schedule_hook *found = NULL;
	unsigned n = 0;

	FR_VEC_FOREACH (h, &of->event)
		if (h->role == role) {
			found = h;
			n++;
		}
	FR_VEC_FOREACH (h, &of->target)
		if (h->role == role) {
			found = h;
			n++;
		}
	return n == 1 ? found : NULL;
}

static unsigned is(const struct fr_schedule_hook *h)
{
	return fr_event_is(h->kind) & (FR_IS_READ | FR_IS_WRITE | FR_IS_ATOMIC);
}

static bool is_rmw(const struct fr_schedule_hook *h)
{
	return is(h) == (FR_IS_READ | FR_IS_WRITE | FR_IS_ATOMIC);
}

/* Finds what an access always wrote in the recorded run. False: it varies, or is unknown. */
static bool written(const struct fr_model *m, const struct fr_schedule_hook *h, uint64_t *ret)
{
	bool found = false;

	for (uint32_t i = 0; i < m->n; i++) {
		const struct fr_mev *e = &m->ev[i];

		if (e->site != h->site || e->op != FR_OP_WRITE)
			continue;
		if (e->flags & FR_F_NOVALUE || (found && *ret != e->value))
			return false;
		*ret = e->value;
		found = true;
	}
	return found;
}

static bool all_atomic(const struct fr_schedule_file *of)
{
	unsigned what = FR_IS_ATOMIC;

	FR_VEC_FOREACH (h, &of->event)
		what &= is(h);
	FR_VEC_FOREACH (h, &of->target)
		what &= is(h);
	return what;
}

enum fr_intention fr_intended_is(const struct fr_intended *x, const struct fr_model *m,
				 const struct fr_schedule_file *of)
{
	const struct fr_schedule_hook *a = in_role(of, FR_ROLE_LOCAL_FIRST);
	const struct fr_schedule_hook *r = in_role(of, FR_ROLE_REMOTE);
	const struct fr_schedule_hook *b = in_role(of, FR_ROLE_LOCAL_SECOND);
	uint64_t one, two;

	if (!is_known(x, of))
		return FR_NOT_INTENDED;
	if (!a || !r || !b || of->event.n + of->target.n != 3) /* an atomic set */
		return all_atomic(of) ? FR_INTENDED_NUMBERS : FR_NOT_INTENDED;
	if (is_rmw(a) && is_rmw(b))
		return FR_INTENDED;
	if (is_rmw(a) && is_rmw(r) && written(m, a, &one) && written(m, r, &two) && one == two)
		return FR_INTENDED;
	if (!(is(r) & FR_IS_WRITE))
		return FR_INTENDED;
	if (is(b) & FR_IS_WRITE)
		return FR_NOT_INTENDED;
	return is(a) & FR_IS_WRITE || all_atomic(of) ? FR_INTENDED : FR_INTENDED_COUNT;
}
