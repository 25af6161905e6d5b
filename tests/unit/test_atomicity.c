/*
 * Atomicity violations: by hand; and on small random runs, generator and oracle together find
 * exactly the same as brute force: every shape, every kind of region, each remote access.
 *
 * Every operation of the random runs is a place in the program of its own, so that no two are one
 * finding.
 *
 * FORERUN_TEST_TRACES: the number of runs (20,000); FORERUN_TEST_SEED: the first seed (1).
 */
#include "generate/generate.h"
#include "ask.h"
#include "brute.h"
#include "fixture.h"
#include "format/event.h"
#include "gen.h"
#include "local.h"
#include "script.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- by hand ---- */

struct wanted {
	uint32_t first, remote, second;
	const char *shape;
	enum fr_region region;
};

static bool is(const struct fr_model *m, const struct fr_group *g, const struct wanted *w)
{
	const struct fr_actor *a = g->instance.v[0]->actor;

	return m->ev[a[0].ev].site == w->first && m->ev[a[1].ev].site == w->remote &&
	       m->ev[a[2].ev].site == w->second && !strcmp(fr_shape_name[g->shape], w->shape) &&
	       g->region == w->region;
}

/* Exactly these are found; the list ends with 0. */
static void expect(const char *text, const struct fr_generate_opt *opt, const struct wanted *w)
{
	struct fr_model *m = fr_script(text);
	struct fr_causality *c = fr_causality_new(m);
	struct fr_oracle *o = fr_oracle_new(m, c, &ask_precise);
	struct fr_groups g;
	uint32_t wanted = 0, found = 0;

	fr_generator_atomicity.generate(&fr_generator_atomicity, m, c, opt, &g);
	for (; w[wanted].first; wanted++) {
		bool there = false;

		FR_VEC_FOREACH (x, &g.group)
			there |= is(m, x, &w[wanted]) && ask_group(o, x) == FR_FEASIBLE;
		if (!there)
			fail_msg("%s %u %u %u (%s) is not found in:\n%s", w[wanted].shape,
				 w[wanted].first, w[wanted].remote, w[wanted].second,
				 fr_region_name[w[wanted].region], text);
	}
	FR_VEC_FOREACH (x, &g.group)
		found += ask_group(o, x) == FR_FEASIBLE;
	if (found != wanted) {
		FR_VEC_FOREACH (x, &g.group)
			if (ask_group(o, x) == FR_FEASIBLE)
				fprintf(stderr, "%s %s: %u %u %u\n", fr_shape_name[x->shape],
					fr_region_name[x->region],
					m->ev[x->instance.v[0]->actor[0].ev].site,
					m->ev[x->instance.v[0]->actor[1].ev].site,
					m->ev[x->instance.v[0]->actor[2].ev].site);
		fail_msg("%u instead of %u found in:\n%s", found, wanted, text);
	}
	fr_groups_free(&g);
	fr_oracle_free(o);
	fr_causality_free(c);
	fr_model_free(m);
}
#define EXPECT(text, ...)                          \
	expect(text, &(struct fr_generate_opt){0}, \
	       (const struct wanted[]){__VA_ARGS__ __VA_OPT__(, ){0}})
#define STRICT(text, ...)                                        \
	expect(text, &(struct fr_generate_opt){.no_near = true}, \
	       (const struct wanted[]){__VA_ARGS__ __VA_OPT__(, ){0}})
#define NEAR FR_REGION_NEAR
#define LOCK FR_REGION_LOCK
#define SPLIT FR_REGION_SPLIT

