/* Hooks in a few bits each: see hook_list.h. Bits fill each word from its low end. */
#include "model/hook_list.h"
#include "base/assert.h"

void fr_hooks_begin(struct fr_hooks *h)
{
	fr_assert(!h->open && h->n % FR_HOOKS_BLOCK == 0); /* not after fr_hooks_end */
	h->open = fr_xmalloc(FR_HOOKS_BLOCK * sizeof(*h->open));
}

static void put_bits(uint64_t *word, uint32_t at, unsigned width, uint64_t v)
{
	unsigned shift = at % 64;

	fr_assert_slow(width == 64 || !(v >> width));
	word[at / 64] |= v << shift;
	if (shift + width > 64)
		word[at / 64 + 1] |= v >> (64 - shift);
}

static uint64_t get_bits(const uint64_t *word, uint32_t at, unsigned width)
{
	unsigned shift = at % 64;
	uint64_t v = word[at / 64] >> shift;

	if (shift + width > 64)
		v |= word[at / 64 + 1] << (64 - shift);
	return width < 64 ? v & ((UINT64_C(1) << width) - 1) : v;
}

void fr_hooks_pack(struct fr_hooks *h)
{
	uint32_t n = (h->n - 1) % FR_HOOKS_BLOCK + 1;
	uint64_t *hook = h->open, all = 0, *to;
	unsigned width, words;

	fr_assert(h->open && h->n);
	for (uint32_t i = 1; i < n; i++)
		all |= hook[i] - hook[i - 1];
	width = all ? 64 - (unsigned)__builtin_clzll(all) : 0;
	words = ((n - 1) * width + 63) / 64;
	fr_vec_push(&h->block, ((struct fr_hooks_block){
				   .first = hook[0], .at = h->word.n, .width = width & 0x7f}));
	fr_vec_reserve(&h->word, words);
	to = h->word.v + h->word.n;
	for (unsigned i = 0; i < words; i++)
		to[i] = 0;
	for (uint32_t i = 1; i < n && width; i++)
		put_bits(to, (i - 1) * width, width, hook[i] - hook[i - 1]);
	h->word.n += words;
	fr_assert(h->block.n == (h->n - 1) / FR_HOOKS_BLOCK + 1);
}

void fr_hooks_end(struct fr_hooks *h)
{
	if (!h->open)
		return;
	if (h->n % FR_HOOKS_BLOCK)
		fr_hooks_pack(h);
	free(fr_steal(h->open));
	h->block.v = fr_xrealloc(h->block.v, h->block.n, sizeof(*h->block.v));
	h->block.cap = h->block.n;
	h->word.v = fr_xrealloc(h->word.v, h->word.n, sizeof(*h->word.v));
	h->word.cap = h->word.n;
}

void fr_hooks_free(struct fr_hooks *h)
{
	fr_vec_free(&h->block);
	fr_vec_free(&h->word);
	free(h->open);
	*h = (struct fr_hooks){0};
}

static inline uint64_t step(const struct fr_hooks *h, uint32_t position)
{
	const struct fr_hooks_block *m = &h->block.v[position / FR_HOOKS_BLOCK];
	uint32_t k = position % FR_HOOKS_BLOCK;

	fr_assert_slow(k); /* the first of a block is in its header */
	if (!m->width)
		return 0;
	return get_bits(h->word.v + m->at, (k - 1) * m->width, m->width);
}

uint64_t fr_hooks_get(const struct fr_hooks *h, uint32_t position)
{
	uint32_t at = position / FR_HOOKS_BLOCK * FR_HOOKS_BLOCK;
	uint64_t hook;

	fr_assert(position < h->n && !h->open);
	hook = h->block.v[at / FR_HOOKS_BLOCK].first;
	while (at++ < position)
		hook += step(h, at);
	return hook;
}

uint64_t fr_hooks_next(struct fr_hooks_cursor *c)
{
	fr_assert(c->position < c->h->n && !c->h->open);
	if (c->position % FR_HOOKS_BLOCK)
		c->hook += step(c->h, c->position);
	else
		c->hook = c->h->block.v[c->position / FR_HOOKS_BLOCK].first;
	c->position++;
	return c->hook;
}

uint32_t fr_hooks_find(const struct fr_hooks *h, uint32_t from, uint32_t n, uint64_t hook)
{
	fr_assert(from <= n && n <= h->n);
	return from + (uint32_t)fr_bisect(n - from, i, fr_hooks_get(h, from + (uint32_t)i) < hook);
}
