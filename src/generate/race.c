/*
 * Data races: two accesses to overlapping bytes by different threads, at least one a write, not
 * both atomic, that can be pending at once. There is one group for each pair of sites.
 *
 * The search takes the locations one by one, and walks along the list of each. Accesses of one
 * thread from one site with one set of locks are alike: only the last is kept, and a new access is
 * compared with the last of each other kind. This loses nothing to must-happen-before: if the last
 * one is ordered before the new access, all earlier ones are.
 *
 * Cost:             locations that a lock guards are left out (guard.c). Comparisons are rationed:
 *                   an access like many earlier ones is compared only now and then, and the kinds
 *                   kept for a location and the comparisons for each access are bounded. So the
 *                   cost is linear in the accesses.
 * Memory:           two bytes for each access to the remaining locations while the search runs. The
 *                   state of a location is dropped after it.
 * Not decided here: whether the two can really meet. The oracle decides that.
 */
#include "generate/generate.h"
#include "generate/matches.h"
#include "generate/guard.h"
#include "generate/lockset.h"
#include "causality/refute.h"
#include <string.h>

#define KINDS_MAX 64	/* kinds of accesses kept per location */
#define CREDIT 1024	/* comparisons per location, */
#define CREDIT_ACCESS 4 /* plus this many for each access */
#define GROUPS_MAX 200000
#define MANY 20000 /* above this number of groups, fewer instances of each */
#define SLOTS 128
#define AHEAD 16
#define NONE UINT8_MAX

/* Accesses that are alike. */
struct kind {
	uint64_t key; /* thread, lock set, site; `what`: mask, write, atomic */
	uint16_t what;
	uint8_t newer, older; /* by last access */
	uint8_t slot, next;   /* slot in the table; next kind in that slot */
	uint32_t count;
	fr_ev last;
};

struct races {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_groups *ret;
	struct fr_locksets sets;
	bool *open;    /* the locations that may have a race */
	uint16_t *set; /* lock set of each access to an open location, location by location */
	struct fr_matches matches;
	/* State of one location. */
	struct kind kind[2 * KINDS_MAX]; /* reads, then writes */
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

/* Walks along the run again, and finds the locks held at the accesses to open locations. */
static void find_locksets(struct races *r)
{
	const struct fr_model *m = r->m;
	const struct fr_mclass *k = &m->cls[FR_C_LOC];
	FR_CLEANUP(fr_freep) uint32_t *next = fr_xmalloc(((size_t)k->n + 1) * sizeof(*next));
	uint32_t n = 0;

	for (uint32_t i = 0; i < k->n; i++) {
		next[i] = r->open[i] ? n : UINT32_MAX;
		if (r->open[i])
			n += k->first[i + 1] - k->first[i];
	}
	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];

		if (!fr_is_access(v)) {
			if (fr_changes_locks(v))
				fr_locksets_step(&r->sets, v);
		} else if (next[v->obj] != UINT32_MAX) {
			r->set[next[v->obj]++] = fr_locksets_now(&r->sets, v->thread);
		}
	}
}

/* ---- kinds, most recent first ---- */

static void unlink_kind(struct races *r, uint8_t i)
{
	struct kind *k = &r->kind[i];

	fr_assert_slow(k->newer == NONE ? r->newest[i / KINDS_MAX] == i
					: r->kind[k->newer].older == i);
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
		fr_assert(i / KINDS_MAX == w && r->kind[i].older == NONE);
		forget_kind(r, i);
		r->ret->cut_off++;
	}
	r->kind[i] =
	    (struct kind){.key = key, .what = what, .slot = slot, .next = r->table[slot].kind};
	r->table[slot].kind = i;
	return i;
}

/* The kind of an access, which becomes the newest; a new kind has count 0. */
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

static void meet(struct races *r, const struct kind *old, fr_ev e, uint16_t sy)
{
	const struct fr_mev *x = &r->m->ev[old->last], *y = &r->m->ev[e];
	uint16_t sx = (uint16_t)(old->key >> 32);
	uint32_t p = x->site, q = y->site;
	fr_ev ev[2];
	struct fr_match_group of = {.key = (p < q ? fr_mix(p, q) : fr_mix(q, p)) >> 1, .nev = 2};
	struct fr_match w = {.ev = ev, .apart = fr_apart(old->last, e), .end = e};
	bool unknown = !fr_lockset_exact(&r->sets, sx) || !fr_lockset_exact(&r->sets, sy);

	fr_assert_slow(x->obj == y->obj && x->thread != y->thread && x->mask & y->mask);
	fr_assert_slow(x->op == FR_OP_WRITE || y->op == FR_OP_WRITE);
	if (fr_locksets_exclude(&r->sets, sx, sy)) {
		r->ret->refuted++;
		return;
	}
	w.context =
	    (uint32_t)fr_mix((uint64_t)x->thread << 16 | y->thread, (uint64_t)sx << 16 | sy);
	if (!fr_matches_want(&r->matches, of.key, &w))
		return;
	if (fr_mhb(r->c, old->last, e) || (unknown && fr_refute_pair(r->m, r->c, old->last, e))) {
		r->ret->refuted++;
		return;
	}
	ev[0] = fr_head(r->m, old->last);
	ev[1] = fr_head(r->m, e);
	w.note = old->last - ev[0];
	if (!fr_matches_add(&r->matches, &of, &w))
		r->ret->cut_off++;
}