static void finds_the_unserialisable_shapes(void **state)
{
	(void)state;
	/* Before, between, after. */
	EXPECT("2 r x =1; 1 w x =1 @20; 0 r x =1 @10; 0 r x =1 @11", {10, 20, 11, "R-W-R", NEAR});
	EXPECT("2 r x =1; 1 w x =2 @20; 0 r x =2 @10; 0 r x =2 @11");
	EXPECT("0 r x @10; 1 w x @20; 0 r x @11", {10, 20, 11, "R-W-R", NEAR});
	EXPECT("0 r x @10; 0 r x @11; 1 w x @20", {10, 20, 11, "R-W-R", NEAR});
	EXPECT("0 w x @10; 0 r x @11; 1 w x @20", {10, 20, 11, "W-W-R", NEAR});
	EXPECT("0 w x @10; 0 w x @11; 1 r x @20", {10, 20, 11, "W-R-W", NEAR});
	EXPECT("0 r x @10; 0 w x @11; 1 w x @20", {10, 20, 11, "R-W-W", NEAR});
	/* The serialisable ones. */
	EXPECT("0 r x @10; 0 r x @11; 1 r x @20");
	EXPECT("0 w x @10; 0 r x @11; 1 r x @20");
	EXPECT("0 r x @10; 0 w x @11; 1 r x @20");
	/* A write between two writes is lost; not if the thread looks or writes in between. */
	EXPECT("0 w x @10; 0 w x @11; 1 w x =3 @20", {10, 20, 11, "W-W-W", NEAR});
	EXPECT("0 w x =3 @10; 0 w x =1 @11; 1 w x =1 @20");
	EXPECT("0 w x =3 @10; 0 w x =1 @11; 1 w x novalue @20", {10, 20, 11, "W-W-W", NEAR});
	STRICT("0 acq l; 0 w x =1 @10; 0 rel l; 0 acq l; 0 w x =2 @11; 0 rel l;"
	       "1 acq l; 1 w x =3 @20; 1 rel l",
	       {10, 20, 11, "W-W-W", SPLIT});
	STRICT("0 acq l; 0 w x =1 @10; 0 w x =1 @11; 0 w x =2 @12; 0 rel l; 1 w x =3 @20",
	       {10, 20, 11, "W-W-W", LOCK}, {11, 20, 12, "W-W-W", LOCK});
	STRICT("0 acq l; 0 w x =1 @10; 0 r x =1 @11; 0 w x =2 @12; 0 rel l; 1 w x =3 @20",
	       {10, 20, 11, "W-W-R", LOCK}, {11, 20, 12, "R-W-W", LOCK});
	/* Bytes that all three have. */
	EXPECT("0 r x /0x0f @10; 0 w x /0xf8 @11; 1 w x /0xff @20", {10, 20, 11, "R-W-W", NEAR});
	EXPECT("0 r x /0x0f @10; 0 w x /0xf8 @11; 1 w x /0xf0 @20");
	EXPECT("0 r x /0x0f @10; 0 w x /0xf0 @11; 1 w x /0xff @20");
	/* Atomics do not race, and are not atomic together. */
	EXPECT("0 r x =1 atomic @10; 0 w x =2 atomic @11; 1 w x =3 atomic @20",
	       {10, 20, 11, "R-W-W", NEAR});
	/* One step is one access, of one shape. */
	EXPECT("0 r x atomic @10; 0 w x atomic + @10; 1 w x atomic @20");
	EXPECT("0 r x =1 atomic @10; 0 w x =2 atomic @11; 1 r x =2 atomic @20; 1 w x =3 + @20",
	       {10, 20, 11, "R-W-W", NEAR});
	/* Accesses that are no candidates. */
	EXPECT("0 r x @10; 0 w x benign @11; 1 w x @20");
	EXPECT("0 r x @10; 0 w x @11; 1 w x benign @20");
	/* Order. */
	EXPECT("0 r x @10; 0 w x @11; 0 create 1; 1 w x @20");
	EXPECT("0 create 1; 1 w x @20; 1 exit; 0 join 1; 0 r x @10; 0 w x @11");
	/* The value that the remote access returned is free if it is the last of its thread. */
	EXPECT("0 w x =1 @10; 0 w x =2 @11; 1 r x =2 @20", {10, 20, 11, "W-R-W", NEAR});
	STRICT("0 acq l; 0 w x =1 @10; 0 rel l; 0 acq l; 0 w x =2 @11; 0 rel l;"
	       "1 acq l; 1 r x =2 @20; 1 rel l");
	STRICT("0 acq l; 0 w x =1 @10; 0 rel l; 0 acq l; 0 w x =1 @11; 0 rel l;"
	       "1 acq l; 1 r x =1 @20; 1 rel l",
	       {10, 20, 11, "W-R-W", SPLIT});
	/*
	 * The thread reads its own write, and a lock keeps the others out until then; or does not.
	 */
	STRICT("0 acq l; 0 w x =1 @10; 0 rel l; 0 acq l; 0 w x =1 @11; 0 rel l;"
	       "1 acq l; 1 w x =1 @19; 1 r x =1 @20; 1 rel l");
	STRICT("0 acq l; 0 w x =1 @10; 0 rel l; 0 acq l; 0 w x =1 @11; 0 rel l;"
	       "1 w x =1 @19; 1 acq l; 1 r x =1 @20; 1 rel l",
	       {10, 20, 11, "W-R-W", SPLIT});
}

