/*
 * Data races: two accesses of overlapping bytes by different threads, one of them a write, not both
 * atomic, that can be pending at once. One group for each two places in the program.
 *
 * Locations are gone through one by one, each along its list. Accesses of one thread from one place
 * with one set of locks are alike: of those only the last is kept, and a new access is compared
 * with the last of each of the others. Nothing is lost by that to must-happen-before: if the last
 * one is ordered before the new access, all earlier ones are. Cost:      comparisons are rationed:
 * an access like many before it is compared now and then only, the kinds that are kept at a
 * location are bounded, and so is what is looked at for each access, so that the whole is linear in
 * the accesses. Memory:    two bytes an event while it runs; what is kept of a location is
 * forgotten after it. Not here:  whether the two can really meet: that is for the oracle.
 */
#include "anomaly/anomaly.h"
#include "anomaly/lockset.h"
#include "anomaly/meeting.h"
#include "oracle/refute.h"
#include <string.h>

#define KINDS_MAX 64	/* of accesses kept at a location */
#define CREDIT 1024	/* looks at other kinds that a location has, and so many more */
#define CREDIT_ACCESS 4 /* for each access */
#define SLOTS 128
#define GUARDS 8
#define AHEAD 16
#define NONE UINT8_MAX
#define NO_TARGET (FR_F_SYNTH | FR_F_BENIGN)

/* Accesses that are alike. */
struct kind {
	uint64_t key; /* thread, lock set, site; then mask, write, atomic */
	uint16_t what;
	uint8_t newer, older; /* by last access */
	uint8_t slot, next;   /* in the table; the next one there */
	uint32_t count;
	fr_ev last;
};

struct races {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_groups *ret;
	struct fr_locksets sets;
	fr_ev *alone;  /* of each thread: alone_until + 1, 0: not known yet */
	uint16_t *set; /* of each access: the locks that its thread holds */
	struct fr_meetings meetings;
	/* Of one location. */
	struct kind kind[2 * KINDS_MAX]; /* of reads, of writes */
	uint32_t nkinds[2], epoch;
	uint8_t newest[2], oldest[2];
	uint32_t credit;
	struct {
		uint32_t epoch;
		uint8_t kind;
	} table[SLOTS];
};

#define WHAT_WRITE 0x100
#define WHAT_ATOMIC 0x200

static void find_locksets(struct races *r)
{
	const struct fr_model *m = r->m;

	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];

		if (fr_is_access(v))
			r->set[e] = r->sets.thread[v->thread].set;
		else if (v->op >= FR_OP_ACQUIRE && v->op <= FR_OP_RELEASE_SHARED)
			fr_locksets_step(&r->sets, v);
	}
}

/* ---- kinds, most recent first ---- */

static void unlink_kind(struct races *r, uint8_t i)
{
	struct kind *k = &r->kind[i];

	if (k->newer != NONE)
		r->kind[k->newer].older = k->older;
	else
		r->newest[i / KINDS_MAX] = k->older;
	if (k->older != NONE)
		r->kind[k->older].newer = k->newer;
	else
		r->oldest[i / KINDS_MAX] = k->newer;
}

static void link_newest(struct races *r, uint8_t i)
{
	unsigned w = i / KINDS_MAX;

	r->kind[i].newer = NONE;
	r->kind[i].older = r->newest[w];
	if (r->newest[w] != NONE)
		r->kind[r->newest[w]].newer = i;
	else
		r->oldest[w] = i;
	r->newest[w] = i;
}

static void forget_kind(struct races *r, uint8_t i)
{
	uint8_t *p = &r->table[r->kind[i].slot].kind;

	while (*p != i)
		p = &r->kind[*p].next;
	*p = r->kind[i].next;
	unlink_kind(r, i);
}

static uint8_t new_kind(struct races *r, uint64_t key, uint16_t what, uint8_t slot)
{
	unsigned w = !!(what & WHAT_WRITE);
	uint8_t i;

	if (r->nkinds[w] < KINDS_MAX) {
		i = (uint8_t)(w * KINDS_MAX + r->nkinds[w]++);
	} else {
		i = r->oldest[w];
		forget_kind(r, i);
		r->ret->cut_off++;
	}
	r->kind[i] =
	    (struct kind){.key = key, .what = what, .slot = slot, .next = r->table[slot].kind};
	r->table[slot].kind = i;
	return i;
}

