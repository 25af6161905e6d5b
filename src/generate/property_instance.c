/* Instances by joining: see property_instance.h. */
#include "generate/property_instance.h"
#include "generate/generate.h"
#include <string.h>

#define INSTANCES_MAX (1u << 22)
#define PRODUCT_MAX 4096u /* joins without a common parameter */

static uint64_t hash_of(const struct fr_binding *b, uint32_t of)
{
	uint64_t h = of;

	for (uint32_t i = 0; i < FR_SPEC_PARAMS; i++)
		if (of >> i & 1)
			h = fr_mix(h, b->value[i]);
	return h >> 1;
}

static bool agree(const struct fr_binding *a, const struct fr_binding *b, uint32_t on)
{
	for (uint32_t i = 0; i < FR_SPEC_PARAMS; i++)
		if (on >> i & 1 && a->value[i] != b->value[i])
			return false;
	return true;
}

/* The index into `seen` of the part `of` of a binding, or UINT32_MAX. */
static uint32_t find(const struct fr_instances *x, const struct fr_binding *b, uint32_t of)
{
	const uint64_t *at = fr_map_get(&x->index, hash_of(b, of));

	for (uint64_t i = at ? *at : 0; i; i = x->same.v[i - 1])
		if (x->seen.v[i - 1].bound == of && agree(&x->seen.v[i - 1], b, of))
			return (uint32_t)i - 1;
	return UINT32_MAX;
}

static struct fr_binding binding_of(const struct fr_occurrences *o, const struct fr_occurrence *e)
{
	struct fr_binding b = {.bound = e->bound};
	uint32_t at = e->value;

	for (uint32_t i = 0; i < FR_SPEC_PARAMS; i++)
		if (e->bound >> i & 1) {
			fr_assert(at < o->value.n);
			b.value[i] = o->value.v[at++];
		}
	return b;
}

static uint32_t add_seen(struct fr_instances *x, const struct fr_binding *b)
{
	uint32_t i = find(x, b, b->bound), k = 0;
	uint64_t *at;

	if (i != UINT32_MAX)
		return i;
	at = fr_map_put(&x->index, hash_of(b, b->bound));
	fr_vec_push(&x->same, (uint32_t)*at);
	fr_vec_push(&x->seen, *b);
	*at = x->seen.n;
	fr_assert(x->same.n == x->seen.n);
	while (k < x->mask.n && x->mask.v[k] != b->bound)
		k++;
	if (k == x->mask.n)
		fr_vec_push(&x->mask, b->bound);
	return (uint32_t)x->seen.n - 1;
}

static void index_occurrences(struct fr_instances *x)
{
	size_t n = x->o->v.n;
	uint32_t *of = fr_xcalloc(n + 1, sizeof(*of));

	for (size_t i = 0; i < n; i++) {
		struct fr_binding b = binding_of(x->o, &x->o->v.v[i]);

		of[i] = add_seen(x, &b);
	}
	x->first = fr_xcalloc(x->seen.n + 2, sizeof(*x->first));
	x->list = fr_xcalloc(n + 1, sizeof(*x->list));
	for (size_t i = 0; i < n; i++)
		x->first[of[i] + 2]++;
	for (size_t i = 0; i < x->seen.n; i++)
		x->first[i + 2] += x->first[i + 1];
	for (size_t i = 0; i < n; i++)
		x->list[x->first[of[i] + 1]++] = (uint32_t)i;
	fr_assert(!x->first[0] && x->first[x->seen.n] == n); /* each has a binding */
	free(of);
}

static int by_size(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int d = __builtin_popcount(y) - __builtin_popcount(x);

	return d ? d : (x > y) - (x < y);
}

/* All parameters that events bind together with one of these, directly or by others. */
static uint32_t linked(const struct fr_instances *x, uint32_t params)
{
	uint32_t before = 0;

	fr_assert(!(params >> (FR_SPEC_PARAMS - 1) >> 1));
	while (before != params) {
		before = params;
		FR_VEC_FOREACH (m, &x->mask)
			params |= *m & params ? *m : 0;
	}
	return params;
}

typedef FR_VEC(struct fr_binding) bindings;

/* Joins the instances so far that have the parameters `have` with the bindings of `mask`.
   joined[i], covered[k]: instance i was extended; binding k of `seen` is in an instance. */