static void pairs_the_nearest_neighbours(void **state)
{
	(void)state;
	/* The nearest before, nothing farther. */
	EXPECT("0 r x @10; 0 r x @11; 0 w x @12; 1 w x @20", {10, 20, 11, "R-W-R", NEAR},
	       {11, 20, 12, "R-W-W", NEAR});
	STRICT("0 r x @10; 0 r x @11; 0 w x @12; 1 w x @20");
	/* A loop. */
	EXPECT("0 r x @10; 0 r x @10; 1 w x @20");
	EXPECT("0 r x @11; 0 r x @10; 1 w x @20");
	/* Events that separate. */
	EXPECT("0 r x @10; 0 post s; 0 r x @11; 1 w x @20");
	EXPECT("0 r x @10; 0 sig c; 0 r x @11; 1 w x @20");
	EXPECT("0 r x @10; 0 create 2; 0 r x @11; 1 w x @20");
	/* Sections of their own, of different locks. */
	EXPECT("0 acq k; 0 w x @10; 0 rel k; 0 acq l; 0 r x @11; 0 rel l; 1 acq l; 1 w x @20;"
	       "1 rel l",
	       {10, 20, 11, "W-W-R", NEAR});
}

static void pairs_accesses_of_one_lock_region(void **state)
{
	(void)state;
	STRICT("0 acq l; 0 r x @10; 0 w x @11; 0 rel l; 1 w x @20", {10, 20, 11, "R-W-W", LOCK});
	STRICT("0 acq l; 0 r x @10; 0 w x @11; 0 rel l; 1 acq l; 1 w x @20; 1 rel l");
	STRICT("0 acq l; 0 r x @10; 0 w x @11; 0 rel l; 1 acq k; 1 w x @20; 1 rel k",
	       {10, 20, 11, "R-W-W", LOCK});
	/* Not only neighbours, and loops too. */
	STRICT("0 acq l; 0 r x @10; 0 r x @11; 0 w x @12; 0 rel l; 1 w x @20",
	       {10, 20, 11, "R-W-R", LOCK}, {10, 20, 12, "R-W-W", LOCK},
	       {11, 20, 12, "R-W-W", LOCK});
	STRICT("0 acq l; 0 r x @10; 0 r x @10; 0 rel l; 1 w x @20", {10, 20, 10, "R-W-R", LOCK});
	/* Readers. */
	STRICT("0 acqs l; 0 r x @10; 0 r x @11; 0 rels l; 1 acqs l; 1 w x @20; 1 rels l",
	       {10, 20, 11, "R-W-R", LOCK});
	STRICT("0 acqs l; 0 r x @10; 0 r x @11; 0 rels l; 1 acq l; 1 w x @20; 1 rel l");
	/* An inner lock that is given back between: the remote one can come there. */
	STRICT("0 acq g; 0 acq l; 0 r x @10; 0 rel l; 0 acq l; 0 w x @11; 0 rel l; 0 rel g;"
	       "1 acq l; 1 w x @20; 1 rel l",
	       {10, 20, 11, "R-W-W", LOCK});
	/* Hand over hand. */
	STRICT("0 acq l; 0 r x @10; 0 acq k; 0 rel l; 0 w x @11; 0 rel k;"
	       "1 acq l; 1 w x @20; 1 rel l",
	       {10, 20, 11, "R-W-W", LOCK});
	/* Semaphores, of which one is used as a lock. */
	STRICT("0 swait s:1; 0 r x @10; 0 w x @11; 0 post s; 1 swait s; 1 w x @20; 1 post s");
	STRICT("0 swait s:1; 0 r x @10; 0 w x @11; 0 post s; 1 w x @20; 1 swait s; 1 post s",
	       {10, 20, 11, "R-W-W", LOCK});
	STRICT("0 swait s:1; 0 r x @10; 0 w x @11; 0 post s; 1 w x @20; 1 swait s; 0 post s");
	/* A signal ends it. */
	STRICT("0 acq l; 0 r x @10; 0 sig c; 0 w x @11; 0 rel l; 1 w x @20");
}

