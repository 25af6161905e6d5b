/*
 * Atomicity violations: two accesses of one thread that belong together (region.h), and an access
 * of another thread that can come between them so that no serial order explains the result
 * (AVPredictor, table I): R-W-R, W-W-R, W-R-W, R-W-W, all three on common bytes. W-R-W does not
 * count if the remote thread can only read its own write. There is one group for each combination
 * of three sites, shape and type of region. All groups with one local pair are one bug, also across
 * the inlined copies of a function.
 *
 * A fifth shape, W-W-W, loses the remote write (shape 5 of Vaziri and others, see atomicset.c). Its
 * result is that of the remote write before both, so it is a bug only if it does harm: a bug of its
 * own, which reports fold otherwise (FR_SHAPE_WWW). It counts only if the thread does not
 * access the bytes between its two writes (else the access in between gives another shape), and if
 * the second write is not known to write the same value as the remote one.
 *
 * Method: the search takes the locations one by one, and walks along the list of each. Accesses of
 * one thread from one site with the same locks are alike, and so are pairs of them; only the last
 * is kept. A new pair is compared with the last access of each class of the other threads, which
 * was before the pair or inside it. A new access is compared with the last pair of each class,
 * which was before it. So the remote access may come before, inside or after the pair in the run
 * (AVPredictor 3.1: FCI, BCI). This loses nothing to must-happen-before: if the last access is
 * ordered, all earlier ones are.
 *
 * Each match gives up to two forms of candidate. In the first, the remote access and the second
 * local one are both pending, and happen in this order; it is left out if a lock excludes it. In
 * the second, the remote access has happened, its thread has continued as recorded and has released
 * the lock that both take, and the second local access is pending. The second form is left out if
 * the two local accesses are adjacent steps, because the first form then covers it.
 *
 * Cost: as for races (race.c). Accesses like many earlier ones are compared only now and then, the
 * classes of a location are bounded (recent_accesses.c), and so are the comparisons.
 * Neighbourhoods, which are most of the pairs in some runs, have limits of their own. Not decided
 * here: whether the access can really come between. The oracle decides that.
 */
#include "generate/matches.h"
#include "generate/unguarded.h"
#include "generate/recent_accesses.h"
#include <string.h>

#define PAIRS_MAX 64	/* classes of local pairs */
#define CREDIT 2048	/* comparisons per location, */
#define CREDIT_ACCESS 6 /* plus this many for each access */
#define BACK_MAX 24	/* accesses tried as the first of a pair */
#define AHEAD 16
#define GROUPS_MAX 30000
#define MANY 4000     /* above this number of groups, fewer instances of each */
#define NEAR_MAX 2000 /* limit for neighbourhoods, the weakest evidence */

#define FORM_BOTH 1 /* bits of fr_match.note */

/* Local pairs that are alike: the last one. */
struct pair {
	uint64_t key;
	struct fr_recent_access a, b;
	uint32_t count;
	uint16_t thread;
	uint8_t region; /* enum fr_region */
	bool in_a_row;	/* the thread does not access the bytes between a and b */
};

struct atomicity_search {
	const struct fr_model *m;
	const struct fr_causality *c;
	const struct fr_generate_opt *opt;
	struct fr_groups *ret;
	struct fr_regions regions;
	struct fr_matches matches;
	/* State of one location. */
	struct fr_recent recent;
	struct pairs {
		struct pair v[PAIRS_MAX];
		uint32_t n, credit;
		/* regions, neighbourhoods: separate, so that neighbourhoods cannot displace
		   regions */
	} pairs[2];
};

/* ---- shapes ---- */

/* The first shape that fits, or FR_SHAPE_NONE. */
static enum fr_shape shape_of(const struct pair *p, uint16_t r)
{
	uint8_t ar = (uint8_t)p->a.what, aw = (uint8_t)(p->a.what >> 8);
	uint8_t br = (uint8_t)p->b.what, bw = (uint8_t)(p->b.what >> 8);
	uint8_t rr = (uint8_t)r, rw = (uint8_t)(r >> 8);

