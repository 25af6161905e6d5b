/*
 * The schedule checker against brute force on random runs: step by step, it accepts possible
 * schedules and rejects impossible ones. Its answers do not depend on earlier questions.
 *
 * FORERUN_TEST_TRACES: the number of runs (20,000); FORERUN_TEST_SEED: the first seed (1).
 */
#include "brute.h"
#include "fixture.h"
#include "gen.h"
#include "oracle/check.h"
#include "script.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const struct fr_candidate nothing;

static void add_recorded(const struct fr_model *m, fr_ev from, fr_ev to, struct fr_schedule *s)
{
	for (fr_ev e = from; e < to; e++)
		if (!(m->ev[e].flags & FR_F_PART))
			fr_vec_push(&s->step, e);
}

/* Every prefix of the recorded order is feasible, wherever it is cut. */
static bool recorded_is_accepted(const struct fr_model *m, struct fr_checker *c, uint64_t *random,
				 struct fr_err *why)
{
	fr_ev end = (fr_ev)(fx_random(random) % (m->n + 1));
	struct fr_schedule whole = {.cut = m->n}, s = {0};
	int r = fr_checker_check(c, &whole, &nothing, why);

	while (end < m->n && m->ev[end].flags & FR_F_PART)
		end++;
	s.cut = (fr_ev)(fx_random(random) % (end + 1));
	while (s.cut < end && m->ev[s.cut].flags & FR_F_PART)
		s.cut++;
	add_recorded(m, s.cut, end, &s);
	if (r == 0)
		r = fr_checker_check(c, &s, &nothing, why);
	fr_vec_free(&s.step);
	return r == 0;
}

/* Something that a target which reads must see: any write of its location, or none. */
static void choose_sees(const struct fr_model *m, struct fr_candidate *what, uint64_t *random)
{
	fr_ev r = what->pending[0], w;

	if (m->ev[r].op != FR_OP_READ)
		return;
	what->sees.on = true;
	what->sees.read = r;
	what->sees.write = FR_NO_EV;
	for (unsigned tries = fx_random(random) % 16; tries; tries--) {
		w = (fr_ev)(fx_random(random) % m->n);
		if (m->ev[w].op == FR_OP_WRITE && m->ev[w].obj == m->ev[r].obj &&
		    m->ev[w].mask & m->ev[r].mask)
			what->sees.write = w;
	}
}

/* Targets and edges at the end of a schedule, and whether they hold there. */
static bool targets_agree(const struct fr_model *m, struct fr_checker *c, struct brute_walk *w,
			  const struct fr_schedule *s, uint64_t *random)
{
	struct fr_candidate what = {.npending = 1 + fx_random(random) % 2,
				    .nedges = fx_random(random) % 2};
	struct fr_schedule all = {0};
	size_t at[2] = {SIZE_MAX, SIZE_MAX};
	bool holds = true, pending = false;
	int r;

	add_recorded(m, 0, s->cut, &all);
	FR_VEC_FOREACH (e, &s->step)
		fr_vec_push(&all.step, *e);
	for (uint32_t i = 0; i < what.npending; i++) {
		unsigned t = (unsigned)((fx_random(random) + i) % m->nthreads);

		what.pending[i] = brute_walk_next(w, t);
		if (what.pending[i] == FR_NO_EV || fx_random(random) % 8 == 0)
			what.pending[i] = fr_head(m, (fr_ev)(fx_random(random) % m->n));
		holds &= brute_walk_next(w, m->ev[what.pending[i]].thread) == what.pending[i];
		holds &= !i || what.pending[0] != what.pending[1];
	}
	if (what.nedges) {
		what.edge[0].before = (fr_ev)(fx_random(random) % m->n);
		what.edge[0].after = (fr_ev)(fx_random(random) % m->n);
		for (size_t i = 0; i < all.step.n; i++) {
			if (all.step.v[i] == fr_head(m, what.edge[0].before))
				at[0] = i;
			if (all.step.v[i] == fr_head(m, what.edge[0].after))
				at[1] = i;
		}
		for (uint32_t i = 0; i < what.npending; i++)
			pending |= what.pending[i] == fr_head(m, what.edge[0].after);
		holds &= at[0] != SIZE_MAX;
		if (!pending)
			holds &= at[1] != SIZE_MAX &&
				 (at[0] < at[1] ||
				  (at[0] == at[1] && what.edge[0].before < what.edge[0].after));
	}
	choose_sees(m, &what, random);
	holds &= brute_walk_sees(w, &what);
	r = fr_checker_check(c, s, &what, NULL);
	fr_vec_free(&all.step);
	return (r == 0) == holds;
}

