/* JSON: written values read back; text that is not JSON is refused with its place. */
#include "fixture.h"
#include <stdio.h>
#include "base/json.h"

static struct fr_json *parse(const char *text)
{
	struct fr_json *j = NULL;
	struct fr_err e = {0};

	if (fr_json_parse("t.json", text, strlen(text), &j, &e) < 0)
		fail_msg("%s", e.msg);
	return j;
}

static void values_are_parsed(void **state)
{
	struct fr_json *j =
	    parse(" {\"a\": [1, -2, 3.5e-1, true, false, null, \"x\"], \"b\": {} }\n");
	const struct fr_json *a = fr_json_get(j, "a"), *c = a->child;
	uint64_t u;
	int64_t i;

	(void)state;
	assert_int_equal(a->n, 7);
	assert_true(fr_json_u64(c, &u) && u == 1);
	assert_false(fr_json_u64(c->next, &u));
	assert_true(fr_json_i64(c->next, &i) && i == -2);
	assert_false(fr_json_i64(c->next->next, &i));
	assert_true(c->next->next->next->truth);
	assert_int_equal(fr_json_get(j, "b")->type, FR_JSON_OBJECT);
	assert_null(fr_json_get(j, "c"));
	assert_null(fr_json_get(NULL, "c"));
	fr_json_free(j);
}

static void numbers_out_of_range(void **state)
{
	struct fr_json *j = parse("[18446744073709551615, 18446744073709551616]");
	uint64_t u;

	(void)state;
	assert_true(fr_json_u64(j->child, &u) && u == UINT64_MAX);
	assert_false(fr_json_u64(j->child->next, &u));
	fr_json_free(j);
}

static void strings_are_unescaped(void **state)
{
	struct fr_json *j =
	    parse("[\"\\u00e9\\ud83d\\ude00\\n\\\"\\/\", \"\\udcff\", \"a\\u0000b\"]");

	(void)state;
	assert_string_equal(j->child->s, "\xc3\xa9\xf0\x9f\x98\x80\n\"/");
	assert_string_equal(j->child->next->s, "\xff");
	assert_null(fr_json_str(j->child->next->next));
	assert_int_equal(j->child->next->next->n, 3);
	fr_json_free(j);
}

static void invalid_text_is_refused(void **state)
{
	static const struct {
		const char *text, *place;
	} bad[] = {
	    {"", ":1:1"},
	    {"{", ":1:2"},
	    {"[1,]", ":1:4"},
	    {"[1 2]", ":1:4"},
	    {"{\"a\" 1}", ":1:6"},
	    {"{a: 1}", ":1:2"},
	    {"{\"a\": 1,}", ":1:9"},
	    {"[01]", ":1:3"},
	    {"[1.]", ":1:4"},
	    {"[.5]", ":1:2"},
	    {"[+1]", ":1:2"},
	    {"[1e]", ":1:4"},
	    {"nul", ":1:1"},
	    {"[tru]", ":1:2"},
	    {"\"a", ":1:3"},
	    {"\"\\x\"", ":1:3"},
	    {"\"\\u12g4\"", ":1:6"},
	    {"\"\\ud800\"", ":1:2"},
	    {"\"\\udc00\"", ":1:2"},
	    {"\"\n\"", ":1:2"},
	    {"[1]\n]", ":2:1"},
	    {"\"\xff\"", ":1:2"},
	    {"\"\xc0\x80\"", ":1:2"},
	    {"\"\xed\xa0\x80\"", ":1:2"},
	    {"{\"a\":1,\"a\":2}", ":1:8"},
	    {"'a'", ":1:1"},
	    {"\"\xe2\x82", ":1:2"},
	};

	(void)state;
	for (size_t i = 0; i < fr_array_size(bad); i++) {
		struct fr_json *j = NULL;
		struct fr_err e = {0};
		char want[64];

		assert_int_not_equal(
		    fr_json_parse("t.json", bad[i].text, strlen(bad[i].text), &j, &e), 0);
		assert_null(j);
		snprintf(want, sizeof(want), "'t.json'%s:", bad[i].place);
		if (strncmp(e.msg, want, strlen(want)) != 0)
			fail_msg("%s: '%s', not at %s", bad[i].text, e.msg, want);
	}
}

