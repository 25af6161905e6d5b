/*
 * Finds the quiet phases of granules. In programs that work on arrays between barriers, several
 * threads touch nearly all memory, but never two at a time. Such accesses are the same in every
 * reordering, so the model leaves them out.
 *
 * Meaning: A must happen before B if creation, joins and complete barrier generations say so; every
 * reordering that contains B has A before it. A granule is *quiet* as long as each write must
 * happen after all earlier accesses, and each read after all earlier writes. Then every read
 * returns its recorded value, and conflicting accesses have only one order. When a granule stops
 * being quiet, let the *anchor* be the last write that must happen before all later accesses. The
 * accesses before the anchor are still left out, and the value that they leave is the initial
 * value. If a later access need not come after the anchor, all accesses are kept. From the first
 * disquiet on, every access is kept, because the granule's value then depends on the order.
 *
 * Method: a stretch consists of a thread's accesses between two of its creations, joins and
 * barriers. Stretches are processed in the order of their first stamps, which extends
 * must-happen-before, with a vector clock for each thread. A granule stores the stretches of its
 * last writes and reads (like FastTrack, Flanagan and Freund, PLDI 2009, section 3, with fewer
 * edges). The end of a lifetime counts as a write. Bytes of a granule and lifetimes are not
 * distinguished, so memory that passes from thread to thread through the allocator is not quiet.
 *
 * Relies on the second pass taking events in the same order, so that the generations are the same.
 * Not handled: more than MAX_THREADS threads; their phases are not searched.
 */
#include "model/load_phase.h"
#include "model/load_quiet.h"
#include "model/load_sync.h"

#define MAX_THREADS 1024

struct generation {
	uint32_t count, arrived, left;
	uint32_t *clock;
};

struct phase {
	struct fr_load *l;
	struct fr_quiet q;
	uint32_t *clock;       /* vector clock of each thread */
	struct fr_map barrier; /* address -> index + 1 in `bar` */
	struct fr_sbarriers bar;
	FR_VEC(struct generation) generation;
	struct pthr {
		bool created, opened, exited, joined, ended;
		uint32_t generation; /* index + 1 */
		uint64_t key, eff;
	} *thread;
	uint32_t *heap, heaped;
};

static void end_life(void *arg, uint32_t granule, uint64_t addr)
{
	(void)addr;
	fr_quiet_access(arg, granule, true);
}

static void see_call(struct phase *p, uint64_t addr)
{
	uint32_t granule = fr_shadow_granule(&p->l->shadow, addr);

	if (granule != FR_NO_GRANULE)
		fr_quiet_access(&p->q, granule, true);
}

/* ---- must-happen-before ---- */

static uint32_t *clock_of(struct phase *p, uint32_t t)
{
	return p->clock + (size_t)t * p->l->nthreads;
}

static void merge(struct phase *p, uint32_t *to, const uint32_t *from)
{
	for (uint32_t i = 0; i < p->l->nthreads; i++)
		to[i] = fr_max(to[i], from[i]);
}

/* The same rules as barrier() in load_sync.c. */
static void barrier(struct phase *p, uint32_t t, const struct fr_item *i)
{
	struct fr_sbarrier *b = fr_sbarrier_of(&p->barrier, &p->bar, i);
	struct generation *g;

	if (i->kind == FR_EV_BARRIER_INIT)
		return;
	if (i->kind == FR_EV_BARRIER_LEAVE) {
		g = p->thread[t].generation ? &p->generation.v[p->thread[t].generation - 1] : NULL;
		p->thread[t].generation = 0;
		if (!g || g->arrived != g->count)
			return;
		fr_assert(g->clock && g->left < g->count);
		merge(p, clock_of(p, t), g->clock);
		if (++g->left == g->count) {
			free(g->clock);
			g->clock = NULL;
		}
		return;
	}
	if (!b->count)
		return;
	if (!b->generation || p->generation.v[b->generation - 1].arrived == b->count) {
		fr_vec_push(
		    &p->generation,
		    ((struct generation){.count = b->count,
					 .clock = fr_xcalloc(p->l->nthreads, sizeof(uint32_t))}));
		b->generation = (uint32_t)p->generation.n;
	}
	g = &p->generation.v[b->generation - 1];
	fr_assert(g->arrived < g->count);
	g->arrived++;
	p->thread[t].generation = b->generation;
	clock_of(p, t)[t]++;
	merge(p, g->clock, clock_of(p, t));
}

