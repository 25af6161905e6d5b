/* Options from tables. */
#include "fixture.h"
#include "base/opt.h"

static const char *text;
static bool flag, other;
static uint64_t number;
static struct fr_opt_list list;
static const char *const colours[] = {"red", "green", "blue", NULL};
static struct fr_opt_choice colour = {colours, 1};
static double limit;

static const struct fr_opt table[] = {
    {FR_OPT_STRING, 'o', "output", "FILE", "", &text},
    {FR_OPT_FLAG, 'f', "flag", NULL, "", &flag},
    {FR_OPT_FLAG, 'g', "fly", NULL, "", &other},
    {FR_OPT_U64, 'n', "number", "N", "", &number},
    {FR_OPT_LIST, 0, "add", "X", "", &list},
    {FR_OPT_CHOICE, 'c', "colour", "COLOUR", "", &colour},
    {FR_OPT_SECONDS, 't', "time", "S", "", &limit},
    {0},
};

static int words;
static char **word;
static bool help;
static struct fr_err err;

static int parse(bool stop, char **argv)
{
	int n = 0;

	while (argv[n])
		n++;
	text = NULL;
	flag = other = help = false;
	number = 0;
	fr_vec_free(&list);
	return fr_opt_parse(table, n, argv, stop, &words, &word, &help, &err);
}
#define PARSE(stop, ...) parse(stop, (char *[]){(char *)"cmd", __VA_ARGS__ __VA_OPT__(, ) NULL})

static void every_form_of_an_option_is_accepted(void **state)
{
	(void)state;
	assert_int_equal(PARSE(false, "-fo", "x", "a", "--number=12", "b", "--", "-f"), 0);
	assert_true(flag);
	assert_string_equal(text, "x");
	assert_int_equal(number, 12);
	assert_int_equal(words, 3);
	assert_string_equal(word[0], "a");
	assert_string_equal(word[2], "-f");
	assert_null(word[3]);
	assert_int_equal(PARSE(false, "-oy", "--add", "1", "--add=2", "--out=z"), 0);
	assert_string_equal(text, "z");
	assert_int_equal(list.n, 2);
	assert_string_equal(list.v[1], "2");
	assert_int_equal(PARSE(false, "-"), 0);
	assert_int_equal(words, 1);
	fr_vec_free(&list);
}

static void the_rest_belongs_to_the_program(void **state)
{
	(void)state;
	assert_int_equal(PARSE(true, "-f", "prog", "-x", "--nonsense", "--", "y"), 0);
	assert_int_equal(words, 5);
	assert_string_equal(word[1], "-x");
	assert_int_equal(PARSE(true, "--", "-f"), 0);
	assert_false(flag);
	assert_string_equal(word[0], "-f");
}

static void errors_name_the_option(void **state)
{
	(void)state;
	assert_int_not_equal(PARSE(false, "--wrong"), 0);
	assert_non_null(strstr(err.msg, "--wrong"));
	assert_int_not_equal(PARSE(false, "-z"), 0);
	assert_non_null(strstr(err.msg, "-z"));
	assert_int_not_equal(PARSE(false, "-o"), 0);
	assert_non_null(strstr(err.msg, "-o"));
	assert_int_not_equal(PARSE(false, "--fl"), 0);
	assert_non_null(strstr(err.msg, "ambiguous"));
	assert_int_not_equal(PARSE(false, "--flag=1"), 0);
	assert_int_not_equal(PARSE(false, "-n", "x1"), 0);
	assert_non_null(strstr(err.msg, "x1"));
	assert_int_not_equal(PARSE(false, "--="), 0);
}

static void a_choice_is_one_of_its_words(void **state)
{
	(void)state;
	assert_int_equal(PARSE(false, "-f"), 0);
	assert_int_equal(colour.chosen, 1);
	assert_int_equal(PARSE(false, "--colour", "blue"), 0);
	assert_int_equal(colour.chosen, 2);
	assert_int_not_equal(PARSE(false, "-c", "blu"), 0);
	assert_string_equal(err.msg, "--colour: expected red, green or blue");
	assert_int_equal(colour.chosen, 2);
}

static void seconds_are_above_zero(void **state)
{
	static const char *const bad[] = {"0", "-1", "1x", "", "inf", "nan", "1e9", " 1"};

	(void)state;
	assert_int_equal(PARSE(false, "-t", ".5"), 0);
	assert_true(limit > 0.4 && limit < 0.6);
	for (size_t i = 0; i < fr_array_size(bad); i++)
		if (PARSE(false, "--time", (char *)bad[i]) == 0)
			fail_msg("'%s'", bad[i]);
	assert_string_equal(err.msg, "--time: expected a number of seconds above zero");
}

static void help_ends_parsing(void **state)
{
	(void)state;
	assert_int_equal(PARSE(false, "--help", "--wrong"), 0);
	assert_true(help);
	assert_int_equal(PARSE(false, "-fh"), 0);
	assert_true(help);
}

static void numbers_are_parsed(void **state)
{
	static const struct {
		const char *s;
		bool ok;
		uint64_t v;
	} t[] = {
	    {"0", true, 0},
	    {"4k", true, 4096},
	    {"0x1F", true, 31},
	    {"2M", true, 2097152},
	    {"18446744073709551615", true, UINT64_MAX},
	    {"", false, 0},
	    {"-1", false, 0},
	    {" 1", false, 0},
	    {"1x", false, 0},
	    {"18446744073709551616", false, 0},
	    {"99999999999G", false, 0},
	    {"1kk", false, 0},
	};

	(void)state;
	for (size_t i = 0; i < fr_array_size(t); i++) {
		uint64_t v = 0;

		if (fr_opt_u64(t[i].s, &v) != t[i].ok || (t[i].ok && v != t[i].v))
			fail_msg("'%s'", t[i].s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_form_of_an_option_is_accepted),
	    cmocka_unit_test(the_rest_belongs_to_the_program),
	    cmocka_unit_test(errors_name_the_option),
	    cmocka_unit_test(a_choice_is_one_of_its_words),
	    cmocka_unit_test(seconds_are_above_zero),
	    cmocka_unit_test(help_ends_parsing),
	    cmocka_unit_test(numbers_are_parsed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
