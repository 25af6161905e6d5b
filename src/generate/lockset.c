/*
 * Sets of locks as small numbers: see lockset.h. The number of a set is looked up only on demand,
 * not at each lock operation.
 */
#include "generate/lockset.h"
#include "generate/generate.h"
#include <string.h>

#define HELD_MAX 64
#define EXACT_MAX 49152 /* limit for exact sets */
_Static_assert(EXACT_MAX < FR_LOCKSET_MANY, "room for sets that are not exact");

void fr_locksets_init(struct fr_locksets *l, uint32_t nthreads)
{
	*l = (struct fr_locksets){.nthreads = nthreads};
	l->thread = fr_xcalloc(nthreads, sizeof(*l->thread));
	fr_vec_push(&l->start, 0);
	fr_vec_push(&l->start, 0);
	fr_vec_push(&l->exact, true);
}

void fr_locksets_free(struct fr_locksets *l)
{
	for (uint32_t i = 0; i < l->nthreads; i++) {
		fr_vec_free(&l->thread[i].taken);
	}
	free(l->thread);
	fr_vec_free(&l->exact);
	fr_vec_free(&l->start);
	fr_vec_free(&l->locked);
	fr_map_free(&l->by_hash);
}

/* The number of a set; FR_LOCKSET_MANY if it has none and cannot get one. */
static uint16_t intern(struct fr_locksets *l, const fr_locked *set, size_t n, bool exact)
{
	uint64_t h = 2 * n + exact;
	uint64_t *v;

	for (size_t i = 0; i < n; i++)
		h = fr_mix(h, set[i]);
	for (;; h += 2) {
		size_t at;

		v = fr_map_get(&l->by_hash, h >> 1); /* never UINT64_MAX */
		if (!v)
			break;
		fr_assert(*v < l->exact.n);
		at = l->start.v[*v];
		if (l->start.v[*v + 1] - at == n && l->exact.v[*v] == exact &&
		    !memcmp(l->locked.v + at, set, n * sizeof(*set)))
			return (uint16_t)*v;
	}
	if (l->start.n > (exact ? EXACT_MAX : FR_LOCKSET_MANY))
		return FR_LOCKSET_MANY;
	*fr_map_put(&l->by_hash, h >> 1) = l->start.n - 1;
	for (size_t i = 0; i < n; i++)
		fr_vec_push(&l->locked, set[i]);
	fr_vec_push(&l->start, (uint32_t)l->locked.n);
	fr_vec_push(&l->exact, exact);
	fr_assert(l->start.n == l->exact.n + 1 && l->start.n - 2 < FR_LOCKSET_MANY);
	return (uint16_t)(l->start.n - 2);
}

static uint16_t number_of(struct fr_locksets *l, const struct fr_lockset_thread *t)
{
	fr_locked held[HELD_MAX];
	uint16_t r = FR_LOCKSET_MANY;

	if (!t->taken.n)
		return 0;
	if (t->taken.n <= HELD_MAX) {
		for (size_t i = 0; i < t->taken.n; i++) {
			size_t k = i;

			for (; k && held[k - 1] > t->taken.v[i]; k--)
				held[k] = held[k - 1];
			held[k] = t->taken.v[i];
		}
		for (size_t i = 1; i < t->taken.n; i++)
			fr_assert(held[i - 1] <= held[i]);
		r = intern(l, held, t->taken.n, true);
	}
	return r != FR_LOCKSET_MANY ? r : intern(l, t->taken.v + t->taken.n - 1, 1, false);
}

void fr_locksets_step(struct fr_locksets *l, const struct fr_mev *e)
{
	struct fr_lockset_thread *t = &l->thread[e->thread];
	bool shared = e->op == FR_OP_ACQUIRE_SHARED || e->op == FR_OP_RELEASE_SHARED;
	fr_locked what = (fr_locked)e->obj << 1 | shared;
	size_t i = t->taken.n;

	fr_assert_slow(e->thread < l->nthreads && fr_changes_locks(e));
	t->stale = true;
	if (e->op == FR_OP_ACQUIRE || e->op == FR_OP_ACQUIRE_SHARED) {
		fr_vec_push(&t->taken, what);
		return;
	}
	while (i && t->taken.v[i - 1] != what)
		i--;
	if (!i)
		return;
	fr_assert_slow(i <= t->taken.n);
	for (t->taken.n--; i <= t->taken.n; i++)
		t->taken.v[i - 1] = t->taken.v[i];
}

uint16_t fr_locksets_now(struct fr_locksets *l, uint32_t thread)
{
	struct fr_lockset_thread *t = &l->thread[thread];

	if (t->stale) {
		t->stale = false;
		t->set = number_of(l, t);
	}
	return t->set;
}

bool fr_locksets_exclude(const struct fr_locksets *l, uint16_t a, uint16_t b)
{
	const fr_locked *x, *y, *xe, *ye;

	if (!a || !b || a == FR_LOCKSET_MANY || b == FR_LOCKSET_MANY)
		return false;
	fr_assert_slow(a < l->exact.n && b < l->exact.n);
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
