/* Output and reports of sanitizers, compared. */
#include "confirm/judge.h"
#include "fixture.h"
#include <string.h>

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
	/* In its order, once each, and nothing for input that was not echoed. */
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
	/* Addresses, and texts that only look like one. */
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

/* Reports that the recorded run already printed are not new, even with other numbers. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(output_is_compared_by_lines),
	    cmocka_unit_test(echoed_input_is_left_out),
	    cmocka_unit_test(sanitizer_reports_are_found),
	    cmocka_unit_test(only_new_reports_count),
	    cmocka_unit_test(varying_fields_are_ignored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
