/*
 * The sync tier and the refuter against brute force: on small random runs, for every two steps of
 * different threads and for random candidates of more targets and edges, sync says yes only where
 * it is feasible and with a schedule that the checker accepts, and nothing feasible is excluded.
 * Both also find a minimum of candidates.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "ask.h"
#include "brute.h"
#include "gen.h"
#include "oracle/prune.h"
#include "script.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	unsigned asked, feasible, yes, excluded, infeasible;
} seen;

/* Returns the problem, or NULL. */
static const char *wrong(const struct ask_tools *t, const struct fr_candidate *what, bool feasible)
{
	enum fr_reason why = fr_refuter_ask(t->refuter, NULL, what);
	struct fr_schedule s = {0};
	enum fr_sync_answer a;
	const char *r = NULL;
	static struct fr_err err;

	seen.asked++;
	seen.feasible += feasible;
	seen.infeasible += !feasible;
	seen.excluded += why != FR_WHY_NONE;
	if (feasible && why != FR_WHY_NONE)
		return fr_reason_text[why];
	a = fr_sync_ask(t->sync, NULL, what, &s);
	if (a == FR_SYNC_YES) {
		seen.yes++;
		if (!feasible)
			r = "sync says yes to something infeasible";
		else if (fr_checker_check(t->checker, &s, what, &err) < 0)
			r = err.msg;
		fr_vec_free(&s.step);
	}
	return r;
}

static void show(const struct gen_script *script, const struct fr_model *m,
		 const struct fr_candidate *what, const char *why)
{
	gen_show(script, m);
	for (uint32_t i = 0; i < what->npending; i++)
		fprintf(stderr, "pending %u\n", what->pending[i]);
	for (uint32_t i = 0; i < what->nedges; i++)
		fprintf(stderr, "edge %u %u\n", what->edge[i].before, what->edge[i].after);
	fail_msg("%s", why);
}

static void check_pairs(const struct gen_script *script, const struct fr_model *m,
			const struct ask_tools *t, const struct brute *b)
{
	for (fr_ev x = 0; x < m->n; x++) {
		for (fr_ev y = x + 1; y < m->n; y++) {
			struct fr_candidate what = {.npending = 2, .pending = {x, y}};
			const char *why;

			if (m->ev[x].thread == m->ev[y].thread ||
			    (m->ev[x].flags | m->ev[y].flags) & FR_F_PART)
				continue;
			why = wrong(t, &what, brute_pair(b, x, y));
			if (why)
				show(script, m, &what, why);
		}
	}
}

static unsigned rounds(unsigned n)
{
	const char *s = getenv("FORERUN_TEST_TRACES");

	return s ? (unsigned)strtoul(s, NULL, 0) : n;
}

static void pairs_agree_with_brute_force(void **state)
{
	unsigned n = rounds(20000);

	(void)state;
	memset(&seen, 0, sizeof(seen));
	for (uint64_t seed = 1; seed <= n; seed++) {
		struct gen_script *script = gen_random(seed, 0);
		struct fr_model *m = gen_build(script);
		struct ask_tools t = ask_tools_new(m);
		struct brute *b = brute_new(m, NULL, 1u << 20);

		if (brute_complete(b))
			check_pairs(script, m, &t, b);
		brute_free(b);
		ask_tools_free(&t);
		fr_model_free(m);
		free(script);
	}
	print_message("%u asked, %u feasible, sync says yes to %u; %u not, %u excluded\n",
		      seen.asked, seen.feasible, seen.yes, seen.infeasible, seen.excluded);
	assert_true(seen.yes > seen.feasible / 2);
	assert_true(seen.excluded > seen.infeasible / 2);
}

