/*
 * Generators: by hand, the candidates that they find and leave out. On random runs against brute
 * force, no possible candidate is missing. Long runs stay within the limits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "generate/generate.h"
#include "generate/unguarded.h"
#include "ask.h"
#include "brute.h"
#include "gen.h"
#include "oracle/oracle.h"
#include "script.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Does an instance have exactly the events with these sites? */
static bool has_sites(const struct fr_model *m, const struct fr_instance *in, const uint32_t *site,
		      uint32_t n)
{
	if (in->nactors != n)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		bool there = false;

		for (uint32_t k = 0; k < n; k++)
			there |= m->ev[in->actor[k].ev].site == site[i];
		if (!there)
			return false;
	}
	return true;
}

/* The generator and the oracle find exactly these: sites, ended by 0; the list by {0}. */
static void expect(const struct fr_generator *a, const char *text, const uint32_t (*site)[8])
{
	struct fr_model *m = fr_script(text);
	struct fr_causality *c = fr_causality_new(m);
	struct fr_oracle *o = fr_oracle_new(m, c, &ask_precise);
	struct fr_groups g;
	uint32_t wanted = 0, found = 0;

	a->generate(a, m, c, &(struct fr_generate_opt){0}, &g);
	for (; site[wanted][0]; wanted++) {
		uint32_t n = 0;
		bool there = false;

		while (n < 8 && site[wanted][n])
			n++;
		FR_VEC_FOREACH (x, &g.group)
			there |= has_sites(m, x->instance.v[0], site[wanted], n) &&
				 ask_group(o, x) == FR_FEASIBLE;
		if (!there)
			fail_msg("%s at %u is not found in:\n%s", a->name, site[wanted][0], text);
	}
	FR_VEC_FOREACH (x, &g.group) {
		enum fr_answer answer = ask_group(o, x);

		assert_int_not_equal(answer, FR_UNKNOWN);
		found += answer == FR_FEASIBLE;
	}
	if (found != wanted)
		fail_msg("%u instead of %u found in:\n%s", found, wanted, text);
	fr_groups_free(&g);
	fr_oracle_free(o);
	fr_causality_free(c);
	fr_model_free(m);
}
#define EXPECT(kind, text, ...) \
	expect(&fr_generator_##kind, text, (const uint32_t[][8]){__VA_ARGS__ __VA_OPT__(, ){0}})

static void finds_races(void **state)
{
	(void)state;
	EXPECT(race, "0 w x @10; 1 w x @20", {10, 20});
	EXPECT(race, "0 w x @10; 1 r x @20", {10, 20});
	EXPECT(race, "0 r x @10; 1 r x @20");
	EXPECT(race, "0 w x @10; 0 r x @20");
	EXPECT(race, "0 w x @10; 1 w y @20");
	EXPECT(race, "0 w x /0x0f @10; 1 w x /0xf0 @20");
	EXPECT(race, "0 w x /0x0f @10; 1 w x /0x18 @20", {10, 20});
	EXPECT(race, "0 w x atomic @10; 1 w x atomic @20");
	EXPECT(race, "0 w x atomic @10; 1 w x @20", {10, 20});
	EXPECT(race, "0 w x benign @10; 1 w x @20");
	EXPECT(race, "0 acq l; 0 w x @10; 0 rel l; 1 acq l; 1 w x @20; 1 rel l");
	EXPECT(race, "0 acqs l; 0 w x @10; 0 rels l; 1 acqs l; 1 w x @20; 1 rels l", {10, 20});
	EXPECT(race, "0 acqs l; 0 r x @10; 0 rels l; 1 acq l; 1 w x @20; 1 rel l");
	EXPECT(race, "0 w x @10; 0 create 1; 1 w x @20");
	/* Sections change places. */
	EXPECT(race, "0 acq l; 0 w x @10; 0 rel l; 1 acq l; 1 rel l; 1 w x @20", {10, 20});
	/* An atomic flag hands it over. */
	EXPECT(race, "0 w x =1 @10; 0 w f =1 atomic; 1 r f =1 atomic; 1 w x =2 @20");
	/* A part of a step races; the whole step is pending. */
	EXPECT(race, "0 w x @10; 0 w y @10 +; 1 w y @20", {10, 20});
	/* With and without the lock, from one place. */
	EXPECT(race,
	       "0 acq l; 0 w x @10; 0 rel l; 0 w x @10;"
	       "1 acq l; 1 w x @20; 1 rel l",
	       {10, 20});
}

/* Which locations are open, in the order of their first accesses: one letter each, '.' if not. */
static void expect_open(const char *text, const char *open)
{
	struct fr_model *m = fr_script(text);
	struct fr_causality *c = fr_causality_new(m);
	uint32_t n = m->cls[FR_C_LOC].n, accesses;
	bool *is;

	accesses = fr_guards_find(m, c, &is);
	assert_int_equal(n, strlen(open));
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t *first = m->cls[FR_C_LOC].first;

		if (is[i] != (open[i] != '.'))
			fail_msg("location %u is %s in:\n%s", i, is[i] ? "open" : "safe", text);
		accesses -= is[i] ? first[i + 1] - first[i] : 0;
	}
	assert_int_equal(accesses, 0);
	free(is);
	fr_causality_free(c);
	fr_model_free(m);
}

