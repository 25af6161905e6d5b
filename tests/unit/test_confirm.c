/* Schedules as control files; what is recalled of a run; output compared; what a run proves. */
#include "confirm/control_file_build.h"
#include "confirm/judge.h"
#include "confirm/typing.h"
#include "confirm/modules.h"
#include "fixture.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- schedules ---- */

static struct fr_schedule_file schedule(enum fr_meeting meeting)
{
	struct fr_schedule_file s = {.kind = fr_xstrdup("any"), .meeting = meeting};
	uint32_t late = fr_schedule_file_thread(&s, "0.2.1"),
		 main_ = fr_schedule_file_thread(&s, "0"),
		 first = fr_schedule_file_thread(&s, "0.1");
	uint32_t memory = meeting == FR_MEETING_EITHER_ORDER;

	fr_schedule_file_turn(&s, main_, 7);
	fr_schedule_file_turn(&s, late, 3);
	fr_schedule_file_turn(&s, first, 4);
	fr_schedule_file_turn(&s, late, 8);
	fr_schedule_file_turn(&s, main_, 9); /* leads nowhere */
	fr_vec_push(&s.expect, ((struct fr_schedule_hook){.thread = late,
							  .hook = 5,
							  .kind = FR_EV_READ,
							  .site = 12,
							  .known = true,
							  .value = 0x1010}));
	fr_vec_push(&s.expect, ((struct fr_schedule_hook){.thread = late,
							  .hook = 2,
							  .kind = FR_EV_WRITE,
							  .site = 11,
							  .known = true,
							  .value = 4}));
	fr_vec_push(&s.expect,
		    ((struct fr_schedule_hook){
			.thread = first, .hook = 4, .kind = FR_EV_MUTEX_LOCK, .site = 13}));
	if (memory) {
		fr_vec_push(&s.event, ((struct fr_schedule_hook){.thread = late,
								 .hook = 5,
								 .kind = FR_EV_READ,
								 .site = 12,
								 .role = FR_ROLE_EVENT,
								 .memory = 1}));
		fr_vec_push(&s.event, ((struct fr_schedule_hook){.thread = late,
								 .hook = 7,
								 .kind = FR_EV_READ,
								 .site = 14,
								 .role = FR_ROLE_EVENT,
								 .memory = 2}));
	}
	fr_vec_push(&s.target, ((struct fr_schedule_hook){.thread = late,
							  .hook = 9,
							  .kind = FR_EV_WRITE,
							  .site = 21,
							  .role = FR_ROLE_FIRST,
							  .memory = memory}));
	fr_vec_push(&s.target, ((struct fr_schedule_hook){.thread = first,
							  .hook = 5,
							  .kind = FR_EV_READ,
							  .site = 22,
							  .role = FR_ROLE_SECOND,
							  .memory = memory}));
	return s;
}

static struct fr_recorded recollection(void)
{
	struct fr_recorded r = {0};
	struct fr_recorded_thread t = {.path = fr_xstrdup("0.1")},
				  u = {.path = fr_xstrdup("0.2.1")};

	fr_vec_push(&t.call, ((struct fr_recorded_call){2, FR_EV_MUTEX_LOCK, FR_BUSY}));
	fr_vec_push(&t.call, ((struct fr_recorded_call){3, FR_EV_MUTEX_LOCK, FR_OK}));
	fr_vec_push(&t.call, ((struct fr_recorded_call){4, FR_EV_MUTEX_LOCK, FR_TIMEDOUT}));
	fr_vec_push(&t.call, ((struct fr_recorded_call){6, FR_EV_MUTEX_LOCK, FR_BUSY}));
	fr_buf_add(&u.input, "12345678abcdefgh", 16);
	fr_vec_push(&r.thread, t);
	fr_vec_push(&r.thread, u);
	fr_vec_push(&r.range, ((struct fr_recorded_range){0x1000, 0x2000}));
	return r;
}

/* What the program sees: the file under its path. */
static struct fr_control_file *as_program(const struct fr_control_file_handle *f, size_t *ret_n)
{
	int fd = open(f->path, O_RDWR);
	void *p;