static void create_or_join(struct phase *p, uint32_t t, const struct fr_item *i)
{
	uint64_t *at = fr_map_get(&p->l->by_id, i->addr);
	uint32_t c = at ? (uint32_t)*at - 1 : t, *own = clock_of(p, t), *its = clock_of(p, c);
	struct pthr *x = &p->thread[c];

	fr_assert(c < p->l->nthreads);
	if (FR_SYNC_OUTCOME(i->aux) != FR_OK || c == t)
		return;
	if (i->kind == FR_EV_THREAD_CREATE) {
		if (x->opened || x->created)
			return;
		x->created = true;
		own[t]++;
		merge(p, its, own);
	} else if (!x->joined && (p->l->exact ? p->l->thread[c].highest < i->hook : x->exited)) {
		x->joined = true;
		its[c]++;
		merge(p, own, its);
	}
}

static bool is_border(const struct fr_item *i)
{
	switch (i->kind) {
	case FR_EV_THREAD_CREATE:
	case FR_EV_THREAD_JOIN:
	case FR_EV_THREAD_EXIT:
	case FR_EV_BARRIER_INIT:
	case FR_EV_BARRIER_ENTER:
	case FR_EV_BARRIER_LEAVE:
		return true;
	default:
		return false;
	}
}

static void border(struct phase *p, uint32_t t, const struct fr_item *i)
{
	if (p->thread[t].exited)
		return;
	if (i->kind == FR_EV_THREAD_CREATE || i->kind == FR_EV_THREAD_JOIN)
		create_or_join(p, t, i);
	else if (i->kind == FR_EV_THREAD_EXIT)
		p->thread[t].exited = true;
	else
		barrier(p, t, i);
}

/* ---- the stretches in order ---- */

static uint64_t key_of(struct phase *p, uint32_t t, const struct fr_item *i)
{
	struct pthr *x = &p->thread[t];
	uint64_t stamp = fr_min(p->l->exact ? i->hook : i->value, (uint64_t)INT64_MAX / 2);

	if (stamp > x->eff)
		x->eff = stamp;
	return x->eff << 1;
}

/* Processes all accesses of a thread up to its next border event. */
static int stretch(struct phase *p, struct fr_lthread *t, uint64_t hook)
{
	struct pthr *x = &p->thread[t->index];
	int r;

	fr_assert(t->open && t->known == t->head);
	p->q.t = t->index;
	p->q.now = clock_of(p, t->index);
	fr_vec_push(&t->stretch, ((struct fr_stretch){hook, ++p->q.stretch}));
	for (;; t->known = ++t->head) {
		const struct fr_item *i;

		while (t->head >= fr_feed_ready(t)) {
			r = fr_feed_more(p->l, t);
			if (r < 0)
				return r;
			if (!r) {
				x->ended = true;
				return 0;
			}
		}
		i = fr_item_at(t, t->head);
		if (fr_item_is_access(i)) {
			if (!x->exited)
				fr_quiet_access(&p->q, i->granule, i->kind == FR_EV_WRITE);
			if (i->flags & FR_F_ATOMIC && i->kind == FR_EV_READ && p->l->any_wait &&
			    fr_wait_site(&p->l->waits, i->site))
				p->q.state[i->granule].from = 0; /* for queue_lock.c */
			continue;
		}
		if (fr_is_call_on_object(i->kind) && !x->exited)
			see_call(p, i->addr);
		x->key = key_of(p, t->index, i);
		if (is_border(i))
			return 0;
		if ((i->kind == FR_EV_FREE || i->kind == FR_EV_STACK_FREE) && !x->exited)
			fr_shadow_walk(&p->l->shadow, i->addr, i->addr + i->ext, end_life, &p->q);
	}
}

