/* The writes of a location by value: see values.h. Sorted once, then found by bisection. */
#include "causality/values.h"

#define TOTAL 65536   /* limit for all writes together, or if that is more: */
#define TOTAL_PART 16 /* one in this many events; sorting takes four times the memory */
#define AHEAD 16

void fr_values_init(struct fr_values *x, const struct fr_model *m, const struct fr_causality *c)
{
	*x = (struct fr_values){.m = m, .c = c};
}

void fr_values_free(struct fr_values *x)
{
	FR_VEC_FOREACH (l, &x->loc)
		free(l->v);
	fr_vec_free(&x->loc);
	fr_vec_free(&x->writes);
	fr_vec_free(&x->room);
	fr_map_free(&x->index);
}

static int by_value(const void *a, const void *b)
{
	const struct fr_value *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (x->write > y->write) - (x->write < y->write);
}

/* Collects the writes of a location, last first, skipping its reads. */
static void find_writes(struct fr_values *x, uint32_t loc)
{
	const struct fr_mclass *k = &x->m->cls[FR_C_LOC];
	uint32_t first = k->first[loc], at = k->first[loc + 1];

	x->writes.n = 0;
	while ((at = fr_write_before(x->c, first, at)) != UINT32_MAX)
		fr_vec_push(&x->writes, k->list[at]);
}

static struct fr_values_loc make(struct fr_values *x, uint32_t loc)
{
	const struct fr_mev *ev = x->m->ev;
	struct fr_values_loc l = {0};

	find_writes(x, loc);
	if (x->total + x->writes.n > TOTAL && x->total + x->writes.n > x->m->n / TOTAL_PART)
		return l;
	x->room.n = 0;
	FR_VEC_FOREACH (w, &x->writes) {
		const struct fr_mev *e = &ev[*w];

		if (w + AHEAD < x->writes.v + x->writes.n)
			__builtin_prefetch(&ev[w[AHEAD]]);
		if (e->flags & FR_F_NOVALUE || (x->room.n && e->mask != l.mask))
			return (struct fr_values_loc){0};
		l.mask = e->mask;
		fr_vec_push(&x->room, ((struct fr_value){e->value & fr_mask_bytes(l.mask), *w}));
	}
	if (!x->room.n)
		return (struct fr_values_loc){0};
	qsort(x->room.v, x->room.n, sizeof(*x->room.v), by_value);
	fr_assert(x->room.n == x->writes.n);
	l.n = (uint32_t)x->room.n;
	x->total += l.n;
	l.v = fr_xmalloc(l.n * sizeof(*l.v));
	for (uint32_t i = 0; i < l.n; i++)
		l.v[i] = x->room.v[i].write;
	return l;
}

static uint64_t value_of(const struct fr_values *x, const struct fr_values_loc *l, uint32_t i)
{
	return x->m->ev[l->v[i]].value & fr_mask_bytes(l->mask);
}

bool fr_values_find(struct fr_values *x, fr_ev read, const fr_ev **ret, uint32_t *ret_n)
{
	const struct fr_mev *r = &x->m->ev[read];
	uint64_t *at = fr_map_put(&x->index, r->obj), value;
	const struct fr_values_loc *l;
	uint32_t lo = 0, n;

	if (!*at) {
		fr_vec_push(&x->loc, make(x, r->obj));
		*at = x->loc.n;
	}
	fr_assert(*at <= x->loc.n && r->op == FR_OP_READ);
	l = &x->loc.v[*at - 1];
	if (!l->v || r->mask != l->mask)
		return false;
	value = r->value & fr_mask_bytes(l->mask);
	for (n = l->n; n;) {
		uint32_t half = n / 2;

		if (value_of(x, l, lo + half) < value) {
			lo += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	*ret = l->v + lo;
	for (n = 0; lo + n < l->n && value_of(x, l, lo + n) == value; n++)
		;
	*ret_n = n;
	return true;
}