	assert_true(fd >= 0);
	*ret_n = (size_t)lseek(fd, 0, SEEK_END);
	p = mmap(NULL, *ret_n, PROT_READ, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(p, MAP_FAILED);
	close(fd);
	return p;
}

static void control_files_follow_the_schedule(void **state)
{
	struct fr_schedule_file s = schedule(FR_MEETING_EITHER_ORDER);
	struct fr_recorded recorded = recollection();
	struct fr_control_file_handle f;
	const struct fr_control_file_thread *t;
	const struct fr_control_file_expect *x;
	struct fr_control_file *c;
	size_t n;

	(void)state;
	assert_int_equal(
	    fr_control_file_build(&s, &recorded, &(struct fr_control_file_how){0}, &f, NULL), 0);
	c = as_program(&f, &n);
	assert_true(c->magic == FR_CONTROL_FILE_MAGIC);
	assert_int_equal(c->version, FR_CONTROL_FILE_VERSION);
	assert_int_equal(c->size, n);
	assert_true(c->quantum > 0);
	assert_int_equal(c->target[0].memory, 1);
	assert_int_equal(c->target[1].memory, 1);

	/* Main is first; the parent that no turn names is there. */
	t = fr_control_file_threads(c);
	assert_int_equal(c->nthreads, 4);
	assert_string_equal(f.thread[0], "0");
	assert_int_equal(t[0].parent, UINT32_MAX);
	assert_string_equal(f.thread[1], "0.2");
	assert_int_equal(t[1].parent, 0);
	assert_int_equal(t[1].nth, 2);
	assert_string_equal(f.thread[2], "0.2.1");
	assert_int_equal(t[2].parent, 1);
	assert_int_equal(t[2].nth, 1);
	assert_string_equal(f.thread[3], "0.1");

	/* The turn behind the last one of a target is left out. */
	assert_int_equal(c->nturns, 4);
	assert_int_equal(fr_control_file_turns(c)[1].thread, 2);
	assert_int_equal(fr_control_file_turns(c)[1].hook, 3);
	assert_int_equal(fr_control_file_turns(c)[3].hook, 8);

	/* By thread and hook. What is read is compared, what is written is not. */
	assert_int_equal(t[2].nexpect, 3);
	x = &fr_control_file_expects(c)[t[2].expect];
	assert_int_equal(x[0].hook, 2);
	assert_int_equal(x[0].flags, 0);
	assert_int_equal(x[1].hook, 5);
	assert_int_equal(x[1].site, 12);
	assert_int_equal(x[1].flags, FR_CTL_VALUE | FR_CTL_POINTER);

	/* Events of the finding: one is expected anyway, one for its own sake. */
	assert_int_equal(x[1].event, 1);
	assert_int_equal(x[2].hook, 7);
	assert_int_equal(x[2].site, 14);
	assert_int_equal(x[2].event, 2);
	assert_int_equal(c->nevents, 2);
	assert_int_equal(c->before.n, 2);
	assert_int_equal(c->before.event[1].event, 1);
	assert_int_equal(c->before.event[1].memory, 2);
	assert_int_equal(fr_control_file_events(c)[1].hook, 7);
	assert_int_equal(fr_control_file_events(c)[1].order, 0);

	/* Outcomes: as ANYSITE where the schedule does not name the hook, not beyond its end. */
	assert_int_equal(t[3].nexpect, 2);
	x = &fr_control_file_expects(c)[t[3].expect];
	assert_int_equal(x[0].hook, 2);
	assert_int_equal(x[0].flags, FR_CTL_OUTCOME | FR_CTL_ANYSITE);
	assert_int_equal(x[0].outcome, FR_BUSY);
	assert_int_equal(x[1].hook, 4);
	assert_int_equal(x[1].site, 13);
	assert_int_equal(x[1].flags, FR_CTL_OUTCOME);
	assert_int_equal(x[1].outcome, FR_TIMEDOUT);

	assert_int_equal(c->ninput, 16);
	assert_int_equal(t[2].ninput, 16);
	assert_memory_equal(fr_control_file_inputs(c) + t[2].input, "12345678", 8);

	assert_int_equal(c->ntargets, 2);
	assert_int_equal(c->target[0].site, 21);
	assert_int_equal(c->target[0].flags, 0);
	assert_int_equal(c->target[1].thread, 3);
	munmap(c, n);
	fr_control_file_free(&f);
	fr_recorded_free(&recorded);
	fr_schedule_file_clear(&s);
}

static void control_files_have_order_and_kinds(void **state)
{
	struct fr_control_file_how swapped = {.swapped = true, .quantum = 5};
	struct fr_schedule_file s = schedule(FR_MEETING_CYCLE);
	struct fr_control_file_handle f;

	(void)state;
	assert_int_equal(fr_control_file_build(&s, NULL, &swapped, &f, NULL), 0);
	assert_int_equal(f.c->target[0].site, 22);
	assert_int_equal(f.c->target[1].site, 21);
	assert_int_equal(f.c->target[0].flags, FR_CTL_BLOCKS);
	assert_int_equal(f.c->target[0].memory, 0);
	assert_int_equal(f.c->quantum, 5);
	fr_control_file_free(&f);
	fr_schedule_file_clear(&s);

	/* The recorded run has no targets: every turn counts. */
	s = schedule(FR_MEETING_NONE);
	s.target.n = 0;
	assert_int_equal(
	    fr_control_file_build(&s, NULL, &(struct fr_control_file_how){0}, &f, NULL), 0);
	assert_int_equal(f.c->nturns, 5);
	fr_control_file_free(&f);
	fr_schedule_file_clear(&s);
}

static void bad_schedules_are_refused(void **state)
{
	static const char *const bad[] = {"1", "?3", "0.0",  "0.x",	     "0.1x",
					  "",  ".1", "0..1", "0.99999999999"};
	struct fr_control_file_handle f;
	struct fr_err err;

	(void)state;
	for (size_t i = 0; i < fr_array_size(bad); i++) {
		struct fr_schedule_file s = {.kind = fr_xstrdup("data-race")};

		fr_schedule_file_turn(&s, fr_schedule_file_thread(&s, bad[i]), 3);
		assert_int_equal(
		    fr_control_file_build(&s, NULL, &(struct fr_control_file_how){0}, &f, &err),
		    -EINVAL);
		assert_non_null(strstr(err.msg, bad[i]));
		fr_schedule_file_clear(&s);
	}
	{
		struct fr_schedule_file s = {.kind = fr_xstrdup("deadlock")};

		for (int i = 0; i <= FR_CONTROL_FILE_TARGETS; i++)
			fr_vec_push(&s.target, ((struct fr_schedule_hook){
						   .thread = fr_schedule_file_thread(&s, "0"),
						   .hook = 1,
						   .kind = FR_EV_MUTEX_LOCK}));
		assert_int_equal(
		    fr_control_file_build(&s, NULL, &(struct fr_control_file_how){0}, &f, &err),
		    -E2BIG);
		fr_schedule_file_clear(&s);
	}
}

/* ---- what is recalled ---- */

static void failed_calls_are_recalled(void **state)
{
	char *dir = fx_folder();
	struct fr_trace *t = NULL;
	struct fr_recorded r;
	const struct fr_recorded_thread *main_;

	(void)state;
	fx_run(dir);
	assert_int_equal(fr_trace_open(dir, &t, NULL), 0);
	assert_int_equal(fr_recorded_load(t, &r, NULL), 0);
	assert_int_equal(r.thread.n, t->thread.n);
	main_ = fr_recorded_thread(&r, "0");
	assert_non_null(main_);
	assert_null(fr_recorded_thread(&r, "0.9"));
	assert_null(fr_recorded_call(main_, 0));
	for (size_t i = 1; i < r.range.n; i++)
		assert_true(r.range.v[i].lo > r.range.v[i - 1].hi);
	assert_true(fr_recorded_is_address(&r, UINT64_C(0x7fffffffe000)));
	assert_false(fr_recorded_is_address(&r, 0));
	assert_false(fr_recorded_is_address(&r, UINT64_MAX));
	FR_VEC_FOREACH (x, &r.range) {
		assert_true(fr_recorded_is_address(&r, x->lo));
		assert_true(fr_recorded_is_address(&r, x->hi));
		assert_false(fr_recorded_is_address(&r, x->hi + 1));
	}
	fr_recorded_free(&r);
	fr_trace_free(t);
	fx_remove(dir);
}

/* Also to the end of one, unless another begins there. */
static void addresses_are_found_in_objects(void **state)
{
	struct fr_recorded r = {0};

	(void)state;
	assert_null(fr_recorded_object(&r, 0x1000));
	fr_vec_push(&r.object, ((struct fr_recorded_object){.lo = 0x1000, .hi = 0x1018}));
	fr_vec_push(&r.object, ((struct fr_recorded_object){.lo = 0x1020, .hi = 0x1030}));
	fr_vec_push(&r.object, ((struct fr_recorded_object){.lo = 0x1030, .hi = 0x1040}));
	assert_null(fr_recorded_object(&r, 0xfff));
	assert_ptr_equal(fr_recorded_object(&r, 0x1000), &r.object.v[0]);
	assert_ptr_equal(fr_recorded_object(&r, 0x1017), &r.object.v[0]);
	assert_ptr_equal(fr_recorded_object(&r, 0x1018), &r.object.v[0]);
	assert_null(fr_recorded_object(&r, 0x1019));
	assert_ptr_equal(fr_recorded_object(&r, 0x1020), &r.object.v[1]);
	assert_ptr_equal(fr_recorded_object(&r, 0x1030), &r.object.v[2]);
	assert_ptr_equal(fr_recorded_object(&r, 0x1040), &r.object.v[2]);
	assert_null(fr_recorded_object(&r, 0x1041));
	fr_recorded_free(&r);
}

/* ---- output ---- */

/* Two references; does the third text differ from them only where they differ? */
static bool varies(const char *a, const char *b, const char *now)
{
	struct fr_output_text ref[2] = {{a, strlen(a)}, {b, strlen(b)}}, t = {now, strlen(now)};

	return fr_output_varies(ref, 2, &t);
}

static void varying_fields_are_ignored(void **state)
{
	(void)state;
	/* A decimal number, or a time of day, is one value. */
	assert_true(varies("took 4.745 ms\n", "took 4.102 ms\n", "took 6.593 ms\n"));
	assert_true(varies("at 12:30:01\n", "at 12:30:02\n", "at 12:31:00\n"));
	assert_false(varies("v1 of 4.745\n", "v1 of 4.102\n", "v2 of 4.745\n"));
	/* A field that varies is ignored, the others are not. */
	assert_true(varies("12.5 s, sum 7\n", "13.9 s, sum 7\n", "99.1 s, sum 7\n"));
	assert_false(varies("12.5 s, sum 7\n", "13.9 s, sum 7\n", "99.1 s, sum 8\n"));
	assert_false(varies("pid 1\nsum 7\n", "pid 2\nsum 7\n", "pid 3\nsum 8\n"));
	/* Whatever the order of the lines is. */
	assert_true(varies("a 1 t5\na 2 t6\n", "a 2 t7\na 1 t8\n", "a 1 t9\na 2 t3\n"));
	assert_false(varies("a 1 t5\na 2 t6\n", "a 2 t7\na 1 t8\n", "a 1 t9\na 3 t3\n"));
	/* The number of lines counts unless it varies. */
	assert_false(varies("t 1\n", "t 2\n", "t 3\nt 4\n"));
	assert_true(varies("t 1\n", "t 2\nt 2\n", "t 3\nt 4\nt 5\n"));
	assert_false(varies("t 1\n", "t 2\n", "t 3\nfailed\n"));
	/* Words that vary take each other's place, and no more than that. */
	assert_true(varies("won: red\n", "won: blue\n", "won: green\n"));
	assert_false(varies("won: red\n", "won: blue\n", "won: red\nwon: blue\n"));
	assert_false(varies("won: red\nend\n", "won: blue\nend\n", "won: red\n"));
	/* A field that varies may have any characters; the text around it counts. */
	assert_true(varies("5 tmp.a1b2 ns\n", "6 tmp.c3d4 ns\n", "7 tmp.efgh ns\n"));
	assert_true(varies("5 tmp.a1b2 ns\n", "6 tmp.c3d4 ns\n", "7 tmp.e-g+1 ns\n"));
	assert_true(varies("tmp.a1\ntmp.b2\n", "tmp.c3\ntmp.d4\n", "tmp.e5\ntmp.ff\n"));
	assert_true(varies("n a1 x\nn b1 y\n", "n a2 x\nn b2 y\n", "n b y\nn a x\n"));
	assert_true(varies("a1.tmp.tmp\n", "a2.tmp.tmp\n", "a.tmp.tmp.tmp\n"));
	assert_true(varies("f a1\nf bb\n", "f c2\nf dd\n", "f e3\nf g4\n"));
	assert_true(varies("f a1\nf bb\n", "f c2\nf dd\n", "f ee\nf gg\n"));
	assert_false(varies("f a1\nf bb\n", "f c2\nf dd\n", "f e3\nf g4\nf h5\n"));
	assert_false(varies("f a1\nf bb\n", "f c2\nf dd\n", "f e3\n"));
	assert_false(varies("5 tmp.a1b2 ns\n", "6 tmp.c3d4 ns\n", "7 tmp.efgh ms\n"));
	assert_false(varies("5 tmp.a1b2 ns\n", "6 tmp.c3d4 ns\n", "7 tmp. ns\n"));
	assert_false(varies("tmp.a1 7\n", "tmp.b2 7\n", "tmp.cc 8\n"));
	assert_false(varies("tmp.a1\n", "tmp.b2\n", "tmp.cc\ntmp.dd\n"));
	assert_false(varies("tmp.a1\n", "tmp.b2\n", "tmp.c3\ntmp.dd\n"));
	assert_false(varies("tmp.a1\n", "tmp.b2\n", "tmp.a b\n"));
	assert_false(varies("t 1\nsum 7\n", "t 2\nsum 7\n", "t x\nsum x\n"));
	assert_true(varies("", "", ""));
	assert_false(varies("x\n", "x\n", ""));
}

static enum fr_differ differ(const char *a, const char *b, uint64_t *line)
{
	return fr_output_compare(a, strlen(a), b, strlen(b), line);
}

static void cuts_echo(const char *s, const char *typed, const char *want)
{
	size_t n;
	char *r = fr_output_without_echo(s, strlen(s), typed, strlen(typed), &n);

	assert_int_equal(n, strlen(want));
	assert_memory_equal(r, want, n);
	free(r);
}

static void echoed_input_is_left_out(void **state)
{
	(void)state;
	cuts_echo("", "", "");
	cuts_echo("", "a\n", "");
	cuts_echo("name? Bob\r\nhello Bob\r\n", "Bob\n", "name? hello Bob\r\n");
	/* Typed ahead. */
	cuts_echo("Bob\r\nname? hello Bob\r\n", "Bob\n", "name? hello Bob\r\n");
	/* In its order, once each, and nothing for what was not echoed. */
	cuts_echo("b\r\na\r\nb\r\n", "a\nb\n", "b\r\n");
	cuts_echo("b\r\nb\r\n", "secret\nb\n", "b\r\n");
	/* Keys: the end of input is not shown, others have names; the last may have no end. */
	cuts_echo("x^[[Ay", "\33[A\4", "xy");
	cuts_echo("so ab it is\r\n", "ab", "so  it is\r\n");
	cuts_echo("a\r\nb", "a\rb", "");
}

static void output_is_compared_by_lines(void **state)
{
	uint64_t line = 0;

	(void)state;
	assert_int_equal(differ("", "", &line), FR_SAME);
	assert_int_equal(differ("a\nb\n", "a\nb\n", &line), FR_SAME);
	assert_int_equal(differ("a\nb\nc\n", "a\nc\nb\n", &line), FR_OTHER_ORDER);
	assert_int_equal(line, 2);
	assert_int_equal(differ("a\nb\n", "a\nb", &line), FR_DIFFERENT);
	assert_int_equal(differ("a\nb\n", "a\n", &line), FR_DIFFERENT);
	assert_int_equal(line, 2);
	assert_int_equal(differ("a\na\nb\n", "a\nb\nb\n", &line), FR_DIFFERENT);
	assert_int_equal(differ("", "x", &line), FR_DIFFERENT);
	assert_int_equal(line, 1);
	/* Addresses, and what only looks like one. */
	assert_int_equal(differ("a 0x7ffff7d80b10\nb\n", "b\na 0x7fffe8000b10\n", &line),
			 FR_OTHER_ADDRESSES);
	assert_int_equal(differ("0x5555555a42a0", "0x7fffe8000b10", &line), FR_OTHER_ADDRESSES);
	assert_int_equal(differ("0x5555555a42a0", "(nil)", &line), FR_DIFFERENT);
	assert_int_equal(differ("0x1234567890ab", "0x7fffe8000b10", &line), FR_DIFFERENT);
	assert_int_equal(differ("0x7fffe8000b1", "0x7fffe8000b2", &line), FR_DIFFERENT);
	assert_int_equal(differ("7fffe8000b10", "7fffe8000b20", &line), FR_OTHER_ADDRESSES);
	assert_int_equal(differ("t 140737235920576\n", "t 140737227527872\n", &line),
			 FR_OTHER_ADDRESSES);
	assert_int_equal(differ("a0x7fffe8000b10", "a0x7fffe8000b20", &line), FR_OTHER_ADDRESSES);
	assert_int_equal(differ("7fffe8000b10", "7fffe8000b2", &line), FR_DIFFERENT);
	assert_int_equal(differ("7fffe8000b10f", "7fffe8000b20f", &line), FR_DIFFERENT);
	assert_int_equal(differ("7ffee8000b10", "7ffee8000b20", &line), FR_DIFFERENT);
	assert_int_equal(differ("712345678901", "712345678902", &line), FR_DIFFERENT);
	assert_int_equal(differ("140738235920576", "140738235920577", &line), FR_DIFFERENT);
	assert_int_equal(differ("0x", "0x7", &line), FR_DIFFERENT);
}

static void check_found(char *got, const char *want)
{
	if (want)
		assert_string_equal(got, want);
	else
		assert_null(got);
	free(got);
}

static void sanitizer_reports_are_found(void **state)
{
	static const char asan[] =
	    "hello\n=====\n==12==ERROR: AddressSanitizer: heap-use-after-free "
	    "on address 0x1\nREAD of size 4\n",
			  ubsan[] = "x\na.c:3:5: runtime error: signed integer overflow\n",
			  assertion[] = "prog: a.c:12: main: Assertion `n > 0' failed.\nAborted\n",
			  none[] = "the address sanitizer said nothing, Assertion `x'\n";

	(void)state;
	check_found(fr_output_sanitizer(asan, strlen(asan), NULL, 0),
		    "AddressSanitizer: heap-use-after-free on address 0x1");
	check_found(fr_output_sanitizer(ubsan, strlen(ubsan), none, strlen(none)),
		    "a.c:3:5: runtime error: signed integer overflow");
	check_found(fr_output_sanitizer(none, strlen(none), asan, strlen(asan)), NULL);
	check_found(fr_output_sanitizer(NULL, 0, NULL, 0), NULL);
	check_found(fr_output_assertion(assertion, strlen(assertion)),
		    "a.c:12: main: Assertion `n > 0' failed");
	check_found(fr_output_assertion(none, strlen(none)), NULL);
	check_found(fr_output_assertion(NULL, 0), NULL);
}

static void check_new(const char *then, const char *now, const char *want)
{
	check_found(fr_output_sanitizer(now, strlen(now), then, strlen(then)), want);
}

/* What the recorded run was told already is no news, whatever its numbers are. */
static void only_new_reports_count(void **state)
{
	const char *first =
	    "==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x60 at pc 0x1\n"
	    "READ of size 4 at 0x60 thread T1\n"
	    "SUMMARY: AddressSanitizer: heap-use-after-free a.c:5:3 in f\n";

	(void)state;
	check_new(first, first, NULL);
	check_new(first,
		  "==9==ERROR: AddressSanitizer: heap-use-after-free on address 0x7f at pc 0x2\n"
		  "SUMMARY: AddressSanitizer: heap-use-after-free a.c:5:3 in f\n",
		  NULL);
	/* The same kind of error, elsewhere. */
	check_new(first,
		  "==9==ERROR: AddressSanitizer: heap-use-after-free on address 0x7f at pc 0x2\n"
		  "SUMMARY: AddressSanitizer: heap-use-after-free a.c:15:3 in f\n",
		  "AddressSanitizer: heap-use-after-free on address 0x7f at pc 0x2");
	check_new(first,
		  "==9==ERROR: AddressSanitizer: attempting double-free on 0x60 in thread T2:\n",
		  "AddressSanitizer: attempting double-free on 0x60 in thread T2:");
	check_new("a.c:3:5: runtime error: index 12 out of bounds for type 'int[4]'\n",
		  "a.c:3:5: runtime error: index 9 out of bounds for type 'int[4]'\n"
		  "a.c:4:5: runtime error: index 9 out of bounds for type 'int[4]'\n",
		  "a.c:4:5: runtime error: index 9 out of bounds for type 'int[4]'");
	check_new("a.c:3:5: runtime error: load of address 0xa0 with insufficient space\n",
		  "a.c:3:5: runtime error: load of address 0x10 with insufficient space\n", NULL);
	check_new("SUMMARY: AddressSanitizer: 32 byte(s) leaked in 1 allocation(s).\n",
		  "SUMMARY: AddressSanitizer: 64 byte(s) leaked in 2 allocation(s).\n", NULL);
}

/* ---- typing ---- */

static size_t line_of(const char *s)
{
	return fr_typing_next(s, strlen(s), true);
}

static size_t key_of(const char *s)
{
	return fr_typing_next(s, strlen(s), false);
}

static void input_is_split_into_lines(void **state)
{
	(void)state;
	assert_int_equal(line_of(""), 0);
	assert_int_equal(line_of("ab\ncd\n"), 3);
	assert_int_equal(line_of("ab"), 2);
	assert_int_equal(line_of("ab\4cd\n"), 3);
	assert_int_equal(line_of("\4\4"), 1);
	assert_int_equal(key_of(""), 0);
	assert_int_equal(key_of("ab"), 1);
	assert_int_equal(key_of("\303\244b"), 2);
	assert_int_equal(key_of("\33[Ax"), 3);
	assert_int_equal(key_of("\33[1;5Cx"), 6);
	assert_int_equal(key_of("\33OPx"), 3);
	assert_int_equal(key_of("\33xy"), 2);
	assert_int_equal(key_of("\33"), 1);
	assert_int_equal(key_of("\33[1;"), 4);
}

static size_t typed_after(struct fr_typing *t, int slave, int master, unsigned looks,
			  uint64_t where)
{
	while (looks--)
		fr_typing_look(t, slave, master, true, where);
	return t->at;
}

/* No more is typed before what was typed has arrived, or has had the time to. */
static void input_is_typed_when_the_last_arrived(void **state)
{
	struct fr_typing t = {.s = "one\ntwo\nthree\n", .n = 14};
	int slave[2], master[2];
	char c;

	(void)state;
	assert_int_equal(pipe(slave), 0);
	assert_int_equal(pipe(master), 0);
	assert_int_equal(typed_after(&t, slave[0], master[1], 2, 1), 0);
	assert_int_equal(typed_after(&t, slave[0], master[1], 1, 1), 4);
	assert_int_equal(typed_after(&t, slave[0], master[1], 20, 1), 4);
	assert_int_equal(typed_after(&t, slave[0], master[1], 2, 2), 4); /* it has got on */
	assert_int_equal(typed_after(&t, slave[0], master[1], 1, 2), 8);
	assert_int_equal(write(slave[1], "t", 1), 1);
	assert_int_equal(typed_after(&t, slave[0], master[1], 100, 2), 8); /* there, unread */
	assert_int_equal(read(slave[0], &c, 1), 1);
	assert_int_equal(typed_after(&t, slave[0], master[1], 2, 2), 14);
	assert_false(t.over);
	typed_after(&t, slave[0], master[1], 20, 2);
	assert_false(t.over);
	typed_after(&t, slave[0], master[1], 100, 2);
	assert_true(t.over);
	for (int i = 0; i < 2; i++) {
		close(slave[i]);
		close(master[i]);
	}
}

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

