/*
 * Runs from the books, with the answers that are known: brute force gives them, the oracle gives
 * them with each solver and by the tier that they take, and the schedule checker accepts the
 * schedule of each that is possible.
 *
 * Figures: PECAN 5; GPredict 7; ExceptioNULL 1.
 */
#include "brute.h"
#include "fixture.h"
#include "causality/causality.h"
#include "oracle/check.h"
#include "oracle/solve.h"
#include "causality/refute.h"
#include "script.h"

struct story {
	const char *name;
	const char *run;
	uint8_t pending[5];		     /* numbers of events, from 1; 0: no more */
	uint8_t edge[2];		     /* the first before the second; 0: none */
	enum { NO, SYNC, PRECISE } possible; /* and which tier it takes */
};

static const struct story stories[] = {
    {"the order of the sections hides it from happens-before",
     "0 w x =1;"
     "0 acq l; 0 rel l;"
     "1 acq l; 1 rel l;"
     "1 w x =2;",
     {1, 6},
     {0},
     SYNC},
    {"two sections must change places",
     "0 acq l; 0 w x =1; 0 rel l;"
     "1 acq l; 1 rel l; 1 w x =2;",
     {2, 6},
     {0},
     PRECISE},
    {"a lock on both sides",
     "0 acq l; 0 w x =1; 0 rel l;"
     "1 acq l; 1 w x =2; 1 rel l;",
     {2, 5},
     {0},
     NO},
    {"a read lock on both sides",
     "0 acqs l; 0 w x =1; 0 rels l;"
     "1 acqs l; 1 w x =2; 1 rels l;",
     {2, 5},
     {0},
     SYNC},
    {"a read lock against a write lock",
     "0 acq l; 0 w x =1; 0 rel l;"
     "1 acqs l; 1 w x =2; 1 rels l;",
     {2, 5},
     {0},
     NO},
    {"an equal value makes it possible",
     "0 w y =1; 0 w x =1; 0 w y =1;"
     "1 r y =1; 1 w x =2;",
     {2, 5},
     {0},
     PRECISE},
    {"no equal value, not possible",
     "0 w y =2; 0 w x =1; 0 w y =1;"
     "1 r y =1; 1 w x =2;",
     {2, 5},
     {0},
     NO},
    {"the value at the start makes it possible",
     "1 r y =1; 0 w x =1; 0 w y =1;"
     "1 r y =1; 1 w x =2;",
     {2, 5},
     {0},
     PRECISE},
    {"a write without a value explains its own reader alone",
     "0 w y novalue; 0 w x =1; 0 w y novalue;"
     "1 r y =1; 1 w x =2;",
     {2, 5},
     {0},
     NO},
    {"half of the bytes come from elsewhere",
     "0 w y =0x0101 /0x03; 0 w x =1; 0 w y =0x0100 /0x02;"
     "1 r y =0x0101 /0x03; 1 w x =2;",
     {2, 5},
     {0},
     PRECISE},
    {"half of the bytes come from after the target",
     "0 w y =0x0201 /0x03; 0 w x =1; 0 w y =0x0100 /0x02;"
     "1 r y =0x0101 /0x03; 1 w x =2;",
     {2, 5},
     {0},
     NO},
    {"PECAN figure 5: the lock sets are disjoint, but v2 starts the other thread",
     "0 acq l; 0 create 1; 0 w x =1; 0 rel l;"
     "1 start; 1 acq l; 1 rel l; 1 w x =2;",
     {3, 8},
     {0},
     NO},
    {"PECAN figure 5: the order from v2 to v5 by a value",
     "0 acq l; 0 w y =1; 0 w x =1; 0 rel l;"
     "1 r y =1; 1 acq l; 1 rel l; 1 w x =2;",
     {3, 8},
     {0},
     NO},
    {"PECAN figure 5: without the order from v2 to v5",
     "0 acq l; 0 w y =1; 0 w x =1; 0 rel l;"
     "1 r z =1; 1 acq l; 1 rel l; 1 w x =2;",
     {3, 8},
     {0},
     PRECISE},
    {"two locks in opposite orders",
     "0 acq a; 0 acq b; 0 rel b; 0 rel a;"
     "1 acq b; 1 acq a; 1 rel a; 1 rel b;",
     {2, 6},
     {0},
     SYNC},
    {"the same behind a gate",
     "0 acq g; 0 acq a; 0 acq b; 0 rel b; 0 rel a; 0 rel g;"
     "1 acq g; 1 acq b; 1 acq a; 1 rel a; 1 rel b; 1 rel g;",
     {3, 9},
     {0},
     NO},
    {"behind a gate that both may share",
     "0 acqs g; 0 acq a; 0 acq b; 0 rel b; 0 rel a; 0 rels g;"
     "1 acqs g; 1 acq b; 1 acq a; 1 rel a; 1 rel b; 1 rels g;",
     {3, 9},
     {0},
     SYNC},
    {"the same, one after the join of the other",
     "0 create 1; 1 acq b; 1 acq a; 1 rel a; 1 rel b;"
     "0 join 1; 0 acq a; 0 acq b; 0 rel b; 0 rel a;",
     {3, 8},
     {0},
     NO},
    {"the same, one before the creation of the other",
     "0 acq a; 0 acq b; 0 rel b; 0 rel a; 0 create 1;"
     "1 acq b; 1 acq a; 1 rel a; 1 rel b;",
     {2, 7},
     {0},
     NO},
    {"three forks, three philosophers",
     "0 acq a; 0 acq b; 0 rel b; 0 rel a;"
     "1 acq b; 1 acq c; 1 rel c; 1 rel b;"
     "2 acq c; 2 acq a; 2 rel a; 2 rel c;",
     {2, 6, 10},
     {0},
     SYNC},
    {"the last philosopher takes the other one first",
     "0 acq a; 0 acq b; 0 rel b; 0 rel a;"
     "1 acq b; 1 acq c; 1 rel c; 1 rel b;"
     "2 acq a; 2 acq c; 2 rel c; 2 rel a;",
     {2, 6, 10},
     {0},
     NO},
    {"a value separates the lock cycle",
     "0 acq a; 0 acq b; 0 rel b; 0 rel a; 0 w y =1;"
     "1 r y =1; 1 acq b; 1 acq a; 1 rel a; 1 rel b;",
     {2, 8},
     {0},
     NO},
#define FIGURE_7                                                              \
	"0 acq l; 0 rel l; 0 begin g;" /* x1 x2; 3 */                         \
	"1 acq l; 1 rel l; 1 begin g;" /* y1 y2; 6 */                         \
	"2 acq l; 2 sig g; 2 rel l;"   /* z1 z2 z3; 9 */                      \
	"0 wait g; 0 acq l; 0 rel l;"  /* x3 x4 x5; 12 */                     \
	"2 acq l; 2 sig g; 2 rel l;"   /* a second signal: z1' z2' z3'; 15 */ \
	"1 wait g; 1 acq l; 1 rel l;"  /* y3 y4 y5; 18 */
    {"GPredict figure 7: the signal wakes the first", FIGURE_7, {11, 13}, {0}, SYNC},
    {"GPredict figure 7: or the second", FIGURE_7, {17, 13}, {0}, PRECISE},
    {"GPredict figure 7: not both", FIGURE_7, {11, 17, 13}, {0}, NO},
    {"GPredict figure 7: both after two signals", FIGURE_7, {11, 17, 15}, {0}, SYNC},
    {"GPredict figure 7: a signal before the wait is lost", FIGURE_7, {2, 17, 13}, {0}, PRECISE},
    {"GPredict figure 7: a signal before the wait does not wake it",
     "0 acq l; 0 rel l; 0 begin g;"
     "1 acq l; 1 sig g; 1 rel l;"
     "0 wait g; 0 acq l; 0 rel l;",
     {8},
     {5, 2},
     NO},
    {"a broadcast wakes both",
     "0 acq l; 0 rel l; 0 begin g;"
     "1 acq l; 1 rel l; 1 begin g;"
     "2 bcast g;"
     "0 wait g; 0 acq l; 0 rel l;"
     "1 wait g; 1 acq l; 1 rel l;",
     {9, 12},
     {0},
     SYNC},
    {"a thread that gave up waiting needs no signal",
     "0 acq l; 0 rel l; 0 begin g;"
     "0 wait g timeout; 0 acq l; 0 w x =1; 0 rel l;"
     "1 sig g; 1 w x =2;",
     {6, 9},
     {0},
     SYNC},
#define FIGURE_1(count)                                                                     \
	"0 r closed =0;"                                                                    \
	"0 acq this;" count "0 r pool =7; 0 rel this;" /* 4: the one that would see null */ \
	"1 acq this; 1 w modCount =2; 1 w pool =0; 1 w closed =1; 1 rel this;"
    {"ExceptioNULL figure 1: the count of changes is read too, so not without relaxing",
     FIGURE_1("0 r modCount =1;"),
     {4},
     {8, 4},
     NO},
    {"ExceptioNULL figure 1: the pool is closed between the check and the use",
     FIGURE_1("0 mark 1;"),
     {4},
     {8, 4},
     PRECISE},
    {"ExceptioNULL figure 1: but not before the check", FIGURE_1("0 mark 1;"), {4}, {9, 1}, NO},
    {"a semaphore as a signal",
     "0 w x =1; 0 post s:0;"
     "1 swait s; 1 w x =2;",
     {1, 4},
     {0},
     NO},
    {"a semaphore that starts with one",
     "0 w x =1; 0 post s:1;"
     "1 swait s; 1 w x =2;",
     {1, 4},
     {0},
     SYNC},
    {"the semaphore was empty",
     "1 swait s:1; 0 sfail s; 0 w x =1; 1 post s; 1 w x =2;",
     {3, 5},
     {0},
     SYNC},
    {"the semaphore was empty, and it is full before it is taken",
     "1 swait s:1; 0 sfail s; 0 w x =1; 1 post s; 1 w x =2;",
     {3},
     {2, 1},
     NO},
    {"a barrier between",
     "0 w x =1; 0 enter b:2; 1 enter b; 0 leave b; 1 leave b; 1 w x =2;",
     {1, 6},
     {0},
     NO},
    {"both after the barrier",
     "0 enter b:2; 1 enter b; 0 leave b; 0 w x =1; 1 leave b; 1 w x =2;",
     {4, 6},
     {0},
     SYNC},
    {"once", "0 once-begin o; 0 w x =1; 0 once-end o; 1 once-done o; 1 w x =2;", {2, 5}, {0}, NO},
    {"a lock that was busy: only while the other has it",
     "0 acq l; 0 w x =1; 0 rel l; 0 acq l; 1 acquire-failed l; 1 w x =2; 0 rel l;",
     {2, 6},
     {0},
     PRECISE},
    {"a lock that was busy: not before the other has it",
     "0 w x =1; 0 acq l; 1 acquire-failed l; 1 w x =2; 0 rel l;",
     {1, 4},
     {0},
     NO},
    {"a thread is not next before it is created",
     "0 w x =1; 0 create 1; 1 w x =2;",
     {1, 3},
     {0},
     NO},
    {"a thread that does nothing is created before it is joined",
     "1 create 2; 0 join 2;",
     {1},
     {2, 1},
     NO},
    {"an annotated release",
     "0 w x =1; 0 release-all f; 1 acquire-all f; 1 w x =2;",
     {1, 4},
     {0},
     NO},
    {"an annotated release that came later",
     "1 acquire-all f; 1 w x =2; 0 w x =1; 0 release-all f;",
     {3, 2},
     {0},
     SYNC},
};

