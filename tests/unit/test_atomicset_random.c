/*
 * Atomic-set violations in small random runs: generator and oracle together find exactly the same
 * as brute force: every shape, every kind of region, and named sets. The test finds units and pairs
 * again, in a naive way (generate/work_unit.h defines them).
 *
 * Every operation of the random runs is a place in the program of its own, so that no two are one
 * finding.
 *
 * FORERUN_TEST_TRACES: the number of runs (20,000); FORERUN_TEST_SEED: the first seed (1).
 */
#include "generate/generate.h"
#include "generate/region.h"
#include "ask.h"
#include "brute.h"
#include "fixture.h"
#include "format/event.h"
#include "gen.h"
#include "local.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* a1, b1, b2, a2 */
struct four {
	fr_ev ev[4];
	char shape[24];
	enum fr_region region;
	bool crossed, feasible, found;
};

/* From the first instance's actors. */
static struct four four_of(const struct fr_model *m, const struct fr_group *g)
{
	const struct fr_instance *in = g->instance.v[0];
	struct four f = {.region = g->region};
	unsigned first = 0, seen = 0;

	for (unsigned i = 0; i < in->nactors; i++) {
		bool u = in->actor[i].role == FR_ROLE_FIRST_UNIT;
		unsigned k =
		    u ? (in->actor[i].memory == 1 ? 0 : 3) : (in->actor[i].memory == 1 ? 1 : 2);

		f.ev[k] = fr_head(m, in->actor[i].ev);
		if (!u && !seen++)
			first = k;
	}
	f.crossed = first == 2;
	snprintf(f.shape, sizeof(f.shape), "%s", fr_shape_name[g->shape]);
	return f;
}

/* ---- brute force ---- */

struct entry {
	fr_ev head, ev;
	uint64_t place;
	uint32_t loc;
	unsigned what, thread, unit;
};
struct local_pair {
	struct entry a, b; /* what: of what counts */
	enum fr_region region;
};
struct all {
	FR_VEC(struct entry) entry;
	FR_VEC(struct local_pair) pair;
	FR_VEC(struct four) four;
};

struct how {
	uint64_t feasible, candidates, numbered[15], regions[5];
	bool loud, named; /* named: the first two locations are a set */
};

static bool in_region(const struct fr_model *m, fr_ev e)
{
	bool separate;
	enum fr_region r = local_region(m, e, e, &separate);

	return r && r != FR_REGION_SPLIT;
}

static bool is_wide(const struct fr_mev *v)
{
	return v->flags & FR_F_RANGE ||
	       (v->flags & FR_F_NOVALUE && !(v->flags & (FR_F_ATOMIC | FR_F_LATE)));
}

/* Does another access to the location begin at this byte, or end before it? */
static bool is_border(const struct fr_model *m, uint32_t loc, unsigned byte)
{
	for (fr_ev e = 0; byte && e < m->n; e++) {
		unsigned x = m->ev[e].mask;

		if (fr_is_access(&m->ev[e]) && m->ev[e].obj == loc && !is_wide(&m->ev[e]) &&
		    ((unsigned)__builtin_ctz(x) == byte ||
		     32u - (unsigned)__builtin_clz(x) == byte))
			return true;
	}
	return false;
}

/* The variables that an access touches, as masks. Returns their number. */
static unsigned find_pieces(const struct fr_model *m, const struct fr_mev *v, unsigned ret[8])
{
	unsigned n = 0;

	for (unsigned i = 0; i < 8; i++) {
		bool cut = !i || (is_wide(v) && is_border(m, v->obj, i));

		if (cut && (n == 0 || ret[n - 1]))
			ret[n++] = 0;
		ret[n - 1] |= v->mask & 1u << i;
	}
	return ret[n - 1] ? n : n - 1;
}

/* Adds an action of a thread. last: its entry before, SIZE_MAX: none. */
static void add_entry(const struct fr_model *m, struct all *x, struct entry n, size_t *last,
		      unsigned *unit, bool named)
{
	enum fr_region r;
	bool separate;

	FR_VEC_FOREACH (y, &x->entry)
		if (y->head == n.head && y->place == n.place) {
			y->what |= n.what;
			return;
		}
	r = *last == SIZE_MAX ? FR_REGION_NONE
			      : local_region(m, x->entry.v[*last].head, n.head, &separate);
	if (*last == SIZE_MAX ||
	    (x->entry.v[*last].head != n.head && (named ? separate : !r || r == FR_REGION_SPLIT)))
		++*unit;
	n.unit = *unit;
	*last = x->entry.n;
	fr_vec_push(&x->entry, n);
}