static void pairs_split_lock_regions(void **state)
{
	(void)state;
	STRICT("0 acq l; 0 r x @10; 0 rel l; 0 acq l; 0 w x @11; 0 rel l; 1 acq l; 1 w x @20;"
	       "1 rel l",
	       {10, 20, 11, "R-W-W", SPLIT});
	STRICT("0 acq l; 0 r x @10; 0 rel l; 0 acq k; 0 rel k; 0 acq l; 0 w x @11; 0 rel l;"
	       "1 acq l; 1 w x @20; 1 rel l",
	       {10, 20, 11, "R-W-W", SPLIT});
	/* The one after the next. */
	STRICT("0 acq l; 0 r x @10; 0 rel l; 0 acq l; 0 rel l; 0 acq l; 0 w x @11; 0 rel l;"
	       "1 acq l; 1 w x @20; 1 rel l");
	/* A loop. */
	STRICT("0 acq l; 0 r x @11; 0 rel l; 0 acq l; 0 w x @10; 0 rel l; 1 acq l; 1 w x @20;"
	       "1 rel l");
	/* A wait. */
	STRICT("0 acq l; 0 r x @10; 0 rel l; 0 begin c +; 1 sig c; 0 wait c; 0 acq l; 0 w x @11;"
	       "0 rel l; 1 acq l; 1 w x @20; 1 rel l");
	/* A semaphore that is used as a lock, one that gets its unit from another thread, one that
	   another thread posts, one with two units. */
	STRICT("0 swait s:1; 0 r x @10; 0 post s; 0 swait s; 0 w x @11; 0 post s;"
	       "1 swait s; 1 w x @20; 1 post s",
	       {10, 20, 11, "R-W-W", SPLIT});
	STRICT("2 post s; 2 create 0; 2 create 1;"
	       "0 swait s; 0 r x @10; 0 post s; 0 swait s; 0 w x @11; 0 post s;"
	       "1 swait s; 1 w x @20; 1 post s",
	       {10, 20, 11, "R-W-W", SPLIT});
	STRICT("2 create 0; 2 create 1; 0 create 3; 2 post s;"
	       "0 swait s; 0 r x @10; 0 post s; 0 swait s; 0 w x @11; 0 post s;"
	       "1 swait s; 1 w x @20; 1 post s");
	STRICT("0 swait s:1; 0 r x @10; 0 post s; 0 swait s; 0 w x @11; 0 post s;"
	       "1 swait s; 1 w x @20; 2 post s");
	STRICT("0 swait s:2; 0 r x @10; 0 post s; 0 swait s; 0 w x @11; 0 post s;"
	       "1 swait s; 1 w x @20; 1 post s");
	/* Each remote access is an interleaving of the same bug: locked or not. */
	STRICT("0 acq l; 0 w x @10; 0 rel l; 0 acq l; 0 r x @11; 0 rel l;"
	       "1 acq l; 1 w x @20; 1 rel l; 1 w x @21",
	       {10, 20, 11, "W-W-R", SPLIT}, {10, 21, 11, "W-W-R", SPLIT});
}

/* All interleavings of one local pair are one bug; another pair is another. */
static void one_local_pair_is_one_bug(void **state)
{
	struct fr_model *m = fr_script("0 r x @10; 0 w x @11; 0 r x @12; 1 w x @20; 2 w x @30");
	struct fr_causality *c = fr_causality_new(m);
	uint64_t first = 0, second = 0;
	struct fr_groups g;

	(void)state;
	fr_generator_atomicity.generate(&fr_generator_atomicity, m, c, &(struct fr_generate_opt){0},
					&g);
	assert_int_equal(g.group.n, 4);
	FR_VEC_FOREACH (x, &g.group) {
		const struct fr_actor *a = x->instance.v[0]->actor;
		uint64_t *bug = m->ev[a[0].ev].site == 10 ? &first : &second;

		assert_true(x->bug != 0);
		assert_true(!*bug || *bug == x->bug);
		*bug = x->bug;
		assert_int_equal(a[0].role, FR_ROLE_LOCAL_FIRST);
		assert_int_equal(a[1].role, FR_ROLE_REMOTE);
		assert_int_equal(a[2].role, FR_ROLE_LOCAL_SECOND);
		FR_VEC_FOREACH (y, &g.group)
			assert_true(x == y || x->key != y->key);
	}
	assert_true(first != second);
	fr_groups_free(&g);
	fr_causality_free(c);
	fr_model_free(m);
}