static struct fr_candidate candidate(const struct fr_model *m, const struct story *s)
{
	struct fr_candidate c = {0};

	for (; s->pending[c.npending]; c.npending++)
		c.pending[c.npending] = fr_script_ev(m, s->pending[c.npending], 0);
	if (s->edge[0]) {
		c.nedges = 1;
		c.edge[0].before = fr_script_ev(m, s->edge[0], 0);
		c.edge[0].after = fr_script_ev(m, s->edge[1], 0);
	}
	return c;
}

static void brute_force_gives_the_known_answers(void **state)
{
	(void)state;
	for (const struct story *s = stories; s < stories + fr_array_size(stories); s++) {
		FR_CLEANUP(fr_model_freep) struct fr_model *m = fr_script(s->run);
		struct fr_candidate c = candidate(m, s);
		FR_CLEANUP(brute_freep) struct brute *b = brute_new(m, &c, 100000);
		struct fr_checker *check = fr_checker_new(m);
		struct fr_schedule found = {0};
		struct fr_err err = {0};

		assert_true(brute_complete(b));
		if (brute_feasible(b, &c, &found) != (s->possible != NO))
			fail_msg("%s: %s", s->name, s->possible != NO ? "not found" : "found");
		if (s->possible != NO && fr_checker_check(check, &found, &c, &err) < 0)
			fail_msg("%s: %s", s->name, err.msg);
		fr_vec_free(&found.step);
		found.cut = m->n;
		if (fr_checker_check(check, &found, &(struct fr_candidate){0}, &err) < 0)
			fail_msg("%s, as recorded: %s", s->name, err.msg);
		fr_checker_free(check);
	}
}

