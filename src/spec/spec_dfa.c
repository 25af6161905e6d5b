/* Deterministic automata: subset construction, product, minimisation. See spec_auto.h. */
#include "spec/spec_auto.h"
#include "base/assert.h"
#include "base/hash.h"
#include <string.h>

#define WORK_MAX 100000000u /* edges looked at in one subset construction */

void fr_dfa_free(struct fr_dfa *d)
{
	free(d->next);
	free(d->accept);
	*d = (struct fr_dfa){0};
}

void fr_nfa_free(struct fr_nfa *n)
{
	FR_VEC_FOREACH (l, &n->label)
		free(*l);
	fr_vec_free(&n->label);
	fr_vec_free(&n->edge);
}

/* ---- states that are sequences of words, numbered in order of appearance ---- */

struct numbers {
	uint32_t width;
	FR_VEC(uint64_t) word;
	struct fr_map first;   /* hash -> number + 1 of the first with that hash */
	FR_VEC(uint32_t) same; /* the next with the same hash + 1 */
};

/* The number of a state; a new one if it is new. */
static uint32_t number(struct numbers *x, const uint64_t *w)
{
	uint64_t h = 0, *first;
	uint32_t n = (uint32_t)x->same.n;

	for (uint32_t i = 0; i < x->width; i++)
		h = fr_mix(h, w[i]);
	first = fr_map_put(&x->first, h >> 1);
	for (uint64_t i = *first; i; i = x->same.v[i - 1])
		if (!memcmp(x->word.v + (i - 1) * x->width, w, x->width * sizeof(*w)))
			return (uint32_t)i - 1;
	fr_vec_push(&x->same, (uint32_t)*first);
	*first = n + 1;
	for (uint32_t i = 0; i < x->width; i++)
		fr_vec_push(&x->word, w[i]);
	fr_assert(x->word.n == x->same.n * x->width);
	return n;
}

static void numbers_free(struct numbers *x)
{
	fr_vec_free(&x->word);
	fr_vec_free(&x->same);
	fr_map_free(&x->first);
}

/* ---- the subset construction ---- */

static bool has(const uint64_t *set, uint32_t i)
{
	return set[i / 64] >> i % 64 & 1;
}

/* Adds all states that are reached without reading. */
static void close_set(const struct fr_nfa *n, uint64_t *set, uint64_t *work)
{
	bool more = true;

	while (more) {
		more = false;
		*work += n->edge.n;
		FR_VEC_FOREACH (e, &n->edge)
			if (e->label == FR_NO_NAME && has(set, e->from) && !has(set, e->to)) {
				set[e->to / 64] |= UINT64_C(1) << e->to % 64;
				more = true;
			}
	}
}

bool fr_nfa_determinise(const struct fr_nfa *n, struct fr_dfa *ret)
{
	struct numbers x = {.width = n->states / 64 + 1};
	uint64_t *set = fr_xcalloc(x.width, sizeof(*set));
	FR_VEC(uint32_t) next = {0};
	uint64_t work = 0;

	fr_assert(n->start < n->states && n->end < n->states);
	*ret = (struct fr_dfa){.letters = n->letters};
	set[n->start / 64] |= UINT64_C(1) << n->start % 64;
	close_set(n, set, &work);
	number(&x, set);
	for (uint32_t s = 0; s < x.same.n && s <= FR_AUTO_STATES && work < WORK_MAX; s++)
		for (uint32_t l = 0; l < n->letters; l++) {
			const uint64_t *from = x.word.v + (size_t)s * x.width;

			memset(set, 0, x.width * sizeof(*set));
			FR_VEC_FOREACH (e, &n->edge)
				if (e->label != FR_NO_NAME && has(from, e->from) &&
				    n->label.v[e->label][l])
					set[e->to / 64] |= UINT64_C(1) << e->to % 64;
			close_set(n, set, &work);
			fr_vec_push(&next, number(&x, set));
		}
	free(set);
	ret->states = (uint32_t)x.same.n;
	ret->next = next.v;
	ret->accept = fr_xcalloc((size_t)ret->states + 1, sizeof(bool));
	for (uint32_t s = 0; s < ret->states; s++)
		ret->accept[s] = has(x.word.v + (size_t)s * x.width, n->end);
	numbers_free(&x);
	if (ret->states <= FR_AUTO_STATES && work < WORK_MAX)
		return true;
	fr_dfa_free(ret);
	return false;
}

