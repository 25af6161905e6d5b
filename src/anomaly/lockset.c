/* Sets of locks as small numbers: lockset.h. A step that was done before is one look-up. */
#include "anomaly/lockset.h"
#include "anomaly/anomaly.h"
#include <string.h>

#define HELD_MAX 64

void fr_locksets_init(struct fr_locksets *l, uint32_t nthreads)
{
	*l = (struct fr_locksets){.nthreads = nthreads};
	l->thread = fr_xcalloc(nthreads, sizeof(*l->thread));
	fr_vec_push(&l->start, 0);
	fr_vec_push(&l->start, 0);
}

void fr_locksets_free(struct fr_locksets *l)
{
	for (uint32_t i = 0; i < l->nthreads; i++)
		fr_vec_free(&l->thread[i].held);
	free(l->thread);
	fr_vec_free(&l->start);
	fr_vec_free(&l->locked);
	fr_map_free(&l->by_hash);
	fr_map_free(&l->next);
}

static uint16_t number_of(struct fr_locksets *l, const struct fr_lockset_thread *t)
{
	size_t n = t->held.n, at;
	uint64_t h = n;
	uint64_t *v;

	if (!n)
		return 0;
	FR_VEC_FOREACH (x, &t->held)
		h = fr_mix(h, *x);
	for (;; h += 2) {
		v = fr_map_put(&l->by_hash, h >> 1); /* never UINT64_MAX */
		if (!*v)
			break;
		at = l->start.v[*v];
		if (l->start.v[*v + 1] - at == n &&
		    !memcmp(l->locked.v + at, t->held.v, n * sizeof(*t->held.v)))
			return (uint16_t)*v;
	}
	if (l->start.n > FR_LOCKSET_MANY || n > HELD_MAX)
		return FR_LOCKSET_MANY;
	*v = l->start.n - 1;
	FR_VEC_FOREACH (x, &t->held)
		fr_vec_push(&l->locked, *x);
	fr_vec_push(&l->start, (uint32_t)l->locked.n);
	return (uint16_t)*v;
}

static void change(struct fr_lockset_thread *t, fr_locked what, bool acquire)
{
	size_t i = 0;

	while (i < t->held.n && t->held.v[i] < what)
		i++;
	if (acquire) {
		fr_vec_reserve(&t->held, 1);
		memmove(t->held.v + i + 1, t->held.v + i, (t->held.n - i) * sizeof(*t->held.v));
		t->held.v[i] = what;
		t->held.n++;
	} else if (i < t->held.n && t->held.v[i] == what) {
		t->held.n--;
		memmove(t->held.v + i, t->held.v + i + 1, (t->held.n - i) * sizeof(*t->held.v));
	}
}

void fr_locksets_step(struct fr_locksets *l, const struct fr_mev *e)
{
	struct fr_lockset_thread *t = &l->thread[e->thread];
	bool shared = e->op == FR_OP_ACQUIRE_SHARED || e->op == FR_OP_RELEASE_SHARED;
	bool acquire = e->op == FR_OP_ACQUIRE || e->op == FR_OP_ACQUIRE_SHARED;
	uint64_t *known;

	change(t, (fr_locked)e->obj << 1 | shared, acquire);
	if (t->set == FR_LOCKSET_MANY) {
		t->set = number_of(l, t);
		return;
	}
	known = fr_map_put(&l->next, (uint64_t)t->set << 34 | (uint64_t)e->obj << 2 |
					 (uint64_t)shared << 1 | (uint64_t)acquire);
	if (!*known)
		*known = number_of(l, t) + 1u;
	t->set = (uint16_t)(*known - 1);
}

bool fr_locksets_exclude(const struct fr_locksets *l, uint16_t a, uint16_t b)
{
	const fr_locked *x, *y, *xe, *ye;

	if (!a || !b || a == FR_LOCKSET_MANY || b == FR_LOCKSET_MANY)
		return false;
	x = l->locked.v + l->start.v[a];
	xe = l->locked.v + l->start.v[a + 1];
	y = l->locked.v + l->start.v[b];
	ye = l->locked.v + l->start.v[b + 1];
	while (x < xe && y < ye) {
		if (*x >> 1 == *y >> 1) {
			if (!(*x & *y & 1))
				return true;
			x++;
		} else if (*x < *y) {
			x++;
		} else {
			y++;
		}
	}
	return false;
}
