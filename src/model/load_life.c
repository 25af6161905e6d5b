/*
 * The lifetimes of memory: an address is not an object. When granules are allocated, freed or given
 * to the stack of a new thread, they become other locations. Only objects with shared granules get
 * into the model.
 */
#include "model/load_sync.h"
#include "model/load_order_open.h"

struct life {
	struct fr_load *l;
	struct fr_lthread *t;
	uint32_t heap; /* object + 1 */
	bool freed, zero, any;
	uint32_t ended; /* FR_ENDED | index of the object that ends here; 0: none */
	bool adopts;	/* the object that ends gets all locations in its range */
	bool local;	/* what ends are local or thread-local variables */
	uint64_t lo, hi;
};

/* A part of an allocation, several of them, or memory whose allocation is not recorded ends. */
static void adopt(struct life *x, const struct fr_gran *g)
{
	struct fr_builder *b = x->l->b;

	if (!x->heap)
		x->heap = 1 + fr_builder_obj(b, FR_C_HEAP, (struct fr_mobj){.addr = x->lo});
	b->obj[FR_C_LOC].v[g->loc].aux = x->heap;
}

/* Another thread may use an object after its end. */
static void note_end(struct life *x)
{
	fr_assert(x->freed && x->heap);
	if (x->l->ended.n == FR_ENDED - 1)
		return;
	x->ended = FR_ENDED | (uint32_t)x->l->ended.n;
	fr_vec_push(&x->l->ended, ((struct fr_freed){x->heap - 1, x->t->index}));
}

static void end_granule(void *arg, uint32_t granule, uint64_t addr)
{
	struct life *x = arg;
	struct fr_gran *g = &x->l->gran[granule];

	(void)addr;
	if (x->local && !x->heap) {
		x->heap = 1 + fr_builder_obj(x->l->b, FR_C_HEAP, (struct fr_mobj){.addr = x->lo});
		note_end(x);
	}
	fr_assert_slow(g->addr == addr);
	if (x->freed && g->node != FR_NONE)
		fr_step_settle(x->l, x->t, granule);
	if (x->freed && g->loc != FR_NONE) {
		struct fr_locinfo *info = &x->l->loc.v[g->loc];

		fr_assert(g->loc < x->l->loc.n);
		info->freed = true;
		if (info->thread != x->t->index + 1)
			info->thread = 0;
		if (x->adopts && !info->thread)
			adopt(x, g);
	}
	g->loc = FR_NONE;
	g->known = g->written = g->benign = g->given = 0;
	g->heap = x->ended;
	fr_open_clear(g);
}

static void begin_granule(void *arg, uint32_t granule, uint64_t addr)
{
	struct life *x = arg;
	struct fr_gran *g = &x->l->gran[granule];

	(void)addr;
	fr_assert_slow(!x->any == !x->heap);
	if (!x->any) {
		x->any = true;
		x->heap = 1 + fr_builder_obj(x->l->b, FR_C_HEAP, (struct fr_mobj){.addr = x->lo});
	}
	g->loc = FR_NONE;
	g->written = g->benign = g->given = 0;
	g->known = x->zero ? 0xff : 0;
	g->value = 0;
	g->heap = x->heap;
	fr_open_clear(g);
}

static void benign_granule(void *arg, uint32_t granule, uint64_t addr)
{
	struct life *x = arg;
	struct fr_gran *g = &x->l->gran[granule];
	unsigned from = x->lo > addr ? (unsigned)(x->lo - addr) : 0;
	unsigned to = x->hi < addr + 8 ? (unsigned)(x->hi - addr) : 8;

	g->benign |= (uint8_t)((0xffu << from) & (0xffu >> (8 - to)));
	if (g->loc != FR_NONE)
		x->l->loc_benign.v[g->loc] |= g->benign;
}

/* The bytes [addr, addr + size) belong to another object from now on. */
static void life_ends(struct fr_load *l, struct fr_lthread *t, uint64_t addr, uint64_t size)
{
	struct life x = {.l = l, .t = t};

	fr_shadow_walk(&l->shadow, addr, addr + size, end_granule, &x);
}

/* Forgets an earlier object at this address whose lifetime is over. */
static void forget_end(void *arg, uint32_t granule, uint64_t addr)
{
	struct fr_load *l = arg;

	(void)addr;
	if (l->gran[granule].heap & FR_ENDED)
		l->gran[granule].heap = 0;
}

