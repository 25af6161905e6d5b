/*
 * Atomic regions: see region.h. Two passes along the run: the first finds the locations that
 * matter; the second makes the spans, a new one at each access before which something changed in
 * its thread.
 *
 * Invariant: the spans of a thread are made in the order of its events. All regions of a span start
 *            at or after its `since`.
 * Memory:    four bytes for each access to the locations that matter, and a span for each stretch
 *            that has such accesses.
 * Not here:  which calls are regions (named_call.c), and the call stacks (caller.c).
 */
#include "generate/region.h"
#include "generate/region_end.h"
#include "generate/unguarded.h"
#include "generate/named_call.h"
#include "format/event.h"
#include "base/hash.h"
#include <string.h>

/* ---- the locations that matter ---- */

struct region_location {
	fr_ev last; /* last access of the first thread, while it is alone */
	uint16_t thread;
	bool seen, later, shared, written;
};

static void see_location(struct region_location *p, const struct fr_mev *v, fr_ev e,
			 const fr_ev *alone)
{
	if (v->flags & FR_NO_TARGET)
		return;
	if (!p->seen) {
		p->seen = true;
		p->thread = v->thread;
	} else if (v->thread != p->thread && !p->shared) {
		if (!p->later && p->last < alone[p->thread]) { /* ignore the accesses so far */
			p->thread = v->thread;
			p->written = false;
			p->later = true;
		} else {
			p->shared = true;
		}
	}
	p->last = e;
	p->written |= v->op == FR_OP_WRITE;
}

/* Returns the number of accesses to locations that matter. */
static uint32_t find_locations(struct fr_regions *r, const struct fr_causality *c)
{
	const struct fr_model *m = r->m;
	const struct fr_mclass *k = &m->cls[FR_C_LOC];
	FR_CLEANUP(fr_freep)
	struct region_location *location = fr_xcalloc((size_t)k->n + 1, sizeof(*location));
	FR_CLEANUP(fr_freep) fr_ev *alone = fr_xcalloc((size_t)m->nthreads + 1, sizeof(*alone));
	uint32_t n = 0;

	for (uint32_t t = 0; t < m->nthreads; t++)
		alone[t] = fr_alone_until(m, c, t);
	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];

		if (fr_is_access(v) && !(location[v->obj].shared && location[v->obj].written) &&
		    !fr_regions_ignore(r, v))
			see_location(&location[v->obj], v, e, alone);
	}
	for (uint32_t i = 0; i < k->n; i++) {
		bool matters = location[i].shared && location[i].written;

		r->first[i] = matters ? n : UINT32_MAX;
		n += matters ? k->first[i + 1] - k->first[i] : 0;
	}
	fr_assert(n <= k->first[k->n]);
	return n;
}

/* ---- spans ---- */

struct ended {
	fr_ev begin, end;
};

struct walker {
	FR_VEC(struct fr_held) held;
	fr_ev since, lock, annotated, named;
	uint32_t outer; /* the lock with which the region began */
	uint32_t depth; /* nesting of annotated regions */
	size_t change;	/* index of the next change of named calls */
	struct ended split;
	uint32_t span; /* UINT32_MAX: something changed */
};

struct region_walk {
	struct fr_regions *r;
	struct walker *thread;
	struct fr_map before; /* thread and lock -> its last region, as an index into `ended` + 1 */
	FR_VEC(struct ended) ended;
	struct fr_exchange exchange;
	uint32_t *owner; /* by word: thread + 1 */
};

static bool separates(struct region_walk *w, fr_ev e)
{
	const struct fr_mev *v = &w->r->m->ev[e];

	if (v->op == FR_OP_ACQUIRE_ALL || v->op == FR_OP_RELEASE_ALL)
		return fr_exchanges(&w->exchange, e);
	if (fr_op_class[v->op] == FR_C_COND && w->r->words.cond[v->obj])
		return false;
	return fr_lock_roles_separates(&w->r->locks, v);
}

