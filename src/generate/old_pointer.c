/*
 * Finds uses of old pointers: see old_pointer.h. For each location that holds pointers to objects
 * which are freed in the run, the last writes are compared with the reads that follow.
 *
 * Cost: linear in the accesses to such locations, with a limit for each read.
 */
#include "generate/old_pointer.h"
#include "generate/unguarded.h"
#include "model/model_heap.h"
#include <string.h>

#define OLD_MAX 4     /* older writes that are tried for a read */
#define AHEAD_MAX 64  /* events after a read that are searched for uses */
#define USES_MAX 3    /* uses of one read, each in a lock section of its own */
#define READS_MAX 256 /* reads of a location that are examined */

struct stale_search {
	const struct fr_model *m;
	const struct fr_causality *c;
	void (*found)(void *arg, const struct fr_stale *s);
	void *arg;
	fr_ev *free;	 /* of each HEAP object; FR_NO_EV: none */
	uint64_t lo, hi; /* all objects that are freed are in here */
	uint64_t cut_off;
};

/* A write of a pointer to an object that is freed later. */
struct pointer {
	fr_ev write, free; /* free: FR_NO_EV if the value is no such pointer */
};

static bool is_pointer(const struct fr_mev *v)
{
	return v->mask == 0xff && !(v->flags & (FR_F_NOVALUE | FR_F_RANGE)) && v->value >= 4096 &&
	       v->value < UINT64_C(1) << 47;
}

static struct pointer pointer(const struct stale_search *s, fr_ev write)
{
	const struct fr_mev *v = &s->m->ev[write];
	struct pointer p = {write, FR_NO_EV};
	uint32_t obj = is_pointer(v) ? fr_heap_find(s->m, v->value, write) : UINT32_MAX;

	if (obj != UINT32_MAX && s->free[obj] != FR_NO_EV && s->free[obj] > write)
		p.free = s->free[obj];
	fr_assert(p.free == FR_NO_EV || s->m->ev[p.free].op == FR_OP_FREE);
	return p;
}

/* The thread that read the pointer to the object uses it: the first access, and the first after
   each release of a lock. */
static void see_uses(struct stale_search *s, struct fr_stale *x, uint32_t obj)
{
	const struct fr_mthread *t = &s->m->thread[s->m->ev[x->read].thread];
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];
	uint32_t at = fr_model_pos(s->m, x->read) + 1, n = 0;
	bool wanted = true;

	for (uint32_t i = at; i < t->n && i - at < AHEAD_MAX && n < USES_MAX; i++) {
		const struct fr_mev *v = &s->m->ev[t->ev[i]];

		if (v->op == FR_OP_RELEASE || v->op == FR_OP_RELEASE_SHARED)
			wanted = true;
		if (!wanted || !fr_is_access(v) || v->flags & FR_NO_TARGET ||
		    k->obj[v->obj].aux != obj + 1)
			continue;
		x->use = t->ev[i];
		fr_assert(x->use > x->read && s->m->ev[x->free].obj != obj);
		if (!fr_mhb(s->c, x->use, x->free))
			s->found(s->arg, x);
		wanted = false;
		n++;
	}
}

/* The read saw the last of the writes. */
static void see_read(struct stale_search *s, fr_ev read, const struct pointer *p, uint32_t n)
{
	uint32_t obj = fr_heap_find(s->m, s->m->ev[read].value, read);

	fr_assert(n > 1 && n <= OLD_MAX + 1 && p[n - 1].write < read);
	if (obj == UINT32_MAX)
		return;
	for (uint32_t i = n - 1; i-- > 0;) {
		struct fr_stale x = {
		    .read = read, .old = p[i].write, .next = p[i + 1].write, .free = p[i].free};

		if (x.free == FR_NO_EV || s->m->ev[x.free].obj == obj ||
		    s->m->ev[x.free].thread == s->m->ev[read].thread ||
		    fr_mhb(s->c, x.next, read) || fr_mhb(s->c, x.free, read))
			continue;
		see_uses(s, &x, obj);
	}
}

static void see_location(struct stale_search *s, uint32_t loc)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];
	struct pointer p[OLD_MAX + 1];
	uint32_t n = 0, reads = 0;

	for (uint32_t i = k->first[loc]; i < k->first[loc + 1]; i++) {
		const struct fr_mev *v = &s->m->ev[k->list[i]];

		if (v->op == FR_OP_WRITE && v->mask != 0xff)
			return;
		if (v->op == FR_OP_WRITE) {
			if (n == OLD_MAX + 1)
				memmove(p, p + 1, OLD_MAX * sizeof(*p));
			n = fr_min(n, (uint32_t)OLD_MAX);
			p[n++] = pointer(s, k->list[i]);
			fr_assert(n <= OLD_MAX + 1 && (n < 2 || p[n - 2].write < p[n - 1].write));
		} else if (n > 1 && is_pointer(v) && !(v->flags & FR_NO_TARGET)) {
			if (++reads > READS_MAX) {
				s->cut_off++;
				return;
			}
			see_read(s, k->list[i], p, n);
		}
	}
}

static void find_frees(struct stale_search *s)
{
	const struct fr_mclass *h = &s->m->cls[FR_C_HEAP];

	s->free = fr_xmalloc((h->n + 1) * sizeof(*s->free));
	s->lo = UINT64_MAX;
	for (uint32_t o = 0; o < h->n; o++) {
		s->free[o] = FR_NO_EV;
		for (uint32_t i = h->first[o]; i < h->first[o + 1]; i++) {
			const struct fr_mev *v = &s->m->ev[h->list[i]];

			if (v->op == FR_OP_FREE)
				s->free[o] = h->list[i];
			s->hi = fr_max(s->hi, h->obj[o].addr + v->value + 1);
		}
		s->lo = fr_min(s->lo, h->obj[o].addr);
	}
}

/* The locations into which a pointer to such an object may have been written. */
static bool *find_wanted(const struct stale_search *s)
{
	bool *wanted = fr_xcalloc((size_t)s->m->cls[FR_C_LOC].n + 1, sizeof(*wanted));

	for (fr_ev e = 0; e < s->m->n; e++) {
		const struct fr_mev *v = &s->m->ev[e];

		if (v->op == FR_OP_WRITE && v->value >= s->lo && v->value < s->hi && is_pointer(v))
			wanted[v->obj] = true;
	}
	return wanted;
}

uint64_t fr_stale_find(const struct fr_model *m, const struct fr_causality *c,
		       void (*found)(void *arg, const struct fr_stale *s), void *arg)
{
	struct stale_search s = {.m = m, .c = c, .found = found, .arg = arg};

	find_frees(&s);
	if (s.lo < s.hi) {
		bool *wanted = find_wanted(&s);

		for (uint32_t i = 0; i < m->cls[FR_C_LOC].n; i++)
			if (wanted[i])
				see_location(&s, i);
		free(wanted);
	}
	free(s.free);
	return s.cut_off;
}
