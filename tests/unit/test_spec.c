/*
 * The property language: values of expressions, the canonical layout, and texts without meaning,
 * which must give errors but neither crash nor hang. tests/spec checks the messages.
 */
#include "fixture.h"
#include "spec/spec.h"
#include <string.h>

#define HEAD "property P(int a, unsigned b) { event e before call(f) && args(a, b)"

/* The value of an expression over a = -2 and b = 3; a failure is 12345. */
static int64_t value(const char *expression)
{
	FR_CLEANUP(fr_freep)
	char *text = fr_xasprintf(HEAD " && if(%s); pattern: e }", expression);
	FR_CLEANUP(fr_spec_freep) struct fr_spec *s = fr_spec_parse("x", text, strlen(text));
	const uint64_t bound[] = {(uint64_t)-2, 3};
	uint64_t ret;

	if (s->error.n)
		fail_msg("%s: %s", expression, s->error.v[0].text);
	return fr_value_of(s->property.v[0]->event.v[0]->cut->b->value, bound, 3, &ret)
		   ? (int64_t)ret
		   : 12345;
}

static void test_values(void **state)
{
	(void)state;
	assert_int_equal(value("1 + 2 * 3"), 7);
	assert_int_equal(value("(1 + 2) * 3"), 9);
	assert_int_equal(value("a < 0"), 1);
	assert_int_equal(value("a < b"), 0); /* as unsigned numbers */
	assert_int_equal(value("a == -2 && b == 3"), 1);
	assert_int_equal(value("-7 / 2"), -3);
	assert_int_equal(value("-7 % 2"), -1);
	assert_int_equal(value("a / 0"), 12345);
	assert_int_equal(value("1 || a / 0"), 1);
	assert_int_equal(value("0 && a / 0"), 0);
	assert_int_equal(value("b ? 4 : a / 0"), 4);
	assert_int_equal(value("1 << 4 | 3"), 19);
	assert_int_equal(value("-16 >> 2"), -4);
	assert_int_equal(value("~0 == -1"), 1);
	assert_int_equal(value("!b"), 0);
	assert_int_equal(value("0x10 + 010 + 'a'"), 16 + 8 + 'a');
	assert_int_equal(value("a != NULL"), 1);
	assert_int_equal(value("8 - 4 - 2"), 2);
	assert_int_equal(value("1 < 2 == 1"), 1);
	assert_int_equal(value("6 & 3 ^ 1"), 3);
	assert_int_equal(value("(-9223372036854775807 - 1) / -1"), INT64_MIN);
}

static void test_unbound(void **state)
{
	const char text[] = HEAD " && if(a == 1 || b == 2); pattern: e }";
	FR_CLEANUP(fr_spec_freep) struct fr_spec *s = fr_spec_parse("x", text, strlen(text));
	const struct fr_spec_expr *v = s->property.v[0]->event.v[0]->cut->b->value;
	uint64_t ret;

	(void)state;
	assert_true(fr_value_of(v, (uint64_t[]){1, 0}, 1, &ret) && ret);
	assert_false(fr_value_of(v, (uint64_t[]){0, 0}, 1, &ret));
}

/* Prints the tree, parses that, and prints again: no errors, and the same text. */
static void layout_is_stable(const struct fr_spec *s)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf once = {0}, twice = {0};
	struct fr_spec *again;

	fr_spec_print(s, &once);
	again = fr_spec_parse("again", once.s, once.n);
	if (again->error.n)
		fail_msg("%u:%u: %s in\n%s\nof\n%s", again->error.v[0].pos.line,
			 again->error.v[0].pos.column, again->error.v[0].text, once.s, s->text);
	fr_spec_print(again, &twice);
	assert_string_equal(once.s, twice.s);
	fr_spec_free(again);
}

/* ---- random trees ---- */

static uint64_t random_state;

static unsigned pick(unsigned n)
{
	return (unsigned)(fx_random(&random_state) % n);
}