/* Many accesses of one location from few places: few groups, few instances, near ones. */
static void many_accesses_make_few_groups(void **state)
{
	struct fr_builder *b = fr_builder_new();
	struct fr_causality *c;
	struct fr_groups g;
	struct fr_model *m;

	(void)state;
	for (unsigned t = 0; t < 16; t++)
		fr_builder_thread(b, "t", t);
	fr_builder_obj(b, FR_C_LOC, (struct fr_mobj){0});
	srand(5);
	for (unsigned i = 0; i < 200000; i++) {
		bool write = rand() % 2;

		fr_builder_add(b,
			       &(struct fr_mev){.thread = (uint16_t)(rand() % 16),
						.op = write ? FR_OP_WRITE : FR_OP_READ,
						.flags = FR_F_NOVALUE,
						.site = write ? 3 : (unsigned)(1 + rand() % 2) & 3,
						.mask = 0xff},
			       i);
	}
	m = fr_builder_finish(b);
	c = fr_causality_new(m);
	fr_generator_atomicity.generate(&fr_generator_atomicity, m, c, &(struct fr_generate_opt){0},
					&g);
	/* 1-2, 1-3, 2-3, each with the write between */
	assert_int_equal(g.group.n, 3);
	FR_VEC_FOREACH (x, &g.group) {
		assert_true(x->instance.n >= FR_INSTANCES);
		assert_true(x->instances_seen > 1000);
		FR_VEC_FOREACH (in, &x->instance)
			assert_true((*in)->actor[2].ev < 20000);
	}
	fr_groups_free(&g);
	fr_causality_free(c);
	fr_model_free(m);
}

/* ---- random runs ---- */

static const char *const shapes[] = {"R-W-W", "W-W-R", "R-W-R", "W-R-W", "W-W-W"};
static const enum fr_region regions[] = {FR_REGION_ANNOTATED, FR_REGION_NAMED, FR_REGION_LOCK,
					 FR_REGION_SPLIT, FR_REGION_NEAR};

struct how {
	uint64_t feasible[fr_array_size(shapes)][fr_array_size(regions)], candidates, runs;
	bool loud;
};

struct triple {
	fr_ev first, remote, second;
	const char *shape;
	enum fr_region region;
	bool feasible, found;
};
struct triples {
	FR_VEC(struct triple) v;
};

static const char *shape_of(unsigned a, unsigned r, unsigned b)
{
	for (unsigned i = 0; i < fr_array_size(shapes); i++) {
		unsigned x = shapes[i][0] == 'W' ? a >> 8 : a, y = shapes[i][2] == 'W' ? r >> 8 : r,
			 z = shapes[i][4] == 'W' ? b >> 8 : b;

		if (x & y & z & 0xff)
			return shapes[i];
	}
	return NULL;
}

static bool feasible(const struct fr_model *m, const struct brute *all, const struct triple *t)
{
	struct fr_candidate past = {.npending = 1,
				    .pending = {t->second},
				    .nedges = 2,
				    .edge = {{t->first, t->remote}, {t->remote, t->second}}};
	struct brute *b;
	bool r;

	if (brute_pair(all, t->remote, t->second))
		return true;
	b = brute_new(m, &past, 1000000);
	r = brute_feasible(b, &past, NULL);
	brute_free(b);
	return r;
}

/* W-R-W: does the thread read its own last write, under a lock that the first also has?
 */
static bool reads_own(const struct fr_model *m, const struct triple *t, uint32_t loc)
{
	unsigned bytes = local_access(m, t->first, loc) >> 8 & local_access(m, t->remote, loc) &
			 local_access(m, t->second, loc) >> 8;
	fr_ev w = t->remote;

	while (w-- > 0)
		if (m->ev[w].thread == m->ev[t->remote].thread && fr_head(m, w) == w &&
		    local_access(m, w, loc) >> 8)
			return !(bytes & ~(local_access(m, w, loc) >> 8)) &&
			       local_locked(m, w, t->remote, t->first);
	return false;
}

/* The value that a step writes to the bytes; false: it is not known. */
static bool writes(const struct fr_model *m, fr_ev head, uint32_t loc, unsigned bytes,
		   uint64_t *ret)
{
	for (fr_ev e = head; e < m->n && fr_head(m, e) == head; e++)
		if (m->ev[e].op == FR_OP_WRITE && m->ev[e].obj == loc && m->ev[e].mask & bytes) {
			*ret = 0;
			for (unsigned i = 0; i < 8; i++)
				if (bytes >> i & 1)
					*ret |= m->ev[e].value & UINT64_C(0xff) << 8 * i;
			return !(m->ev[e].flags & FR_F_NOVALUE);
		}
	return false;
}

