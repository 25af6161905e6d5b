/*
 * Phases of a granule. In programs that work on arrays between barriers nearly all memory is
 * touched by several threads, but never by two at a time. Such accesses are the same in every
 * reordering, and no part of the model.
 *
 * Meaning: A must happen before B if creation, joining and full generations of barriers say so;
 * every reordering that has B has A before it. A granule is *quiet* as long as each write must
 * happen after all accesses before it, and each read after all writes before it. Then every read
 * returns what it did, and there is no other order of what conflicts. When that ends, the accesses
 * before the last write that must happen before all that follow (the anchor) are still left out:
 * what they left there is what was there at the start. If something later need not come after the
 * anchor, all is kept. After the first disquiet everything is kept: what the granule holds then
 * depends on the order.
 *
 * How: a thread's accesses between two of its creations, joins and barriers are a segment. Segments
 * are taken in the order of the stamps they begin with, which extends must-happen-before, with a
 * vector clock of each thread; a granule has the segments of its last writes and reads (as Flanagan
 * and Freund's FastTrack, PLDI 2009, section 3, with fewer edges). The end of a life counts as a
 * write; bytes are not told apart; lives are not either, so memory that goes from thread to thread
 * by way of the allocator is not quiet.
 *
 * Relies on: the second pass taking events in the same order, so that generations are the same.
 * Not handled: more than MAX_THREADS threads (no phases are looked for).
 */
#include "trace/load_phase.h"
#include "trace/load_sync.h"

#define MAX_THREADS 1024
#define MANY UINT16_MAX
#define QUIET UINT32_MAX

struct epoch {
	uint32_t n;	 /* clock of the thread */
	uint16_t thread; /* + 1; 0: none, MANY: see `readers` */
};

struct state {
	struct epoch write, before,
	    read; /* before: the write before the last, of another segment */
	uint32_t write_segment, before_segment;
	uint32_t from; /* QUIET, or the segment; then `write` is the anchor */
};

struct readers {
	FR_VEC(struct epoch) v; /* the latest first */
};

struct generation {
	uint32_t count, arrived, left;
	uint32_t *clock;
};

struct phase {
	struct fr_load *l;
	struct state *state;
	FR_VEC(struct readers) readers;
	FR_VEC(uint32_t) spare; /* of readers */
	uint32_t *clock;	/* of each thread: segments of each thread that are before */
	struct fr_map barrier;	/* address -> index + 1 in `bar` */
	FR_VEC(struct fr_sbarrier) bar;
	FR_VEC(struct generation) generation;
	struct pthr {
		bool created, opened, exited, joined, ended;
		uint32_t generation; /* + 1 */
		uint64_t key, eff;
	} *thread;
	uint32_t segments, *heap, heaped;
	/* The segment at hand. */
	uint32_t *now, t;
};

static inline bool precedes(const struct phase *p, struct epoch e)
{
	return !e.thread || e.thread == p->t + 1 || p->now[e.thread - 1] > e.n;
}

static bool reads_precede(const struct phase *p, struct epoch read)
{
	if (read.thread != MANY)
		return precedes(p, read);
	FR_VEC_FOREACH (e, &p->readers.v[read.n].v)
		if (!precedes(p, *e))
			return false;
	return true;
}

static void forget_readers(struct phase *p, struct state *s)
{
	if (s->read.thread == MANY) {
		p->readers.v[s->read.n].v.n = 0;
		fr_vec_push(&p->spare, s->read.n);
	}
	s->read = (struct epoch){0};
}

static void disquiet(struct phase *p, struct state *s)
{
	forget_readers(p, s);
	if (s->write.thread && precedes(p, s->write)) {
		s->from = s->write_segment;
	} else if (s->before.thread && precedes(p, s->before)) {
		s->from = s->before_segment;
		s->write = s->before;
	} else {
		s->from = 0;
	}
}

static void add_reader(struct phase *p, struct state *s, struct epoch e)
{
	struct readers *r;
	uint32_t n;

	if (s->read.thread != MANY) {
		struct epoch other = s->read;

		if (p->spare.n) {
			n = p->spare.v[--p->spare.n];
		} else {
			fr_vec_push(&p->readers, (struct readers){0});
			n = (uint32_t)p->readers.n - 1;
		}
		s->read = (struct epoch){n, MANY};
		fr_vec_push(&p->readers.v[n].v, other);
	}
	r = &p->readers.v[s->read.n];
	for (size_t i = 0; i < r->v.n; i++)
		if (r->v.v[i].thread == e.thread) {
			r->v.v[i] = r->v.v[0];
			r->v.v[0] = e;
			return;
		}
	fr_vec_push(&r->v, r->v.v[0]);
	r->v.v[0] = e;
}

static inline void access_granule(struct phase *p, uint32_t granule, bool writes)
{
	struct state *s = &p->state[granule];
	struct epoch now = {p->now[p->t], (uint16_t)(p->t + 1)};
	bool same = s->write.thread == now.thread && s->write.n == now.n;

	if (s->from != QUIET) {
		if (s->from && !precedes(p, s->write))
			s->from = 0;
		return;
	}
	if (!same && !precedes(p, s->write)) {
		disquiet(p, s);
		return;
	}
	if (!writes) {
		if (s->read.thread == MANY)
			add_reader(p, s, now);
		else if (!same || s->read.thread)
			precedes(p, s->read) ? (void)(s->read = now) : add_reader(p, s, now);
		return;
	}
	if (s->read.thread) {
		if (!reads_precede(p, s->read)) {
			disquiet(p, s);
			return;
		}
		forget_readers(p, s);
	}
	if (!same) {
		s->before = s->write;
		s->before_segment = s->write_segment;
		s->write = now;
		s->write_segment = p->segments;
	}
}