/* Goes on from a cut by steps that are mostly possible, until one is not, or nothing is left. */
static bool walk_agrees(const struct fr_model *m, struct fr_checker *c, uint64_t *random)
{
	struct brute_walk *w = brute_walk_new(m);
	struct fr_schedule s = {
	    .cut = fx_random(random) % 2 ? 0 : fr_head(m, (fr_ev)(fx_random(random) % m->n))};
	bool agree = true, possible = true;

	for (fr_ev e = 0; e < s.cut; e++)
		if (!(m->ev[e].flags & FR_F_PART))
			agree &= brute_walk_step(w, e);
	while (agree && possible) {
		unsigned tries = 4;

		for (possible = false; tries && !possible; tries--) {
			unsigned t = (unsigned)(fx_random(random) % m->nthreads);
			fr_ev e = brute_walk_next(w, t);

			/* now and then a step that is not the next, or of a thread not there */
			if (e == FR_NO_EV || fx_random(random) % 64 == 0)
				e = fr_head(m, (fr_ev)(fx_random(random) % m->n));
			possible = brute_walk_step(w, e);
			fr_vec_push(&s.step, e);
			agree &= (fr_checker_check(c, &s, &nothing, NULL) == 0) == possible;
			if (!agree)
				break;
			if (!possible)
				s.step.n--;
		}
		if (agree)
			agree = targets_agree(m, c, w, &s, random);
	}
	brute_walk_free(w);
	fr_vec_free(&s.step);
	return agree;
}

static bool disagree(const struct fr_model *m, void *arg)
{
	uint64_t random = *(uint64_t *)arg;
	struct fr_checker *c = fr_checker_new(m);
	struct fr_err err = {0};
	bool bad = false;

	if (m->n) {
		bad = fr_model_validate(m, NULL, &err) < 0 ||
		      !recorded_is_accepted(m, c, &random, &err);
		for (unsigned i = 0; i < 3 && !bad; i++)
			bad = !walk_agrees(m, c, &random);
	}
	if (bad && err.code)
		fprintf(stderr, "%s\n", err.msg);
	fr_checker_free(c);
	return bad;
}

static void agrees_with_brute_force(void **state)
{
	uint64_t n = fx_env("FORERUN_TEST_TRACES", 20000);
	uint64_t seed = fx_env("FORERUN_TEST_SEED", 1);
	uint64_t ops[FR_OP_COUNT] = {0};

	(void)state;
	for (uint64_t i = 0; i < n; i++) {
		FR_CLEANUP(fr_freep) struct gen_script *s = gen_random(seed + i, i % 8 ? 0 : 40);
		FR_CLEANUP(fr_model_freep) struct fr_model *m = gen_build(s);
		uint64_t random = seed + i;

		for (fr_ev e = 0; e < m->n; e++)
			ops[m->ev[e].op]++;
		if (!disagree(m, &random))
			continue;
		gen_shrink(s, disagree, &random);
		fr_model_free(m);
		m = gen_build(s);
		gen_show(s, m);
		fail_msg("the checker and brute force disagree");
	}
	/* The runs are worth something only if everything occurs in them. */
	for (unsigned i = 0; i < FR_OP_COUNT; i++)
		if (n >= 1000)
			assert_true(ops[i] > n / 1000);
}