/* The kind that an access is of; a new one has count 0. It is the newest afterwards. */
static struct kind *kind_of(struct races *r, uint64_t key, uint16_t what)
{
	uint8_t slot = (uint8_t)((key ^ what) * UINT64_C(0x9e3779b97f4a7c15) >> 57), i;

	if (r->table[slot].epoch != r->epoch) {
		r->table[slot].epoch = r->epoch;
		r->table[slot].kind = NONE;
	}
	i = r->table[slot].kind;
	while (i != NONE && (r->kind[i].key != key || r->kind[i].what != what))
		i = r->kind[i].next;
	if (i == NONE) {
		i = new_kind(r, key, what, slot);
	} else {
		if (i == r->newest[i / KINDS_MAX])
			return &r->kind[i];
		unlink_kind(r, i);
	}
	link_newest(r, i);
	return &r->kind[i];
}

/* ---- pairs ---- */

static void meet(struct races *r, const struct kind *old, fr_ev e)
{
	const struct fr_mev *x = &r->m->ev[old->last], *y = &r->m->ev[e];
	uint16_t sx = r->set[old->last], sy = r->set[e];
	struct fr_meeting w = {old->last, e, 0};
	bool unknown = !fr_lockset_exact(&r->sets, sx) || !fr_lockset_exact(&r->sets, sy);

	if (fr_locksets_exclude(&r->sets, sx, sy)) {
		r->ret->refuted++;
		return;
	}
	w.context =
	    (uint32_t)fr_mix((uint64_t)x->thread << 16 | y->thread, (uint64_t)sx << 16 | sy);
	if (!fr_meetings_wants(&r->meetings, &w))
		return;
	if (fr_mhb(r->c, old->last, e) || (unknown && fr_refute_pair(r->m, r->c, old->last, e))) {
		r->ret->refuted++;
		return;
	}
	if (!fr_meetings_add(&r->meetings, &w))
		r->ret->cut_off++;
}

/* ---- locations ---- */

static bool look_now(uint32_t count)
{
	return count < 8 || !(count & (count - 1)) || count % 32 == 0;
}

/* Compares the access with the last of each kind, most recent first. */
static void look_at(struct races *r, uint8_t i, fr_ev e, uint16_t what)
{
	for (; i != NONE; i = r->kind[i].older) {
		const struct kind *o = &r->kind[i];

		if (!r->credit) {
			r->ret->cut_off++;
			return;
		}
		r->credit--;
		if (o->key >> 48 != r->m->ev[e].thread && o->what & what & 0xff &&
		    !(o->what & what & WHAT_ATOMIC))
			meet(r, o, e);
	}
}

static void see_access(struct races *r, fr_ev e)
{
	const struct fr_mev *v = &r->m->ev[e];
	uint16_t what = (uint16_t)(v->mask | (v->op == FR_OP_WRITE ? WHAT_WRITE : 0) |
				   (v->flags & FR_F_ATOMIC ? WHAT_ATOMIC : 0));
	uint64_t key = (uint64_t)v->thread << 48 | (uint64_t)r->set[e] << 32 | v->site;
	struct kind *k;

	if (v->flags & NO_TARGET)
		return;
	k = kind_of(r, key, what);
	r->credit += CREDIT_ACCESS;
	if (look_now(k->count)) {
		look_at(r, r->newest[1], e, what);
		if (what & WHAT_WRITE)
			look_at(r, r->newest[0], e, what);
	}
	k->count++;
	k->last = e;
}

/* The events of a location are all over memory: have those that come next fetched. */
static inline void ahead(const struct races *r, const fr_ev *list, uint32_t i, uint32_t n)
{
	if (i + AHEAD < n) {
		__builtin_prefetch(&r->m->ev[list[i + AHEAD]]);
	}
}

