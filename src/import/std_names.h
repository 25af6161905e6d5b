/*
 * Numbers the names of an imported trace from 0, in the order of their first use. The strings stay
 * in the mapped file. A hash table with open addressing.
 */
#ifndef FR_IMPORT_STD_NAMES_H
#define FR_IMPORT_STD_NAMES_H

#include "base/assert.h"
#include "base/hash.h"
#include "base/mem.h"
#include <stdbool.h>
#include <string.h>

struct fr_std_name {
	const char *s;
	size_t n;
};

struct fr_std_names {
	FR_VEC(struct fr_std_name) name;
	struct {
		uint32_t hash, number; /* number: 1 + that of the name, 0: empty */
	} *slot;
	size_t cap;
};

static inline uint32_t fr_std_hash(const char *s, size_t n)
{
	uint64_t h = fr_hash_spread(n), w;

	for (; n >= 8; s += 8, n -= 8) {
		memcpy(&w, s, 8);
		h = (h ^ w) * UINT64_C(0xff51afd7ed558ccd);
		h ^= h >> 32;
	}
	w = 0;
	for (size_t i = 0; i < n; i++)
		w = w << 8 | (uint8_t)s[i];
	h = (h ^ w) * UINT64_C(0xff51afd7ed558ccd);
	return (uint32_t)(h >> 32);
}

static inline void fr_std_names_grow(struct fr_std_names *t)
{
	size_t cap = t->cap ? t->cap * 2 : 1024;
	__typeof__(t->slot) slot = fr_xcalloc(cap, sizeof(*slot));

	for (size_t i = 0; i < t->cap; i++) {
		size_t at = t->slot[i].hash & (cap - 1);

		if (!t->slot[i].number)
			continue;
		while (slot[at].number)
			at = (at + 1) & (cap - 1);
		slot[at] = t->slot[i];
	}
	fr_assert(!(cap & (cap - 1)) && t->name.n < cap);
	free(t->slot);
	t->slot = slot;
	t->cap = cap;
}

/* Returns the number of a name. *ret_new: the name is new. */
static inline uint32_t fr_std_names_get(struct fr_std_names *t, const char *s, size_t n,
					bool *ret_new)
{
	uint32_t hash = fr_std_hash(s, n);
	size_t at;

	if (t->name.n * 2 >= t->cap)
		fr_std_names_grow(t);
	for (at = hash & (t->cap - 1); t->slot[at].number; at = (at + 1) & (t->cap - 1)) {
		const struct fr_std_name *x = &t->name.v[t->slot[at].number - 1];

		if (t->slot[at].hash == hash && x->n == n && !memcmp(x->s, s, n)) {
			*ret_new = false;
			return t->slot[at].number - 1;
		}
	}
	fr_vec_push(&t->name, (struct fr_std_name){s, n});
	t->slot[at].hash = hash;
	t->slot[at].number = (uint32_t)t->name.n;
	*ret_new = true;
	return (uint32_t)t->name.n - 1;
}

static inline void fr_std_names_clear(struct fr_std_names *t)
{
	fr_vec_free(&t->name);
	free(t->slot);
	t->slot = NULL;
}

#endif
