/* Sets of locks as small numbers: lockset.h. A step that was done before is one look-up. */
#include "anomaly/lockset.h"
#include "anomaly/anomaly.h"
#include <string.h>

#define HELD_MAX 64
#define EXACT_MAX 49152 /* sets; from here on parts */

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
		fr_vec_free(&l->thread[i].held);
		fr_vec_free(&l->thread[i].taken);
	}
	free(l->thread);
	fr_vec_free(&l->exact);
	fr_vec_free(&l->start);
	fr_vec_free(&l->locked);
	fr_map_free(&l->by_hash);
	fr_map_free(&l->next);
}

/* The number of a set, FR_LOCKSET_MANY if it has none and cannot get one. */
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
	return (uint16_t)(l->start.n - 2);
}

static uint16_t number_of(struct fr_locksets *l, const struct fr_lockset_thread *t)
{
	uint16_t r = FR_LOCKSET_MANY;

	if (!t->held.n)
		return 0;
	if (t->held.n <= HELD_MAX)
		r = intern(l, t->held.v, t->held.n, true);
	return r != FR_LOCKSET_MANY ? r : intern(l, t->taken.v + t->taken.n - 1, 1, false);
}

static void change(struct fr_lockset_thread *t, fr_locked what, bool acquire)
{
	size_t i = t->taken.n;

	if (acquire)
		fr_vec_push(&t->taken, what);
	while (!acquire && i--) {
		if (t->taken.v[i] != what)
			continue;
		t->taken.n--;
		memmove(t->taken.v + i, t->taken.v + i + 1, (t->taken.n - i) * sizeof(*t->taken.v));
		break;
	}
	i = 0;
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
	if (!fr_lockset_exact(l, t->set)) {
		t->set = number_of(l, t);
		return;
	}
	known = fr_map_put(&l->next, (uint64_t)t->set << 34 | (uint64_t)e->obj << 2 |
					 (uint64_t)shared << 1 | (uint64_t)acquire);
	if (!*known) {
		uint16_t set = number_of(l, t);

		if (!fr_lockset_exact(l, set)) { /* the same step from elsewhere may differ */
			t->set = set;
			return;
		}
		*known = set + 1u;
	}
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

uint32_t fr_locksets_get(const struct fr_locksets *l, uint16_t set, fr_locked *ret, uint32_t cap)
{
	uint32_t n;

	if (!set || set == FR_LOCKSET_MANY)
		return 0;
	n = fr_min(cap, l->start.v[set + 1] - l->start.v[set]);
	memcpy(ret, l->locked.v + l->start.v[set], n * sizeof(*ret));
	return n;
}

uint32_t fr_locksets_common(const struct fr_locksets *l, uint16_t set, bool alone, fr_locked *guard,
			    uint32_t n)
{
	uint32_t kept = 0;

	if (!set || set == FR_LOCKSET_MANY)
		return 0;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = l->start.v[set]; k < l->start.v[set + 1]; k++)
			if (l->locked.v[k] >> 1 == guard[i] >> 1 &&
			    !(alone && l->locked.v[k] & 1)) {
				guard[kept++] = guard[i];
				break;
			}
	return kept;
}
