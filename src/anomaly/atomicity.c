/*
 * Atomicity violations: two accesses of one thread that belong together (region.h), and one of
 * another thread that can come between so that no serial order explains it (AVPredictor, table I):
 * R-W-R, W-W-R, W-R-W, R-W-W, all three of common bytes. One group for each three places in the
 * program, shape and kind of region; those of one local pair are one bug.
 *
 * Locations are gone through one by one, each along its list. Accesses of one thread from one place
 * with the same locks are alike, and so are pairs of them: of those only the last is kept. A new
 * pair is compared with the last access of each kind of the other threads (which was before it, or
 * between), a new access with the last pair of each kind (which was before it). So the remote
 * access may have been before, between or after in the run (AVPredictor 3.1: FCI, BCI). Nothing is
 * lost by that to must-happen-before: if the last one is ordered, all earlier ones are.
 *
 * Each find is asked about in up to two forms. First: the remote access and the second local one
 * are both the next of their threads, and happen in this order; not if a lock excludes that. Then:
 * the remote access has happened, its thread has gone on as recorded, and the second local one is
 * next: the lock that both take was given back. The second is left out if the two local accesses
 * are steps in a row: then what is before the remote one is an answer to the first.
 *
 * Cost:      as of races (race.c): an access like many before it is looked at now and then only,
 *            kinds of a location are bounded, and so are looks.
 * Not here:  whether it can really come between: that is for the oracle.
 */
#include "anomaly/finds.h"
#include "anomaly/guard.h"
#include "anomaly/region.h"
#include <string.h>

#define KINDS_MAX 64	/* of accesses kept at a location */
#define PAIRS_MAX 64	/* of local pairs */
#define LANES 64	/* threads */
#define CREDIT 2048	/* looks that a location has, and so many more */
#define CREDIT_ACCESS 6 /* for each access */
#define BACK_MAX 24	/* accesses looked at for the first of a pair */
#define SLOTS 128
#define AHEAD 16
#define NONE UINT8_MAX
#define FOUND_MAX 30000

#define FORM_BOTH 1 /* bits of fr_find.forms */
#define FORM_PAST 2

/* One step's accesses of a location. */
struct access {
	fr_ev ev; /* the first of them */
	uint32_t span;
	uint16_t what; /* mask of what is read; of what is written << 8 */
};

/* Accesses that are alike: the last. */
struct kind {
	uint64_t key;
	struct access last;
	uint32_t site, count;
	struct fr_code code;
	uint16_t thread;
	uint8_t older, newer; /* of the thread */
	uint8_t slot, next;   /* in the table; the next one there */
};

/* Local pairs that are alike: the last. */
struct pair {
	uint64_t key;
	struct access a, b;
	uint32_t count;
	uint16_t thread;
	uint8_t region; /* enum fr_region */
};

struct search {
	const struct fr_model *m;
	const struct fr_causality *c;
	const struct fr_anomaly_opt *opt;
	struct fr_groups *ret;
	struct fr_regions regions;
	struct fr_finds finds;
	/* Of one location. */
	uint32_t epoch, credit;
	struct kind kind[KINDS_MAX];
	struct pair pair[PAIRS_MAX];
	uint32_t nkinds, npairs, nlanes;
	struct {
		uint32_t epoch;
		uint16_t thread;
		uint8_t newest;
	} lane[LANES];
	struct {
		uint32_t epoch;
		uint8_t kind;
	} table[SLOTS];
};

/* ---- shapes ---- */

static const char *const shape_name[] = {"R-W-W", "W-W-R", "R-W-R", "W-R-W"};
#define SHAPES 4

/* The first that fits; SHAPES: none. */
static unsigned shape_of(uint16_t a, uint16_t r, uint16_t b)
{
	uint8_t ar = (uint8_t)a, aw = (uint8_t)(a >> 8), br = (uint8_t)b, bw = (uint8_t)(b >> 8);
	uint8_t rr = (uint8_t)r, rw = (uint8_t)(r >> 8);

	return ar & rw & bw ? 0 : aw & rw & br ? 1 : ar & rw & br ? 2 : aw & rr & bw ? 3 : SHAPES;
}

static bool shares_bytes(uint16_t a, uint16_t b)
{
	return (uint8_t)(a | a >> 8) & (uint8_t)(b | b >> 8);
}

/* ---- kinds ---- */

/* The thread's place among those of the location; NULL: too many. */
static uint8_t *lane_of(struct search *s, uint16_t thread)
{
	for (unsigned i = thread % LANES, n = 0; n < LANES; i = (i + 1) % LANES, n++) {
		if (s->lane[i].epoch != s->epoch) {
			s->lane[i].epoch = s->epoch;
			s->lane[i].thread = thread;
			s->lane[i].newest = NONE;
		}
		if (s->lane[i].thread == thread)
			return &s->lane[i].newest;
	}
	return NULL;
}

