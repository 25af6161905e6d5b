/*
 * The hybrid tier against brute force without data: on small random runs, for races, deadlocks,
 * accesses that come between two others, and any other candidates, it says yes only with a schedule
 * that the checker accepts when reads may find anything, and only where brute force finds one too;
 * in runs with nested locks and only the operations of PECAN's model, it says yes to every feasible
 * candidate (theorem 1). It says yes to every candidate that the sync tier accepts.
 */
#include "ask.h"
#include "brute.h"
#include "cross.h"
#include "fixture.h"
#include "gen.h"
#include "script.h"
#include <stdio.h>

/* Locks are given back in the reverse order, and there is nothing but accesses, locks and threads:
   what PECAN knows; without waits, which have their own order. */
static bool is_nested(const struct fr_model *m)
{
	bool good = true;

	for (uint32_t t = 0; t < m->nthreads && good; t++) {
		uint32_t held[BRUTE_EVENTS], n = 0;

		for (uint32_t i = 0; i < m->thread[t].n && good; i++) {
			const struct fr_mev *v = &m->ev[m->thread[t].ev[i]];

			switch (v->op) {
			case FR_OP_READ:
			case FR_OP_WRITE:
			case FR_OP_CREATE:
			case FR_OP_JOIN:
			case FR_OP_START:
			case FR_OP_EXIT:
			case FR_OP_ALLOC:
			case FR_OP_FREE:
			case FR_OP_MARK:
				break;
			case FR_OP_ACQUIRE:
			case FR_OP_ACQUIRE_SHARED:
				held[n++] = v->obj;
				break;
			case FR_OP_RELEASE:
			case FR_OP_RELEASE_SHARED:
				good = n && held[--n] == v->obj;
				break;
			default:
				good = false;
			}
		}
	}
	return good;
}

/* An access of one thread between two of another, in both forms. */
static void ask_between(const struct fr_model *m, unsigned n, uint64_t *random, struct asked *ret)
{
	for (unsigned tries = 0; n && m->n && tries < 200; tries++) {
		fr_ev a = fr_head(m, (fr_ev)(fx_random(random) % m->n));
		fr_ev b = fr_head(m, (fr_ev)(fx_random(random) % m->n));
		fr_ev r = fr_head(m, (fr_ev)(fx_random(random) % m->n));

		if (m->ev[a].thread != m->ev[b].thread || a >= b ||
		    m->ev[r].thread == m->ev[a].thread || !fr_is_access(&m->ev[a]) ||
		    !fr_is_access(&m->ev[b]) || !fr_is_access(&m->ev[r]))
			continue;
		fr_vec_push(&ret->v,
			    (struct fr_candidate){
				.npending = 2, .pending = {r, b}, .nedges = 1, .edge = {{a, r}}});
		fr_vec_push(&ret->v, (struct fr_candidate){.npending = 1,
							   .pending = {b},
							   .nedges = 2,
							   .edge = {{a, r}, {r, b}}});
		n--;
	}
}

static struct {
	uint64_t asked, possible, yes;
	uint64_t nested, nested_missed; /* possible ones in nested runs */
	uint64_t sync, sync_missed;	/* sync says yes */
	uint64_t real, real_missed;	/* feasible with data, too */
} seen;

/* Returns the problem, or NULL. */
static const char *wrong(const struct ask_tools *t, const struct fr_candidate *what, bool possible,
			 bool real, bool nested)
{
	static struct fr_err err;
	struct fr_schedule s = {0}, by_sync = {0};
	uint32_t events, differ;
	enum fr_hybrid_answer a;
	const char *r = NULL;
	bool sync;

	if (fr_refuter_quick(t->refuter, what) != FR_WHY_NONE)
		return possible ? "the quick part of the refuter knows of data" : NULL;
	a = fr_hybrid_ask(t->hybrid, what, false, &s, &events);
	if (a == FR_HYBRID_YES && fr_checker_check_blind(t->checker, &s, what, &differ, &err) < 0)
		r = err.msg;
	else if (a == FR_HYBRID_YES && !possible)
		r = "hybrid accepts an infeasible candidate, and so does the checker";
	sync = fr_sync_ask(t->sync, NULL, what, &by_sync) == FR_SYNC_YES;
	seen.asked++;
	seen.possible += possible;
	seen.yes += a == FR_HYBRID_YES;
	seen.nested += possible && nested;
	seen.nested_missed += possible && nested && a != FR_HYBRID_YES;
	seen.sync += sync;
	seen.sync_missed += sync && a != FR_HYBRID_YES;
	seen.real += real;
	seen.real_missed += real && a != FR_HYBRID_YES;
	if (!r && ((possible && nested) || sync) && a != FR_HYBRID_YES)
		r = "hybrid misses it";
	fr_schedule_free(&s);
	fr_schedule_free(&by_sync);
	return r;
}

