/*
 * Uses after free: an access to an object by one thread, or a call on a lock, condition or
 * semaphore in it, and the free of the object by another thread, that must-happen-before does not
 * order. The free comes first, then the access. A common lock does not exclude the bug: it allows
 * either order, and the recorded one may be luck. There is one group for each pair of sites; all
 * pairs with one free and one function that uses the object are one bug. Uses of an object through
 * a pointer that was new in the recorded run, and would be old in another order, come from
 * old_pointer.h.
 *
 * The search takes the objects one by one. The accesses of one thread from one site to one object
 * are alike. Of accesses that are alike, only the last before the free is kept: if it must precede
 * the free, so must all. If it is in a section of a lock, the first one in this section is kept
 * too: the free may come before the section, but not into it, and then the first use is too late.
 *
 * Cost:             linear in the accesses to freed objects.
 * Not decided here: whether the access can really come after the free. The oracle decides that.
 */
#include "generate/generate.h"
#include "base/hash.h"
#include "generate/unguarded.h"
#include "generate/matches.h"
#include "generate/old_pointer.h"
#include "model/model_heap.h"

#define GROUPS_MAX 100000
#define MANY 10000  /* above this number of groups, fewer instances of each */
#define CLASSES 256 /* uses of one object that are compared with its free */
#define COMPARED 64 /* accesses to one location that are compared with an earlier free */
#define SLOTS 512   /* of the table by which they are found */
#define SECTION 256 /* events of a section that are searched for its first use */
#define HELD 16	    /* locks that a thread holds */
#define LOCALS 1024 /* ends of local variables that are compared with later accesses */
#define STALE 1	    /* note of a match that old_pointer.h found */
_Static_assert(CLASSES < SLOTS, "the search for a slot ends");

/* The last access of a thread at a site to the object. */
struct use {
	uint32_t site;
	uint16_t thread;
	fr_ev ev;
};

/* A call on a lock, condition or semaphore that is in a HEAP object. */
struct call {
	uint32_t obj;
	fr_ev ev;
};

/* Local or thread-local variables end. */
struct local {
	uint64_t lo, hi;
	fr_ev free;
};

struct lives {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_groups *ret;
	struct fr_matches matches;
	uint32_t *first, *loc;	  /* locations of each HEAP object, as in struct fr_mclass */
	FR_VEC(struct call) call; /* by object */
	size_t next_call;
	FR_VEC(struct local) local; /* by `free` */
	/* State of one object. */
	struct use use[CLASSES];
	uint32_t n;
	uint32_t number; /* of the object */
	struct {
		uint32_t number, use; /* of another object: empty */
	} table[SLOTS];
};

/* Sorts the locations by the HEAP object to which they belong. */
static void index_locations(struct lives *l)
{
	const struct fr_mclass *k = &l->m->cls[FR_C_LOC];
	uint32_t n = l->m->cls[FR_C_HEAP].n, *at;

	l->first = fr_xcalloc((size_t)n + 2, sizeof(*l->first));
	l->loc = fr_xmalloc(((size_t)k->n + 1) * sizeof(*l->loc));
	at = l->first + 1; /* at[i]: first the number of locations of object i, then their end */
	for (uint32_t i = 0; i < k->n; i++)
		if (k->obj[i].aux) {
			fr_assert(k->obj[i].aux <= n);
			at[k->obj[i].aux]++;
		}
	for (uint32_t i = 1; i <= n; i++)
		at[i] += at[i - 1];
	for (uint32_t i = 0; i < k->n; i++)
		if (k->obj[i].aux)
			l->loc[at[k->obj[i].aux - 1]++] = i;
	fr_assert(!l->first[0] && l->first[n] <= k->n);
}

/* Identifies the function of a site, for reports; the site itself if that is not known. */
static uint64_t function_of(const struct fr_model *m, uint32_t site)
{
	struct fr_site_info s;

	if (!m->trace)
		return site;
	s = fr_sites_get(m->trace->sites, site);
	if (!s.known || !s.function || !*s.function)
		return site;
	return fr_hash_text(FR_HASH_START, s.function);
}