static void unlink_kind(struct search *s, uint8_t i, uint8_t *newest)
{
	struct kind *k = &s->kind[i];

	if (k->newer != NONE)
		s->kind[k->newer].older = k->older;
	else
		*newest = k->older;
	if (k->older != NONE)
		s->kind[k->older].newer = k->newer;
}

static void link_newest(struct search *s, uint8_t i, uint8_t *newest)
{
	s->kind[i].newer = NONE;
	s->kind[i].older = *newest;
	if (*newest != NONE)
		s->kind[*newest].newer = i;
	*newest = i;
}

static uint8_t oldest_kind(const struct search *s)
{
	uint8_t r = 0;

	for (uint8_t i = 1; i < s->nkinds; i++)
		if (s->kind[i].last.ev < s->kind[r].last.ev)
			r = i;
	return r;
}

static void forget_kind(struct search *s, uint8_t i)
{
	uint8_t *p = &s->table[s->kind[i].slot].kind;

	while (*p != i)
		p = &s->kind[*p].next;
	*p = s->kind[i].next;
	unlink_kind(s, i, lane_of(s, s->kind[i].thread));
	s->ret->cut_off++;
}

/* The kind that an access is of, NONE in `slot`'s list if it is new. */
static uint8_t find_kind(struct search *s, uint64_t key, uint8_t slot)
{
	uint8_t i;

	if (s->table[slot].epoch != s->epoch) {
		s->table[slot].epoch = s->epoch;
		s->table[slot].kind = NONE;
	}
	i = s->table[slot].kind;
	while (i != NONE && s->kind[i].key != key)
		i = s->kind[i].next;
	return i;
}

/* A new one, not yet among those of its thread. */
static uint8_t new_kind(struct search *s, uint64_t key, uint8_t slot, const struct fr_mev *v)
{
	uint8_t i;

	if (s->nkinds < KINDS_MAX) {
		i = (uint8_t)s->nkinds++;
	} else {
		i = oldest_kind(s);
		forget_kind(s, i);
	}
	s->kind[i] = (struct kind){.key = key,
				   .site = v->site,
				   .code = fr_regions_code(&s->regions, v->site),
				   .thread = v->thread,
				   .slot = slot,
				   .next = s->table[slot].kind};
	s->table[slot].kind = i;
	return i;
}

/* ---- what meets ---- */

/* Can r come between? */
static void meet(struct search *s, const struct pair *p, const struct access *r, uint16_t thread)
{
	const struct fr_model *m = s->m;
	unsigned shape = shape_of(p->a.what, r->what, p->b.what);
	uint32_t sa = m->ev[p->a.ev].site, sb = m->ev[p->b.ev].site, sr = m->ev[r->ev].site;
	struct fr_found what = {.region = fr_region_name[p->region]};
	struct fr_find f = {.ev = {p->a.ev, r->ev, p->b.ev}};
	const struct fr_span *span = s->regions.span.v;

	if (shape == SHAPES)
		return;
	if (fr_spans_exclude(&s->regions, p->b.span, p->a.ev, r->span)) {
		s->ret->refuted++;
		return;
	}
	what.bug = fr_mix((uint64_t)sa << 32 | sb, p->region);
	what.key = fr_mix(what.bug, (uint64_t)sr << 8 | shape) >> 1;
	what.shape = shape_name[shape];
	f.apart = r->ev < p->a.ev   ? fr_apart(r->ev, p->b.ev)
		  : r->ev > p->b.ev ? fr_apart(p->a.ev, r->ev)
				    : 0;
	f.end = r->ev > p->b.ev ? r->ev : p->b.ev;
	f.context = (uint32_t)fr_mix((uint64_t)p->thread << 16 | thread,
				     (uint64_t)span[p->b.span].locks << 32 | span[r->span].locks);
	if (!fr_finds_wants(&s->finds, what.key, &f))
		return;
	if (fr_mhb(s->c, r->ev, p->a.ev) || fr_mhb(s->c, p->b.ev, r->ev)) {
		s->ret->refuted++;
		return;
	}
	if (!fr_spans_exclude(&s->regions, p->b.span, FR_NO_EV, r->span))
		f.forms |= FORM_BOTH;
	if (!fr_finds_add(&s->finds, &what, &f))
		s->ret->cut_off++;
}

static bool pay(struct search *s)
{
	if (!s->credit) {
		s->ret->cut_off++;
		return false;
	}
	s->credit--;
	return true;
}