/* Up to three pending, up to two edges. */
static void random_candidate(const struct fr_model *m, struct fr_candidate *what)
{
	*what = (struct fr_candidate){0};
	for (unsigned i = 0; i < 3 && m->n; i++) {
		fr_ev e = fr_head(m, (fr_ev)rand() % m->n);
		bool again = false;

		for (uint32_t k = 0; k < what->npending; k++)
			again |= m->ev[what->pending[k]].thread == m->ev[e].thread;
		if (!again && rand() % 3)
			what->pending[what->npending++] = e;
	}
	for (unsigned i = 0; i < 2 && m->n; i++) {
		fr_ev x = fr_head(m, (fr_ev)rand() % m->n), y = fr_head(m, (fr_ev)rand() % m->n);

		if (what->npending && rand() % 3 == 0)
			y = what->pending[0];
		if (m->ev[x].thread == m->ev[y].thread || rand() % 2)
			continue;
		what->edge[what->nedges].before = x;
		what->edge[what->nedges++].after = y;
	}
}

static void candidates_agree_with_brute_force(void **state)
{
	unsigned n = rounds(20000);

	(void)state;
	srand(7);
	memset(&seen, 0, sizeof(seen));
	for (uint64_t seed = 1000001; seed <= 1000000 + n; seed++) {
		struct gen_script *script = gen_random(seed, 0);
		struct fr_model *m = gen_build(script);
		struct ask_tools t = ask_tools_new(m);

		for (unsigned i = 0; i < 8; i++) {
			struct fr_candidate what;
			struct brute *b;
			const char *why;

			random_candidate(m, &what);
			if (!what.npending && !what.nedges)
				continue;
			b = brute_new(m, &what, 1u << 20);
			if (brute_complete(b)) {
				why = wrong(&t, &what, brute_feasible(b, &what, NULL));
				if (why)
					show(script, m, &what, why);
			}
			brute_free(b);
		}
		ask_tools_free(&t);
		fr_model_free(m);
		free(script);
	}
	print_message("%u asked, %u feasible, sync says yes to %u; %u not, %u excluded\n",
		      seen.asked, seen.feasible, seen.yes, seen.infeasible, seen.excluded);
	assert_true(seen.yes > 100);
	assert_true(seen.excluded > 100);
}

/* By hand: a case for each rule. */
static void expect(const char *text, uint32_t a, uint32_t b, enum fr_sync_answer sync,
		   enum fr_reason why)
{
	struct fr_model *m = fr_script(text);
	struct ask_tools t = ask_tools_new(m);
	struct fr_candidate what = {.npending = 2,
				    .pending = {fr_script_ev(m, a, 0), fr_script_ev(m, b, 0)}};
	struct fr_schedule s = {0};
	struct fr_err err;
	enum fr_sync_answer got = fr_sync_ask(t.sync, NULL, &what, &s);

	if (got != sync)
		fail_msg("sync says %d, not %d: %s", got, sync, text);
	if (got == FR_SYNC_YES && fr_checker_check(t.checker, &s, &what, &err) < 0)
		fail_msg("%s: %s", err.msg, text);
	if (fr_refuter_ask(t.refuter, NULL, &what) != why)
		fail_msg("refuter says '%s', not '%s': %s",
			 fr_reason_text[fr_refuter_ask(t.refuter, NULL, &what)],
			 fr_reason_text[why], text);
	fr_vec_free(&s.step);
	ask_tools_free(&t);
	fr_model_free(m);
}