/* W-W-W: does the thread access the bytes of the second between the two, or is the value the same?
 */
static bool loses_nothing(const struct fr_model *m, const struct triple *t, uint32_t loc)
{
	unsigned w = local_access(m, t->second, loc), x;
	unsigned bytes = w >> 8 & local_access(m, t->remote, loc) >> 8;
	uint64_t a, b;

	if (writes(m, t->remote, loc, bytes, &a) && writes(m, t->second, loc, bytes, &b) && a == b)
		return true;
	for (fr_ev e = t->first + 1; e < t->second; e++) {
		if (m->ev[e].thread != m->ev[t->first].thread || fr_head(m, e) != e)
			continue;
		x = local_access(m, e, loc);
		if ((x | x >> 8) & (w | w >> 8) & 0xff)
			return true;
	}
	return false;
}

static void find_triples(const struct fr_model *m, bool near, struct triples *ret)
{
	struct brute *all = brute_new(m, NULL, 1000000);

	for (fr_ev a = 0; a < m->n; a++)
		for (fr_ev b = a + 1; b < m->n; b++) {
			if (fr_head(m, a) != a || fr_head(m, b) != b ||
			    m->ev[a].thread != m->ev[b].thread)
				continue;
			for (uint32_t loc = 0; loc < m->cls[FR_C_LOC].n; loc++) {
				enum fr_region region = local_pair(m, a, b, loc, near);

				for (fr_ev r = 0; r < m->n && region; r++) {
					struct triple t = {.first = a, .remote = r, .second = b};

					if (fr_head(m, r) != r ||
					    m->ev[r].thread == m->ev[a].thread)
						continue;
					t.shape = shape_of(local_access(m, a, loc),
							   local_access(m, r, loc),
							   local_access(m, b, loc));
					t.region = region;
					if (!t.shape ||
					    (!strcmp(t.shape, "W-R-W") && reads_own(m, &t, loc)) ||
					    (!strcmp(t.shape, "W-W-W") &&
					     loses_nothing(m, &t, loc)))
						continue;
					t.feasible = feasible(m, all, &t);
					fr_vec_push(&ret->v, t);
				}
			}
		}
	brute_free(all);
}

static bool complain(const struct how *how, const struct triple *t, const char *what)
{
	if (how->loud)
		fprintf(stderr, "%s: %u %u %u, %s, %s\n", what, t->first, t->remote, t->second,
			t->shape, fr_region_name[t->region]);
	return true;
}

/* Does the instance have the events of its triple? */
static bool well_made(const struct fr_model *m, const struct fr_instance *in)
{
	const struct fr_candidate *c = &in->what;
	fr_ev head[3];

	for (unsigned i = 0; i < 3; i++)
		head[i] = fr_head(m, in->actor[i].ev);
	if (c->edge[0].before != head[0] || c->edge[0].after != head[1])
		return false;
	if (c->npending == 2)
		return c->nedges == 1 && c->pending[0] == head[1] && c->pending[1] == head[2];
	return c->npending == 1 && c->nedges == 2 && c->edge[1].before == head[1] &&
	       c->edge[1].after == head[2] && c->pending[0] == head[2];
}

static bool compare(const struct fr_model *m, const struct fr_group *g, struct fr_oracle *o,
		    struct triples *all, const struct how *how)
{
	const struct fr_instance *in = g->instance.v[0];
	struct triple t = {fr_head(m, in->actor[0].ev),
			   fr_head(m, in->actor[1].ev),
			   fr_head(m, in->actor[2].ev),
			   fr_shape_name[g->shape],
			   g->region,
			   ask_group(o, g) == FR_FEASIBLE,
			   false};
	bool listed = false;

	FR_VEC_FOREACH (i, &g->instance)
		if (!well_made(m, *i))
			return complain(how, &t, "is not well made");
	FR_VEC_FOREACH (x, &all->v) {
		if (x->first != t.first || x->remote != t.remote || x->second != t.second ||
		    strcmp(x->shape, t.shape) || x->region != t.region)
			continue;
		listed = x->found = true;
		if (x->feasible != t.feasible)
			return complain(how, &t, t.feasible ? "cannot be" : "can be");
	}
	return !listed && complain(how, &t, "is none");
}