static void ask_all(struct gen_script *script, const struct fr_model *m, uint64_t *random)
{
	struct ask_tools t = ask_tools_new(m);
	bool nested = is_nested(m);
	struct asked a = {0};

	ask_races(m, &a);
	ask_deadlocks(m, &a);
	ask_frees(m, &a);
	ask_between(m, 6, random, &a);
	ask_others(m, 0, m->n, 6, random, &a);
	ask_sees(m, 6, random, &a);
	FR_VEC_FOREACH (c, &a.v) {
		struct brute *blind = brute_blind(m, c, 1u << 18), *b = brute_new(m, c, 1u << 16);
		const char *why = NULL;

		if (brute_complete(blind))
			why = wrong(&t, c, brute_feasible(blind, c, NULL),
				    brute_complete(b) && brute_feasible(b, c, NULL), nested);
		if (why) {
			gen_show(script, m);
			ask_print(c);
			fail_msg("%s", why);
		}
		brute_free(blind);
		brute_free(b);
	}
	ask_free(&a);
	ask_tools_free(&t);
}

static void agrees_with_brute_force_without_data(void **state)
{
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 1500), random = 11;

	(void)state;
	for (uint64_t seed = 1; seed <= n; seed++) {
		struct gen_script *script = gen_random(seed + 7000000, seed % 3 ? 0 : 24);
		struct fr_model *m = gen_build(script);

		if (m->n)
			ask_all(script, m, &random);
		fr_model_free(m);
		free(script);
	}
	print_message("%lu asked, %lu possible, %lu yes; nested: %lu possible, %lu missed; sync "
		      "says yes to %lu, %lu missed; feasible with data: %lu, %lu missed\n",
		      seen.asked, seen.possible, seen.yes, seen.nested, seen.nested_missed,
		      seen.sync, seen.sync_missed, seen.real, seen.real_missed);
	assert_true(seen.nested > n);
	assert_true(seen.sync > n);
	/* Signals, posts and failed attempts could serve in other ways than they did. */
	assert_true(seen.yes >= seen.possible - seen.possible / 100);
	assert_true(seen.real_missed <= seen.real / 100);
}

static void expect(const char *text, struct fr_candidate what, bool yes, uint32_t reads,
		   const char *steps)
{
	struct fr_model *m = fr_script(text);
	struct fr_causality *c = fr_causality_new(m);
	const struct fr_oracle_opt opt = {
	    .tier = FR_TIER_HYBRID, .per_candidate = 5, .check = true};
	struct fr_oracle *o = fr_oracle_new(m, c, &opt);
	struct fr_buf b = {0};
	struct fr_decision v;

	/* by sites */
	for (uint32_t i = 0; i < what.npending; i++)
		what.pending[i] = fr_script_ev(m, what.pending[i], 0);
	for (uint32_t i = 0; i < what.nedges; i++) {
		what.edge[i].before = fr_script_ev(m, what.edge[i].before, 0);
		what.edge[i].after = fr_script_ev(m, what.edge[i].after, 0);
	}
	fr_oracle_ask(o, &what, &v);
	if ((v.answer == FR_FEASIBLE) != yes)
		fail_msg("%s: %s", yes ? "no" : "yes", text);
	if (yes) {
		assert_int_equal(v.tier, FR_TIER_HYBRID);
		assert_int_equal(v.reads_relaxed, reads);
		fr_buf_puts(&b, "");
		for (fr_ev e = 0; e < v.schedule.cut; e++)
			fr_buf_printf(&b, " %u", m->ev[e].site);
		FR_VEC_FOREACH (e, &v.schedule.step)
			fr_buf_printf(&b, " %u", m->ev[*e].site);
		assert_string_equal(b.s, steps);
	}
	fr_buf_free(&b);
	fr_decision_free(&v);
	fr_oracle_free(o);
	fr_causality_free(c);
	fr_model_free(m);
}

#define PENDING(...) \
	.npending = sizeof((fr_ev[]){__VA_ARGS__}) / sizeof(fr_ev), .pending = {__VA_ARGS__}

/* PECAN's figure 5: v1 and v5 take the lock, v3 and v8 are the accesses. The reads of z keep the
   sound tiers from saying yes. */