static void a_common_guard_excludes_a_race(void **state)
{
	(void)state;
	expect_open("0 w x; 1 r x; 0 r y; 1 r y; 0 w z; 0 r z", "x..");
	expect_open("0 acq l; 0 w x; 0 rel l; 1 acq l; 1 r x; 1 rel l", ".");
	expect_open("0 acq l; 0 w x; 0 rel l; 1 acq k; 1 r x; 1 rel k", "x");
	/* Of two guards the inner or the outer one remains, or none. */
	expect_open("0 acq l; 0 acq k; 0 w x; 0 rel k; 0 rel l; 1 acq k; 1 acq l; 1 w x; 1 rel l;"
		    "1 w x; 1 rel k; 0 acq k; 0 w x; 0 rel k",
		    ".");
	expect_open("0 acq l; 0 acq k; 0 w x; 0 rel k; 0 rel l; 1 acq k; 1 w x; 1 rel k; 0 acq l;"
		    "0 w x; 0 rel l",
		    "x");
	/* Readers share it, writers do not. */
	expect_open("0 acqs l; 0 r x; 0 rels l; 1 acq l; 1 w x; 1 rel l; 1 acqs l; 1 r x; 1 rels l",
		    ".");
	expect_open("0 acqs l; 0 r x; 0 rels l; 1 acqs l; 1 w x; 1 rels l", "x");
	/* Accesses of one thread before the others existed. */
	expect_open("0 w x; 0 w y; 0 create 1; 1 r x; 0 r x; 1 r y; 0 w y", ".y");
	expect_open("0 w x; 0 create 1; 1 acq l; 1 w x; 1 rel l; 0 acq l; 0 w x; 0 rel l", ".");
	expect_open("0 create 1; 0 w x; 1 acq l; 1 r x; 1 rel l", "x");
	/* An event that is never a target does not count. */
	expect_open("0 w x benign; 1 acq l; 1 w x; 1 rel l; 2 acq l; 2 w x; 2 rel l", ".");
}