static void compare(struct lives *l, fr_ev free, const struct use *u)
{
	const struct fr_mev *f = &l->m->ev[free], *v = &l->m->ev[u->ev];
	fr_ev ev[2] = {free, u->ev};
	struct fr_match_group of = {.key = fr_mix(f->site, v->site) >> 1, .nev = 2};
	struct fr_match w = {.ev = ev, .apart = fr_apart(free, u->ev), .end = fr_max(free, u->ev)};

	fr_assert(f->op == FR_OP_FREE && f->thread != v->thread && u->thread == v->thread);
	w.context = (uint32_t)fr_mix(f->thread, v->thread);
	if (!fr_matches_want(&l->matches, of.key, &w))
		return;
	if (fr_mhb(l->c, fr_head(l->m, u->ev), free)) {
		l->ret->excluded++;
		return;
	}
	of.bug = fr_mix(f->site, function_of(l->m, v->site)) | 1;
	if (!fr_matches_add(&l->matches, &of, &w))
		l->ret->cut_off++;
}

/* The first access at the site of the use to the object, in the outermost section that the use is
   in; FR_NO_EV: it is in none, or that is the use itself. */
static fr_ev first_in_section(const struct lives *l, uint32_t obj, const struct use *u)
{
	const struct fr_mthread *t = &l->m->thread[u->thread];
	struct fr_held held[HELD];
	uint32_t at;

	if (!fr_locks_held(l->c, u->ev, held, HELD))
		return FR_NO_EV;
	fr_assert(held[0].acquire < u->ev && l->m->ev[held[0].acquire].thread == u->thread);
	at = fr_model_pos(l->m, held[0].acquire);
	for (uint32_t i = at; i < t->n && i - at < SECTION && t->ev[i] < u->ev; i++) {
		const struct fr_mev *v = &l->m->ev[t->ev[i]];

		if (fr_is_access(v) && v->site == u->site && !(v->flags & FR_NO_TARGET) &&
		    l->m->cls[FR_C_LOC].obj[v->obj].aux == obj + 1)
			return t->ev[i];
	}
	return FR_NO_EV;
}

static void see_use(struct lives *l, fr_ev e)
{
	const struct fr_mev *v = &l->m->ev[e];
	uint32_t at = (uint32_t)fr_mix(v->thread, v->site) % SLOTS;

	for (; l->table[at].number == l->number; at = (at + 1) % SLOTS) {
		struct use *u = &l->use[l->table[at].use];

		fr_assert_slow(l->table[at].use < l->n);
		if (u->site == v->site && u->thread == v->thread) {
			u->ev = fr_max(u->ev, e);
			return;
		}
	}
	if (l->n == CLASSES) {
		l->ret->cut_off++;
		return;
	}
	l->table[at].number = l->number;
	l->table[at].use = l->n;
	l->use[l->n++] = (struct use){v->site, v->thread, e};
}

/* ---- locks and the like in freed objects ---- */

static int by_object(const void *pa, const void *pb)
{
	const struct call *a = pa, *b = pb;

	if (a->obj != b->obj)
		return a->obj < b->obj ? -1 : 1;
	return (a->ev > b->ev) - (a->ev < b->ev);
}

/* Finds the calls on locks, conditions and semaphores that are in HEAP objects. */
static void find_calls(struct lives *l)
{
	static const enum fr_class classes[] = {FR_C_LOCK, FR_C_COND, FR_C_SEM};

	for (unsigned i = 0; i < fr_array_size(classes); i++) {
		const struct fr_mclass *k = &l->m->cls[classes[i]];

		for (uint32_t o = 0; o < k->n; o++) {
			if (fr_heap_find(l->m, k->obj[o].addr, FR_NO_EV) == UINT32_MAX)
				continue;
			for (uint32_t x = k->first[o]; x < k->first[o + 1]; x++) {
				fr_ev e = k->list[x];
				uint32_t obj = fr_heap_find(l->m, k->obj[o].addr, e);

				if (obj != UINT32_MAX &&
				    !(l->m->ev[e].flags & (FR_F_PART | FR_F_SYNTH)))
					fr_vec_push(&l->call, ((struct call){obj, e}));
			}
		}
	}
	if (l->call.n)
		qsort(l->call.v, l->call.n, sizeof(*l->call.v), by_object);
}