/* To a cut and on by some steps, as the checker does it on long ways and step by step. */
static bool ways_agree(const struct fr_model *m, struct fr_checker *c, struct fr_checker *stepper,
		       uint64_t *random)
{
	struct fr_schedule s = {.cut = fr_head(m, (fr_ev)(fx_random(random) % m->n))};
	struct fr_schedule all = {0};
	struct fr_err one, other;
	bool agree = true;

	add_recorded(m, 0, s.cut, &all);
	for (unsigned i = 0; i < 8 && agree; i++) {
		fr_ev e = s.cut + (fr_ev)(fx_random(random) % 16);
		int r;

		e = fr_head(m, e < m->n ? e : m->n - 1);
		fr_vec_push(&s.step, e);
		fr_vec_push(&all.step, e);
		r = fr_checker_check(c, &s, &nothing, &one);
		agree = fr_checker_check(stepper, &all, &nothing, &other) == r;
		if (r == 0)
			continue;
		/* "step N: " apart, they say the same */
		agree &= !strcmp(strchr(one.msg, ':'), strchr(other.msg, ':'));
		s.step.n--;
		all.step.n--;
	}
	fr_vec_free(&s.step);
	fr_vec_free(&all.step);
	return agree;
}

static void accepts_long_recorded_runs(void **state)
{
	uint64_t n = fx_env("FORERUN_TEST_TRACES", 20000) / 100;
	uint64_t seed = fx_env("FORERUN_TEST_SEED", 1), longest = 0;

	(void)state;
	for (uint64_t i = 0; i < n; i++) {
		FR_CLEANUP(fr_freep) struct gen_script *script = gen_random(seed + i, 4000);
		FR_CLEANUP(fr_model_freep) struct fr_model *m = gen_build(script);
		struct fr_checker *c = fr_checker_new(m), *stepper = fr_checker_new(m);
		uint64_t random = seed + i;

		longest = m->n > longest ? m->n : longest;
		for (unsigned k = 0; k < 4; k++)
			if (!ways_agree(m, c, stepper, &random))
				fail_msg("the ways disagree in run %" PRIu64, seed + i);
		fr_checker_free(c);
		fr_checker_free(stepper);
	}
	if (n >= 100)
		assert_true(longest > 2000); /* or there are no long ways */
}

/* A long run in which every value tells where it was read. */
static struct fr_model *long_run(uint32_t n)
{
	struct fr_builder *b = fr_builder_new();
	uint64_t value[4] = {0};

	for (unsigned t = 0; t < 4; t++)
		fr_builder_thread(b, "t", t);
	for (unsigned i = 0; i < 4; i++) {
		fr_builder_obj(b, FR_C_LOC, (struct fr_mobj){.addr = 8 * i});
		fr_builder_obj(b, FR_C_LOCK, (struct fr_mobj){.addr = 64 + 8 * i});
	}
	for (uint32_t k = 0; k < n; k++) {
		uint16_t t = (uint16_t)((k * 2654435761u) >> 30);
		uint32_t o = k * 40503u >> 5 & 3;
		struct fr_mev e = {.thread = t, .obj = o, .mask = 0xff, .value = value[o]};

		e.op = FR_OP_ACQUIRE;
		fr_builder_add(b, &e, k);
		e.op = FR_OP_READ;
		fr_builder_add(b, &e, k);
		e.op = FR_OP_WRITE;
		e.flags = k % 3 ? 0 : FR_F_PART;
		e.value = value[o] = k + 1;
		fr_builder_add(b, &e, k);
		e.op = FR_OP_RELEASE;
		e.flags = 0;
		fr_builder_add(b, &e, k);
	}
	return fr_builder_finish(b);
}

/* In whatever order cuts are asked, far back or near. */
static void cuts_may_come_in_any_order(void **state)
{
	FR_CLEANUP(fr_model_freep) struct fr_model *m = long_run(400000);
	struct fr_checker *c = fr_checker_new(m);
	uint64_t random = 7;

	(void)state;
	for (unsigned i = 0; i < 40; i++) {
		struct fr_schedule s = {0};
		struct fr_err err = {0};

		s.cut = (fr_ev)(fx_random(&random) % m->n);
		if (i % 4 == 1)
			s.cut = m->n - 1000 * i;
		s.cut = fr_head(m, s.cut);
		for (unsigned k = 0; k < 5; k++) {
			add_recorded(m, s.cut, s.cut + 20 < m->n ? s.cut + 20 : m->n, &s);
			if (fr_checker_check(c, &s, &nothing, &err) < 0)
				fail_msg("cut %u: %s", s.cut, err.msg);
			fr_vec_push(&s.step, s.step.v[0]);
			assert_int_equal(fr_checker_check(c, &s, &nothing, &err), -EINVAL);
			s.step.n = 0;
			s.cut = fr_head(m, s.cut > 300 ? s.cut - 300 : s.cut);
		}
		fr_vec_free(&s.step);
	}
	fr_checker_free(c);
}