static bool less(const struct phase *p, uint32_t a, uint32_t b)
{
	return p->thread[a].key != p->thread[b].key ? p->thread[a].key < p->thread[b].key : a < b;
}

static void sift(struct phase *p, uint32_t at)
{
	uint32_t t = p->heap[at];

	fr_assert(at < p->heaped);
	for (;;) {
		uint32_t child = 2 * at + 1;

		if (child + 1 < p->heaped && less(p, p->heap[child + 1], p->heap[child]))
			child++;
		if (child >= p->heaped || !less(p, p->heap[child], t))
			break;
		p->heap[at] = p->heap[child];
		at = child;
	}
	p->heap[at] = t;
}

static int run(struct phase *p)
{
	int r = 0;

	while (p->heaped && r == 0) {
		struct fr_lthread *t = &p->l->thread[p->heap[0]];
		struct pthr *x = &p->thread[t->index];
		uint64_t hook = 0;

		if (!x->opened) {
			fr_feed_open(p->l, t);
			x->opened = true;
		} else {
			struct fr_item i = *fr_item_at(t, t->head);

			fr_assert(t->head < t->tail && is_border(&i)); /* stretch() ended here */
			border(p, t->index, &i);
			hook = i.hook;
			t->known = ++t->head;
		}
		r = stretch(p, t, hook);
		if (x->ended) {
			fr_feed_close(t);
			p->heap[0] = p->heap[--p->heaped];
		}
		if (p->heaped)
			sift(p, 0);
	}
	return r;
}

/* Removes the quiet granules, and returns for each other granule its first stretch to keep. */
static uint32_t *result(struct phase *p)
{
	uint32_t n = p->l->shadow.granules, k = 0, *from;
	bool *keep = fr_xmalloc(n * sizeof(*keep));

	for (uint32_t i = 0; i < n; i++)
		keep[i] = p->q.state[i].from != FR_QUIET;
	fr_shadow_keep(&p->l->shadow, keep);
	free(keep);
	from = fr_xmalloc(p->l->shadow.granules * sizeof(*from));
	for (uint32_t i = 0; i < n; i++)
		if (p->q.state[i].from != FR_QUIET)
			from[k++] = p->q.state[i].from;
	fr_assert(k == p->l->shadow.granules);
	return from;
}

static void clear(struct phase *p)
{
	FR_VEC_FOREACH (g, &p->generation)
		free(g->clock);
	fr_quiet_free(&p->q);
	fr_vec_free(&p->generation);
	fr_vec_free(&p->bar);
	fr_map_free(&p->barrier);
	free(p->clock);
	free(p->thread);
	free(p->heap);
}

int fr_phase_find(struct fr_load *l, uint32_t **ret)
{
	struct phase p = {.l = l};
	int r;

	if (l->nthreads > MAX_THREADS) {
		*ret = fr_xcalloc(l->shadow.granules, sizeof(**ret));
		return 0;
	}
	fr_quiet_init(&p.q, l->shadow.granules);
	p.clock = fr_xcalloc((size_t)l->nthreads * l->nthreads, sizeof(*p.clock));
	p.thread = fr_xcalloc(l->nthreads, sizeof(*p.thread));
	p.heap = fr_xmalloc(l->nthreads * sizeof(*p.heap));
	for (uint32_t i = 0; i < l->nthreads; i++) {
		p.thread[i].key = l->thread[i].first_stamp << 1;
		p.heap[p.heaped++] = i;
	}
	for (uint32_t i = p.heaped / 2; i-- > 0;)
		sift(&p, i);
	r = run(&p);
	for (uint32_t i = 0; i < l->nthreads; i++)
		fr_feed_rewind(&l->thread[i]);
	if (r == 0)
		*ret = result(&p);
	clear(&p);
	return r;
}