/* Compares a pair with the last of each kind of the others. */
static void pair_meets(struct search *s, const struct pair *p)
{
	for (uint32_t i = 0; i < s->nkinds; i++) {
		const struct kind *k = &s->kind[i];

		if (k->thread == p->thread ||
		    shape_of(p->a.what, k->last.what, p->b.what) == SHAPES)
			continue;
		if (!pay(s))
			return;
		meet(s, p, &k->last, k->thread);
	}
}

/* Compares an access with the last pair of each kind of the others. */
static void access_meets(struct search *s, const struct access *r, uint16_t thread)
{
	for (uint32_t i = 0; i < s->npairs; i++) {
		const struct pair *p = &s->pair[i];

		if (p->thread == thread || shape_of(p->a.what, r->what, p->b.what) == SHAPES)
			continue;
		if (!pay(s))
			return;
		meet(s, p, r, thread);
	}
}

/* ---- local pairs ---- */

static bool look_now(uint32_t count)
{
	return count < 8 || !(count & (count - 1)) || count % 32 == 0;
}

static void see_pair(struct search *s, const struct kind *first, const struct access *b,
		     uint16_t thread, enum fr_region region)
{
	uint64_t key =
	    fr_mix(first->key, fr_mix((uint64_t)s->m->ev[b->ev].site << 16 | b->what,
				      (uint64_t)region << 32 | s->regions.span.v[b->span].locks));
	uint32_t i = 0;
	struct pair *p;

	while (i < s->npairs && s->pair[i].key != key)
		i++;
	if (i == s->npairs && s->npairs < PAIRS_MAX) {
		s->pair[s->npairs++] = (struct pair){.key = key};
	} else if (i == s->npairs) {
		for (uint32_t k = i = 0; k < s->npairs; k++)
			if (s->pair[k].b.ev < s->pair[i].b.ev)
				i = k;
		s->pair[i] = (struct pair){.key = key};
		s->ret->cut_off++;
	}
	p = &s->pair[i];
	p->a = first->last;
	p->b = *b;
	p->thread = thread;
	p->region = (uint8_t)region;
	if (look_now(p->count++))
		pair_meets(s, p);
}

/* `x += n`: the read and the write of one statement are at one place, but no loop. */
static bool one_statement(const struct kind *k, const struct access *b, const struct fr_code *code)
{
	return k->code.line == code->line && k->code.column == code->column &&
	       !(k->last.what >> 8) && !(b->what & 0xff);
}

/* The earlier accesses of the thread that belong together with b. */
static void find_pairs(struct search *s, uint8_t newest, const struct access *b, uint16_t thread,
		       const struct fr_code *code)
{
	const struct fr_span *span = &s->regions.span.v[b->span];
	fr_ev from = fr_span_from(span);
	bool nearest = true;
	unsigned n = 0;

	for (uint8_t i = newest; i != NONE; i = s->kind[i].older) {
		const struct kind *k = &s->kind[i];
		enum fr_region region = fr_span_region(span, k->last.ev);
		bool shared = shares_bytes(k->last.what, b->what);

		if (region == FR_R_NONE || (!nearest && k->last.ev < from))
			return;
		if (n++ == BACK_MAX) {
			s->ret->cut_off++;
			return;
		}
		if (region == FR_R_SPLIT && !fr_code_follows(&k->code, code))
			region = FR_R_NEAR;
		if (region == FR_R_NEAR &&
		    (!nearest || s->opt->no_near || k->site == s->m->ev[b->ev].site ||
		     (fr_code_same_function(&k->code, code) && !fr_code_follows(&k->code, code) &&
		      !one_statement(k, b, code))))
			region = FR_R_NONE;
		nearest &= !shared;
		if (region != FR_R_NONE && shared)
			see_pair(s, k, b, thread, region);
	}
}

/* ---- locations ---- */

static void see_access(struct search *s, const struct access *a)
{
	const struct fr_mev *v = &s->m->ev[a->ev];
	uint64_t key = fr_mix((uint64_t)v->site << 32 | s->regions.span.v[a->span].locks,
			      (uint64_t)v->thread << 16 | a->what);
	uint8_t slot = (uint8_t)(key % SLOTS), i, *newest = lane_of(s, v->thread);
	struct kind *k;
	bool look, is_new;

	if (!newest) {
		s->ret->cut_off++;
		return;
	}
	i = find_kind(s, key, slot);
	is_new = i == NONE;
	if (is_new)
		i = new_kind(s, key, slot, v);
	k = &s->kind[i];
	s->credit += CREDIT_ACCESS;
	look = look_now(k->count);
	if (look || (*newest != NONE && look_now(s->kind[*newest].count)))
		find_pairs(s, *newest, a, v->thread, &k->code);
	if (look)
		access_meets(s, a, v->thread);
	if (!is_new)
		unlink_kind(s, i, newest);
	link_newest(s, i, newest);
	k->count++;
	k->last = *a;
}