/* Actions of threads in regions, or on the locations of the set: one step and place each. */
static void find_entries(const struct fr_model *m, struct all *x, bool named)
{
	unsigned unit = 0;

	for (unsigned t = 0; t < m->nthreads; t++) {
		size_t last = SIZE_MAX;

		for (fr_ev e = 0; e < m->n; e++) {
			const struct fr_mev *v = &m->ev[e];
			struct entry n = {.head = fr_head(m, e), .loc = v->obj, .thread = t};
			unsigned piece[8], npieces;

			if (!fr_is_access(v) || v->thread != t ||
			    v->flags & (FR_F_SYNTH | FR_F_BENIGN) ||
			    !(named ? v->obj < 2 : in_region(m, n.head)))
				continue;
			npieces = find_pieces(m, v, piece);
			for (unsigned i = 0; i < npieces; i++) {
				n.what = v->op == FR_OP_WRITE ? piece[i] * 256u : piece[i];
				n.place = v->obj * 8ull + (unsigned)__builtin_ctz(piece[i]);
				add_entry(m, x, n, &last, &unit, named);
			}
		}
	}
}

static bool in_scope(const struct fr_model *m, const struct entry *x, const struct entry *b,
		     bool split)
{
	bool separate;
	enum fr_region r;

	if (x->unit == b->unit)
		return true;
	if (!split || x->thread != b->thread || x->head >= b->head)
		return false;
	r = local_region(m, x->head, b->head, &separate);
	return r && r == FR_REGION_SPLIT;
}

static unsigned counts(const struct fr_model *m, const struct all *all, const struct entry *x,
		       const struct entry *b, bool split)
{
	unsigned w = 0;

	FR_VEC_FOREACH (y, &all->entry)
		if (y->thread == x->thread && y->loc == x->loc && in_scope(m, y, b, split))
			w |= y->what >> 8;
	return x->what & ~w;
}

/* Have two steps bytes in common, of any location? */
static bool meet(const struct fr_model *m, fr_ev a, fr_ev b)
{
	for (uint32_t loc = 0; loc < m->cls[FR_C_LOC].n; loc++) {
		unsigned x = local_access(m, a, loc), y = local_access(m, b, loc);

		if ((x | x >> 8) & (y | y >> 8) & 255)
			return true;
	}
	return false;
}

static void find_pairs(const struct fr_model *m, struct all *all, bool named)
{
	for (size_t i = 0; i < all->entry.n; i++) {
		for (size_t k = i + 1; k < all->entry.n; k++) {
			struct entry a = all->entry.v[i], b = all->entry.v[k];
			bool separate, split, good = true;
			enum fr_region r;

			if (a.thread != b.thread || a.place == b.place ||
			    (a.head != b.head && meet(m, a.head, b.head)))
				continue;
			r = local_region(m, a.head, b.head, &separate);
			if (named ? r || separate : !r)
				continue;
			r = named ? FR_REGION_SET : r;
			split = r == FR_REGION_SPLIT;
			for (size_t j = i + 1; j < k; j++) {
				const struct entry *y = &all->entry.v[j];

				if (y->head != b.head && in_scope(m, y, &b, split) &&
				    (y->place == a.place || y->place == b.place) &&
				    counts(m, all, y, &b, split))
					good = false;
			}
			a.what = counts(m, all, &all->entry.v[i], &b, split);
			b.what = counts(m, all, &all->entry.v[k], &all->entry.v[k], split);
			if (good && a.what && b.what)
				fr_vec_push(&all->pair, (struct local_pair){a, b, r});
		}
	}
}

static bool can_be(const struct fr_model *m, struct fr_candidate *c, const struct four *f)
{
	struct brute *b;
	bool r;

	c->nedges = c->npending == 2 && !f->crossed ? 1 : 2;
	c->edge[0].before = f->ev[0];
	c->edge[0].after = f->ev[1];
	c->edge[1].before = f->ev[2];
	c->edge[1].after = f->ev[3];
	b = brute_new(m, c, 1000000);
	r = brute_feasible(b, c, NULL);
	brute_free(b);
	return r;
}