	if (ar & rw & bw)
		return FR_SHAPE_RWW;
	if (aw & rw & br)
		return FR_SHAPE_WWR;
	if (ar & rw & br)
		return FR_SHAPE_RWR;
	if (aw & rr & bw)
		return FR_SHAPE_WRW;
	return aw & rw & bw && p->in_a_row ? FR_SHAPE_WWW : FR_SHAPE_NONE;
}

/* Between two writes, does r read a value that its own thread wrote while holding a lock that keeps
   the pair out? Then r sees neither of the two writes. */
static bool reads_own(const struct atomicity_search *s, const struct pair *p,
		      const struct fr_recent_access *r)
{
	uint8_t bytes = (uint8_t)(p->a.what >> 8 & r->what & p->b.what >> 8);

	fr_assert(!r->wrote || r->write < r->ev);
	return !(bytes & ~r->wrote) && fr_spans_exclude(&s->regions, r->span, r->write, p->a.span);
}

/* Do the remote write and the second local one write the same bytes? Then nothing is lost. */
static bool writes_the_same(const struct atomicity_search *s, const struct pair *p,
			    const struct fr_recent_access *r)
{
	const struct fr_mev *x = &s->m->ev[fr_instance_part(s->m, r->ev, 'W')];
	const struct fr_mev *y = &s->m->ev[fr_instance_part(s->m, p->b.ev, 'W')];

	fr_assert(x->op == FR_OP_WRITE && y->op == FR_OP_WRITE);
	return !((x->flags | y->flags) & FR_F_NOVALUE) &&
	       !((x->value ^ y->value) & fr_mask_bytes(x->mask & y->mask));
}

static bool shares_bytes(uint16_t a, uint16_t b)
{
	return (uint8_t)(a | a >> 8) & (uint8_t)(b | b >> 8);
}

/* ---- comparisons ---- */

/* Records the match if r can come between the pair. */
static void meet(struct atomicity_search *s, const struct pair *p, const struct fr_recent_access *r,
		 uint16_t thread)
{
	const struct fr_model *m = s->m;
	enum fr_shape shape = shape_of(p, r->what);
	uint32_t sa = m->ev[p->a.ev].site, sb = m->ev[p->b.ev].site, sr = m->ev[r->ev].site;
	const fr_ev ev[] = {p->a.ev, r->ev, p->b.ev};
	struct fr_match_group of = {.region = p->region, .nev = fr_array_size(ev)};
	struct fr_match w = {.ev = ev};
	const struct fr_span *span = s->regions.span.v;

	fr_assert(p->a.ev < p->b.ev && p->thread != thread);
	if (!shape)
		return;
	if (fr_spans_exclude(&s->regions, p->b.span, p->a.ev, r->span) ||
	    (shape == FR_SHAPE_WRW && reads_own(s, p, r)) ||
	    (shape == FR_SHAPE_WWW && writes_the_same(s, p, r))) {
		s->ret->excluded++;
		return;
	}
	of.key = fr_mix(fr_mix((uint64_t)sa << 32 | sb, p->region), (uint64_t)sr << 8 | shape) >> 1;
	of.shape = shape;
	w.apart = r->ev < p->a.ev   ? fr_apart(r->ev, p->b.ev)
		  : r->ev > p->b.ev ? fr_apart(p->a.ev, r->ev)
				    : 0;
	w.end = fr_max(r->ev, p->b.ev);
	w.context = (uint32_t)fr_mix((uint64_t)p->thread << 16 | thread,
				     (uint64_t)span[p->b.span].locks << 32 | span[r->span].locks);
	if (!fr_matches_want(&s->matches, of.key, &w))
		return;
	if (fr_mhb(s->c, r->ev, p->a.ev) || fr_mhb(s->c, p->b.ev, r->ev)) {
		s->ret->excluded++;
		return;
	}
	if (!fr_spans_exclude(&s->regions, p->b.span, FR_NO_EV, r->span))
		w.note |= FORM_BOTH;
	of.bug = fr_mix((uint64_t)fr_regions_position(&s->regions, sa) << 32 |
			    fr_regions_position(&s->regions, sb),
			(uint64_t)(shape == FR_SHAPE_WWW) << 32 | p->region);
	if (!fr_matches_add(&s->matches, &of, &w))
		s->ret->cut_off++;
}