static struct ended *ended_of(struct region_walk *w, uint32_t thread, uint32_t lock)
{
	uint64_t *at = fr_map_put(&w->before, (uint64_t)thread << 32 | lock);

	fr_assert(*at <= w->ended.n);
	if (!*at) {
		fr_vec_push(&w->ended, (struct ended){FR_NO_EV, FR_NO_EV});
		*at = w->ended.n;
	}
	return &w->ended.v[*at - 1];
}

static void take(struct region_walk *w, struct walker *t, fr_ev e, uint32_t lock, bool shared)
{
	const struct fr_mev *v = &w->r->m->ev[e];

	fr_assert((t->lock == FR_NO_EV) == !t->held.n);
	if (!t->held.n) {
		t->lock = e;
		t->outer = lock;
		t->split = *ended_of(w, v->thread, lock);
	}
	fr_assert(t->lock <= e); /* the region began with the first lock */
	fr_vec_push(&t->held, (struct fr_held){lock, e, shared});
}

static void give(struct region_walk *w, struct walker *t, fr_ev e, uint32_t lock, bool shared)
{
	const struct fr_mev *v = &w->r->m->ev[e];
	size_t i = t->held.n;

	while (i && (t->held.v[i - 1].lock != lock || t->held.v[i - 1].shared != shared))
		i--;
	if (!i)
		return;
	for (t->held.n--; i <= t->held.n; i++)
		t->held.v[i - 1] = t->held.v[i];
	if (t->held.n)
		return;
	fr_assert(t->lock < e);
	*ended_of(w, v->thread, t->outer) = (struct ended){t->lock, e};
	t->lock = FR_NO_EV;
	t->split.begin = FR_NO_EV;
}

static void mark(struct walker *t, fr_ev e, uint32_t kind)
{
	fr_assert((t->annotated == FR_NO_EV) == !t->depth);
	if (kind == FR_EV_USER_ATOMIC_BEGIN && !t->depth++)
		t->annotated = e;
	if (kind == FR_EV_USER_ATOMIC_END && t->depth && !--t->depth)
		t->annotated = FR_NO_EV;
}

static void step(struct region_walk *w, fr_ev e)
{
	const struct fr_mev *v = &w->r->m->ev[e];
	struct walker *t = &w->thread[v->thread];
	unsigned op = fr_lock_roles_op(&w->r->locks, v);

	t->span = UINT32_MAX;
	if (op == FR_OP_ACQUIRE || op == FR_OP_ACQUIRE_SHARED)
		take(w, t, e, fr_lock_roles_lock(&w->r->locks, v), op == FR_OP_ACQUIRE_SHARED);
	else if (op == FR_OP_RELEASE || op == FR_OP_RELEASE_SHARED)
		give(w, t, e, fr_lock_roles_lock(&w->r->locks, v), op == FR_OP_RELEASE_SHARED);
	else if (op == FR_OP_MARK)
		mark(t, e, v->obj);
	else if (separates(w, e))
		t->since = e + 1;
}

/* Applies an access to the word of a semaphore. */
static void see_word(struct region_walk *w, fr_ev e)
{
	const struct fr_mev *v = &w->r->m->ev[e];
	uint32_t word = fr_sem_word_of(&w->r->words, v);
	uint32_t lock = w->r->m->cls[FR_C_LOCK].n + w->r->m->cls[FR_C_SEM].n + word;
	struct walker *t = &w->thread[v->thread];

	if (word == UINT32_MAX)
		return;
	switch (fr_own_lock_does(&w->r->words.own.lock.v[word], w->r->m, e, w->owner[word])) {
	case FR_OWN_TAKES:
		w->owner[word] = v->thread + 1u;
		t->span = UINT32_MAX;
		take(w, t, e, lock, false);
		break;
	case FR_OWN_FREES:
		w->owner[word] = 0;
		t->span = UINT32_MAX;
		give(w, t, e, lock, false);
		break;
	default:
		break;
	}
}