/* Right after where states are likely to be kept, from the last to the first. */
static void cuts_near_kept_states_are_right(void **state)
{
	FR_CLEANUP(fr_model_freep) struct fr_model *m = long_run(400000);
	struct fr_checker *c = fr_checker_new(m);
	struct fr_schedule s = {.cut = m->n};
	struct fr_err err = {0};

	(void)state;
	assert_int_equal(fr_checker_check(c, &s, &nothing, NULL), 0);
	for (fr_ev i = 1024; i; i--) {
		s.cut = fr_head(m, (m->n / 1025 + 1) * i + 8);
		s.step.n = 0;
		add_recorded(m, s.cut, s.cut + 40 < m->n ? s.cut + 40 : m->n, &s);
		if (fr_checker_check(c, &s, &nothing, &err) < 0)
			fail_msg("cut %u: %s", s.cut, err.msg);
	}
	fr_vec_free(&s.step);
	fr_checker_free(c);
}

/* A recorded order that is not feasible is accepted up to where it is not, again and again. */
static void an_infeasible_recorded_order_is_rejected(void **state)
{
	struct fr_builder *b = fr_builder_new();
	FR_CLEANUP(fr_model_freep) struct fr_model *m = NULL;
	struct fr_schedule s = {0};
	struct fr_checker *c;
	struct fr_err err;
	struct fr_mev e = {.mask = 0xff};

	(void)state;
	fr_builder_thread(b, "0", 0);
	fr_builder_thread(b, "0.1", 1);
	fr_builder_obj(b, FR_C_LOC, (struct fr_mobj){0});
	e.op = FR_OP_WRITE;
	e.value = 1;
	fr_builder_add(b, &e, 0);
	e.value = 2;
	fr_builder_add(b, &e, 1);
	e.op = FR_OP_READ;
	e.flags = FR_F_PART;
	e.value = 3; /* no thread wrote it */
	fr_builder_add(b, &e, 2);
	e.flags = 0;
	e.thread = 1;
	e.value = 1;
	fr_builder_add(b, &e, 3);
	m = fr_builder_finish(b);
	c = fr_checker_new(m);
	for (unsigned i = 0; i < 3; i++) {
		s.cut = 4;
		assert_int_equal(fr_checker_check(c, &s, &nothing, &err), -EINVAL);
		assert_string_equal(err.msg,
				    "event 2 (read) of thread 0: byte 0 of location 0 must "
				    "hold 0x03, but event 1 wrote 0x02");
		s.cut = 1;
		fr_vec_push(&s.step, 3);
		assert_int_equal(fr_checker_check(c, &s, &nothing, &err), 0);
		s.step.n = 0;
	}
	fr_vec_free(&s.step);
	fr_checker_free(c);
}