/* Everything of the thread before this must happen before everything of all the others. */
static fr_ev alone_until(struct races *r, uint32_t t)
{
	if (!r->alone[t]) {
		fr_ev until = r->m->n;

		for (uint32_t u = 0; u < r->m->nthreads; u++) {
			fr_ev last;

			if (u == t || !r->m->thread[u].n)
				continue;
			last = fr_mhb_last(r->c, r->m->thread[u].ev[0], t);
			until = fr_min(until, last == FR_NO_EV ? 0 : last + 1);
		}
		r->alone[t] = until + 1;
	}
	return r->alone[t] - 1;
}

static uint32_t all_hold(const struct races *r, const fr_ev *list, uint32_t n, fr_locked *guard,
			 uint32_t guards)
{
	for (uint32_t i = 0; i < n && guards; i++)
		if (!(r->m->ev[list[i]].flags & NO_TARGET))
			guards =
			    fr_locksets_common(&r->sets, r->set[list[i]],
					       r->m->ev[list[i]].op == FR_OP_WRITE, guard, guards);
	return guards;
}

/*
 * Is it plain that nothing can race here? Leave out what one thread did at the beginning, if all of
 * it must happen before everything else. Then there is no write left, or one lock is held at all
 * accesses, alone at the writes. Most locations are like that.
 */
static bool is_safe(struct races *r, uint32_t loc)
{
	const struct fr_mclass *k = &r->m->cls[FR_C_LOC];
	const fr_ev *list = k->list + k->first[loc];
	uint32_t n = k->first[loc + 1] - k->first[loc], i = 0, guards;
	uint16_t first = r->m->ev[list[0]].thread;
	fr_locked guard[GUARDS];
	bool before;

	for (; i < n && r->m->ev[list[i]].thread == first; i++)
		ahead(r, list, i, n);
	if (i == n)
		return true;
	before = list[i - 1] < alone_until(r, first);
	if (before && !fr_is_written(r->c, loc, i))
		return true;
	guards = fr_locksets_get(&r->sets, r->set[list[i]], guard, GUARDS);
	if (guards && !before)
		guards = all_hold(r, list, i, guard, guards);
	for (; i < n && guards; i++) {
		ahead(r, list, i, n);
		guards = all_hold(r, list + i, 1, guard, guards);
	}
	return guards > 0;
}

static void see_location(struct races *r, uint32_t loc)
{
	const struct fr_mclass *k = &r->m->cls[FR_C_LOC];

	r->epoch++;
	if (is_safe(r, loc))
		return;
	r->nkinds[0] = r->nkinds[1] = 0;
	memset(r->newest, NONE, sizeof(r->newest));
	memset(r->oldest, NONE, sizeof(r->oldest));
	r->credit = CREDIT;
	for (uint32_t i = k->first[loc]; i < k->first[loc + 1]; i++) {
		ahead(r, k->list, i, k->first[k->n]);
		see_access(r, k->list[i]);
	}
}

static void generate(const struct fr_model *m, const struct fr_causality *c, struct fr_groups *ret)
{
	struct races *r = fr_xcalloc(1, sizeof(*r));

	*ret = (struct fr_groups){0};
	r->m = m;
	r->c = c;
	r->ret = ret;
	r->meetings.m = m;
	fr_locksets_init(&r->sets, m->nthreads);
	r->set = fr_xmalloc(((size_t)m->n + 1) * sizeof(*r->set));
	r->alone = fr_xcalloc(m->nthreads, sizeof(*r->alone));
	find_locksets(r);
	for (uint32_t i = 0; i < m->cls[FR_C_LOC].n; i++)
		if (fr_is_written(c, i, 0))
			see_location(r, i);
	free(r->set);
	free(r->alone);
	fr_locksets_free(&r->sets);
	fr_meetings_write(&r->meetings, ret);
	fr_meetings_free(&r->meetings);
	free(r);
	fr_groups_sort(ret);
}

const struct fr_anomaly fr_anomaly_race = {
    .name = "data-race",
    .summary = "two accesses of the same bytes at once, one of them a write",
    .generate = generate,
};
