/*
 * See access_index.h. The index takes two passes over each location's list. The first finds the
 * class of each access and counts the classes' members; the second stores them. Linear in the
 * accesses.
 *
 * Not handled: classes beyond the first CLASSES_MAX of a location. Their accesses are counted in
 * cut_off.
 */
#include "generate/access_index.h"
#include "generate/unguarded.h"

#define CLASSES_MAX 254
#define SLOTS 1024 /* a power of two, several times CLASSES_MAX */
#define NONE UINT8_MAX
_Static_assert(CLASSES_MAX < NONE && CLASSES_MAX < SLOTS && !(SLOTS & (SLOTS - 1)),
	       "a class has a number, and the search for its slot ends");

struct making {
	struct fr_access_index *x;
	uint32_t epoch;
	struct {
		uint32_t epoch;
		uint8_t class;
	} slot[SLOTS];
	FR_VEC(uint8_t) of; /* the class of each access to the location */
};

static bool alike(const struct fr_access_class *a, const struct fr_access_class *b)
{
	return a->site == b->site && a->locks == b->locks && a->thread == b->thread &&
	       a->mask == b->mask && a->write == b->write;
}

/* The number of the class at the location; NONE if the location has too many. */
static uint8_t class_of(struct making *k, uint32_t first, const struct fr_access_class *c)
{
	uint64_t h = fr_mix((uint64_t)c->site << 32 | c->locks,
			    (uint64_t)c->thread << 16 | c->mask << 1 | c->write);

	for (uint32_t i = (uint32_t)h;; i++) {
		uint32_t n = (uint32_t)k->x->class.n - first;

		if (k->slot[i % SLOTS].epoch != k->epoch) {
			if (n == CLASSES_MAX)
				return NONE;
			fr_vec_push(&k->x->class, *c);
			k->slot[i % SLOTS].epoch = k->epoch;
			k->slot[i % SLOTS].class = (uint8_t)n;
			return (uint8_t)n;
		}
		n = k->slot[i % SLOTS].class;
		fr_assert_slow(first + n < k->x->class.n);
		if (alike(&k->x->class.v[first + n], c))
			return (uint8_t)n;
	}
}

/* Indexes one location. Returns the end of its range of `at`. */
static uint32_t see_location(struct making *k, uint32_t loc, uint32_t end)
{
	struct fr_access_index *x = k->x;
	const struct fr_mclass *l = &x->m->cls[FR_C_LOC];
	uint32_t first = (uint32_t)x->class.n, begin = end;

	k->epoch++;
	k->of.n = 0;
	for (uint32_t i = l->first[loc]; i < l->first[loc + 1]; i++) {
		const struct fr_mev *v = &x->m->ev[l->list[i]];
		const struct fr_span *s = &x->r->span.v[fr_access_span(x, i)];
		struct fr_access_class c = {.site = v->site,
					    .locks = s->locks,
					    .thread = v->thread,
					    .mask = v->mask,
					    .write = v->op == FR_OP_WRITE};
		uint8_t n = v->flags & FR_NO_TARGET ? NONE : class_of(k, first, &c);

		x->cut_off += n == NONE && !(v->flags & FR_NO_TARGET);
		if (n != NONE)
			x->class.v[first + n].n++;
		fr_vec_push(&k->of, n);
	}
	for (size_t i = first; i < x->class.n; i++) {
		x->class.v[i].first = end;
		end += x->class.v[i].n;
		x->class.v[i].n = 0;
	}
	fr_assert(x->class.n - first <= CLASSES_MAX && end - begin <= k->of.n);
	for (size_t i = 0; i < k->of.n; i++) {
		struct fr_access_class *c;

		if (k->of.v[i] == NONE)
			continue;
		c = &x->class.v[first + k->of.v[i]];
		fr_assert_slow(c->first + c->n < end);
		x->at[c->first + c->n++] = l->first[loc] + (uint32_t)i;
	}
	return end;
}

void fr_access_index_init(struct fr_access_index *x, const struct fr_regions *r)
{
	const struct fr_mclass *l = &r->m->cls[FR_C_LOC];
	struct making *k = fr_xcalloc(1, sizeof(*k));
	uint32_t end = 0;
	size_t n = 0;

	*x = (struct fr_access_index){.m = r->m, .r = r};
	k->x = x;
	for (uint32_t i = 0; i < l->n; i++)
		n += r->first[i] == UINT32_MAX ? 0 : l->first[i + 1] - l->first[i];
	x->at = fr_xmalloc((n + 1) * sizeof(*x->at));
	x->class_first = fr_xmalloc(((size_t)l->n + 1) * sizeof(*x->class_first));
	for (uint32_t i = 0; i < l->n; i++) {
		x->class_first[i] = (uint32_t)x->class.n;
		if (r->first[i] != UINT32_MAX)
			end = see_location(k, i, end);
	}
	x->class_first[l->n] = (uint32_t)x->class.n;
	fr_assert(end + x->cut_off <= n && x->class_first[0] == 0);
	FR_VEC_FOREACH (c, &x->class)
		fr_assert(c->n && c->first + c->n <= end);
	fr_vec_free(&k->of);
	free(k);
}

void fr_access_index_free(struct fr_access_index *x)
{
	free(x->class_first);
	free(x->at);
	fr_vec_free(&x->class);
}

uint32_t fr_access_lower(const struct fr_access_index *x, const struct fr_access_class *c, fr_ev e)
{
	uint32_t lo = 0, n = c->n;

	while (n) {
		uint32_t half = n / 2;

		if (fr_access_ev(x, x->at[c->first + lo + half]) < e) {
			lo += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return lo;
}