/* Start of a region, or of its part after the last event that ends regions. */
static fr_ev clip(fr_ev begin, fr_ev since)
{
	return fr_max(begin, since);
}

static uint32_t new_span(struct fr_regions *r, struct walker *t)
{
	struct fr_span s = {.annotated = clip(t->annotated, t->since),
			    .named = clip(t->named, t->since),
			    .lock = clip(t->lock, t->since),
			    .split = clip(t->split.begin, t->since),
			    .split_end = t->split.end,
			    .since = t->since,
			    .held = (uint32_t)r->held.n,
			    .nheld = (uint32_t)t->held.n};
	uint64_t h = t->held.n;

	if (t->lock == FR_NO_EV || s.split >= s.split_end)
		s.split = s.split_end = FR_NO_EV;
	FR_VEC_FOREACH (x, &t->held) {
		h = fr_mix(h, (uint64_t)x->lock << 1 | x->shared);
		fr_vec_push(&r->held, *x);
	}
	fr_assert(fr_span_from(&s) >= s.since);
	fr_assert((s.lock == FR_NO_EV) == !s.nheld && s.split <= s.split_end);
	s.locks = (uint32_t)h;
	fr_vec_push(&r->span, s);
	return (uint32_t)(r->span.n - 1);
}

/* Applies the calls that have begun or ended when the thread comes to e. */
static void see_calls(struct walker *t, const struct fr_named *named, uint32_t thread, fr_ev e)
{
	for (; t->change < named->thread[thread].n; t->change++) {
		const struct fr_named_change *x = &named->thread[thread].v[t->change];

		if (x->at > e)
			return;
		fr_assert_slow(!t->change || x[-1].at <= x->at);
		t->named = x->inside ? x->at : FR_NO_EV;
		t->span = UINT32_MAX;
	}
}

/* named: NULL if no calls are regions. */
static void find_spans(struct fr_regions *r, const struct fr_causality *c,
		       const struct fr_named *named)
{
	const struct fr_model *m = r->m;
	const struct fr_mclass *k = &m->cls[FR_C_LOC];
	FR_CLEANUP(fr_freep) uint32_t *next = fr_xmalloc(((size_t)k->n + 1) * sizeof(*next));
	struct region_walk w = {.r = r, .exchange = {.m = m, .c = c}};

	w.thread = fr_xcalloc((size_t)m->nthreads + 1, sizeof(*w.thread));
	w.owner = fr_xcalloc(r->words.own.lock.n + 1, sizeof(*w.owner));
	for (uint32_t i = 0; i < m->nthreads; i++)
		w.thread[i] = (struct walker){.lock = FR_NO_EV,
					      .annotated = FR_NO_EV,
					      .named = FR_NO_EV,
					      .split = {FR_NO_EV, FR_NO_EV},
					      .span = UINT32_MAX};
	memcpy(next, r->first, k->n * sizeof(*next));
	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];
		struct walker *t = &w.thread[v->thread];

		if (!fr_is_access(v)) {
			step(&w, e);
		} else if (next[v->obj] != UINT32_MAX) {
			if (named)
				see_calls(t, named, v->thread, e);
			if (t->span == UINT32_MAX)
				t->span = new_span(r, t);
			fr_assert_slow(t->span < r->span.n);
			r->of[next[v->obj]++] = t->span;
		}
		if (fr_is_access(v))
			see_word(&w, e);
	}
	for (uint32_t i = 0; i < k->n; i++)
		fr_assert(next[i] - r->first[i] ==
			  (r->first[i] == UINT32_MAX ? 0 : k->first[i + 1] - k->first[i]));
	for (uint32_t i = 0; i < m->nthreads; i++)
		fr_vec_free(&w.thread[i].held);
	free(w.thread);
	fr_map_free(&w.before);
	fr_vec_free(&w.ended);
	fr_exchange_free(&w.exchange);
	free(w.owner);
}