static void finds_deadlocks(void **state)
{
	(void)state;
	EXPECT(deadlock,
	       "0 acq a @1; 0 acq b @10; 0 rel b; 0 rel a;"
	       "1 acq b @2; 1 acq a @20; 1 rel a; 1 rel b",
	       {10, 20});
	/* The same order: none. */
	EXPECT(deadlock, "0 acq a; 0 acq b; 0 rel b; 0 rel a; 1 acq a; 1 acq b; 1 rel b; 1 rel a");
	/* A guard. */
	EXPECT(deadlock, "0 acq g; 0 acq a; 0 acq b; 0 rel b; 0 rel a; 0 rel g;"
			 "1 acq g; 1 acq b; 1 acq a; 1 rel a; 1 rel b; 1 rel g");
	/* One thread. */
	EXPECT(deadlock, "0 acq a; 0 acq b; 0 rel b; 0 rel a; 0 acq b; 0 acq a; 0 rel a; 0 rel b");
	/* A join between. */
	EXPECT(deadlock, "0 create 1; 1 acq a; 1 acq b; 1 rel b; 1 rel a; 1 exit; 0 join 1;"
			 "0 acq b; 0 acq a; 0 rel a; 0 rel b");
	/* It is not tried for ever. */
	EXPECT(deadlock, "0 acq a; 0 acq b try; 0 rel b; 0 rel a;"
			 "1 acq b; 1 acq a; 1 rel a; 1 rel b");
	/* Readers. */
	EXPECT(deadlock, "0 acqs a; 0 acqs b; 0 rels b; 0 rels a;"
			 "1 acqs b; 1 acqs a; 1 rels a; 1 rels b");
	EXPECT(deadlock,
	       "0 acqs a; 0 acq b @10; 0 rel b; 0 rels a;"
	       "1 acqs b; 1 acq a @20; 1 rel a; 1 rels b",
	       {10, 20});
	EXPECT(deadlock, "0 acqs a; 0 acq b; 0 rel b; 0 rels a;"
			 "1 acq b; 1 acqs a; 1 rels a; 1 rel b");
	/* A shared guard guards nothing. */
	EXPECT(deadlock,
	       "0 acqs g; 0 acq a; 0 acq b @10; 0 rel b; 0 rel a; 0 rels g;"
	       "1 acqs g; 1 acq b; 1 acq a @20; 1 rel a; 1 rel b; 1 rels g",
	       {10, 20});
	/* Three threads; the value that was read separates nothing. */
	EXPECT(deadlock,
	       "0 acq a; 0 acq b @10; 0 rel b; 0 rel a;"
	       "1 acq b; 1 acq c @20; 1 rel c; 1 rel b;"
	       "2 acq c; 2 acq a @30; 2 rel a; 2 rel c",
	       {10, 20, 30});
	/* A value that was read separates them. */
	EXPECT(deadlock, "0 acq a; 0 acq b; 0 rel b; 0 rel a; 0 w f =1 atomic;"
			 "1 r f =1 atomic; 1 acq b; 1 acq a; 1 rel a; 1 rel b");
	/* Waiting for the end of a thread that wants the lock. */
	EXPECT(deadlock, "0 create 1; 1 acq a @20; 1 rel a; 1 exit; 0 acq a; 0 join 1 @10; 0 rel a",
	       {10, 20});
	EXPECT(deadlock, "0 create 1; 1 acq a; 1 rel a; 1 exit; 0 join 1; 0 acq a; 0 rel a");
	/* A join with a time limit gives up. */
	EXPECT(deadlock, "0 create 1; 1 acq a; 1 rel a; 1 exit; 0 acq a; 0 join 1 try; 0 rel a");
	/* The run ended in it: of one thread, of two, of a reader that would write. */
	EXPECT(deadlock, "0 acq a; 0 fail a @10 forever", {10});
	EXPECT(deadlock, "0 acqs a; 0 fail a @10 forever", {10});
	EXPECT(deadlock, "0 acq a; 0 fails a @10 forever", {10});
	EXPECT(deadlock, "0 acq a; 1 acq b; 0 fail b @10 forever; 1 fail a @20 forever", {10, 20});
	/* One waited, the other would have come. */
	EXPECT(deadlock,
	       "1 acq b; 1 acq a @20; 1 rel a; 1 rel b; 2 acq b; 0 acq a; 0 fail b @10 forever",
	       {10, 20});
	/* It only tried, or waits for no waiting thread. */
	EXPECT(deadlock, "0 acq a; 0 fail a @10; 0 rel a");
	EXPECT(deadlock, "0 acq a; 1 acq b; 0 fail b @10 forever");
}

static struct fr_model *philosophers(unsigned n)
{
	struct fr_builder *b = fr_builder_new();

	for (unsigned i = 0; i < n; i++) {
		fr_builder_thread(b, "p", i);
		fr_builder_obj(b, FR_C_LOCK, (struct fr_mobj){0});
	}
	for (unsigned i = 0; i < 10 * n; i++) {
		uint16_t t = (uint16_t)(i % n);
		uint32_t left = t, right = (t + 1) % n;
		struct fr_mev e = {.thread = t, .op = FR_OP_ACQUIRE, .flags = FR_F_BLOCKING};

		e.obj = left;
		e.site = 1;
		fr_builder_add(b, &e, 4 * i);
		e.obj = right;
		e.site = 2;
		fr_builder_add(b, &e, 4 * i + 1);
		e.op = FR_OP_RELEASE;
		e.flags = 0;
		fr_builder_add(b, &e, 4 * i + 2);
		e.obj = left;
		fr_builder_add(b, &e, 4 * i + 3);
	}
	return fr_builder_finish(b);
}