static void the_sync_tier_follows_its_rules(void **state)
{
	(void)state;
	/* The classic: the race is hidden by the order in which the lock was taken. */
	expect("0 w x =1 @100\n0 acq l\n0 rel l\n"
	       "1 acq l\n1 rel l\n1 w x =2 @200",
	       100, 200, FR_SYNC_YES, FR_WHY_NONE);
	/* The sections would have to change places: not for sync; no reason against it. */
	expect("0 acq l\n0 w x =1 @100\n0 rel l\n"
	       "1 acq l\n1 rel l\n1 w x =2 @200",
	       100, 200, FR_SYNC_NO, FR_WHY_NONE);
	expect("0 acq l\n0 w x =1 @100\n0 rel l\n"
	       "1 acq l\n1 w x =2 @200\n1 rel l",
	       100, 200, FR_SYNC_NO, FR_WHY_COMMON_LOCK);
	/* Both shared: no exclusion. */
	expect("0 acqs l\n0 w x =1 @100\n0 rels l\n"
	       "1 acqs l\n1 w x =2 @200\n1 rels l",
	       100, 200, FR_SYNC_YES, FR_WHY_NONE);
	/* Only one write can have written the value read. */
	expect("0 w x =1 @100\n0 w f =1\n"
	       "1 r f =1\n1 w x =2 @200",
	       100, 200, FR_SYNC_NO, FR_WHY_CYCLE);
	/* A third thread writes the same, later. */
	expect("0 w x =1 @100\n0 w f =1\n"
	       "1 r f =1\n1 w x =2 @200\n2 w f =1",
	       100, 200, FR_SYNC_NO, FR_WHY_NONE);
	/* The initial value of f was the same. */
	expect("1 r f =1\n0 w x =1 @100\n0 w f =1\n"
	       "1 r f =1\n1 w x =2 @200",
	       100, 200, FR_SYNC_NO, FR_WHY_NONE);
	expect("0 create 1\n0 w x =1 @100\n1 start\n1 w x =2 @200", 100, 200, FR_SYNC_YES,
	       FR_WHY_NONE);
	expect("0 w x =1 @100\n0 create 1\n1 w x =2 @200", 100, 200, FR_SYNC_NO, FR_WHY_ORDERED);
	expect("0 create 1\n1 w x =2 @200\n1 exit\n0 join 1\n0 w x =1 @100", 100, 200, FR_SYNC_NO,
	       FR_WHY_ORDERED);
	expect("0 post s\n0 w x =1 @100\n1 swait s\n1 w x =2 @200", 100, 200, FR_SYNC_YES,
	       FR_WHY_NONE);
	expect("0 w x =1 @100\n0 post s\n1 swait s\n1 w x =2 @200", 100, 200, FR_SYNC_NO,
	       FR_WHY_CYCLE);
	/* Acquisition histories (each thread took the other's lock while it held its own). */
	expect("0 acq a\n0 acq b\n0 rel b\n0 w x =1 @100\n0 rel a\n"
	       "1 acq b\n1 acq a\n1 rel a\n1 w x =2 @200\n1 rel b",
	       100, 200, FR_SYNC_NO, FR_WHY_HISTORY);
	/* A third thread's section is open at the first target: begun, it must be finished. */
	expect("2 acq l\n2 w y =1\n0 w x =1 @100\n2 r y =1\n2 rel l\n"
	       "1 acq l\n1 rel l\n1 w x =2 @200",
	       100, 200, FR_SYNC_YES, FR_WHY_NONE);
	/* The same, but it can be finished only behind the target: so it must not begin. */
	expect("2 acq l\n0 w x =1 @100\n0 w y =1\n2 r y =1\n2 rel l\n"
	       "1 acq l\n1 rel l\n1 w x =2 @200",
	       100, 200, FR_SYNC_YES, FR_WHY_NONE);
	/* A failed trylock needs the section that was in the way. */
	expect("0 acq l\n0 w x =1 @100\n1 fail l\n1 w x =2 @200\n0 rel l", 100, 200, FR_SYNC_YES,
	       FR_WHY_NONE);
	expect("0 w x =1 @100\n0 acq l\n1 fail l\n1 w x =2 @200\n0 rel l", 100, 200, FR_SYNC_NO,
	       FR_WHY_NONE);
}

/* A run of n events in which two threads take a lock in turn, and the segments for two of them.
   Each region has two events, except that from `held` to `free`. */