static void depth_is_limited(void **state)
{
	char text[2 * FR_JSON_DEPTH + 8];
	struct fr_json *j = NULL;

	(void)state;
	for (int depth = FR_JSON_DEPTH; depth <= FR_JSON_DEPTH + 1; depth++) {
		memset(text, '[', (size_t)depth);
		memset(text + depth, ']', (size_t)depth);
		if (depth <= FR_JSON_DEPTH) {
			assert_int_equal(fr_json_parse("t", text, (size_t)depth * 2, &j, NULL), 0);
			fr_json_free(j);
		} else {
			assert_int_not_equal(fr_json_parse("t", text, (size_t)depth * 2, &j, NULL),
					     0);
		}
	}
	/* a million brackets neither */
	char *deep = fr_xmalloc(1000000);
	memset(deep, '[', 1000000);
	assert_int_not_equal(fr_json_parse("t", deep, 1000000, &j, NULL), 0);
	free(deep);
}

/* Any bytes but NUL go through. */
static void written_strings_read_back(void **state)
{
	uint64_t seed = 3;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		struct fr_buf b = {0};
		struct fr_jw w = {.out = &b};
		struct fr_json *j = NULL;
		struct fr_err e = {0};
		char s[40];
		size_t n = fx_random(&seed) % (sizeof(s) - 1);

		for (size_t k = 0; k < n; k++)
			s[k] = (char)(fx_random(&seed) % 255 + 1);
		s[n] = 0;
		fr_jw_open(&w, '{');
		fr_jw_key(&w, "k");
		fr_jw_open(&w, '[');
		fr_jw_str(&w, s);
		fr_jw_i64(&w, -5);
		fr_jw_bool(&w, true);
		fr_jw_null(&w);
		fr_jw_close(&w, ']');
		fr_jw_key(&w, s);
		fr_jw_u64(&w, UINT64_MAX);
		fr_jw_close(&w, '}');
		if (fr_json_parse("t", b.s, b.n, &j, &e) < 0 && !strstr(e.msg, "duplicate key"))
			fail_msg("%s: %s", e.msg, b.s);
		if (j) {
			assert_string_equal(fr_json_str(fr_json_get(j, "k")->child), s);
			fr_json_free(j);
		}
		fr_buf_free(&b);
	}
}

/* No text, however mangled, does harm. */
static void mangled_text_does_no_harm(void **state)
{
	static const char text[] =
	    "{\"a\": [1, -2.5e3, \"x\\u00e9\\n\"], \"b\": {\"c\": null, \"d\": true}}";
	uint64_t seed = 5;

	(void)state;
	for (int i = 0; i < 50000; i++) {
		char t[sizeof(text)];
		struct fr_json *j = NULL;
		size_t n = sizeof(text) - 1;

		memcpy(t, text, n);
		for (uint64_t k = fx_random(&seed) % 4; k > 0; k--)
			t[fx_random(&seed) % n] = (char)fx_random(&seed);
		n -= fx_random(&seed) % 8 ? 0 : fx_random(&seed) % n;
		/* exactly as much memory as there is text */
		char *exact = fr_xmalloc(n);
		memcpy(exact, t, n);
		if (fr_json_parse("t", exact, n, &j, NULL) == 0)
			fr_json_free(j);
		free(exact);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(values_are_parsed),
	    cmocka_unit_test(numbers_out_of_range),
	    cmocka_unit_test(strings_are_unescaped),
	    cmocka_unit_test(invalid_text_is_refused),
	    cmocka_unit_test(depth_is_limited),
	    cmocka_unit_test(written_strings_read_back),
	    cmocka_unit_test(mangled_text_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