static bool pay(struct atomicity_search *s, struct pairs *of)
{
	if (!of->credit) {
		s->ret->cut_off++;
		return false;
	}
	of->credit--;
	return true;
}

/* Compares a pair with the last access of each class of the other threads. */
static void pair_meets(struct atomicity_search *s, struct pairs *of, const struct pair *p)
{
	for (uint32_t i = 0; i < s->recent.n; i++) {
		const struct fr_recent_class *k = &s->recent.v[i];

		if (k->thread == p->thread || !shape_of(p, k->last.what))
			continue;
		if (!pay(s, of))
			return;
		meet(s, p, &k->last, k->thread);
	}
}

/* Compares an access with the last pair of each class of the other threads. */
static void access_meets(struct atomicity_search *s, struct pairs *of,
			 const struct fr_recent_access *r, uint16_t thread)
{
	for (uint32_t i = 0; i < of->n; i++) {
		const struct pair *p = &of->v[i];

		if (p->thread == thread || !shape_of(p, r->what))
			continue;
		if (!pay(s, of))
			return;
		meet(s, p, r, thread);
	}
}

/* ---- local pairs ---- */

static void see_pair(struct atomicity_search *s, const struct fr_recent_class *first,
		     const struct fr_recent_access *b, enum fr_region region, bool in_a_row)
{
	uint64_t key = fr_mix(first->key, fr_mix((uint64_t)s->m->ev[b->ev].site << 16 | b->what,
						 (uint64_t)in_a_row << 40 | (uint64_t)region << 32 |
						     s->regions.span.v[b->span].locks));
	struct pairs *of = &s->pairs[region == FR_REGION_NEAR];
	uint32_t i = 0;
	struct pair *p;

	fr_assert_slow(first->thread == s->m->ev[b->ev].thread && first->last.ev < b->ev);
	fr_assert(of->n <= PAIRS_MAX && region != FR_REGION_NONE);
	while (i < of->n && of->v[i].key != key)
		i++;
	if (i == of->n && of->n < PAIRS_MAX) {
		of->v[of->n++] = (struct pair){.key = key};
	} else if (i == of->n) {
		for (uint32_t k = i = 0; k < of->n; k++)
			if (of->v[k].b.ev < of->v[i].b.ev)
				i = k;
		of->v[i] = (struct pair){.key = key};
		s->ret->cut_off++;
	}
	p = &of->v[i];
	p->a = first->last;
	p->b = *b;
	p->thread = first->thread;
	p->region = (uint8_t)region;
	p->in_a_row = in_a_row;
	if (fr_sample_now(p->count++))
		pair_meets(s, of, p);
}

/* `x += n`: the read and the write of one statement have one source position, but are no loop. */
static bool one_statement(const struct fr_recent_class *k, const struct fr_recent_access *b,
			  const struct fr_code *code)
{
	return k->code.line == code->line && k->code.column == code->column &&
	       !(k->last.what >> 8) && !(b->what & 0xff);
}