static void check_segments(uint32_t n, fr_ev a, fr_ev b, fr_ev held, fr_ev free, bool whole)
{
	struct fr_builder *x = fr_builder_new();
	struct fr_candidate what = {.npending = 2, .pending = {a, b}};
	struct fr_range last = {FR_NO_EV, 0}, s;
	struct fr_causality *c;
	struct fr_model *m;
	unsigned level;

	fr_builder_thread(x, "0", 0);
	fr_builder_thread(x, "1", 1);
	fr_builder_obj(x, FR_C_LOCK, (struct fr_mobj){0});
	for (fr_ev i = 0; i < n; i++) {
		bool inside = i > held && i + 1 < free, in = i >= held && i < free;
		enum fr_op op = i % 2 ? FR_OP_RELEASE : FR_OP_ACQUIRE;

		fr_builder_add(x,
			       &(struct fr_mev){.thread = (in ? held : i) / 2 % 2,
						.op = inside ? FR_OP_MARK : op},
			       i);
	}
	m = fr_builder_finish(x);
	c = fr_causality_new(m);
	for (level = 0; fr_prune_choose(m, c, &what, level, &s); level++) {
		assert_true(s.cut <= a && s.end > b && s.end <= n);
		assert_true(s.cut <= last.cut && s.end >= last.end);
		/* no thread holds the lock there */
		assert_true(s.cut % 2 == 0 && (s.cut <= held || s.cut >= free));
		assert_true(fr_prune_serves(&s, &s));
		last = s;
		if (!s.cut && s.end == n)
			break;
	}
	assert_int_equal(last.cut == 0 && last.end == n, whole);
	if (!whole) /* s is the next segment, which is too long */
		assert_true(s.cut <= last.cut && s.end >= last.end &&
			    s.end - s.cut > last.end - last.cut);
	fr_causality_free(c);
	fr_model_free(m);
}

/* A lock is free only at few points: one near the target, where a short segment does not begin. */
static void segments_grow(void **state)
{
	struct fr_builder *x = fr_builder_new();
	struct fr_candidate what = {.npending = 2, .pending = {5000, 5010}};
	struct fr_range last = {FR_NO_EV, 0}, s;
	struct fr_causality *c;
	struct fr_model *m;

	(void)state;
	fr_builder_thread(x, "0", 0);
	fr_builder_thread(x, "1", 1);
	fr_builder_obj(x, FR_C_LOCK, (struct fr_mobj){0});
	fr_builder_obj(x, FR_C_LOC, (struct fr_mobj){0});
	for (uint32_t i = 0; i < 6000; i++) {
		struct fr_mev e = {.thread = 1, .op = FR_OP_READ, .mask = 1};

		if (i == 0 || i == 4800 || i == 4950)
			e = (struct fr_mev){.op = FR_OP_ACQUIRE};
		if (i == 4799 || i == 4949)
			e = (struct fr_mev){.op = FR_OP_RELEASE};
		fr_builder_add(x, &e, i);
	}
	m = fr_builder_finish(x);
	c = fr_causality_new(m);
	for (unsigned level = 0; fr_prune_choose(m, c, &what, level, &s); level++) {
		assert_true(s.cut <= last.cut && s.end >= last.end);
		last = s;
	}
	assert_true(last.cut == 0 && last.end == m->n);
	fr_causality_free(c);
	fr_model_free(m);
}

static void segments_are_limited(void **state)
{
	(void)state;
	check_segments(20, 4, 10, 0, 0, true);
	check_segments(3000, 1000, 1010, 0, 0, true);
	check_segments(30000, 14, 29000, 0, 0, true); /* far apart, but not too long */
	check_segments(100000, 10, 99000, 0, 0, true);
	check_segments(300000, 150000, 150400, 0, 0, false); /* too long to be taken whole */
	check_segments(300000, 100000, 130000, 0, 0, false);
	/* The second cut is not near its place, and the nearest one lies after the first cut. */
	check_segments(30000, 10000, 10010, 7000, 9400, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_sync_tier_follows_its_rules),
	    cmocka_unit_test(segments_grow),
	    cmocka_unit_test(segments_are_limited),
	    cmocka_unit_test(pairs_agree_with_brute_force),
	    cmocka_unit_test(candidates_agree_with_brute_force),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