/* ---- operations ---- */

void fr_dfa_complement(struct fr_dfa *d)
{
	for (uint32_t s = 0; s < d->states; s++)
		d->accept[s] = !d->accept[s];
}

bool fr_dfa_both(const struct fr_dfa *a, const struct fr_dfa *b, struct fr_dfa *ret)
{
	struct numbers x = {.width = 1};
	FR_VEC(uint32_t) next = {0};

	fr_assert(a->letters == b->letters);
	number(&x, &(uint64_t){(uint64_t)a->start << 32 | b->start});
	for (uint32_t s = 0; s < x.same.n && s <= FR_AUTO_STATES; s++)
		for (uint32_t l = 0; l < a->letters; l++) {
			uint64_t pair = x.word.v[s];
			uint64_t to = (uint64_t)fr_dfa_step(a, (uint32_t)(pair >> 32), l) << 32 |
				      fr_dfa_step(b, (uint32_t)pair, l);

			fr_vec_push(&next, number(&x, &to));
		}
	*ret = (struct fr_dfa){.states = (uint32_t)x.same.n, .letters = a->letters, .next = next.v};
	ret->accept = fr_xcalloc((size_t)ret->states + 1, sizeof(bool));
	for (uint32_t s = 0; s < ret->states; s++)
		ret->accept[s] = a->accept[x.word.v[s] >> 32] && b->accept[(uint32_t)x.word.v[s]];
	numbers_free(&x);
	if (ret->states <= FR_AUTO_STATES)
		return true;
	fr_dfa_free(ret);
	return false;
}

bool *fr_dfa_live(const struct fr_dfa *d)
{
	bool *live = fr_xcalloc((size_t)d->states + 1, sizeof(*live)), more = true;

	memcpy(live, d->accept, d->states * sizeof(*live));
	while (more) {
		more = false;
		for (uint32_t s = 0; s < d->states; s++)
			for (uint32_t l = 0; l < d->letters && !live[s]; l++)
				more |= live[s] = live[fr_dfa_step(d, s, l)];
	}
	return live;
}

/* Splits classes of states until states of one class agree about the classes of their successors
   (Moore). All states are reachable. */
void fr_dfa_minimise(struct fr_dfa *d)
{
	uint64_t *key = fr_xcalloc((size_t)d->letters + 1, sizeof(*key));
	uint32_t *class = fr_xcalloc(d->states, sizeof(*class)), classes = 1, before = 0;
	uint32_t *fresh = fr_xcalloc(d->states, sizeof(*fresh));
	struct fr_dfa ret = {.letters = d->letters};

	fr_assert(d->start < d->states);
	for (uint32_t s = 0; s < d->states; s++)
		class[s] = d->accept[s];
	while (before != classes) {
		struct numbers x = {.width = d->letters + 1};

		before = classes;
		for (uint32_t s = 0; s < d->states; s++) {
			key[d->letters] = class[s];
			for (uint32_t l = 0; l < d->letters; l++)
				key[l] = class[fr_dfa_step(d, s, l)];
			fresh[s] = number(&x, key);
		}
		classes = (uint32_t)x.same.n;
		memcpy(class, fresh, d->states * sizeof(*class));
		numbers_free(&x);
	}
	fr_assert(classes && classes <= d->states);
	ret.states = classes;
	ret.start = class[d->start];
	ret.next = fr_xcalloc((size_t)classes * d->letters + 1, sizeof(*ret.next));
	ret.accept = fr_xcalloc((size_t)classes + 1, sizeof(bool));
	for (uint32_t s = 0; s < d->states; s++) {
		ret.accept[class[s]] = d->accept[s];
		for (uint32_t l = 0; l < d->letters; l++)
			ret.next[(size_t)class[s] * d->letters + l] = class[fr_dfa_step(d, s, l)];
	}
	free(key);
	free(class);
	free(fresh);
	fr_dfa_free(d);
	*d = ret;
}