/* Finds the earlier accesses of the thread that belong together with b. */
static void find_pairs(struct atomicity_search *s, uint8_t newest, const struct fr_recent_access *b,
		       uint16_t thread, const struct fr_code *code)
{
	const struct fr_span *span = &s->regions.span.v[b->span];
	fr_ev from = fr_span_from(span);
	bool nearest = true;
	unsigned n = 0;

	for (uint8_t i = newest; i != FR_RECENT_NONE; i = s->recent.v[i].older) {
		const struct fr_recent_class *k = &s->recent.v[i];
		enum fr_region region = fr_span_region(span, k->last.ev);
		bool shared = shares_bytes(k->last.what, b->what);

		if (region == FR_REGION_NONE || (!nearest && k->last.ev < from))
			return;
		fr_assert_slow(k->count && k->thread == thread);
		if (n++ == BACK_MAX) {
			s->ret->cut_off++;
			return;
		}
		if (region == FR_REGION_SPLIT &&
		    !fr_regions_split(&s->regions, b->span, k->last.ev, b->ev))
			region = FR_REGION_NEAR;
		if (region == FR_REGION_NEAR &&
		    (!nearest || s->opt->no_near || k->site == s->m->ev[b->ev].site ||
		     (fr_code_same_function(&k->code, code) && !fr_code_follows(&k->code, code) &&
		      !one_statement(k, b, code))))
			region = FR_REGION_NONE;
		/* A compare-and-swap notices that another access came between, and then does not
		   write. `x` may have returned to its old value (ABA); this generator does not look
		   for that. */
		if (code->cas && !(k->last.what >> 8))
			region = FR_REGION_NONE;
		if (region != FR_REGION_NONE && shared)
			see_pair(s, k, b, region, nearest);
		nearest &= !shared;
	}
}

/* ---- locations ---- */

static void see_access(struct atomicity_search *s, struct fr_recent_access *a)
{
	const struct fr_mev *v = &s->m->ev[a->ev];
	uint64_t key = fr_mix((uint64_t)v->site << 32 | s->regions.span.v[a->span].locks,
			      (uint64_t)v->thread << 16 | a->what);
	struct fr_recent_list *list = fr_recent_list(&s->recent, v->thread);
	struct fr_recent_class *k;
	uint8_t before;
	bool look;

	if (!list) {
		s->ret->cut_off++;
		return;
	}
	fr_recent_wrote(list, a);
	k = fr_recent_find(&s->recent, key);
	if (!k) {
		k = fr_recent_add(&s->recent, key, list, v);
		k->code = fr_regions_code(&s->regions, v->site);
		s->ret->cut_off += s->recent.forgot;
	}
	before = list->newest;
	for (unsigned n = 0; n < fr_array_size(s->pairs); n++)
		s->pairs[n].credit += CREDIT_ACCESS;
	look = fr_sample_now(k->count);
	if (look || (before != FR_RECENT_NONE && fr_sample_now(s->recent.v[before].count)))
		find_pairs(s, before, a, v->thread, &k->code);
	for (unsigned n = 0; look && n < fr_array_size(s->pairs); n++)
		access_meets(s, &s->pairs[n], a, v->thread);
	fr_recent_seen(&s->recent, k);
	k->last = *a;
}

/* of: the spans of the location's accesses. */
static void see_location(struct atomicity_search *s, uint32_t loc, const uint32_t *of)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];
	const fr_ev *list = k->list + k->first[loc];
	uint32_t n = k->first[loc + 1] - k->first[loc];
	struct fr_recent_access a = {.ev = FR_NO_EV};
	fr_ev head = FR_NO_EV;

	fr_recent_clear(&s->recent);
	for (unsigned i = 0; i < fr_array_size(s->pairs); i++) {
		s->pairs[i].n = 0;
		s->pairs[i].credit = CREDIT;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct fr_mev *v = &s->m->ev[list[i]];

		if (i + AHEAD < n)
			__builtin_prefetch(&s->m->ev[list[i + AHEAD]]);
		if (fr_regions_ignore(&s->regions, v))
			continue;
		if (v->flags & FR_F_PART && a.what && fr_head(s->m, list[i]) == head) {
			a.what |= (uint16_t)(v->op == FR_OP_WRITE ? v->mask << 8 : v->mask);
			continue;
		}
		fr_assert_slow(!a.what || a.ev < list[i]);
		if (a.what)
			see_access(s, &a);
		head = fr_head(s->m, list[i]);
		a = (struct fr_recent_access){
		    .ev = list[i],
		    .span = of[i],
		    .what = (uint16_t)(v->op == FR_OP_WRITE ? v->mask << 8 : v->mask)};
	}
	if (a.what)
		see_access(s, &a);
}

