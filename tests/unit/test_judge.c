/* The judgement of an execution: verdict, harm and detail. */
#include "confirm/control_file_build.h"
#include "confirm/judge.h"
#include "fixture.h"
#include "schedules.h"
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- verdicts ---- */

struct court {
	char *dir;
	struct fr_run run;
	struct fr_sites *sites;
	struct fr_judge j;
	struct fr_schedule_file s;
	struct fr_execution r;
};

static int memory_file(const char *text)
{
	int fd = memfd_create("test", 0);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	return fd;
}

static void open_court(struct court *c, enum fr_meeting meeting)
{
	static const struct fr_units none;
	char *path;

	*c = (struct court){.dir = fx_folder(), .s = fx_schedule(meeting)};
	path = fx_path(c->dir, "stdout");
	fx_write(path, "1\n2\n", 4);
	free(path);
	path = fx_path(c->dir, "stderr");
	fx_write(path, "", 0);
	free(path);
	c->sites = fr_sites_build(NULL, 0, &none);
	c->run.stream[FR_STDOUT] = (struct fr_run_stream){.kind = FR_STREAM_PIPE, .kept = true};
	fr_judge_init(&c->j, c->dir, &c->run, c->sites);
	assert_int_equal(
	    fr_control_file_build(&c->s, NULL, &(struct fr_control_file_how){0}, &c->r.file, NULL),
	    0);
	c->r.attached = true;
	c->r.out = memory_file("1\n2\n");
	c->r.err = memory_file("");
	fr_vec_push(&c->r.thread, fr_xstrdup("0"));
	fr_vec_push(&c->r.thread, fr_xstrdup("0.1"));
	for (size_t i = 0; i < c->r.thread.n; i++)
		fr_vec_push(&c->r.hooks, 0);
}

static void close_court(struct court *c)
{
	fr_execution_free(&c->r);
	fr_judge_free(&c->j);
	fr_sites_free(c->sites);
	fr_schedule_file_clear(&c->s);
	fx_remove(c->dir);
}

static void write_out(int *fd, const char *text)
{
	close(*fd);
	*fd = memory_file(text);
}

static void rules(struct court *c, enum fr_verdict verdict, enum fr_harm harm, const char *detail)
{
	struct fr_judgement j;

	fr_judge(&c->j, &c->r, 10, &j);
	assert_int_equal(j.verdict, verdict);
	if (verdict == FR_VERDICT_CONFIRMED)
		assert_int_equal(j.harm, harm);
	if (detail)
		assert_non_null(strstr(j.detail ? j.detail : "", detail));
	else
		assert_null(j.detail);
	free(j.detail);
}

static void each_harm_is_recognised(void **state)
{
	struct court c;
	struct fr_control_file *k;

	(void)state;
	open_court(&c, FR_MEETING_EITHER_ORDER);
	k = c.r.file.c;
	k->phase = FR_PHASE_MET;
	rules(&c, FR_VERDICT_CONFIRMED, FR_HARM_NONE, NULL);
	write_out(&c.r.out, "2\n1\n");
	rules(&c, FR_VERDICT_CONFIRMED, FR_HARM_NONE, "another order");
	write_out(&c.r.out, "1\n3\n");
	rules(&c, FR_VERDICT_CONFIRMED, FR_HARM_OUTPUT, "line 2");
	c.r.exit = 4;
	rules(&c, FR_VERDICT_CONFIRMED, FR_HARM_EXIT, "exit status 4, but 0 in the recorded run");
	c.r.exit = -1;
	c.r.signal = SIGSEGV;
	rules(&c, FR_VERDICT_CONFIRMED, FR_HARM_CRASH, "SIGSEGV");
	c.r.signal = SIGTERM;
	rules(&c, FR_VERDICT_CONFIRMED, FR_HARM_EXIT, "signal 15");
	c.r.signal = SIGABRT;
	rules(&c, FR_VERDICT_CONFIRMED, FR_HARM_CRASH, "SIGABRT");
	write_out(&c.r.err, "p: x.c:1: f: Assertion `0' failed.\n");
	rules(&c, FR_VERDICT_CONFIRMED, FR_HARM_ASSERT, "x.c:1: f: Assertion `0' failed");
	strcpy(k->crash.assertion, "y.c:2: Assertion `1' failed");
	rules(&c, FR_VERDICT_CONFIRMED, FR_HARM_ASSERT, "y.c:2");
	write_out(&c.r.err, "==1==ERROR: AddressSanitizer: SEGV\n");
	rules(&c, FR_VERDICT_CONFIRMED, FR_HARM_SANITIZER, "AddressSanitizer: SEGV");
	close_court(&c);
}

