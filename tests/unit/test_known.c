/* Results of earlier executions: the schedules that lead to the same execution. */
#include "confirm/earlier_executions.h"
#include "fixture.h"
#include "schedules.h"
#include <string.h>

struct shelf {
	struct fr_known k;
	struct fr_schedule_file s;
	struct fr_execution r;
};

static void open_shelf(struct shelf *x)
{
	*x = (struct shelf){.s = fx_schedule(FR_MEETING_EITHER_ORDER)};
	fr_known_init(&x->k);
	assert_int_equal(
	    fr_control_file_build(&x->s, NULL, &(struct fr_control_file_how){0}, &x->r.file, NULL),
	    0);
	x->r.attached = true;
	x->r.out = x->r.err = -1;
}

static void close_shelf(struct shelf *x)
{
	fr_execution_free(&x->r);
	fr_schedule_file_clear(&x->s);
	fr_known_free(&x->k);
}

static void note(struct shelf *x, enum fr_verdict verdict, enum fr_harm harm)
{
	struct fr_judgement j = {.verdict = verdict, .harm = harm, .detail = (char *)"it leaves"};

	fr_known_note(&x->k, &x->s, false, false, &x->r, &j, 77);
}

static void test_harmless(void **state)
{
	struct fr_schedule_file other;
	struct shelf x;

	(void)state;
	open_shelf(&x);
	x.r.file.c->choice = 1;
	assert_false(fr_known_harmless(&x.k, &x.s, false, false));
	note(&x, FR_VERDICT_CONFIRMED, FR_HARM_CRASH);
	note(&x, FR_VERDICT_UNKNOWN, FR_HARM_NONE);
	assert_false(fr_known_harmless(&x.k, &x.s, false, false));
	note(&x, FR_VERDICT_CONFIRMED, FR_HARM_NONE);
	assert_true(fr_known_harmless(&x.k, &x.s, false, false));
	assert_false(fr_known_harmless(&x.k, &x.s, true, false));
	assert_false(fr_known_harmless(&x.k, &x.s, false, true));

	/* Another kind of bug with the same switches; its last turn is not needed. */
	other = fx_schedule(FR_MEETING_IN_ORDER);
	other.turn.n--;
	other.expect.n = 0;
	assert_true(fr_known_harmless(&x.k, &other, false, false));
	other.turn.v[1].hook--;
	assert_false(fr_known_harmless(&x.k, &other, false, false));
	other.turn.v[1].hook++;
	/* Freed memory that stays out of use makes another execution. */
	other.target.v[0].kind = FR_EV_FREE;
	assert_false(fr_known_harmless(&x.k, &other, false, false));
	other.target.v[0].kind = FR_EV_WRITE;
	other.needs = FR_NEEDS_TWICE;
	assert_false(fr_known_harmless(&x.k, &other, false, false));
	other.needs = FR_NEEDS_HANG; /* threads that yield keep their turn */
	assert_false(fr_known_harmless(&x.k, &other, false, false));
	fr_schedule_file_clear(&other);
	close_shelf(&x);
}

static void test_no_choice(void **state)
{
	struct shelf x;

	(void)state;
	open_shelf(&x);
	note(&x, FR_VERDICT_CONFIRMED, FR_HARM_NONE);
	assert_true(fr_known_harmless(&x.k, &x.s, false, true));
	x.s.needs = FR_NEEDS_FAILURE; /* later, the thread gives way to others */
	assert_false(fr_known_harmless(&x.k, &x.s, false, true));
	assert_true(fr_known_harmless(&x.k, &x.s, false, false));
	close_shelf(&x);
}

/* Thread 0.2.1 reads another value at hook 5, in its second turn. */
static void diverge(struct shelf *x)
{
	struct fr_control_file *c = x->r.file.c;

	c->phase = FR_PHASE_DIVERGED;
	c->turn = 3;
	c->diverged.why = FR_DIV_VALUE;
	c->diverged.expected.hook = 5;
	for (uint32_t i = 0; i < x->r.file.nthreads; i++)
		if (!strcmp(x->r.file.thread[i], "0.2.1"))
			c->diverged.expected.thread = i;
	note(x, FR_VERDICT_REFUTED, FR_HARM_NONE);
}

static bool diverges(struct shelf *x, const struct fr_schedule_file *s)
{
	struct fr_known_left left = {0};
	bool yes = fr_known_diverges(&x->k, s, &left);

	if (yes) {
		assert_string_equal(left.detail, "it leaves");
		assert_int_equal(left.left_at, 77);
		assert_int_equal(left.turn, 3);
		assert_int_equal(left.hook, 5);
	}
	free(left.detail);
	return yes;
}

static void test_divergence(void **state)
{
	struct fr_schedule_file other = fx_schedule(FR_MEETING_IN_ORDER);
	struct shelf x;

	(void)state;
	open_shelf(&x);
	assert_false(diverges(&x, &x.s));
	diverge(&x);
	assert_true(diverges(&x, &x.s));
	assert_false(fr_known_harmless(&x.k, &x.s, false, false));
	assert_true(diverges(&x, &other));
	other.turn.v[3].hook = 20; /* the same steps up to there */
	other.target.v[0].hook = 21;
	assert_true(diverges(&x, &other));
	other.expect.v[0].value++;
	assert_false(diverges(&x, &other));
	other.expect.v[0].value--;
	other.expect.v[0].known = false;
	assert_false(diverges(&x, &other));
	other.expect.v[0].known = true;
	other.turn.v[0].hook++;
	assert_false(diverges(&x, &other));
	other.turn.v[0].hook--;
	fr_vec_push(&other.leave, ((struct fr_schedule_turn){0, 1}));
	assert_false(diverges(&x, &other));
	fr_schedule_file_clear(&other);
	close_shelf(&x);
}

static void test_failure(void **state)
{
	struct shelf x;

	(void)state;
	open_shelf(&x);
	fr_known_add_failure(&x.k, 5);
	assert_true(fr_known_fails(&x.k, 5));
	assert_false(fr_known_fails(&x.k, 7));
	close_shelf(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_harmless),
	    cmocka_unit_test(test_no_choice),
	    cmocka_unit_test(test_divergence),
	    cmocka_unit_test(test_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