static void random_space(struct fr_buf *b)
{
	static const char *const space[] = {" ",	  "  ",		  "\n", "\n\n\n",
					    " // note\n", " /* note */ ", "\t", " "};

	fr_buf_puts(b, space[pick(pick(8) ? 2 : fr_array_size(space))]);
}

static void random_value(struct fr_buf *b, unsigned depth)
{
	static const char *const op[] = {"+",  "-", "*", "/",  "%",  "&",  "|",	 "^",  "==",
					 "!=", "<", ">", "<=", ">=", "<<", ">>", "&&", "||"};
	static const char *const leaf[] = {"a", "b", "1", "0x7f", "NULL", "'c'", "true"};

	switch (depth ? pick(6) : 0) {
	case 0:
		fr_buf_puts(b, leaf[pick(fr_array_size(leaf))]);
		break;
	case 1:
		fr_buf_puts(b, pick(2) ? "!" : "~");
		random_value(b, depth - 1);
		break;
	case 2:
		fr_buf_puts(b, "(");
		random_value(b, depth - 1);
		fr_buf_puts(b, ")");
		break;
	case 3:
		fr_buf_puts(b, "(");
		random_value(b, depth - 1);
		fr_buf_puts(b, "?");
		random_value(b, depth - 1);
		fr_buf_puts(b, ":");
		random_value(b, depth - 1);
		fr_buf_puts(b, ")");
		break;
	default:
		random_value(b, depth - 1);
		fr_buf_printf(b, " %s ", op[pick(fr_array_size(op))]);
		random_value(b, depth - 1);
	}
}

static void random_pointcut(struct fr_buf *b, unsigned depth)
{
	static const char *const leaf[] = {"call(list_*)",	   "execution(ns::f<int, char>)",
					   "call(operator())",	   "within(x.c)",
					   "args(a, _, ..)",	   "args()",
					   "call( spaced name* )", "!within(g)"};

	switch (depth ? pick(5) : 0) {
	case 0:
		fr_buf_puts(b, leaf[pick(fr_array_size(leaf))]);
		break;
	case 1:
		fr_buf_puts(b, "if(");
		random_value(b, 3);
		fr_buf_puts(b, ")");
		break;
	case 2:
		fr_buf_puts(b, "(");
		random_pointcut(b, depth - 1);
		fr_buf_puts(b, ")");
		break;
	default:
		random_pointcut(b, depth - 1);
		random_space(b);
		fr_buf_puts(b, pick(2) ? "&&" : "||");
		random_space(b);
		random_pointcut(b, depth - 1);
	}
}

static void random_pattern(struct fr_buf *b, unsigned depth)
{
	static const char *const post[] = {"*", "+", "?", ""};
	static const char *const join[] = {" ", " | ", " && ", "  "};

	if (!depth || !pick(4)) {
		fr_buf_puts(b, pick(2) ? "e" : "f");
		if (!pick(4))
			fr_buf_puts(b, pick(2) ? "(t1)" : "( t2 )");
		fr_buf_puts(b, post[pick(4)]);
	} else if (!pick(4)) {
		fr_buf_puts(b, "e(t1)||f(t2)");
	} else if (!pick(3)) {
		fr_buf_puts(b, pick(3) ? " (" : "e !(");
		random_pattern(b, depth - 1);
		fr_buf_puts(b, ")");
		fr_buf_puts(b, post[pick(4)]);
	} else {
		random_pattern(b, depth - 1);
		fr_buf_puts(b, join[pick(4)]);
		random_pattern(b, depth - 1);
	}
}

static void random_ltl(struct fr_buf *b, unsigned depth)
{
	static const char *const pre[] = {"!", "[]", "<>", "X ", "[*]", "<*>", "Y "};
	static const char *const op[] = {"&&", "||", "->", "U", "W", "S"};

	if (!depth) {
		fr_buf_puts(b, pick(4) ? (pick(2) ? "e" : "f") : "true");
	} else if (pick(2)) {
		fr_buf_puts(b, pre[pick(7)]);
		random_ltl(b, depth - 1);
	} else {
		fr_buf_puts(b, "(");
		random_ltl(b, depth - 1);
		fr_buf_printf(b, " %s ", op[pick(6)]);
		random_ltl(b, depth - 1);
		fr_buf_puts(b, ")");
	}
}

