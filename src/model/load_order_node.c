/* Nodes of accesses ahead, and the hash tables in which threads find them: see
   load_order_node.h. */
#include "model/load_order_node.h"
#include <string.h>

#define BITS 7 /* initial size of a thread's table, as a power of 2 */

/* Doubles the buckets, to keep chains short however many granules are ahead. */
static void grow(struct fr_load *l, struct fr_lthread *t)
{
	uint32_t *old = t->bucket, n = old ? UINT32_C(1) << t->bucket_bits : 0;

	fr_assert(!old || (t->bucket_bits >= BITS && t->bucket_bits < 31));
	t->bucket_bits = old ? t->bucket_bits + 1 : BITS;
	t->bucket = fr_xmalloc((sizeof(*t->bucket)) << t->bucket_bits);
	memset(t->bucket, 0xff, (sizeof(*t->bucket)) << t->bucket_bits);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t at = old[i], next; at != FR_NONE; at = next) {
			uint32_t *bucket = fr_node_bucket(t, l->node.v[at].granule);

			next = l->node.v[at].chain;
			l->node.v[at].chain = *bucket;
			*bucket = at;
		}
	free(old);
}

uint32_t fr_node_new(struct fr_load *l, struct fr_lthread *t, uint32_t granule, uint64_t position)
{
	struct fr_gran *g = &l->gran[granule];
	uint32_t at = l->free_node, *bucket;

	if (!t->bucket || (t->nodes >> t->bucket_bits && t->bucket_bits < 31))
		grow(l, t);
	fr_assert_slow(fr_node_of(l, t, granule) == FR_NONE);
	if (at != FR_NONE)
		l->free_node = l->node.v[at].next;
	else {
		at = (uint32_t)l->node.n;
		fr_vec_push(&l->node, (struct fr_node){0});
	}
	bucket = fr_node_bucket(t, granule);
	l->node.v[at] = (struct fr_node){.next = g->node,
					 .prev = FR_NONE,
					 .chain = *bucket,
					 .granule = granule,
					 .thread = t->index,
					 .first = (uint32_t)position,
					 .last = (uint32_t)position};
	fr_assert_slow(g->node == FR_NONE || l->node.v[g->node].prev == FR_NONE);
	if (g->node != FR_NONE)
		l->node.v[g->node].prev = at;
	*bucket = g->node = at;
	t->nodes++;
	return at;
}