static void write_matches(void *arg, struct fr_group *g, const struct fr_match *w, uint32_t n)
{
	(void)arg;
	for (uint32_t i = 0; i < n; i++) {
		struct fr_instance *in = fr_instance_new(2);

		fr_assert(w[i].ev[0] != w[i].ev[1] && w[i].ev[1] <= w[i].end);
		in->what.npending = 2;
		in->what.pending[0] = w[i].ev[0];
		in->what.pending[1] = w[i].ev[1];
		in->actor[0] = (struct fr_actor){w[i].ev[0] + w[i].note, FR_ROLE_FIRST, 1};
		in->actor[1] = (struct fr_actor){w[i].end, FR_ROLE_SECOND, 1};
		fr_vec_push(&g->instance, in);
	}
}

/* ---- locations ---- */

/* Compares the access with the last of each kind, most recent first. */
static void look_at(struct races *r, uint8_t i, fr_ev e, uint16_t what, uint16_t set)
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
			meet(r, o, e, set);
	}
}

static void see_access(struct races *r, fr_ev e, uint16_t set)
{
	const struct fr_mev *v = &r->m->ev[e];
	uint16_t what = (uint16_t)(v->mask | (v->op == FR_OP_WRITE ? WHAT_WRITE : 0) |
				   (v->flags & FR_F_ATOMIC ? WHAT_ATOMIC : 0));
	uint64_t key = (uint64_t)v->thread << 48 | (uint64_t)set << 32 | v->site;
	struct kind *k;

	if (v->flags & FR_NO_TARGET)
		return;
	k = kind_of(r, key, what);
	r->credit += CREDIT_ACCESS;
	if (fr_look_now(k->count)) {
		look_at(r, r->newest[1], e, what, set);
		if (what & WHAT_WRITE)
			look_at(r, r->newest[0], e, what, set);
	}
	fr_assert_slow(!k->count || k->last < e);
	k->count++;
	k->last = e;
}

/* set: the lock sets of the location's accesses. Returns the number of accesses. */
static uint32_t see_location(struct races *r, uint32_t loc, const uint16_t *set)
{
	const struct fr_mclass *k = &r->m->cls[FR_C_LOC];
	const fr_ev *list = k->list + k->first[loc];
	uint32_t n = k->first[loc + 1] - k->first[loc];

	r->epoch++;
	r->nkinds[0] = r->nkinds[1] = 0;
	memset(r->newest, NONE, sizeof(r->newest));
	memset(r->oldest, NONE, sizeof(r->oldest));
	r->credit = CREDIT;
	for (uint32_t i = 0; i < n; i++) {
		if (i + AHEAD < n)
			__builtin_prefetch(&r->m->ev[list[i + AHEAD]]);
		see_access(r, list[i], set[i]);
	}
	return n;
}

static void generate(const struct fr_generator *self, const struct fr_model *m,
		     const struct fr_causality *c, const struct fr_generate_opt *opt,
		     struct fr_groups *ret)
{
	struct races *r = fr_xcalloc(1, sizeof(*r));
	size_t n, all;

	(void)self;
	(void)opt;
	*ret = (struct fr_groups){0};
	r->m = m;
	r->c = c;
	r->ret = ret;
	r->matches.max = GROUPS_MAX;
	r->matches.many = MANY;
	n = fr_guards_find(m, c, &r->open);
	if (n) {
		fr_locksets_init(&r->sets, m->nthreads);
		r->set = fr_xmalloc(n * sizeof(*r->set));
		find_locksets(r);
		all = n;
		n = 0;
		for (uint32_t i = 0; i < m->cls[FR_C_LOC].n; i++)
			if (r->open[i])
				n += see_location(r, i, r->set + n);
		fr_assert(n == all);
		fr_locksets_free(&r->sets);
	}
	free(r->set);
	free(r->open);
	fr_matches_write(&r->matches, write_matches, NULL, ret);
	fr_matches_free(&r->matches);
	free(r);
	fr_groups_sort(ret);
}

const struct fr_generator fr_generator_race = {
    .name = "data-race",
    .summary = "two threads access the same bytes at once, and one of them writes",
    .meeting = FR_MEETING_EITHER_ORDER,
    .rank = 50,
    .generate = generate,
};