/* The checker rejects impossible schedules with the step, its thread and the reason. */
static void a_rejection_names_step_thread_and_reason(void **state)
{
	static const struct {
		const char *run;
		uint8_t step[8]; /* numbers of events from 1 */
		const char *says;
	} cases[] = {
	    {"0 acq l; 0 rel l; 1 acq l",
	     {1, 3},
	     "step 1: event 2 (acquire) of thread 1: no thread may hold lock 0, but thread 0 "
	     "holds it"},
	    {"0 acqs l; 0 rels l; 1 acq l",
	     {1, 3},
	     "step 1: event 2 (acquire) of thread 1: no thread may hold lock 0, but 1 thread holds "
	     "it shared and none alone"},
	    {"0 acq l; 1 fail l",
	     {2},
	     "step 0: event 1 (acquire-failed) of thread 1: some thread must hold lock 0, but no "
	     "thread does"},
	    {"0 w x =1; 1 r x =1; 0 w x =2",
	     {1, 3, 2},
	     "step 2: event 1 (read) of thread 1: byte 0 of location 0 must hold 0x01, but event 2 "
	     "wrote 0x02"},
	    {"0 w x =1; 1 r x =1",
	     {2},
	     "step 0: event 1 (read) of thread 1: byte 0 of location 0 must hold 0x01, but it was "
	     "never written"},
	    {"0 r x =3; 0 w x =1; 1 r x =1",
	     {3},
	     "step 0: event 2 (read) of thread 1: byte 0 of location 0 must hold 0x01, but it "
	     "holds "
	     "what it held at the start, 0x03"},
	    {"0 w x novalue; 1 r x novalue; 0 w x novalue",
	     {1, 3, 2},
	     "step 2: event 1 (read) of thread 1: byte 0 of location 0 must hold what event 0 "
	     "wrote, but event 2 wrote it"},
	    {"0 acq l; 0 rel l; 0 begin c; 1 sig c; 0 wait c",
	     {1, 2, 5},
	     "step 2: event 4 (wait) of thread 0: condition 0 must have been signalled since the "
	     "wait began, but no signal is left for it"},
	    {"0 post s:0; 1 swait s",
	     {2},
	     "step 0: event 1 (sem-wait) of thread 1: the count of semaphore 0 must be above zero, "
	     "but is 0"},
	    {"0 sfail s:0; 1 post s",
	     {2, 1},
	     "step 1: event 0 (sem-failed) of thread 0: the count of semaphore 0 must be zero, but "
	     "is 1"},
	    {"0 enter b:2; 1 enter b; 0 leave b",
	     {1, 3},
	     "step 1: event 2 (barrier-leave) of thread 0: all 2 threads must have entered barrier "
	     "0, but 1 has"},
	    {"0 once-begin o; 0 once-end o; 1 once-done o",
	     {3},
	     "step 0: event 2 (once-done) of thread 1: once 0 must have been done, but is not"},
	    {"0 create 1; 1 w x =1",
	     {2},
	     "step 0: event 1 (write) of thread 1: the thread must have been created by event 0, "
	     "but was not"},
	    {"0 w x =1; 1 join 0",
	     {2},
	     "step 0: event 1 (join) of thread 1: thread 0 must have done its 1 events, but did 0"},
	    {"1 create 2; 0 join 2",
	     {2},
	     "step 0: event 1 (join) of thread 0: thread 2 must have been created, but was not"},
	    {"0 release-all f; 1 acquire-all f",
	     {2},
	     "step 0: event 1 (acquire-all) of thread 1: release 0 of flag 0 must have happened, "
	     "but thread 0 has not done it"},
	    {"0 w x =1; 0 w x =2",
	     {2},
	     "step 0: event 1 (write) of thread 0: the thread's next event is 0 (write)"},
	    {"0 w x =1",
	     {1, 1},
	     "step 1: event 0 (write) of thread 0: the thread has nothing left to do"},
	    {"0 r x =0; 0 w x =1 +", {2}, "step 0: event 1 is part of a step, not its head"},
	};

	(void)state;
	for (size_t i = 0; i < fr_array_size(cases); i++) {
		FR_CLEANUP(fr_model_freep) struct fr_model *m = fr_script(cases[i].run);
		struct fr_checker *c = fr_checker_new(m);
		struct fr_schedule s = {0};
		struct fr_err err = {0};

		for (unsigned k = 0; cases[i].step[k]; k++)
			fr_vec_push(&s.step, fr_script_ev(m, cases[i].step[k], 0));
		assert_int_equal(fr_checker_check(c, &s, &nothing, &err), -EINVAL);
		assert_string_equal(err.msg, cases[i].says);
		/* only the last step is wrong */
		s.step.n--;
		assert_int_equal(fr_checker_check(c, &s, &nothing, &err), 0);
		fr_vec_free(&s.step);
		fr_checker_free(c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(agrees_with_brute_force),
	    cmocka_unit_test(accepts_long_recorded_runs),
	    cmocka_unit_test(cuts_may_come_in_any_order),
	    cmocka_unit_test(cuts_near_kept_states_are_right),
	    cmocka_unit_test(an_infeasible_recorded_order_is_rejected),
	    cmocka_unit_test(a_rejection_names_step_thread_and_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