/* Of the last one of a thread the value is free. */
static bool feasible(const struct fr_model *m, const struct four *f)
{
	struct fr_candidate one = {.npending = 1, .pending = {f->ev[3]}},
			    both = {.npending = 2,
				    .pending = {f->ev[f->crossed ? 1 : 2], f->ev[3]}},
			    other = {.npending = 1, .pending = {f->ev[1]}};

	return can_be(m, &one, f) || can_be(m, &both, f) || (f->crossed && can_be(m, &other, f));
}

static unsigned conflict(unsigned x, unsigned y)
{
	return x >> 8 & y >> 8 & 255 ? 3 : x >> 8 & y & 255 ? 1 : x & y >> 8 & 255 ? 2 : 0;
}

static void name(struct four *f, unsigned c1, unsigned c2)
{
	static const char *const known[] = {
	    [6] = "W1 W'1 W'2 W2",  [7] = "W1 W'2 W'1 W2",  [9] = "W1 R'1 R'2 W2",
	    [10] = "W1 R'2 R'1 W2", [11] = "R1 W'1 W'2 R2", [12] = "R1 W'2 W'1 R2"};
	char a1 = c1 & 1 ? 'W' : 'R', b1 = c1 & 2 ? 'W' : 'R', a2 = c2 & 1 ? 'W' : 'R',
	     b2 = c2 & 2 ? 'W' : 'R', text[20];

	if (f->crossed)
		snprintf(text, sizeof(text), "%c1 %c'2 %c'1 %c2", a1, b2, b1, a2);
	else
		snprintf(text, sizeof(text), "%c1 %c'1 %c'2 %c2", a1, b1, b2, a2);
	snprintf(f->shape, sizeof(f->shape), "%s", text);
	for (unsigned i = 0; i < fr_array_size(known); i++)
		if (known[i] && !strcmp(text, known[i]))
			snprintf(f->shape, sizeof(f->shape), "%u: %s", i, text);
}

/* may: the pairs that may meet; NULL: all. */
static void find_fours(const struct fr_model *m, struct all *all,
		       bool (*may)(const struct local_pair *p, const struct local_pair *q))
{
	FR_VEC_FOREACH (p, &all->pair)
		FR_VEC_FOREACH (q, &all->pair) {
			struct four f = {.region = may ? FR_REGION_JOINED : p->region};
			const struct entry *b1 = &q->a, *b2 = &q->b;
			unsigned c1, c2;

			if (p->a.thread == q->a.thread || (may && !may(p, q) && !may(q, p)) ||
			    p->a.head == p->b.head)
				continue;
			f.crossed = p->a.place == q->b.place && p->b.place == q->a.place;
			if (f.crossed) {
				b1 = &q->b;
				b2 = &q->a;
				f.crossed = q->a.head != q->b.head;
			} else if (p->a.place != q->a.place || p->b.place != q->b.place) {
				continue;
			}
			c1 = conflict(p->a.what, b1->what);
			c2 = conflict(p->b.what, b2->what);
			if (!c1 || !c2)
				continue;
			memcpy(f.ev, (fr_ev[]){p->a.head, b1->head, b2->head, p->b.head},
			       sizeof(f.ev));
			name(&f, c1, c2);
			f.feasible = feasible(m, &f);
			fr_vec_push(&all->four, f);
		}
}

static bool same(const struct four *x, const struct four *y)
{
	return !memcmp(x->ev, y->ev, sizeof(x->ev)) && x->crossed == y->crossed;
}

/* The same from the other side. */
static struct four mirror(const struct four *x)
{
	struct four f = *x;

	f.ev[0] = x->ev[2];
	f.ev[1] = x->ev[3];
	f.ev[2] = x->ev[0];
	f.ev[3] = x->ev[1];
	return f;
}

static bool complain(const struct how *how, const struct four *f, const char *what)
{
	if (how->loud)
		fprintf(stderr, "%s: %u %u %u %u, %s, %s\n", what, f->ev[0], f->ev[1], f->ev[2],
			f->ev[3], f->shape, fr_region_name[f->region]);
	return true;
}

static bool compare(const struct fr_model *m, const struct fr_group *g, struct fr_oracle *o,
		    struct all *all, const struct how *how)
{
	struct four f = four_of(m, g);
	bool listed = false;