/* ---- instances ---- */

static void write_instance(const struct atomicity_search *s, struct fr_group *g, const fr_ev *ev,
			   bool past)
{
	static const enum fr_role role[] = {FR_ROLE_LOCAL_FIRST, FR_ROLE_REMOTE,
					    FR_ROLE_LOCAL_SECOND};
	const struct fr_model *m = s->m;
	struct fr_instance *in = fr_instance_new(3);
	fr_ev head[3];

	fr_assert(fr_head(m, ev[0]) < fr_head(m, ev[2]));
	fr_assert(g->shape >= FR_SHAPE_RWW && g->shape <= FR_SHAPE_WWW);
	fr_assert(m->ev[ev[0]].thread == m->ev[ev[2]].thread &&
		  m->ev[ev[0]].thread != m->ev[ev[1]].thread);
	fr_assert(m->ev[ev[0]].obj == m->ev[ev[1]].obj && m->ev[ev[1]].obj == m->ev[ev[2]].obj);
	for (unsigned i = 0; i < 3; i++) {
		head[i] = fr_head(m, ev[i]);
		in->actor[i] = (struct fr_actor){
		    fr_instance_part(m, ev[i], fr_shape_operations[g->shape][i]), role[i], 1};
	}
	in->what.edge[0].before = head[0];
	in->what.edge[0].after = head[1];
	in->what.nedges = 1;
	if (past) {
		in->what.edge[1].before = head[1];
		in->what.edge[1].after = head[2];
		in->what.nedges = 2;
	} else {
		in->what.pending[in->what.npending++] = head[1];
	}
	in->what.pending[in->what.npending++] = head[2];
	fr_vec_push(&g->instance, in);
}

/* Are the two steps adjacent in their thread? */
static bool in_a_row(const struct fr_model *m, fr_ev a, fr_ev b)
{
	fr_ev e = fr_model_next(m, fr_head(m, a));

	while (e != FR_NO_EV && m->ev[e].flags & FR_F_PART)
		e = fr_model_next(m, e);
	return e == fr_head(m, b);
}

static void write_matches(void *arg, struct fr_group *g, const struct fr_match *w, uint32_t n)
{
	const struct atomicity_search *s = arg;

	for (uint32_t i = 0; i < n; i++)
		if (w[i].note & FORM_BOTH)
			write_instance(s, g, w[i].ev, false);
	for (uint32_t i = 0; i < n; i++)
		if (!(w[i].note & FORM_BOTH && in_a_row(s->m, w[i].ev[0], w[i].ev[2])))
			write_instance(s, g, w[i].ev, true);
}

static void generate(const struct fr_generator *self, const struct fr_model *m,
		     const struct fr_causality *c, const struct fr_generate_opt *opt,
		     struct fr_groups *ret)
{
	struct atomicity_search *s = fr_xcalloc(1, sizeof(*s));

	(void)self;
	*ret = (struct fr_groups){0};
	s->m = m;
	s->c = c;
	s->opt = opt;
	s->ret = ret;
	s->matches.max = GROUPS_MAX;
	s->matches.max_near = NEAR_MAX;
	s->matches.many = MANY;
	fr_regions_init(&s->regions, m, c, opt);
	for (uint32_t i = 0; i < m->cls[FR_C_LOC].n; i++)
		if (s->regions.first[i] != UINT32_MAX)
			see_location(s, i, s->regions.of + s->regions.first[i]);
	fr_regions_free(&s->regions);
	fr_matches_write(&s->matches, write_matches, s, ret);
	fr_matches_free(&s->matches);
	free(s);
	fr_groups_sort(ret);
}

const struct fr_generator fr_generator_atomicity = {
    .name = "atomicity-violation",
    .summary = "another thread accesses a location between two accesses that belong together",
    .meeting = FR_MEETING_REGIONS,
    .rank = 60,
    .guess = true,
    .generate = generate,
};