static void decides_figure_5_of_pecan(void **state)
{
	(void)state;
	expect("0 acq l @1\n0 w y =1 @2\n0 w x =1 @3\n0 rel l @4\n0 w z =1 @9\n"
	       "1 acq l @5\n1 w u =1 @6\n1 rel l @7\n1 r z =1 @10\n1 w x =2 @8",
	       (struct fr_candidate){PENDING(3, 8)}, true, 1, " 5 6 7 1 2 10");
	/* v2 must be before v5: nothing does. */
	expect("0 acq l @1\n0 post s @2\n0 w x =1 @3\n0 rel l @4\n0 w z =1 @9\n"
	       "1 swait s @11\n1 acq l @5\n1 w u =1 @6\n1 rel l @7\n1 r z =1 @10\n1 w x =2 @8",
	       (struct fr_candidate){PENDING(3, 8)}, false, 0, "");
}

static void moves_events_as_pecan_does(void **state)
{
	(void)state;
	/* Figure 4: the events that depend on v2 move behind v5. */
	expect("0 w a =1 @1\n0 w x =1 @2\n0 w f =1 @3\n1 r f =1 @4\n1 w x =2 @5\n1 w a =2 @6",
	       (struct fr_candidate){PENDING(2, 5)}, true, 1, " 1 4");
	/* Algorithm 4: a remote access between two of one section comes before the second. */
	expect("0 acq l @1\n0 r x =0 @2\n0 w x =1 @3\n0 rel l @4\n0 w f =1 @5\n"
	       "1 r f =1 @6\n1 w x =2 @7",
	       (struct fr_candidate){PENDING(7, 3), .nedges = 1, .edge = {{2, 7}}}, true, 1,
	       " 1 2 6");
	/* The same whole: the remote access and the events behind it up to a lock have happened. */
	expect("0 acq l @1\n0 r x =0 @2\n0 rel l @3\n0 acq l @4\n0 w x =1 @5\n0 rel l @6\n"
	       "0 w f =1 @7\n1 r f =1 @8\n1 acq l @9\n1 w x =2 @10\n1 rel l @11",
	       (struct fr_candidate){PENDING(5), .nedges = 2, .edge = {{2, 10}, {10, 5}}}, true, 1,
	       " 1 2 3 8 9 10 11 4");
	/* A common lock: not asked about. */
	expect("0 acq l @1\n0 w x =1 @2\n0 rel l @3\n1 acq l @4\n1 w x =2 @5\n1 rel l @6",
	       (struct fr_candidate){PENDING(2, 5)}, false, 0, "");
	/* A blocker waits from its outermost lock on: a is given back before the
	   target, and the other thread needs it on its way to b's end. */
	expect("0 acq a @1\n0 acq b @2\n0 rel a @3\n0 w x =1 @4\n0 rel b @5\n0 w f =1 @6\n"
	       "1 r f =1 @7\n1 acq a @8\n1 acq b @9\n1 rel b @10\n1 rel a @11\n1 w x =2 @12",
	       (struct fr_candidate){PENDING(4, 12)}, true, 1, " 7 8 9 10 11 1 2 3");
}

/* Nothing has to move, and the last moment without a lock is far away: the cut is the end of the
   run, where no step begins. A build with slow checks finds an access behind the last event. */
static void the_recorded_order_needs_no_move(void **state)
{
	struct fr_builder *b = fr_builder_new();
	struct fr_schedule s = {0};
	struct fr_causality *c;
	struct fr_hybrid *h;
	struct fr_model *m;
	uint32_t events;

	(void)state;
	fr_builder_thread(b, "0", 0);
	fr_builder_obj(b, FR_C_LOCK, (struct fr_mobj){0});
	fr_builder_obj(b, FR_C_LOC, (struct fr_mobj){.addr = 8});
	fr_builder_add(b, &(struct fr_mev){.op = FR_OP_ACQUIRE}, 0);
	for (uint32_t i = 1; i < 20000; i++)
		fr_builder_add(b, &(struct fr_mev){.op = FR_OP_WRITE, .mask = 0xff, .value = i}, i);
	m = fr_builder_finish(b);
	c = fr_causality_new(m);
	h = fr_hybrid_new(m, c);
	assert_int_equal(fr_hybrid_ask(h, &(struct fr_candidate){.nedges = 1, .edge = {{5, 6}}},
				       false, &s, &events),
			 FR_HYBRID_YES);
	assert_int_equal(s.cut, m->n);
	assert_int_equal(s.step.n, 0);
	fr_schedule_free(&s);
	fr_hybrid_free(h);
	fr_causality_free(c);
	fr_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_recorded_order_needs_no_move),
	    cmocka_unit_test(decides_figure_5_of_pecan),
	    cmocka_unit_test(moves_events_as_pecan_does),
	    cmocka_unit_test(agrees_with_brute_force_without_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
