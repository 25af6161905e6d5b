/*
 * Finds cycles among the edges of a model and forbids each by a clause. From one edge, the search
 * goes breadth first over the edges; steps along the partial order cost nothing. So the cycle has
 * as few edges as any cycle through that edge. It never has two edges from one thread to the same
 * other thread, and at most as many edges as there are threads.
 */
#include "oracle/order_enc.h"
#include "base/assert.h"
#include <stdlib.h>
#include <string.h>

#define CYCLES 4096 /* in one round, at most */

struct search {
	const struct fr_enc *e;
	struct fr_seg_edge *edge; /* by thread of a, then by descending position of a */
	uint32_t n;
	uint32_t *first; /* by thread */
	uint32_t *at;	 /* by thread: the edges before this index were reached */
	uint32_t *reach; /* by thread: all positions from this one on were reached */
	uint32_t *parent, *queue;
	bool *used;
};

static int compare_edges(const void *pa, const void *pb, void *seg)
{
	const struct fr_seg_edge *a = pa, *b = pb;
	const struct fr_seg *s = seg;
	uint32_t ta = s->thread[a->a], tb = s->thread[b->a];

	if (ta != tb)
		return ta < tb ? -1 : 1;
	return a->a > b->a ? -1 : a->a < b->a;
}

/* Marks everything from node x on as reached through edge `from`. */
static void widen(struct search *q, uint32_t x, uint32_t from, uint32_t *tail)
{
	const struct fr_seg *s = q->e->s;

	for (uint32_t t = 0; t < s->nthreads; t++) {
		uint32_t p = fr_po_succ(q->e->po, x, t);

		if (p >= q->reach[t])
			continue;
		q->reach[t] = p;
		for (; q->at[t] < q->first[t + 1] && s->pos[q->edge[q->at[t]].a] >= p; q->at[t]++) {
			q->parent[q->at[t]] = from;
			fr_assert_slow(*tail < q->n); /* each edge is reached once */
			q->queue[(*tail)++] = q->at[t];
		}
	}
}

/* Returns the last edge of a shortest path from the end of edge i back to its beginning. */
static uint32_t find(struct search *q, uint32_t i)
{
	const struct fr_seg *s = q->e->s;
	uint32_t head = 0, tail = 0;

	for (uint32_t t = 0; t < s->nthreads; t++) {
		q->at[t] = q->first[t];
		q->reach[t] = UINT32_MAX;
	}
	widen(q, q->edge[i].b, i, &tail);
	while (head < tail) {
		uint32_t k = q->queue[head++];

		if (fr_po_le(q->e->po, q->edge[k].b, q->edge[i].a))
			return k;
		widen(q, q->edge[k].b, k, &tail);
	}
	return FR_NODE_NONE;
}

static void forbid(struct fr_enc *e, struct search *q, uint32_t first, uint32_t last)
{
	FR_VEC(int) lit = {0};

	for (uint32_t k = last;; k = q->parent[k]) {
		fr_vec_push(&lit, -fr_enc_before(e, q->edge[k].a, q->edge[k].b));
		q->used[k] = true;
		if (k == first)
			break;
	}
	fr_enc_lemma(e, lit.v, lit.n);
	fr_vec_free(&lit);
}

void fr_enc_cycles(struct fr_enc *e, const struct fr_trial *x)
{
	const struct fr_seg *s = e->s;
	struct search q = {.e = e};
	uint32_t found = 0;

	q.edge = fr_xmalloc((e->edge.n + 1) * sizeof(*q.edge));
	FR_VEC_FOREACH (d, &e->edge)
		if (x->rank[d->a] == FR_NODE_NONE && x->rank[d->b] == FR_NODE_NONE)
			q.edge[q.n++] = *d;
	qsort_r(q.edge, q.n, sizeof(*q.edge), compare_edges, (void *)s);
	q.first = fr_xcalloc((size_t)s->nthreads + 2, sizeof(uint32_t));
	for (uint32_t i = 0; i < q.n; i++)
		q.first[s->thread[q.edge[i].a] + 1]++;
	for (uint32_t t = 0; t < s->nthreads; t++)
		q.first[t + 1] += q.first[t];
	fr_assert(q.first[s->nthreads] == q.n);
	q.at = fr_xmalloc(((size_t)s->nthreads + 1) * sizeof(uint32_t));
	q.reach = fr_xmalloc(((size_t)s->nthreads + 1) * sizeof(uint32_t));
	q.parent = fr_xmalloc(((size_t)q.n + 1) * sizeof(uint32_t));
	q.queue = fr_xmalloc(((size_t)q.n + 1) * sizeof(uint32_t));
	q.used = fr_xcalloc((size_t)q.n + 1, sizeof(bool));
	for (uint32_t i = 0; i < q.n && found < CYCLES; i++) {
		uint32_t last;

		if (q.used[i])
			continue;
		last = find(&q, i);
		if (last == FR_NODE_NONE)
			continue;
		forbid(e, &q, i, last);
		found++;
	}
	fr_assert(found);
	free(q.edge);
	free(q.first);
	free(q.at);
	free(q.reach);
	free(q.parent);
	free(q.queue);
	free(q.used);
}