	*c = (struct court){.dir = fx_folder(), .s = schedule(meeting)};
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
	/* Somebody outside may end the waits: not of other threads, but of these. */
	k->phase = FR_PHASE_OUTSIDE;
	k->outside = FR_OUTSIDE_INPUT;
	rules(&c, FR_VERDICT_CONFIRMED, FR_HARM_NONE, "a thread waits for input from outside");
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
		rules(&c, why == FR_DIV_OUTSIDE ? FR_VERDICT_UNKNOWN : FR_VERDICT_REFUTED, 0,
		      why == FR_DIV_VALUE ? "thread 0.1 reads 7 at a place that is not known, "
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
		assert_true(k->crash.stack.n <= FR_CONTROL_FILE_FRAMES);
		assert_true(strlen(k->world.name) < FR_CONTROL_FILE_NAME);
		judge_all(&c);
		close_court(&c);
	}
}

/* ---- builds ---- */

static void another_build_is_refused(void **state)
{
	struct fr_module_map m = {.path = "/proc/self/exe", .build_id_len = 4, .build_id = {1, 2}};
	struct fr_run run = {.run_id = {9}};
	struct fr_schedule_file s = {.run_id = {9}};
	struct fr_err err;

	(void)state;
	assert_int_equal(fr_modules_check(&m, 1, &err), -ESTALE);
	assert_non_null(strstr(err.msg, "has changed since"));
	m.path = "/nonexistent/program";
	assert_int_equal(fr_modules_check(&m, 1, &err), -ENOENT);
	m.path = "linux-vdso.so.1";
	assert_int_equal(fr_modules_check(&m, 1, &err), 0);

	fr_vec_push(&run.modules, m);
	fr_vec_push(&s.module, ((struct fr_schedule_module){(char *)"01020000", (char *)"x"}));
	assert_int_equal(fr_modules_of_schedule(&run, &s, "f", &err), 0);
	s.module.v[0].build_id = (char *)"01020001";
	assert_int_equal(fr_modules_of_schedule(&run, &s, "f", &err), -ESTALE);
	s.run_id[0] = 8;
	assert_int_equal(fr_modules_of_schedule(&run, &s, "f", &err), -ESTALE);
	assert_non_null(strstr(err.msg, "another run"));
	fr_vec_free(&run.modules);
	fr_vec_free(&s.module);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(control_files_follow_the_schedule),
	    cmocka_unit_test(control_files_have_order_and_kinds),
	    cmocka_unit_test(bad_schedules_are_refused),
	    cmocka_unit_test(failed_calls_are_recalled),
	    cmocka_unit_test(addresses_are_found_in_objects),
	    cmocka_unit_test(output_is_compared_by_lines),
	    cmocka_unit_test(echoed_input_is_left_out),
	    cmocka_unit_test(sanitizer_reports_are_found),
	    cmocka_unit_test(only_new_reports_count),
	    cmocka_unit_test(input_is_split_into_lines),
	    cmocka_unit_test(input_is_typed_when_the_last_arrived),
	    cmocka_unit_test(each_harm_is_recognised),
	    cmocka_unit_test(a_hang_is_judged_by_its_threads),
	    cmocka_unit_test(an_unmet_target_is_refuted_or_unknown),
	    cmocka_unit_test(a_damaged_control_file_does_no_harm),
	    cmocka_unit_test(varying_fields_are_ignored),
	    cmocka_unit_test(another_build_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