static void join(struct fr_instances *x, uint32_t have, uint32_t mask, bool *joined, bool *covered,
		 bindings *ret)
{
	uint32_t common = have & mask;
	struct fr_map by = {0}; /* hash of the common part -> first instance + 1 */
	uint32_t *next = fr_xcalloc(x->v.n + 1, sizeof(*next)), product = 0;

	for (size_t i = 0; i < x->v.n; i++) {
		uint64_t *at;

		if (x->v.v[i].bound != have)
			continue;
		at = fr_map_put(&by, hash_of(&x->v.v[i], common));
		next[i] = (uint32_t)*at;
		*at = i + 1;
	}
	for (size_t k = 0; k < x->seen.n; k++) {
		const struct fr_binding *b = &x->seen.v[k];
		const uint64_t *at = b->bound == mask ? fr_map_get(&by, hash_of(b, common)) : NULL;

		for (uint64_t i = at ? *at : 0; i; i = next[i - 1]) {
			struct fr_binding *a = &x->v.v[i - 1], both = *a;

			if (!agree(a, b, common))
				continue;
			covered[k] = true;
			if ((have & mask) == mask)
				break;
			if (!common && ++product > PRODUCT_MAX) {
				x->cut_off = true;
				break;
			}
			fr_assert(a->bound == have);
			joined[i - 1] = true;
			both.bound |= mask;
			for (uint32_t p = 0; p < FR_SPEC_PARAMS; p++)
				if (mask >> p & 1)
					both.value[p] = b->value[p];
			fr_vec_push(ret, both);
		}
	}
	free(next);
	fr_map_free(&by);
}

/* Extends all instances so far by the bindings of one set of parameters. */
static void extend(struct fr_instances *x, uint32_t mask)
{
	bool *joined = fr_xcalloc(x->v.n + 1, sizeof(*joined));
	bool *covered = fr_xcalloc(x->seen.n + 1, sizeof(*covered));
	FR_VEC(uint32_t) have = {0};
	bindings more = {0};

	FR_VEC_FOREACH (i, &x->v) {
		size_t k = 0;

		while (k < have.n && have.v[k] != i->bound)
			k++;
		if (k == have.n)
			fr_vec_push(&have, i->bound);
	}
	/* All combinations only of parameters that no event binds together. */
	FR_VEC_FOREACH (h, &have)
		if (*h & mask || !mask || !(linked(x, *h) & mask))
			join(x, *h, mask, joined, covered, &more);
	for (size_t i = 0; i < x->v.n; i++)
		if (!joined[i])
			fr_vec_push(&more, x->v.v[i]);
	for (size_t k = 0; k < x->seen.n; k++)
		if (x->seen.v[k].bound == mask && !covered[k])
			fr_vec_push(&more, x->seen.v[k]);
	if (more.n > INSTANCES_MAX) {
		more.n = INSTANCES_MAX;
		x->cut_off = true;
	}
	fr_vec_free(&x->v);
	x->v.v = more.v;
	x->v.n = more.n;
	x->v.cap = more.cap;
	fr_vec_free(&have);
	free(joined);
	free(covered);
}

void fr_instances_init(struct fr_instances *x, const struct fr_occurrences *o)
{
	*x = (struct fr_instances){.o = o};
	index_occurrences(x);
	if (x->mask.n)
		qsort(x->mask.v, x->mask.n, sizeof(*x->mask.v), by_size);
	FR_VEC_FOREACH (m, &x->mask)
		extend(x, *m);
}

void fr_instances_free(struct fr_instances *x)
{
	fr_vec_free(&x->seen);
	fr_vec_free(&x->same);
	fr_vec_free(&x->mask);
	fr_vec_free(&x->v);
	fr_map_free(&x->index);
	free(x->first);
	free(x->list);
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void fr_instances_events(const struct fr_instances *x, const struct fr_binding *instance,
			 fr_occurrence_list *ret)
{
	size_t n = 0;

	ret->n = 0;
	FR_VEC_FOREACH (m, &x->mask) {
		uint32_t k = (*m & instance->bound) == *m ? find(x, instance, *m) : UINT32_MAX;

		if (k == UINT32_MAX)
			continue;
		for (uint32_t i = x->first[k]; i < x->first[k + 1]; i++)
			fr_vec_push(ret, x->list[i]);
	}
	if (ret->n)
		qsort(ret->v, ret->n, sizeof(*ret->v), by_number);
	/* of those that are one event of the run, the first */
	for (size_t i = 0; i < ret->n; i++)
		if (!n || x->o->v.v[ret->v[n - 1]].ev != x->o->v.v[ret->v[i]].ev)
			ret->v[n++] = ret->v[i];
	ret->n = n;
	for (size_t i = 1; i < n; i++)
		fr_assert(x->o->v.v[ret->v[i - 1]].ev < x->o->v.v[ret->v[i]].ev);
}