static void a_hang_is_judged_by_its_threads(void **state)
{
	struct court c;
	struct fr_control_file *k;

	(void)state;
	open_court(&c, FR_MEETING_CYCLE);
	k = c.r.file.c;
	k->target[0].kind = k->target[1].kind = FR_EV_MUTEX_LOCK;
	k->phase = FR_PHASE_HANG;
	c.r.ended = FR_ENDED_PHASE;
	c.r.exit = -1;
	k->nwaiters = 1;
	k->waiter[0].seen =
	    (struct fr_control_file_seen){.id = 2, .kind = FR_EV_MUTEX_LOCK, .addr = 64};
	k->waiter[0].holder = 1;
	/* No target has met: the program hangs, but not as predicted. */
	rules(&c, FR_VERDICT_REFUTED, 0, "waits");
	k->met[0].id = k->met[1].id = 1;
	/* A thread that does not stay blocked, or waits for something else by now. */
	rules(&c, FR_VERDICT_REFUTED, FR_HARM_HANG, "thread 0 does not stay blocked");
	k->status[0] = FR_CTL_BLOCKED;
	k->waits_for[0] = 8;
	rules(&c, FR_VERDICT_REFUTED, FR_HARM_HANG, "thread 0 does not stay blocked");
	k->waits_for[0] = k->met[0].addr;
	rules(&c, FR_VERDICT_CONFIRMED, FR_HARM_HANG, "thread 0.1 waits for the object at 0x40");
	rules(&c, FR_VERDICT_CONFIRMED, FR_HARM_HANG, "which thread 0 holds");
	/* Another process may end the waits of these threads, not those of others. */
	k->phase = FR_PHASE_OUTSIDE;
	k->outside = FR_OUTSIDE_INPUT;
	rules(&c, FR_VERDICT_CONFIRMED, FR_HARM_UNKNOWN, "a thread waits for input from outside");
	k->outside |= FR_OUTSIDE_CHILD;
	rules(&c, FR_VERDICT_UNKNOWN, FR_HARM_NONE, "a child process is alive");
	/* Only a timer was left, and ended the program. */
	k->phase = FR_PHASE_ENDED;
	k->stalled = 1;
	c.r.ended = FR_ENDED_ITSELF;
	c.r.exit = 0;
	rules(&c, FR_VERDICT_CONFIRMED, FR_HARM_HANG, "which thread 0 holds");
	close_court(&c);
}

/* A thread that waits in a loop of its own is not blocked: it polls the memory of its target. */
static void a_livelock_is_judged_by_its_threads(void **state)
{
	struct court c;
	struct fr_control_file *k;

	(void)state;
	open_court(&c, FR_MEETING_CYCLE);
	k = c.r.file.c;
	k->target[0].kind = k->target[1].kind = FR_EV_ATOMIC_RMW;
	k->phase = FR_PHASE_HANG;
	c.r.ended = FR_ENDED_PHASE;
	c.r.exit = -1;
	k->nwaiters = 1;
	k->waiter[0].seen = (struct fr_control_file_seen){.id = 2, .kind = FR_EV_ATOMIC_RMW};
	k->waiter[0].polls = 1;
	k->met[0].id = k->met[1].id = 1;
	k->met[0].addr = k->met[1].addr = 8;
	rules(&c, FR_VERDICT_REFUTED, FR_HARM_HANG, "thread 0 does not stay blocked");
	k->waits_for[0] = 8;
	rules(&c, FR_VERDICT_CONFIRMED, FR_HARM_HANG, "thread 0.1 polls");
	/* It ran on, or the end is unknown. */
	k->phase = FR_PHASE_MET;
	c.r.ended = FR_ENDED_ITSELF;
	rules(&c, FR_VERDICT_REFUTED, FR_HARM_NONE, "thread 0 does not stay blocked");
	c.r.ended = FR_ENDED_LIMIT;
	rules(&c, FR_VERDICT_UNKNOWN, FR_HARM_NONE, "after 10 seconds");
	close_court(&c);
}