	f.feasible = ask_group(o, g) == FR_FEASIBLE;
	FR_VEC_FOREACH (x, &all->four) {
		struct four back = mirror(x);

		if (x->crossed && same(&back, &f))
			x->found = true;
		if (!same(x, &f) || strcmp(x->shape, f.shape) || x->region != f.region)
			continue;
		listed = x->found = true;
		if (x->feasible != f.feasible)
			return complain(how, &f, f.feasible ? "cannot be" : "can be");
	}
	return !listed && complain(how, &f, "is none");
}

static bool wrong(const struct fr_model *m, void *arg)
{
	static const enum fr_region regions[] = {FR_REGION_ANNOTATED, FR_REGION_LOCK,
						 FR_REGION_SPLIT, FR_REGION_SET, FR_REGION_NAMED};
	struct how *how = arg;
	struct fr_causality *c = fr_causality_new(m);
	struct fr_oracle *o = fr_oracle_new(m, c, &ask_precise);
	struct all all = {0}, set = {0};
	struct fr_named calls;
	struct fr_generate_opt opt = {.calls = &calls, .no_near = true};
	FR_CLEANUP(fr_freep) char *names = NULL;
	struct fr_groups g;
	bool bad = false;

	local_calls(m, &calls);

	find_entries(m, &all, false);
	find_pairs(m, &all, false);
	if (how->named && m->cls[FR_C_LOC].n > 1) {
		FR_CLEANUP(fr_freep) char *x = fr_model_obj_name(m, FR_C_LOC, 0);
		FR_CLEANUP(fr_freep) char *y = fr_model_obj_name(m, FR_C_LOC, 1);

		names = fr_xasprintf("%s,%s", x, y);
		fr_vec_push(&opt.atomic_set, names);
		find_entries(m, &set, true);
		find_pairs(m, &set, true);
		FR_VEC_FOREACH (p, &set.pair)
			fr_vec_push(&all.pair, *p);
	}
	fr_generator_atomicset.generate(&fr_generator_atomicset, m, c, &opt, &g);
	find_fours(m, &all, NULL);
	FR_VEC_FOREACH (x, &g.group) {
		how->candidates++;
		bad |= compare(m, x, o, &all, how);
	}
	FR_VEC_FOREACH (x, &all.four) {
		if (x->feasible && !x->found)
			bad = complain(how, x, "is missed");
		if (!x->feasible)
			continue;
		how->feasible++;
		how->numbered[atoi(x->shape) % 15]++;
		for (unsigned i = 0; i < fr_array_size(regions); i++)
			how->regions[i] += x->region == regions[i];
	}
	fr_named_free(&calls);
	fr_vec_free(&opt.atomic_set);
	fr_vec_free(&set.entry);
	fr_vec_free(&set.pair);
	fr_vec_free(&all.entry);
	fr_vec_free(&all.pair);
	fr_vec_free(&all.four);
	fr_groups_free(&g);
	fr_oracle_free(o);
	fr_causality_free(c);
	return bad;
}

/* ---- joined locations ---- */

/* Actions of threads on locations that matter: one step and place each. */
static void find_accesses(const struct fr_model *m, const struct fr_regions *r, struct all *x)
{
	for (unsigned t = 0; t < m->nthreads; t++)
		for (fr_ev e = 0; e < m->n; e++) {
			const struct fr_mev *v = &m->ev[e];
			unsigned piece[8], npieces;
			struct entry *last;
			struct entry n = {.head = fr_head(m, e), .loc = v->obj, .thread = t};

			if (!fr_is_access(v) || v->thread != t ||
			    v->flags & (FR_F_SYNTH | FR_F_BENIGN) || r->first[v->obj] == UINT32_MAX)
				continue;
			n.ev = e;
			npieces = find_pieces(m, v, piece);
			for (unsigned i = 0; i < npieces; i++) {
				last = x->entry.n ? &x->entry.v[x->entry.n - 1] : NULL;
				n.what = v->op == FR_OP_WRITE ? piece[i] * 256u : piece[i];
				n.place = v->obj * 8ull + (unsigned)__builtin_ctz(piece[i]);
				if (last && last->head == n.head && last->place == n.place)
					last->what |= n.what;
				else
					fr_vec_push(&x->entry, n);
			}
		}
}

/* Is it atomic, or in a lock region? */
static bool is_guarded(const struct fr_model *m, const struct entry *x)
{
	bool r = m->ev[x->ev].flags & FR_F_ATOMIC;

	for (uint32_t l = 0; l < local_locks(m); l++)
		r |= local_holds(m, x->head, l);
	return r;
}