/* of: the spans of its accesses. */
static void see_location(struct search *s, uint32_t loc, const uint32_t *of)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];
	const fr_ev *list = k->list + k->first[loc];
	uint32_t n = k->first[loc + 1] - k->first[loc];
	struct access a = {FR_NO_EV, 0, 0};
	fr_ev head = FR_NO_EV;

	s->epoch++;
	s->nkinds = s->npairs = 0;
	s->credit = CREDIT;
	for (uint32_t i = 0; i < n; i++) {
		const struct fr_mev *v = &s->m->ev[list[i]];

		if (i + AHEAD < n)
			__builtin_prefetch(&s->m->ev[list[i + AHEAD]]);
		if (v->flags & FR_NO_TARGET)
			continue;
		if (v->flags & FR_F_PART && a.what && fr_head(s->m, list[i]) == head) {
			a.what |= (uint16_t)(v->op == FR_OP_WRITE ? v->mask << 8 : v->mask);
			continue;
		}
		if (a.what)
			see_access(s, &a);
		head = fr_head(s->m, list[i]);
		a = (struct access){list[i], of[i],
				    (uint16_t)(v->op == FR_OP_WRITE ? v->mask << 8 : v->mask)};
	}
	if (a.what)
		see_access(s, &a);
}

/* ---- instances ---- */

/* The access of the step that e is in which reads or writes the location. */
static fr_ev part_of(const struct fr_model *m, fr_ev e, char what)
{
	unsigned op = what == 'W' ? FR_OP_WRITE : FR_OP_READ;
	fr_ev x = e;

	do {
		if (m->ev[x].op == op && m->ev[x].obj == m->ev[e].obj &&
		    !(m->ev[x].flags & FR_NO_TARGET))
			return x;
	} while (++x < m->n && m->ev[x].flags & FR_F_PART);
	return e;
}

static void write_instance(const struct search *s, struct fr_group *g, const fr_ev *ev, bool past)
{
	static const char *const role[] = {"local-first", "remote", "local-second"};
	const struct fr_model *m = s->m;
	struct fr_instance *in = fr_instance_new(3);
	fr_ev head[3];

	for (unsigned i = 0; i < 3; i++) {
		head[i] = fr_head(m, ev[i]);
		in->actor[i] = (struct fr_actor){part_of(m, ev[i], g->shape[2 * i]), role[i], 1};
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

/* Are the two steps in a row in their thread? */
static bool in_a_row(const struct fr_model *m, fr_ev a, fr_ev b)
{
	fr_ev e = fr_model_next(m, fr_head(m, a));

	while (e != FR_NO_EV && m->ev[e].flags & FR_F_PART)
		e = fr_model_next(m, e);
	return e == fr_head(m, b);
}

static void write_finds(void *arg, struct fr_group *g, const struct fr_find *f, uint32_t n)
{
	const struct search *s = arg;

	for (uint32_t i = 0; i < n; i++)
		if (f[i].forms & FORM_BOTH)
			write_instance(s, g, f[i].ev, false);
	for (uint32_t i = 0; i < n; i++)
		if (!(f[i].forms & FORM_BOTH && in_a_row(s->m, f[i].ev[0], f[i].ev[2])))
			write_instance(s, g, f[i].ev, true);
}

static void generate(const struct fr_model *m, const struct fr_causality *c,
		     const struct fr_anomaly_opt *opt, struct fr_groups *ret)
{
	struct search *s = fr_xcalloc(1, sizeof(*s));

	*ret = (struct fr_groups){0};
	s->m = m;
	s->c = c;
	s->opt = opt;
	s->ret = ret;
	s->finds.max = FOUND_MAX;
	fr_regions_init(&s->regions, m, c, opt);
	for (uint32_t i = 0; i < m->cls[FR_C_LOC].n; i++)
		if (s->regions.first[i] != UINT32_MAX)
			see_location(s, i, s->regions.of + s->regions.first[i]);
	fr_regions_free(&s->regions);
	fr_finds_write(&s->finds, write_finds, s, ret);
	fr_finds_free(&s->finds);
	free(s);
	fr_groups_sort(ret);
}

const struct fr_anomaly fr_anomaly_atomicity = {
    .name = "atomicity-violation",
    .summary = "another thread's access between two that belong together",
    .guess = true,
    .generate = generate,
};