/* The calls on locks and the like in the object. Objects come in ascending order. */
static void see_calls(struct lives *l, uint32_t obj, fr_ev free)
{
	fr_assert(!l->next_call || l->call.v[l->next_call - 1].obj < obj);
	while (l->next_call < l->call.n && l->call.v[l->next_call].obj < obj)
		l->next_call++;
	for (size_t i = l->next_call; i < l->call.n && l->call.v[i].obj == obj; i++)
		if (l->call.v[i].ev < free &&
		    l->m->ev[l->call.v[i].ev].thread != l->m->ev[free].thread)
			see_use(l, l->call.v[i].ev);
}

/* ---- uses after free in the recorded run ---- */

static fr_ev free_of(const struct fr_model *m, uint32_t obj)
{
	const struct fr_mclass *h = &m->cls[FR_C_HEAP];

	for (uint32_t i = h->first[obj]; i < h->first[obj + 1]; i++)
		if (m->ev[h->list[i]].op == FR_OP_FREE)
			return h->list[i];
	return FR_NO_EV;
}

static void find_locals(struct lives *l)
{
	const struct fr_mclass *h = &l->m->cls[FR_C_HEAP];

	for (uint32_t o = 0; o < h->n && l->local.n < LOCALS; o++) {
		fr_ev free = h->obj[o].count ? FR_NO_EV : free_of(l->m, o);

		if (free != FR_NO_EV && l->m->ev[free].value)
			fr_vec_push(&l->local,
				    ((struct local){h->obj[o].addr,
						    h->obj[o].addr + l->m->ev[free].value, free}));
	}
}

/* The last end of an object at the address before the event; FR_NO_EV: none. */
static fr_ev free_before(const struct lives *l, uint64_t addr, fr_ev e)
{
	uint32_t obj = fr_heap_find(l->m, addr, e);
	fr_ev free = obj == UINT32_MAX ? FR_NO_EV : free_of(l->m, obj);

	FR_VEC_FOREACH (x, &l->local)
		if (x->free < e && addr + 7 >= x->lo && addr < x->hi &&
		    (free == FR_NO_EV || free < x->free))
			free = x->free;
	return free < e ? free : FR_NO_EV;
}

/* The location belongs to no object. If a freed one was there, its accesses come after the free. */
static void see_stale(struct lives *l, uint32_t loc)
{
	const struct fr_mclass *k = &l->m->cls[FR_C_LOC];

	for (uint32_t i = k->first[loc]; i < k->first[loc + 1] && i - k->first[loc] < COMPARED;
	     i++) {
		fr_ev e = k->list[i], free = free_before(l, k->obj[loc].addr, e);

		if (free < e && l->m->ev[e].thread != l->m->ev[free].thread &&
		    !(l->m->ev[e].flags & FR_NO_TARGET))
			compare(l, free, &(struct use){l->m->ev[e].site, l->m->ev[e].thread, e});
	}
}

/* ---- objects ---- */

static void see_object(struct lives *l, uint32_t obj)
{
	const struct fr_mclass *k = &l->m->cls[FR_C_LOC];
	fr_ev free = free_of(l->m, obj);

	if (free == FR_NO_EV)
		return;
	l->n = 0;
	l->number++;
	for (uint32_t i = l->first[obj]; i < l->first[obj + 1]; i++)
		for (uint32_t x = k->first[l->loc[i]]; x < k->first[l->loc[i] + 1]; x++) {
			const struct fr_mev *v = &l->m->ev[k->list[x]];

			if (v->thread != l->m->ev[free].thread && !(v->flags & FR_NO_TARGET))
				see_use(l, k->list[x]);
		}
	see_calls(l, obj, free);
	for (uint32_t i = 0; i < l->n; i++) {
		fr_ev first = first_in_section(l, obj, &l->use[i]);

		compare(l, free, &l->use[i]);
		if (first != FR_NO_EV)
			compare(l, free, &(struct use){l->use[i].site, l->use[i].thread, first});
	}
}