static void finds_the_cycle_of_the_philosophers(void **state)
{
	static const unsigned sizes[] = {2, 5, 10, 64};

	(void)state;
	for (unsigned i = 0; i < fr_array_size(sizes); i++) {
		struct fr_model *m = philosophers(sizes[i]);
		struct fr_causality *c = fr_causality_new(m);
		struct fr_oracle *o = fr_oracle_new(m, c, &ask_precise);
		struct fr_groups g;

		fr_generator_deadlock.generate(&fr_generator_deadlock, m, c,
					       &(struct fr_generate_opt){0}, &g);
		assert_int_equal(g.group.n, 1);
		assert_int_equal(g.group.v[0].instance.v[0]->nactors, sizes[i]);
		assert_int_equal(ask_group(o, &g.group.v[0]), FR_FEASIBLE);
		assert_int_equal(g.cut_off, 0);
		fr_groups_free(&g);
		fr_oracle_free(o);
		fr_causality_free(c);
		fr_model_free(m);
	}
}

static bool conflict(const struct fr_mev *x, const struct fr_mev *y)
{
	return fr_is_access(x) && fr_is_access(y) && x->obj == y->obj && x->thread != y->thread &&
	       x->mask & y->mask && (x->op == FR_OP_WRITE || y->op == FR_OP_WRITE) &&
	       !(x->flags & y->flags & FR_F_ATOMIC) &&
	       !((x->flags | y->flags) & (FR_F_SYNTH | FR_F_BENIGN));
}

static bool is_actor(const struct fr_instance *in, fr_ev e)
{
	for (uint32_t i = 0; i < in->nactors; i++)
		if (in->actor[i].ev == e)
			return true;
	return false;
}

static bool is_there(const struct fr_groups *g, const struct fr_model *m, fr_ev x, fr_ev y)
{
	FR_VEC_FOREACH (p, &g->group) {
		FR_VEC_FOREACH (in, &p->instance) {
			const struct fr_candidate *w = &(*in)->what;

			if ((is_actor(*in, x) && is_actor(*in, y)) ||
			    (w->pending[0] == fr_head(m, x) && w->pending[1] == fr_head(m, y)))
				return true;
		}
	}
	return false;
}

/* Each event in a place of its own, so that every two accesses make a group. */
static void places(struct fr_model *m)
{
	for (fr_ev e = 0; e < m->n; e++)
		m->ev[e].site = (e + 1) & 0x3fffff;
}

static void check_races(const struct gen_script *script, const struct fr_model *m,
			const struct fr_causality *c, const struct brute *b, unsigned *feasible)
{
	struct fr_groups g;

	fr_generator_race.generate(&fr_generator_race, m, c, &(struct fr_generate_opt){0}, &g);
	for (fr_ev x = 0; x < m->n; x++) {
		for (fr_ev y = x + 1; y < m->n; y++) {
			if (!conflict(&m->ev[x], &m->ev[y]) ||
			    !brute_pair(b, fr_head(m, x), fr_head(m, y)))
				continue;
			++*feasible;
			if (!is_there(&g, m, x, y)) {
				gen_show(script, m);
				fail_msg("the race of %u and %u is not among the candidates", x, y);
			}
		}
	}
	FR_VEC_FOREACH (p, &g.group) {
		FR_VEC_FOREACH (in, &p->instance)
			assert_true(
			    conflict(&m->ev[(*in)->actor[0].ev], &m->ev[(*in)->actor[1].ev]));
	}
	fr_groups_free(&g);
}

static unsigned rounds(unsigned n)
{
	const char *s = getenv("FORERUN_TEST_TRACES");

	return s && *s ? (unsigned)strtoul(s, NULL, 0) : n;
}

/*
 * Two threads block each other: pending acquisitions, each of a lock that the other holds. Looked
 * for without the generator's help.
 */