static bool wrong(const struct fr_model *m, bool near, struct how *how)
{
	struct fr_causality *c = fr_causality_new(m);
	struct fr_oracle *o = fr_oracle_new(m, c, &ask_precise);
	struct triples all = {0};
	struct fr_named calls;
	struct fr_groups g;
	bool bad = false;

	local_calls(m, &calls);
	fr_generator_atomicity.generate(
	    &fr_generator_atomicity, m, c,
	    &(struct fr_generate_opt){.no_near = !near, .calls = &calls}, &g);
	fr_named_free(&calls);
	find_triples(m, near, &all);
	FR_VEC_FOREACH (x, &g.group) {
		how->candidates++;
		bad |= compare(m, x, o, &all, how);
	}
	FR_VEC_FOREACH (x, &all.v) {
		if (x->feasible && !x->found)
			bad = complain(how, x, "is missed");
		for (unsigned i = 0; i < fr_array_size(shapes); i++)
			for (unsigned k = 0; k < fr_array_size(regions); k++)
				how->feasible[i][k] +=
				    x->feasible && x->shape == shapes[i] && x->region == regions[k];
	}
	fr_vec_free(&all.v);
	fr_groups_free(&g);
	fr_oracle_free(o);
	fr_causality_free(c);
	return bad;
}

static bool wrong_all(const struct fr_model *m, void *arg)
{
	return wrong(m, true, arg) || wrong(m, false, arg);
}

/* Puts an annotated region somewhere, or a call. */
static void annotate(struct gen_script *s, uint64_t *random)
{
	bool call = fx_random(random) % 2;
	uint8_t thread = (uint8_t)(fx_random(random) % s->threads);
	uint32_t at = (uint32_t)(fx_random(random) % (s->n + 1));

	for (unsigned end = 0; end < 2 && s->n < GEN_OPS; end++) {
		at = end ? at + 1 + (uint32_t)(fx_random(random) % (s->n - at)) : at;
		memmove(&s->op[at + 1], &s->op[at], (s->n - at) * sizeof(*s->op));
		s->op[at] = (struct gen_op){.kind = GEN_MARK,
					    .thread = thread,
					    .obj = call	 ? end ? FR_EV_EXEC_END : FR_EV_EXEC_BEGIN
						   : end ? FR_EV_USER_ATOMIC_END
							 : FR_EV_USER_ATOMIC_BEGIN,
					    .id = (uint16_t)(5000 + at)};
		s->n++;
	}
	s->max += 2;
}

static void agrees_with_brute_force(void **state)
{
	uint64_t n = fx_env("FORERUN_TEST_TRACES", 20000);
	uint64_t seed = fx_env("FORERUN_TEST_SEED", 1);
	struct how how = {0};

	(void)state;
	for (uint64_t i = 0; i < n; i++) {
		FR_CLEANUP(fr_freep)
		struct gen_script *s =
		    i % 4 == 3 ? local_random(seed + i) : gen_random(seed + i, 0);
		FR_CLEANUP(fr_model_freep) struct fr_model *m = NULL;
		uint64_t random = seed + i;

		if (fx_random(&random) % 4 == 0)
			annotate(s, &random);
		m = gen_build(s);
		if (!wrong_all(m, &how))
			continue;
		gen_shrink(s, wrong_all, &how);
		fr_model_free(m);
		m = gen_build(s);
		gen_show(s, m);
		how.loud = true;
		wrong_all(m, &how);
		fail_msg("the generator of atomicity violations is wrong");
	}
	print_message("%" PRIu64 " candidates in %" PRIu64 " runs; feasible:\n", how.candidates, n);
	for (unsigned k = 0; k < fr_array_size(regions); k++) {
		print_message("%-20s", fr_region_name[regions[k]]);
		for (unsigned i = 0; i < fr_array_size(shapes); i++) {
			print_message(" %s %" PRIu64, shapes[i], how.feasible[i][k]);
			assert_true(n < 20000 || how.feasible[i][k]);
		}
		print_message("\n");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(finds_the_unserialisable_shapes),
	    cmocka_unit_test(pairs_the_nearest_neighbours),
	    cmocka_unit_test(pairs_accesses_of_one_lock_region),
	    cmocka_unit_test(pairs_split_lock_regions),
	    cmocka_unit_test(one_local_pair_is_one_bug),
	    cmocka_unit_test(many_accesses_make_few_groups),
	    cmocka_unit_test(agrees_with_brute_force),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
