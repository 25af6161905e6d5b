/* run.json: everything in it comes back; any damage to it is noticed. */
#include "fixture.h"
#include <stdio.h>

static void run_json_reads_back(void **state)
{
	char *dir = fx_folder(), *path = fx_path(dir, "run.json");
	struct fr_run r;
	struct fr_err e;

	(void)state;
	fx_run(dir);
	if (fr_run_read(path, &r, &e) < 0)
		fail_msg("%s", e.msg);
	assert_string_equal(r.program, "./prog");
	assert_int_equal(r.args.n, 1);
	assert_string_equal(r.args.v[0], "a\"\\\xff\n");
	assert_string_equal(r.env.v[0], "LANG=C");
	assert_string_equal(r.order, "0+,1");
	assert_true(r.complete);
	assert_null(r.reason);
	assert_int_equal(r.exit, 0);
	assert_int_equal(r.signal, 0);
	assert_int_equal(r.threads, 2);
	assert_int_equal(r.slots, 42);
	assert_int_equal(r.counters[FR_RTC_dropped_repeat], 7);
	assert_int_equal(r.counters[FR_RTC_hooks], 0);
	assert_string_equal(r.unmodelled.v[0].name, "pthread_odd");
	assert_int_equal(r.modules.v[0].hi, 0x9000);
	assert_int_equal(r.modules.v[0].build_id_len, 2);
	assert_int_equal(r.modules.v[0].build_id[0], 0xab);
	assert_int_equal(r.stream[FR_STDERR].kind, FR_STREAM_NULL);
	assert_memory_equal(r.run_id, "0123456789abcdef", 16);
	fr_run_clear(&r);
	free(path);
	fx_remove(dir);
}

static void expect_error(const char *path, const char *what)
{
	struct fr_err e = {0};
	struct fr_run r;

	if (fr_run_read(path, &r, &e) >= 0)
		fail_msg("%s goes unnoticed", what);
	assert_non_null(strstr(e.msg, "run.json"));
}

static void damage_is_noticed(void **state)
{
	char *dir = fx_folder(), *path = fx_path(dir, "run.json"), what[64];
	static const char mask[] = {1, 0x20, (char)0x80, (char)0xff};
	size_t n;
	char *good;

	(void)state;
	fx_run(dir);
	good = fx_read(path, &n);
	for (size_t i = 0; i < n; i++) {
		snprintf(what, sizeof(what), "cut at %zu", i);
		fx_write(path, good, i);
		expect_error(path, what);
		for (size_t k = 0; k < sizeof(mask); k++) {
			good[i] ^= mask[k];
			fx_write(path, good, n);
			good[i] ^= mask[k];
			snprintf(what, sizeof(what), "byte %zu ^ %x", i, mask[k]);
			expect_error(path, what);
		}
	}
	free(good);
	free(path);
	fx_remove(dir);
}

static void a_missing_file_is_an_error(void **state)
{
	char *dir = fx_folder(), *path = fx_path(dir, "run.json");

	(void)state;
	expect_error(path, "nothing");
	fx_write(path, "", 0);
	expect_error(path, "an empty file");
	free(path);
	fx_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(run_json_reads_back),
	    cmocka_unit_test(damage_is_noticed),
	    cmocka_unit_test(a_missing_file_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