static bool share_lock(const struct fr_model *m, const struct entry *x, const struct entry *y)
{
	for (uint32_t l = 0; l < local_locks(m); l++)
		if (local_holds(m, x->head, l) && local_holds(m, y->head, l))
			return true;
	return false;
}

static bool apart(const struct fr_model *m, const struct entry *a, const struct entry *b)
{
	bool separate;

	return a->thread == b->thread && a->head < b->head && a->place != b->place &&
	       !meet(m, a->head, b->head) && !local_region(m, a->head, b->head, &separate) &&
	       !separate;
}

static bool reads_atomic(const struct fr_model *m, const struct entry *x)
{
	return !(x->what >> 8) && m->ev[x->ev].flags & FR_F_ATOMIC;
}

/* Is a, of the thread's accesses to its place, the one that counts when b comes: the last write
   since regions ended, else the last read? */
static bool counts_at(const struct fr_model *m, const struct all *x, const struct entry *a,
		      const struct entry *b)
{
	FR_VEC_FOREACH (y, &x->entry) {
		bool separate;

		if (y->thread != a->thread || y->place != a->place || y->head >= b->head || y == a)
			continue;
		local_region(m, y->head, b->head, &separate);
		if (separate)
			continue;
		if (y->head > a->head ? y->what >> 8 || !(a->what >> 8)
				      : y->what >> 8 && !(a->what >> 8))
			return false;
	}
	return true;
}

static bool joined(const struct all *x, uint64_t a, uint64_t b)
{
	FR_VEC_FOREACH (p, &x->pair)
		if (p->region != FR_REGION_SPLIT && p->region != FR_REGION_JOINED &&
		    ((p->a.place == a && p->b.place == b) || (p->a.place == b && p->b.place == a)))
			return true;
	return false;
}

/* Adds the pairs of accesses to joined locations. x->pair: those in regions. */
static void find_joined(const struct fr_model *m, struct all *x)
{
	for (size_t i = 1; i < x->entry.n; i++)
		if (reads_atomic(m, &x->entry.v[i - 1]) && reads_atomic(m, &x->entry.v[i]) &&
		    apart(m, &x->entry.v[i - 1], &x->entry.v[i]))
			fr_vec_push(&x->pair, ((struct local_pair){x->entry.v[i - 1], x->entry.v[i],
								   FR_REGION_NEAR}));
	for (size_t k = 0; k < x->entry.n; k++)
		for (size_t i = 0; i < k; i++) {
			const struct entry *a = &x->entry.v[i], *b = &x->entry.v[k];

			if (apart(m, a, b) && is_guarded(m, a) && is_guarded(m, b) &&
			    !share_lock(m, a, b) && counts_at(m, x, a, b) &&
			    joined(x, a->place, b->place))
				fr_vec_push(&x->pair,
					    ((struct local_pair){*a, *b, FR_REGION_JOINED}));
		}
}

/* Only these may meet. */
static bool joins(const struct local_pair *p, const struct local_pair *q)
{
	return p->region == FR_REGION_JOINED && q->region != FR_REGION_JOINED &&
	       q->region != FR_REGION_SPLIT;
}

static bool wrong_joined(const struct fr_model *m, void *arg)
{
	struct how *how = arg;
	struct fr_causality *c = fr_causality_new(m);
	struct fr_oracle *o = fr_oracle_new(m, c, &ask_precise);
	struct all all = {0}, every = {0};
	struct fr_named calls;
	struct fr_generate_opt opt = {.calls = &calls};
	struct fr_regions r;
	struct fr_groups g;
	bool bad = false;

	local_calls(m, &calls);
	fr_regions_init(&r, m, c, &opt);
	find_entries(m, &all, false);
	find_pairs(m, &all, false);
	find_accesses(m, &r, &every);
	FR_VEC_FOREACH (p, &all.pair)
		fr_vec_push(&every.pair, *p);
	find_joined(m, &every);
	fr_generator_atomicset.generate(&fr_generator_atomicset, m, c, &opt, &g);
	find_fours(m, &every, joins);
	FR_VEC_FOREACH (x, &g.group)
		if (x->region == FR_REGION_JOINED) {
			how->candidates++;
			bad |= compare(m, x, o, &every, how);
		}
	FR_VEC_FOREACH (x, &every.four) {
		if (x->feasible && !x->found)
			bad = complain(how, x, "is missed");
		how->feasible += x->feasible;
	}
	fr_regions_free(&r);
	fr_named_free(&calls);
	fr_vec_free(&all.entry);
	fr_vec_free(&all.pair);
	fr_vec_free(&every.entry);
	fr_vec_free(&every.pair);
	fr_vec_free(&every.four);
	fr_groups_free(&g);
	fr_oracle_free(o);
	fr_causality_free(c);
	return bad;
}

