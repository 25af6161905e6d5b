/*
 * Linear orders and their faults: see order_trial.h. Among the steps that can be next, the sort
 * takes the one that was recorded first. The check is a small machine over the tables of the
 * segment. It finds faults for the search to repair; oracle/check.h has the final word.
 */
#include "oracle/order_trial.h"
#include "base/assert.h"
#include <stdlib.h>
#include <string.h>

void fr_trial_init(struct fr_trial *x, const struct fr_seg *s)
{
	size_t n = (size_t)s->n + 1;

	*x = (struct fr_trial){.s = s};
	x->order = fr_xmalloc(n * sizeof(uint32_t));
	x->rank = fr_xmalloc(n * sizeof(uint32_t));
	x->missing = fr_xmalloc(n * sizeof(uint32_t));
	x->head = fr_xmalloc(n * sizeof(uint32_t));
	x->heap = fr_xmalloc((n + s->nthreads) * sizeof(uint32_t));
	x->last = fr_xmalloc((s->cell.n + 1) * sizeof(uint32_t));
	x->units = fr_xmalloc((s->sem.n + 1) * sizeof(uint32_t));
	x->held = fr_xcalloc(s->lock.n + 1, sizeof(*x->held));
}

void fr_trial_destroy(struct fr_trial *x)
{
	for (size_t i = 0; x->held && i < x->s->lock.n; i++)
		fr_vec_free(&x->held[i]);
	free(x->held);
	free(x->order);
	free(x->rank);
	free(x->missing);
	free(x->head);
	free(x->heap);
	free(x->last);
	free(x->units);
	fr_vec_free(&x->next);
	fr_vec_free(&x->to);
	fr_vec_free(&x->fault);
}

/* ---- sorting ---- */