static void ask_oracle(const struct story *s, bool z3)
{
	const struct fr_oracle_opt opt = {.tier = FR_TIER_PRECISE,
					  .per_candidate = 100,
					  .check = true,
					  .solver = z3 ? &fr_solver_z3 : NULL};
	FR_CLEANUP(fr_model_freep) struct fr_model *m = fr_script(s->run);
	struct fr_causality *c = fr_causality_new(m);
	struct fr_oracle *o = fr_oracle_new(m, c, &opt);
	struct fr_candidate what = candidate(m, s);
	struct fr_decision v;

	fr_oracle_ask(o, &what, &v);
	if (v.answer != (s->possible == NO ? FR_INFEASIBLE : FR_FEASIBLE))
		fail_msg("%s: %s, %s", s->name,
			 v.answer == FR_UNKNOWN ? "unknown" : "the other way round",
			 fr_reason_text[v.reason]);
	if (s->possible != NO && v.tier != (s->possible == SYNC ? FR_TIER_SYNC : FR_TIER_PRECISE))
		fail_msg("%s: the %s tier", s->name, fr_tier_name[v.tier]);
	fr_decision_free(&v);
	fr_oracle_free(o);
	fr_causality_free(c);
}

static void the_oracle_gives_the_known_answers(void **state)
{
	(void)state;
	for (size_t i = 0; i < fr_array_size(stories); i++) {
		ask_oracle(&stories[i], false);
		ask_oracle(&stories[i], true);
	}
}

/* PECAN's point: order and lock sets alone see nothing wrong with the pair. */
static void order_and_lock_sets_alone_exclude_nothing(void **state)
{
	unsigned seen = 0;

	(void)state;
	for (const struct story *s = stories; s < stories + fr_array_size(stories); s++) {
		if (strncmp(s->name, "PECAN", 5) != 0)
			continue;
		FR_CLEANUP(fr_model_freep) struct fr_model *m = fr_script(s->run);
		struct fr_causality *c = fr_causality_new(m);

		assert_int_equal(fr_pair_infeasible(m, c, fr_script_ev(m, s->pending[0], 0),
						    fr_script_ev(m, s->pending[1], 0)),
				 FR_WHY_NONE);
		fr_causality_free(c);
		seen++;
	}
	assert_int_equal(seen, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(brute_force_gives_the_known_answers),
	    cmocka_unit_test(the_oracle_gives_the_known_answers),
	    cmocka_unit_test(order_and_lock_sets_alone_exclude_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