static void add_stale(void *arg, const struct fr_stale *s)
{
	struct lives *l = arg;
	const struct fr_mev *f = &l->m->ev[s->free], *v = &l->m->ev[s->use];
	fr_ev ev[5] = {s->free, s->use, s->read, s->old, s->next};
	struct fr_match_group of = {.key = fr_mix(fr_mix(f->site, v->site), STALE) >> 1, .nev = 5};
	struct fr_match w = {.ev = ev,
			     .apart = fr_apart(s->free, s->use),
			     .end = fr_max(s->free, s->use),
			     .note = STALE};

	fr_assert(f->op == FR_OP_FREE && f->thread != v->thread);
	fr_assert(s->old < s->next && s->read < s->use && l->m->ev[s->read].thread == v->thread);
	w.context = (uint32_t)fr_mix(f->thread, v->thread);
	of.bug = fr_mix(f->site, function_of(l->m, v->site)) | 1;
	if (fr_matches_want(&l->matches, of.key, &w) && !fr_matches_add(&l->matches, &of, &w))
		l->ret->cut_off++;
}

static void edge(struct fr_candidate *c, const struct fr_model *m, fr_ev before, fr_ev after)
{
	fr_assert(c->nedges < FR_EDGES);
	c->edge[c->nedges].before = fr_head(m, before);
	c->edge[c->nedges++].after = fr_head(m, after);
}

static void write_matches(void *arg, struct fr_group *g, const struct fr_match *w, uint32_t n)
{
	const struct lives *l = arg;
	const struct fr_mclass *h = &l->m->cls[FR_C_HEAP];

	for (uint32_t i = 0; i < n; i++) {
		struct fr_instance *in = fr_instance_new(2);
		fr_ev free = w[i].ev[0], use = w[i].ev[1];

		fr_assert(w[i].note == STALE || w[i].note == 0);
		in->what.npending = 1;
		in->what.pending[0] = fr_head(l->m, use);
		edge(&in->what, l->m, free, use);
		if (h->obj[l->m->ev[free].obj].count) /* the hybrid tier does not know it */
			edge(&in->what, l->m, h->obj[l->m->ev[free].obj].count - 1, free);
		if (w[i].note == STALE) {
			edge(&in->what, l->m, w[i].ev[3], w[i].ev[2]);
			edge(&in->what, l->m, w[i].ev[2], w[i].ev[4]);
			edge(&in->what, l->m, w[i].ev[2], free);
		}
		in->actor[0] = (struct fr_actor){free, FR_ROLE_FREE, 1};
		in->actor[1] = (struct fr_actor){use, FR_ROLE_USE, 1};
		fr_vec_push(&g->instance, in);
	}
}

static void generate(const struct fr_generator *self, const struct fr_model *m,
		     const struct fr_causality *c, const struct fr_generate_opt *opt,
		     struct fr_groups *ret)
{
	struct lives *l = fr_xcalloc(1, sizeof(*l));

	(void)self;
	(void)opt;
	*ret = (struct fr_groups){0};
	l->m = m;
	l->c = c;
	l->ret = ret;
	l->matches.max = GROUPS_MAX;
	l->matches.many = MANY;
	index_locations(l);
	find_calls(l);
	find_locals(l);
	for (uint32_t i = 0; i < m->cls[FR_C_HEAP].n; i++)
		see_object(l, i);
	for (uint32_t i = 0; m->cls[FR_C_HEAP].n && i < m->cls[FR_C_LOC].n; i++)
		if (!m->cls[FR_C_LOC].obj[i].aux)
			see_stale(l, i);
	ret->cut_off += fr_stale_find(m, c, add_stale, l);
	free(l->first);
	free(l->loc);
	fr_vec_free(&l->call);
	fr_vec_free(&l->local);
	fr_matches_write(&l->matches, write_matches, l, ret);
	fr_matches_free(&l->matches);
	free(l);
	fr_groups_sort(ret);
}

const struct fr_generator fr_generator_lifetime = {
    .name = "use-after-free",
    .summary = "a thread accesses an object that another one has freed",
    .meeting = FR_MEETING_IN_ORDER,
    .rank = 20,
    .generate = generate,
};