/* Makes an annotated region, or a call, of most actions of a thread. */
static void annotate(struct gen_script *s, uint64_t *random)
{
	bool call = fx_random(random) % 2;

	for (unsigned t = 0; t < s->threads; t++) {
		uint32_t at[2];

		if (fx_random(random) % 2 || s->n + 2 > GEN_OPS)
			continue;
		at[0] = (uint32_t)(fx_random(random) % (s->n / 3 + 1));
		at[1] = s->n + 1 - (uint32_t)(fx_random(random) % (s->n / 3 + 1));
		for (unsigned end = 0; end < 2; end++) {
			memmove(&s->op[at[end] + 1], &s->op[at[end]],
				(s->n - at[end]) * sizeof(*s->op));
			s->op[at[end]] =
			    (struct gen_op){.kind = GEN_MARK,
					    .thread = (uint8_t)t,
					    .obj = call	 ? end ? FR_EV_EXEC_END : FR_EV_EXEC_BEGIN
						   : end ? FR_EV_USER_ATOMIC_END
							 : FR_EV_USER_ATOMIC_BEGIN,
					    .id = (uint16_t)(5000 + 2 * t + end)};
			s->n++;
		}
	}
	s->max += 2 * s->threads;
}

/* Compares `runs` random runs. named: of every third, the first two locations are a set. */
static void compare_runs(uint64_t runs, bool (*is_wrong)(const struct fr_model *m, void *how),
			 bool named, struct how *how)
{
	uint64_t seed = fx_env("FORERUN_TEST_SEED", 1);

	for (uint64_t i = 0; i < runs; i++) {
		FR_CLEANUP(fr_freep)
		struct gen_script *s = i % 2 ? local_random(seed + i) : gen_random(seed + i, 0);
		FR_CLEANUP(fr_model_freep) struct fr_model *m = NULL;
		uint64_t random = seed + i;

		if (i % 4 == 0)
			annotate(s, &random);
		m = gen_build(s);
		how->named = named && i % 3 == 0;
		if (!is_wrong(m, how))
			continue;
		gen_shrink(s, is_wrong, how);
		fr_model_free(m);
		m = gen_build(s);
		gen_show(s, m);
		how->loud = true;
		is_wrong(m, how);
		fail_msg("seed %" PRIu64 ": the generator of atomic-set violations is wrong",
			 seed + i);
	}
	print_message("%" PRIu64 " candidates in %" PRIu64 " runs, %" PRIu64 " feasible\n",
		      how->candidates, runs, how->feasible);
}

static void joined_locations_agree_with_brute_force(void **state)
{
	uint64_t n = 3 * fx_env("FORERUN_TEST_TRACES", 20000);
	struct how how = {0};

	(void)state;
	compare_runs(n, wrong_joined, false, &how);
	assert_true(how.candidates > n / 500 && how.feasible > n / 500);
}

static void agrees_with_brute_force(void **state)
{
	uint64_t n = fx_env("FORERUN_TEST_TRACES", 20000);
	struct how how = {0};

	(void)state;
	compare_runs(n, wrong, true, &how);
	for (unsigned i = 6; i < 13; i++) {
		print_message("shape %u: %" PRIu64 "\n", i, how.numbered[i]);
		assert_true(n < 20000 || i == 8 || how.numbered[i]);
	}
	print_message("without a number: %" PRIu64 "\n", how.numbered[0]);
	print_message("annotated %" PRIu64 ", lock %" PRIu64 ", split %" PRIu64 ", set %" PRIu64
		      ", call %" PRIu64 "\n",
		      how.regions[0], how.regions[1], how.regions[2], how.regions[3],
		      how.regions[4]);
	for (unsigned i = 0; i < fr_array_size(how.regions); i++)
		assert_true(n < 20000 || how.regions[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(joined_locations_agree_with_brute_force),
	    cmocka_unit_test(agrees_with_brute_force),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