void fr_regions_init(struct fr_regions *r, const struct fr_model *m, const struct fr_causality *c,
		     const struct fr_generate_opt *opt)
{
	struct fr_named named = {0};
	uint32_t n;

	*r = (struct fr_regions){.m = m};
	fr_lock_roles_init(&r->locks, m);
	r->first = fr_xmalloc(((size_t)m->cls[FR_C_LOC].n + 1) * sizeof(*r->first));
	fr_sem_words_find(&r->words, m);
	n = find_locations(r, c);
	r->of = fr_xmalloc(((size_t)n + 1) * sizeof(*r->of));
	if (n && opt->calls) {
		find_spans(r, c, opt->calls);
	} else if (n && opt->atomic.n) {
		fr_named_find(&named, m, opt);
		find_spans(r, c, &named);
		fr_named_free(&named);
	} else if (n) {
		find_spans(r, c, NULL);
	}
}

void fr_regions_free(struct fr_regions *r)
{
	fr_vec_free(&r->span);
	fr_vec_free(&r->held);
	fr_vec_free(&r->code);
	fr_map_free(&r->codes);
	fr_callers_free(&r->callers);
	fr_lock_roles_free(&r->locks);
	fr_sem_words_free(&r->words);
	free(r->first);
	free(r->of);
}

bool fr_spans_exclude(const struct fr_regions *r, uint32_t x, fr_ev taken, uint32_t y)
{
	const struct fr_span *sx = &r->span.v[x], *sy = &r->span.v[y];
	const struct fr_held *a = r->held.v + sx->held, *b = r->held.v + sy->held;

	fr_assert_slow(x < r->span.n && y < r->span.n);
	for (uint32_t i = 0; i < sx->nheld && a[i].acquire < taken; i++)
		for (uint32_t k = 0; k < sy->nheld; k++)
			if (a[i].lock == b[k].lock && !(a[i].shared && b[k].shared))
				return true;
	return false;
}

bool fr_regions_ignore(const struct fr_regions *r, const struct fr_mev *v)
{
	return v->flags & FR_NO_TARGET || fr_sem_word_of(&r->words, v) != UINT32_MAX;
}

static uint32_t hash_text(uint64_t h, const char *s)
{
	h = fr_hash_text(h, s);
	return (uint32_t)(h ^ h >> 32);
}

/* Sets the source position of a site. The calls of a system header (std::atomic, std::vector) that
   were inlined count as parts of the expression that makes the outermost of these calls. */
static void set_position(const struct fr_site_info *s, struct fr_code *c)
{
	const char *file = s->file, *function = s->function;
	uint32_t i = 0;

	c->line = s->line;
	c->column = s->column;
	while (i < s->nframes && fr_site_of_system(file))
		file = s->strings + s->frames[i++].file;
	if (i && !fr_site_of_system(file)) {
		function = s->strings + s->frames[i - 1].function;
		c->line = s->frames[i - 1].line;
		c->column = s->frames[i - 1].column;
	} else {
		file = s->file;
		i = 0;
	}
	if (*function)
		c->function = hash_text(hash_text(1469598103, file), function) | 1;
	for (; i < s->nframes; i++)
		c->copy = (uint32_t)fr_mix(c->copy,
					   (uint64_t)s->frames[i].line << 32 | s->frames[i].column);
}

struct fr_code fr_regions_code(struct fr_regions *r, uint32_t site)
{
	uint64_t *at = fr_map_put(&r->codes, site);
	/* model made by hand: all sites are in one function */
	struct fr_code code = {.function = 1, .nth = site, .site = site};

	fr_assert(*at <= r->code.n);
	if (*at)
		return r->code.v[*at - 1];
	if (r->m->trace) {
		struct fr_site_info s = fr_sites_get(r->m->trace->sites, site);

		code = (struct fr_code){.line = s.line,
					.column = s.column,
					.site = site,
					.nth = !!(s.access & FR_SITE_WRITE),
					.cas = s.access & FR_SITE_CAS};
		if (s.known)
			set_position(&s, &code);
	}
	fr_vec_push(&r->code, code);
	*at = r->code.n;
	return code;
}