/*
 * Thread t starts, with its first stack frame at `top`. Its stack is new memory, down to FR_STACK
 * bytes or to the next stack below, and so are its thread-local variables above `top`: they are not
 * the blocks and stacks that were freed there. If a finished thread had its first frame there, t
 * reuses that stack, and its old contents are gone.
 */
void fr_life_stack(struct fr_load *l, struct fr_lthread *t, uint64_t top)
{
	uint64_t *known = fr_map_put(&l->sync->stacks, top);
	uint64_t low = top > FR_STACK ? top - FR_STACK : 0;

	FR_VEC_FOREACH (other, &l->sync->stack)
		if (*other < top && *other > low)
			low = *other;
	if (!*known) {
		fr_vec_push(&l->sync->stack, top);
	} else if (l->thread[*known - 1].exited || l->thread[*known - 1].done) {
		fr_assert(*known <= l->nthreads);
		life_ends(l, t, low, top - low);
	} else {
		return;
	}
	*known = t->index + 1;
	fr_shadow_walk(&l->shadow, low, top + FR_STACK_HEAD, forget_end, l);
}

/* An object ends: the one that was allocated here, or the objects in this range. */
static void freed(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	struct life x = {.l = l,
			 .t = t,
			 .freed = true,
			 .adopts = true,
			 .local = i->kind == FR_EV_STACK_FREE,
			 .lo = i->addr};
	uint64_t *heap = fr_map_get(&l->sync->map[FR_C_HEAP], i->addr);
	fr_ev e;

	if (heap && i->kind == FR_EV_FREE) {
		x.heap = (uint32_t)*heap;
		*heap = 0;
		if (x.heap)
			note_end(&x);
	}
	fr_shadow_walk(&l->shadow, i->addr, i->addr + i->ext, end_granule, &x);
	fr_assert(x.heap <= l->b->obj[FR_C_HEAP].n);
	if (!x.heap)
		return;
	e = fr_sync_put(l, t, i, FR_OP_FREE, x.heap - 1, 0);
	if (x.local)
		l->b->ev.v[e].value = i->ext;
}

static void allocated(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	struct life x = {.l = l,
			 .t = t,
			 .zero = i->aux == FR_MEM_CALLOC || i->aux == FR_MEM_ANON,
			 .lo = i->addr};
	uint64_t *nth = fr_map_put(&l->sync->allocations, (uint64_t)t->index << 32 | i->site);
	fr_ev e;

	++*nth;
	fr_shadow_walk(&l->shadow, i->addr, i->addr + i->ext, begin_granule, &x);
	if (!x.any)
		return;
	fr_assert(x.heap == l->b->obj[FR_C_HEAP].n); /* begin_granule added it */
	e = fr_sync_put(l, t, i, FR_OP_ALLOC, x.heap - 1, 0);
	l->b->ev.v[e].value = i->ext;
	l->b->obj[FR_C_HEAP].v[x.heap - 1].count = e + 1;
	l->b->obj[FR_C_HEAP].v[x.heap - 1].aux = (uint32_t)*nth;
	*fr_map_put(&l->sync->map[FR_C_HEAP], i->addr) = x.heap;
}

void fr_life_call(struct fr_load *l, const struct fr_lthread *t, const struct fr_item *i)
{
	uint32_t granule = fr_shadow_granule(&l->shadow, i->addr);
	uint32_t heap = granule == FR_NO_GRANULE ? 0 : l->gran[granule].heap;
	const struct fr_mobj *o;
	uint64_t *known;

	if (!heap || heap & FR_ENDED)
		return;
	o = &l->b->obj[FR_C_HEAP].v[heap - 1];
	fr_assert(o->count <= l->b->ev.n);
	if (!o->count || l->b->ev.v[o->count - 1].thread == t->index)
		return;
	known = fr_map_put(&l->sync->called, heap);
	if (!*known)
		fr_vec_push(&l->b->used, heap - 1);
	*known = 1;
}

void fr_life_event(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	struct life x = {.l = l, .t = t, .lo = i->addr, .hi = i->addr + i->ext};

	switch (i->kind) {
	case FR_EV_ALLOC:
		allocated(l, t, i);
		break;
	case FR_EV_FREE:
	case FR_EV_STACK_FREE:
		freed(l, t, i);
		break;
	default:
		fr_assert(i->kind == FR_EV_USER_BENIGN);
		fr_shadow_walk(&l->shadow, x.lo, x.hi, benign_granule, &x);
	}
}