static bool holds(const struct fr_model *m, fr_ev pending, uint32_t lock, bool *ret_shared)
{
	int exclusive = 0, shared = 0;

	for (fr_ev e = 0; e < pending; e++) {
		const struct fr_mev *v = &m->ev[e];

		if (v->thread != m->ev[pending].thread || fr_op_class[v->op] != FR_C_LOCK ||
		    v->obj != lock)
			continue;
		exclusive += (v->op == FR_OP_ACQUIRE) - (v->op == FR_OP_RELEASE);
		shared += (v->op == FR_OP_ACQUIRE_SHARED) - (v->op == FR_OP_RELEASE_SHARED);
	}
	*ret_shared = !exclusive;
	return exclusive || shared;
}

static bool blocks(const struct fr_model *m, fr_ev x, fr_ev y)
{
	bool shared;

	return (m->ev[x].op == FR_OP_ACQUIRE || m->ev[x].op == FR_OP_ACQUIRE_SHARED) &&
	       m->ev[x].flags & FR_F_BLOCKING && holds(m, y, m->ev[x].obj, &shared) &&
	       !(shared && m->ev[x].op == FR_OP_ACQUIRE_SHARED);
}

static void check_deadlocks(const struct gen_script *script, const struct fr_model *m,
			    const struct fr_causality *c, const struct brute *b, unsigned *feasible)
{
	struct fr_groups g;

	fr_generator_deadlock.generate(&fr_generator_deadlock, m, c, &(struct fr_generate_opt){0},
				       &g);
	for (fr_ev x = 0; x < m->n; x++) {
		for (fr_ev y = x + 1; y < m->n; y++) {
			if (m->ev[x].thread == m->ev[y].thread || !blocks(m, x, y) ||
			    !blocks(m, y, x) || !brute_pair(b, x, y))
				continue;
			++*feasible;
			if (!is_there(&g, m, x, y)) {
				gen_show(script, m);
				fail_msg("the deadlock of %u and %u is not among the candidates", x,
					 y);
			}
		}
	}
	fr_groups_free(&g);
}

static void finds_every_feasible_candidate(void **state)
{
	unsigned races = 0, deadlocks = 0, n = rounds(20000);

	(void)state;
	for (uint64_t seed = 1; seed <= n; seed++) {
		struct gen_script *script = gen_random(seed, 0);
		struct fr_model *m = gen_build(script);
		struct fr_causality *c = fr_causality_new(m);
		struct brute *b = brute_new(m, NULL, 1u << 20);

		places(m);
		if (brute_complete(b)) {
			check_races(script, m, c, b, &races);
			check_deadlocks(script, m, c, b, &deadlocks);
		}
		brute_free(b);
		fr_causality_free(c);
		fr_model_free(m);
		free(script);
	}
	print_message("%u races, %u deadlocks of two\n", races, deadlocks);
	assert_true(races > n / 4);
	assert_true(deadlocks > 0);
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
	for (unsigned i = 0; i < 200000; i++)
		fr_builder_add(b,
			       &(struct fr_mev){.thread = (uint16_t)(rand() % 16),
						.op = rand() % 2 ? FR_OP_WRITE : FR_OP_READ,
						.flags = FR_F_NOVALUE,
						.site = (unsigned)(1 + rand() % 3) & 0x3fffff,
						.mask = 0xff},
			       i);
	m = fr_builder_finish(b);
	c = fr_causality_new(m);
	fr_generator_race.generate(&fr_generator_race, m, c, &(struct fr_generate_opt){0}, &g);
	assert_int_equal(g.group.n, 6);
	FR_VEC_FOREACH (x, &g.group) {
		assert_int_equal(x->instance.n, FR_INSTANCES);
		assert_true(x->instances_seen > 1000);
		assert_true(x->instance.v[0]->what.pending[1] < 1000); /* early, to be replayed */
		FR_VEC_FOREACH (in, &x->instance)
			assert_true((*in)->what.pending[1] - (*in)->what.pending[0] < 256);
	}
	fr_groups_free(&g);
	fr_causality_free(c);
	fr_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(finds_races),
	    cmocka_unit_test(a_common_guard_excludes_a_race),
	    cmocka_unit_test(finds_deadlocks),
	    cmocka_unit_test(finds_the_cycle_of_the_philosophers),
	    cmocka_unit_test(finds_every_feasible_candidate),
	    cmocka_unit_test(many_accesses_make_few_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