uint32_t fr_regions_position(struct fr_regions *r, uint32_t site)
{
	struct fr_code c = fr_regions_code(r, site);

	if (!c.function)
		return site;
	return (uint32_t)fr_mix((uint64_t)c.function << 32 | c.nth,
				(uint64_t)c.line << 32 | c.column);
}

static bool takes(const struct fr_regions *r, fr_ev e)
{
	unsigned op = fr_lock_roles_op(&r->locks, &r->m->ev[e]);

	return op == FR_OP_ACQUIRE || op == FR_OP_ACQUIRE_SHARED;
}

/* The release that follows this acquire. */
static fr_ev given_back(const struct fr_regions *r, fr_ev taken)
{
	const struct fr_model *m = r->m;
	const struct fr_mclass *k = &m->cls[fr_op_class[m->ev[taken].op]];
	uint32_t obj = m->ev[taken].obj, i = k->first[obj], n = k->first[obj + 1] - i;

	fr_assert(takes(r, taken));
	while (n) {
		uint32_t half = n / 2;

		if (k->list[i + half] <= taken) {
			i += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	for (; i < k->first[obj + 1]; i++) {
		const struct fr_mev *v = &m->ev[k->list[i]];
		unsigned op = fr_lock_roles_op(&r->locks, v);

		if (v->thread == m->ev[taken].thread &&
		    (op == FR_OP_RELEASE || op == FR_OP_RELEASE_SHARED))
			return k->list[i];
	}
	return FR_NO_EV;
}

/* Does one function contain the two regions? */
static bool is_of_one(struct fr_regions *r, const struct fr_span *s)
{
	const struct fr_model *m = r->m;
	struct fr_lock_region x = {s->split, s->split_end}, y = {s->lock, FR_NO_EV};

	fr_assert(x.take < x.give && x.give < m->n && y.take < m->n);
	/* the start may have been moved behind its acquire: see clip */
	if (!takes(r, x.take) || !takes(r, y.take) ||
	    m->ev[x.take].thread != m->ev[y.take].thread ||
	    fr_lock_roles_lock(&r->locks, &m->ev[x.take]) !=
		fr_lock_roles_lock(&r->locks, &m->ev[y.take]))
		return false;
	y.give = given_back(r, y.take);
	return fr_callers_same(&r->callers, m, &x, &y);
}

enum fr_split fr_regions_split(struct fr_regions *r, uint32_t span, fr_ev a, fr_ev b)
{
	struct fr_code x = fr_regions_code(r, r->m->ev[a].site);
	struct fr_code y = fr_regions_code(r, r->m->ev[b].site);
	struct fr_span *s = &r->span.v[span];

	fr_assert(a < b && fr_span_region(s, a) == FR_REGION_SPLIT);
	if (fr_code_follows(&x, &y))
		return FR_SPLIT_TEXT;
	if (s->of_one == FR_NOT_ASKED)
		s->of_one = is_of_one(r, s) ? FR_OF_ONE : FR_OF_TWO;
	return s->of_one == FR_OF_ONE ? FR_SPLIT_CALLS : FR_SPLIT_NOT;
}

bool fr_regions_one_call(struct fr_regions *r, uint32_t x, uint32_t y)
{
	struct fr_lock_region a = {r->span.v[x].lock, FR_NO_EV};
	struct fr_lock_region b = {r->span.v[y].lock, FR_NO_EV};

	if (a.take >= b.take || b.take >= r->m->n || !takes(r, a.take) || !takes(r, b.take))
		return false;
	fr_assert(x < r->span.n && y < r->span.n);
	a.give = given_back(r, a.take);
	b.give = given_back(r, b.take);
	return fr_callers_one(&r->callers, r->m, &a, &b);
}