static void random_file(struct fr_buf *b)
{
	for (unsigned n = 1 + pick(2); n--;) {
		random_space(b);
		fr_buf_printf(b, "property P%u(const list *const *a,unsigned  b) {", n);
		random_space(b);
		fr_buf_puts(b, "event e before call(f) && args(a,b) && (");
		random_pointcut(b, 4);
		fr_buf_puts(b, ");");
		random_space(b);
		fr_buf_puts(b, "event f(int q) set(x.y) && target(a) && args(q);");
		random_space(b);
		fr_buf_puts(b, pick(2) ? "pattern: f " : "ltl: f -> ");
		if (strstr(b->s + b->n - 6, "->"))
			random_ltl(b, 4);
		else
			random_pattern(b, 4);
		random_space(b);
		fr_buf_puts(b, "}");
		random_space(b);
	}
}

static void test_layout(void **state)
{
	unsigned good = 0;

	(void)state;
	random_state = 1;
	for (unsigned i = 0; i < 4000; i++) {
		FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
		struct fr_spec *s;

		random_file(&b);
		s = fr_spec_parse("random", b.s, b.n);
		if (!s->error.n) {
			layout_is_stable(s);
			good++;
		}
		fr_spec_free(s);
	}
	assert_in_range(good, 200, 4000);
}

/* Damages good files: a parser may complain, but not crash, hang or leak. */
static void test_damage(void **state)
{
	static const char *const bits[] = {
	    "(",  ")",	      "{",    "}",    "||",  "!",  "event", "property", "\"", "/*", "'",
	    "..", "pattern:", "ltl:", "\xff", "[*]", "9e", ";",	    "before",	",",  "<",  ">"};

	(void)state;
	random_state = 2;
	for (unsigned i = 0; i < 6000; i++) {
		FR_CLEANUP(fr_buf_free) struct fr_buf b = {0}, errors = {0};
		struct fr_spec *s;

		random_file(&b);
		for (unsigned n = pick(4); n--;) {
			size_t at = pick((unsigned)b.n);
			const char *bit = bits[pick(fr_array_size(bits))];

			if (pick(2)) {
				memmove(b.s + at, b.s + at + 1, b.n-- - at);
			} else {
				FR_CLEANUP(fr_freep) char *rest = fr_xstrdup(b.s + at);

				b.n = at;
				fr_buf_puts(&b, bit);
				fr_buf_puts(&b, rest);
			}
		}
		s = fr_spec_parse("damaged", b.s, b.n);
		fr_spec_errors(s, &errors);
		if (s->error.n)
			assert_non_null(errors.s);
		else
			layout_is_stable(s);
		fr_spec_free(s);
	}
}

static void test_nesting(void **state)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
	struct fr_spec *s;

	(void)state;
	fr_buf_puts(&b, "property P() { event e mark(\"x\"); pattern: ");
	for (unsigned i = 0; i < 100000; i++)
		fr_buf_puts(&b, "(");
	s = fr_spec_parse("deep", b.s, b.n);
	assert_true(s->error.n && strstr(s->error.v[0].text, "levels of nesting"));
	fr_spec_free(s);
}

static void test_functions(void **state)
{
	static const char text[] =
	    "property P(int a) {\n"
	    "  event e before (call(f*) || call(g)) && args(a);\n"
	    "  event h after !call(f*) && (execution(ns::k<int, char>) || call(g));\n"
	    "  event m mark(\"x\");\n"
	    "  pattern: e h m }\n";
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
	struct fr_spec *s = fr_spec_parse("x", text, strlen(text));

	(void)state;
	assert_int_equal(s->error.n, 0);
	fr_spec_functions(s, &b);
	assert_string_equal(b.s, "f*,g,ns::k<int, char>");
	fr_spec_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_values),  cmocka_unit_test(test_unbound),
	    cmocka_unit_test(test_layout),  cmocka_unit_test(test_damage),
	    cmocka_unit_test(test_nesting), cmocka_unit_test(test_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