static void end_life(void *arg, uint32_t granule, uint64_t addr)
{
	(void)addr;
	access_granule(arg, granule, true);
}

/* ---- what must happen before what ---- */

static uint32_t *clock_of(struct phase *p, uint32_t t)
{
	return p->clock + (size_t)t * p->l->nthreads;
}

static void merge(struct phase *p, uint32_t *to, const uint32_t *from)
{
	for (uint32_t i = 0; i < p->l->nthreads; i++)
		to[i] = to[i] > from[i] ? to[i] : from[i];
}

/* As in load_sync.c. */
static void barrier(struct phase *p, uint32_t t, const struct fr_item *i)
{
	uint64_t *at = fr_map_put(&p->barrier, i->addr);
	struct generation *g;
	struct fr_sbarrier *b;

	if (!*at) {
		fr_vec_push(&p->bar, (struct fr_sbarrier){0});
		*at = p->bar.n;
	}
	b = &p->bar.v[*at - 1];
	if (i->kind == FR_EV_BARRIER_INIT) {
		if (FR_SYNC_OUTCOME(i->aux) == FR_OK && i->ext <= UINT32_MAX)
			*b = (struct fr_sbarrier){.count = (uint32_t)i->ext};
		return;
	}
	if (i->kind == FR_EV_BARRIER_LEAVE) {
		g = p->thread[t].generation ? &p->generation.v[p->thread[t].generation - 1] : NULL;
		p->thread[t].generation = 0;
		if (!g || g->arrived != g->count)
			return;
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

	if (FR_SYNC_OUTCOME(i->aux) != FR_OK || c == t)
		return;
	if (i->kind == FR_EV_THREAD_CREATE) {
		if (x->opened || x->created)
			return;
		x->created = true;
		own[t]++;
		merge(p, its, own);
	} else if (!x->joined && (p->l->exact ? p->l->thread[c].highest < i->idx : x->exited)) {
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

/* ---- one segment after the other ---- */

static uint64_t key_of(struct phase *p, uint32_t t, const struct fr_item *i)
{
	struct pthr *x = &p->thread[t];
	uint64_t stamp = fr_min(p->l->exact ? i->idx : i->value, (uint64_t)INT64_MAX / 2);

	if (stamp > x->eff)
		x->eff = stamp;
	return x->eff << 1;
}

/* All accesses of a thread up to its next border. */
static int segment(struct phase *p, struct fr_lthread *t, uint64_t idx)
{
	struct pthr *x = &p->thread[t->index];
	int r;

	p->t = t->index;
	p->now = clock_of(p, t->index);
	fr_vec_push(&t->segment, ((struct fr_segment){idx, ++p->segments}));
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
				access_granule(p, i->granule, i->kind == FR_EV_WRITE);
			continue;
		}
		x->key = key_of(p, t->index, i);
		if (is_border(i))
			return 0;
		if ((i->kind == FR_EV_FREE || i->kind == FR_EV_STACK_FREE) && !x->exited)
			fr_shadow_walk(&p->l->shadow, i->addr, i->addr + i->ext, end_life, p);
	}
}

static bool less(const struct phase *p, uint32_t a, uint32_t b)
{
	return p->thread[a].key != p->thread[b].key ? p->thread[a].key < p->thread[b].key : a < b;
}

static void sift(struct phase *p, uint32_t at)
{
	uint32_t t = p->heap[at];

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
		uint64_t idx = 0;

		if (!x->opened) {
			fr_feed_open(p->l, t);
			x->opened = true;
		} else {
			struct fr_item i = *fr_item_at(t, t->head);

			border(p, t->index, &i);
			idx = i.idx;
			t->known = ++t->head;
		}
		r = segment(p, t, idx);
		if (x->ended) {
			fr_feed_close(t);
			p->heap[0] = p->heap[--p->heaped];
		}
		if (p->heaped)
			sift(p, 0);
	}
	return r;
}

/* Takes out what is quiet, and says from where on the others are kept. */
static uint32_t *result(struct phase *p)
{
	uint32_t n = p->l->shadow.granules, k = 0, *from;
	bool *keep = fr_xmalloc(n * sizeof(*keep));

	for (uint32_t i = 0; i < n; i++)
		keep[i] = p->state[i].from != QUIET;
	fr_shadow_keep(&p->l->shadow, keep);
	free(keep);
	from = fr_xmalloc(p->l->shadow.granules * sizeof(*from));
	for (uint32_t i = 0; i < n; i++)
		if (p->state[i].from != QUIET)
			from[k++] = p->state[i].from;
	assert(k == p->l->shadow.granules);
	return from;
}

static void clear(struct phase *p)
{
	FR_VEC_FOREACH (r, &p->readers)
		fr_vec_free(&r->v);
	FR_VEC_FOREACH (g, &p->generation)
		free(g->clock);
	fr_vec_free(&p->readers);
	fr_vec_free(&p->spare);
	fr_vec_free(&p->generation);
	fr_vec_free(&p->bar);
	fr_map_free(&p->barrier);
	free(p->state);
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
	p.state = fr_xcalloc(l->shadow.granules, sizeof(*p.state));
	for (uint32_t i = 0; i < l->shadow.granules; i++)
		p.state[i].from = QUIET;
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