static void an_unmet_target_is_refuted_or_unknown(void **state)
{
	struct court c;
	struct fr_control_file *k;

	(void)state;
	open_court(&c, FR_MEETING_EITHER_ORDER);
	k = c.r.file.c;
	k->phase = FR_PHASE_TURNS;
	c.r.ended = FR_ENDED_LIMIT;
	rules(&c, FR_VERDICT_UNKNOWN, 0, "in 10 seconds");
	c.r.ended = FR_ENDED_OUTSIDE;
	c.r.outside = 2;
	rules(&c, FR_VERDICT_UNKNOWN, 0, "thread 0.1 waits for something outside");
	c.r.ended = FR_ENDED_ITSELF;
	c.r.exit = 1;
	rules(&c, FR_VERDICT_REFUTED, 0, "ended with status 1");
	c.r.attached = false;
	rules(&c, FR_VERDICT_PREDICTED, 0, "did not load the schedule");
	c.r.attached = true;
	k->phase = FR_PHASE_DIVERGED;
	for (unsigned why = 0; why < FR_DIV_COUNT + 2; why++) {
		k->diverged.why = why;
		k->diverged.seen = (struct fr_control_file_seen){
		    .id = 2, .value = 7, .kind = (uint8_t)(why * 37), .outcome = 255};
		k->diverged.expected.value = 5;
		k->diverged.expected.thread = why == FR_DIV_NO_THREAD ? 3 : UINT32_MAX;
		rules(&c,
		      why == FR_DIV_OUTSIDE || why == FR_DIV_REUSED ? FR_VERDICT_UNKNOWN
								    : FR_VERDICT_REFUTED,
		      0,
		      why == FR_DIV_VALUE ? "thread 0.1 reads 7 at an unknown source line, "
					    "expected: 5"
					  : "thread 0.1 ");
	}
	k->inputs_differ = 3;
	rules(&c, FR_VERDICT_REFUTED, 0, "from outside");
	close_court(&c);
}

/* ---- a program that overwrites the control file ---- */

static void scribble(struct fr_control_file_handle *f, uint64_t seed)
{
	unsigned char *p = (unsigned char *)f->c;

	for (size_t i = 0; i < f->size; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
		p[i] = (unsigned char)(seed >> 56);
	}
}

/* Whatever the program leaves, the judge finds some verdict and the sentences for it. */
static void judge_all(struct court *c)
{
	for (uint32_t phase = 0; phase <= FR_PHASE_ENDED + 1; phase++)
		for (int end = FR_ENDED_ITSELF; end <= FR_ENDED_STOP; end++) {
			FR_CLEANUP(fr_buf_free) struct fr_buf said = {0};
			struct fr_judgement j;

			c->r.file.c->phase = phase;
			c->r.ended = (enum fr_ended)end;
			c->r.exit = end & 1 ? 0 : -1;
			c->r.signal = end & 1 ? 0 : SIGSEGV;
			fr_judge(&c->j, &c->r, 10, &j);
			fr_explain_seen(&c->j, &c->r, &said);
			fr_explain_hang(&c->j, &c->r, &said);
			fr_explain_due(&c->j, &c->r, &said);
			free(j.detail);
		}
}

static void a_damaged_control_file_does_no_harm(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 40; seed++) {
		struct fr_control_file *k;
		struct court c;
		int fd;

		open_court(&c, seed & 1 ? FR_MEETING_CYCLE : FR_MEETING_EITHER_ORDER);
		fd = open(c.r.file.path, O_RDWR);
		assert_int_equal(ftruncate(fd, 0), -1); /* the tool reads on */
		close(fd);
		scribble(&c.r.file, seed);
		fr_control_file_take(&c.r.file);
		k = c.r.file.c;
		assert_int_equal(k->ntargets, 2);
		assert_int_equal(k->target[1].site, 22);
		assert_int_equal(fr_control_file_turns(k)[3].hook, 8);
		assert_true(k->turn <= k->nturns && k->stops_met <= k->nstops);
		assert_true(k->nwaiters <= FR_CONTROL_FILE_WAITERS);
		assert_true(k->crash.stack.n <= FR_CRASH_FRAMES);
		assert_true(strlen(k->world.name) < FR_CONTROL_FILE_NAME);
		judge_all(&c);
		close_court(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_harm_is_recognised),
	    cmocka_unit_test(a_hang_is_judged_by_its_threads),
	    cmocka_unit_test(a_livelock_is_judged_by_its_threads),
	    cmocka_unit_test(an_unmet_target_is_refuted_or_unknown),
	    cmocka_unit_test(a_damaged_control_file_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