static void heap_push(uint32_t *heap, uint32_t *n, uint32_t x)
{
	uint32_t i = (*n)++;

	for (; i && heap[(i - 1) / 2] > x; i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = x;
}

static uint32_t heap_pop(uint32_t *heap, uint32_t *n)
{
	uint32_t top = heap[0], x, i = 0;

	fr_assert_slow(*n);
	x = heap[--*n];
	for (;;) {
		uint32_t k = 2 * i + 1;

		if (k >= *n)
			break;
		if (k + 1 < *n && heap[k + 1] < heap[k])
			k++;
		if (heap[k] >= x)
			break;
		heap[i] = heap[k];
		i = k;
	}
	heap[i] = x;
	return top;
}

static void add_edge(struct fr_trial *x, const struct fr_seg_edge *e)
{
	fr_vec_push(&x->next, x->head[e->a]);
	fr_vec_push(&x->to, e->b);
	x->head[e->a] = (uint32_t)x->next.n - 1;
	x->missing[e->b]++;
}

static void sort(struct fr_trial *x, const struct fr_po *po)
{
	const struct fr_seg *s = x->s;
	uint32_t nheap = 0, total = 0;

	memset(x->head, 0xff, s->n * sizeof(uint32_t));
	memset(x->rank, 0xff, s->n * sizeof(uint32_t));
	memset(x->missing, 0, s->n * sizeof(uint32_t));
	x->next.n = x->to.n = x->n = 0;
	FR_VEC_FOREACH (e, &po->edge)
		if (fr_po_is_in(po, e->b))
			add_edge(x, e);
	for (uint32_t t = 0; t < s->nthreads; t++) {
		fr_assert(po->lo[t] <= fr_seg_len(s, t));
		total += po->lo[t];
		for (uint32_t i = 1; i < po->lo[t]; i++)
			x->missing[fr_seg_at(s, t, i)]++;
		if (po->lo[t] && !x->missing[fr_seg_at(s, t, 0)])
			heap_push(x->heap, &nheap, fr_seg_at(s, t, 0));
	}
	while (nheap) {
		uint32_t y = heap_pop(x->heap, &nheap), t = s->thread[y], p = s->pos[y] + 1;

		x->rank[y] = x->n;
		x->order[x->n++] = y;
		if (p < po->lo[t] && !--x->missing[fr_seg_at(s, t, p)])
			heap_push(x->heap, &nheap, fr_seg_at(s, t, p));
		for (uint32_t i = x->head[y]; i != FR_NODE_NONE; i = x->next.v[i])
			if (!--x->missing[x->to.v[i]])
				heap_push(x->heap, &nheap, x->to.v[i]);
	}
	fr_assert(x->n == total); /* the order has no cycle */
	FR_VEC_FOREACH (e, &po->edge)
		fr_assert(x->rank[e->b] == FR_NODE_NONE || x->rank[e->a] < x->rank[e->b]);
}

/* ---- running ---- */

static void fault(struct fr_trial *x, enum fr_fault_kind kind, uint32_t a, uint32_t b)
{
	fr_vec_push(&x->fault, (struct fr_fault){kind, a, b});
}

static void acquire(struct fr_trial *x, uint32_t sec)
{
	const struct fr_seg_section *b = &x->s->section.v[sec];

	FR_VEC_FOREACH (a, &x->held[b->lock])
		if (fr_seg_exclude(&x->s->section.v[*a], b) &&
		    x->s->section.v[*a].thread != b->thread)
			fault(x, FR_FAULT_LOCK, *a, sec);
	fr_vec_push(&x->held[b->lock], sec);
}

static void release(struct fr_trial *x, uint32_t sec)
{
	__typeof__(x->held[0]) *h = &x->held[x->s->section.v[sec].lock];

	for (size_t i = 0; i < h->n; i++) {
		if (h->v[i] == sec) {
			h->v[i] = h->v[--h->n];
			return;
		}
	}
	fr_assert(false); /* a section begins before it ends */
}

static void try(struct fr_trial *x, uint32_t i)
{
	const struct fr_seg_try *f = &x->s->try.v[i];

	FR_VEC_FOREACH (a, &x->held[f->lock])
		if (!f->shared || !x->s->section.v[*a].shared)
			return;
	fault(x, FR_FAULT_TRY, i, 0);
}

static void read(struct fr_trial *x, uint32_t i)
{
	const struct fr_seg_read *r = &x->s->read.v[i];
	uint32_t w = x->last[r->cell];

	if (x->exempt && x->exempt[i])
		return;
	if (w == FR_SEG_CUT ? !r->cut_ok : !fr_seg_good(x->s, r, w))
		fault(x, FR_FAULT_READ, i, w);
}

static void sem_step(struct fr_trial *x, enum fr_seg_kind kind, uint32_t i, uint32_t node)
{
	uint32_t *u = &x->units[i];

	if (*u == UINT32_MAX) /* wrong already */
		return;
	if (kind == FR_SEG_SEM_POST) {
		++*u;
	} else if ((kind == FR_SEG_SEM_WAIT) != (*u > 0)) {
		fault(x, FR_FAULT_SEM, i, node);
		*u = UINT32_MAX;
	} else if (kind == FR_SEG_SEM_WAIT) {
		--*u;
	}
}

int64_t fr_trial_when(const struct fr_trial *x, uint32_t node, fr_ev ev)
{
	if (node == FR_SEG_CUT) {
		fr_assert_slow(ev < x->s->cut);
		return (int64_t)ev - x->s->cut;
	}
	return x->rank[node] == FR_NODE_NONE ? INT64_MAX : x->rank[node];
}

struct trial_span {
	int64_t from, to;
};

static int compare_spans(const void *pa, const void *pb)
{
	const struct trial_span *a = pa, *b = pb;

	return a->to < b->to ? -1 : a->to > b->to;
}

/* Serves the waits in the order in which they return; each takes the earliest signal left. */
static bool serve(const struct fr_trial *x, const struct fr_seg_cond *c)
{
	FR_VEC(struct trial_span) wait = {0}, signal = {0};
	bool ok = true;

	FR_VEC_FOREACH (w, &c->wait) {
		int64_t to = fr_trial_when(x, w->node, w->ev);

		if (to != INT64_MAX)
			fr_vec_push(&wait, (struct trial_span){
					       fr_trial_when(x, w->begin, w->begin_ev), to});
	}
	FR_VEC_FOREACH (g, &c->signal) {
		int64_t at = fr_trial_when(x, g->node, g->ev);

		if (at != INT64_MAX)
			fr_vec_push(&signal, (struct trial_span){g->broadcast, at});
	}
	if (wait.n)
		qsort(wait.v, wait.n, sizeof(*wait.v), compare_spans);
	if (signal.n)
		qsort(signal.v, signal.n, sizeof(*signal.v), compare_spans);
	for (size_t i = 0; i < wait.n && ok; i++) {
		struct trial_span *found = NULL;

		FR_VEC_FOREACH (g, &signal) {
			if (g->to <= wait.v[i].from || g->from == 2)
				continue;
			if (g->to >= wait.v[i].to)
				break;
			if (g->from == 1) {
				found = g;
				break;
			}
			if (!found)
				found = g;
		}
		ok = found;
		if (found && found->from == 0)
			found->from = 2; /* taken */
	}
	fr_vec_free(&wait);
	fr_vec_free(&signal);
	return ok;
}

static void start(struct fr_trial *x)
{
	const struct fr_seg *s = x->s;

	x->fault.n = 0;
	for (size_t i = 0; i < s->cell.n; i++)
		x->last[i] = FR_SEG_CUT;
	for (size_t i = 0; i < s->sem.n; i++)
		x->units[i] = s->sem.v[i].count;
	for (size_t l = 0; l < s->lock.n; l++) {
		x->held[l].n = 0;
		for (uint32_t t = 0; t < s->nthreads; t++)
			for (uint32_t i = s->lock.v[l].first[t];
			     i < s->lock.v[l].first[t + 1] && s->section.v[i].acq == FR_SEG_CUT;
			     i++)
				fr_vec_push(&x->held[l], i);
	}
}

static void step(struct fr_trial *x, const struct fr_seg_item *it)
{
	switch ((enum fr_seg_kind)it->kind) {
	case FR_SEG_ACQ:
		acquire(x, it->index);
		break;
	case FR_SEG_REL:
		release(x, it->index);
		break;
	case FR_SEG_TRY:
		try(x, it->index);
		break;
	case FR_SEG_READ:
		read(x, it->index);
		break;
	case FR_SEG_WRITE:
		x->last[x->s->write.v[it->index].cell] = it->index;
		break;
	case FR_SEG_SEM_WAIT:
	case FR_SEG_SEM_POST:
	case FR_SEG_SEM_FAILED:
		sem_step(x, it->kind, it->index, it->node);
		break;
	}
}

bool fr_trial_run(struct fr_trial *x, const struct fr_po *po)
{
	const struct fr_seg *s = x->s;

	fr_assert(x->s == po->s);
	x->exempt = po->exempt;
	sort(x, po);
	start(x);
	for (uint32_t i = 0; i < x->n; i++) {
		uint32_t y = x->order[i];

		fr_assert_slow(x->rank[y] == i);
		for (uint32_t k = s->item_first[y]; k < s->item_first[y + 1]; k++)
			step(x, &s->item.v[k]);
	}
	for (uint32_t i = 0; i < s->cond.n; i++)
		if (!serve(x, &s->cond.v[i]))
			fault(x, FR_FAULT_COND, i, 0);
	for (uint32_t i = 0; i < s->after.n; i++) {
		const struct fr_seg_after *a = &s->after.v[i];
		bool ok = x->rank[a->node] == FR_NODE_NONE;

		FR_VEC_FOREACH (y, &a->any)
			ok |= x->rank[*y] < x->rank[a->node];
		if (!ok)
			fault(x, FR_FAULT_AFTER, i, 0);
	}
	return !x->fault.n;
}
