/*
 * Heap objects by address. The blocks are sorted by start address, then by time of allocation. Each
 * block has the maximal end of all blocks up to it. A lookup goes down from the address, one start
 * address after another, until no earlier block reaches the address. That takes few steps, because
 * blocks that exist at the same time do not overlap. All blocks with one start address are one
 * step: bisection finds the latest.
 */
#include "model/model_heap.h"
#include <stdlib.h>

struct heap_block {
	uint64_t addr, reach; /* reach: the largest end of all blocks up to this one */
	uint32_t obj;
	fr_ev alloc;
};

struct fr_heap_index {
	size_t n;
	struct heap_block v[];
};

static int by_addr(const void *a, const void *b)
{
	const struct heap_block *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->alloc < y->alloc ? -1 : x->alloc > y->alloc;
}

static struct fr_heap_index *build(const struct fr_model *m)
{
	const struct fr_mclass *k = &m->cls[FR_C_HEAP];
	struct fr_heap_index *x = fr_xmalloc(sizeof(*x) + k->n * sizeof(*x->v));
	uint64_t reach = 0;

	x->n = 0;
	for (uint32_t i = 0; i < k->n; i++)
		if (k->obj[i].count)
			x->v[x->n++] = (struct heap_block){
			    .addr = k->obj[i].addr, .obj = i, .alloc = k->obj[i].count - 1};
	if (x->n)
		qsort(x->v, x->n, sizeof(*x->v), by_addr);
	for (size_t i = 0; i < x->n; i++) {
		uint64_t end = x->v[i].addr + m->ev[x->v[i].alloc].value;

		fr_assert(m->ev[x->v[i].alloc].op == FR_OP_ALLOC &&
			  m->ev[x->v[i].alloc].obj == x->v[i].obj);
		if (end < x->v[i].addr)
			end = UINT64_MAX;
		reach = fr_max(reach, end);
		x->v[i].reach = reach;
	}
	return x;
}

static const struct fr_heap_index *get(const struct fr_model *model)
{
	struct fr_model *m = (struct fr_model *)model;
	struct fr_heap_index *x = __atomic_load_n(&m->heap_index, __ATOMIC_ACQUIRE), *none = NULL;

	if (x)
		return x;
	x = build(m);
	if (__atomic_compare_exchange_n(&m->heap_index, &none, x, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		return x;
	free(x);
	return none;
}

/* Number of the first n blocks that start below addr, or at addr and were allocated before the
   event. */
static size_t count_to(const struct fr_heap_index *x, size_t n, uint64_t addr, fr_ev before)
{
	return fr_bisect(n, i,
			 x->v[i].addr < addr || (x->v[i].addr == addr && x->v[i].alloc < before));
}

/* Number of the first n blocks up to the last that was allocated before the event. */
static size_t skip_later(const struct fr_heap_index *x, size_t n, fr_ev before)
{
	while (n && x->v[n - 1].alloc >= before)
		n = count_to(x, n, x->v[n - 1].addr, before);
	return n;
}

uint32_t fr_heap_find(const struct fr_model *m, uint64_t addr, fr_ev before)
{
	const struct fr_heap_index *x;
	const struct heap_block *best = NULL;
	size_t n;

	if (!m->cls[FR_C_HEAP].n)
		return UINT32_MAX;
	x = get(m);
	n = skip_later(x, count_to(x, x->n, addr, before), before);
	while (n && x->v[n - 1].reach > addr) {
		const struct heap_block *b = &x->v[n - 1];
		bool better = !best || b->alloc > best->alloc;

		if (better && addr - b->addr < m->ev[b->alloc].value)
			best = b;
		else if (better && n > 1 && x->v[n - 2].addr == b->addr) {
			n--; /* an earlier block here may have been longer */
			continue;
		}
		n = skip_later(x, count_to(x, n, b->addr, 0), before); /* continue below */
	}
	fr_assert(!best || (best->alloc < before && best->addr <= addr));
	return best ? best->obj : UINT32_MAX;
}
