/* Containers, string buffers, CRC-32C. */
#include "fixture.h"
#include "base/crc32c.h"
#include "base/term.h"
#include "base/opt.h"
#include <sys/wait.h>
#include <unistd.h>

static void vectors_grow_and_keep(void **state)
{
	FR_VEC(uint32_t) v = {0};
	uint64_t sum = 0;

	(void)state;
	for (uint32_t i = 0; i < 10000; i++)
		fr_vec_push(&v, i * 3);
	FR_VEC_FOREACH (x, &v)
		sum += *x;
	assert_int_equal(v.n, 10000);
	assert_int_equal(sum, 3 * (9999 * 10000ull / 2));
	fr_vec_free(&v);
	assert_null(v.v);
}

static void buffers_are_terminated(void **state)
{
	struct fr_buf b = {0};

	(void)state;
	fr_buf_puts(&b, "one");
	fr_buf_printf(&b, " %d", 2);
	for (int i = 0; i < 1000; i++)
		fr_buf_add(&b, "x", 1);
	assert_int_equal(b.n, 1005);
	assert_int_equal(strlen(b.s), 1005);
	assert_memory_equal(b.s, "one 2xxx", 8);
	fr_buf_free(&b);
}

/* Against an array with the expected content of the map. */
static void maps_find_what_was_put(void **state)
{
	static uint64_t value[5000];
	struct fr_map m = {0};
	uint64_t seed = 1;

	(void)state;
	assert_null(fr_map_get(&m, 3));
	for (int i = 0; i < 100000; i++) {
		uint64_t k = fx_random(&seed) % 5000;

		/* keys that differ in their high bits only, too */
		(*fr_map_put(&m, k << 40))++;
		value[k]++;
	}
	for (uint64_t k = 0; k < 5000; k++) {
		uint64_t *v = fr_map_get(&m, k << 40);

		assert_int_equal(v ? *v : 0, value[k]);
		assert_null(fr_map_get(&m, k << 40 | 1));
	}
	fr_map_free(&m);
}

static void crc_is_castagnoli(void **state)
{
	static uint8_t data[4096];
	uint64_t seed = 7;

	(void)state;
	assert_int_equal(fr_crc32c(0, "123456789", 9), 0xe3069283);
	assert_int_equal(fr_crc32c_table(0, "123456789", 9), 0xe3069283);
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)fx_random(&seed);
	for (size_t n = 0; n < 300; n++) {
		const uint8_t *p = data + fx_random(&seed) % 1000;

		assert_int_equal(fr_crc32c(0, p, n), fr_crc32c_table(0, p, n));
		/* in two parts */
		assert_int_equal(fr_crc32c(fr_crc32c(0, p, n / 3), p + n / 3, n - n / 3),
				 fr_crc32c_table(0, p, n));
	}
}

static void numbers_for_people(void **state)
{
	char b[32];

	(void)state;
	assert_string_equal(fr_term_number(0, b), "0");
	assert_string_equal(fr_term_number(999, b), "999");
	assert_string_equal(fr_term_number(1204, b), "1,204");
	assert_string_equal(fr_term_number(UINT64_MAX, b), "18,446,744,073,709,551,615");
}

static void errors_carry_code_and_text(void **state)
{
	struct fr_err e = {0};
	char big[3000];

	(void)state;
	assert_int_equal(fr_err_set(&e, -2, "cannot open '%s'", "x"), -2);
	assert_string_equal(e.msg, "cannot open 'x': No such file or directory");
	assert_int_equal(fr_err_say(&e, -22, "plain"), -22);
	assert_string_equal(e.msg, "plain");
	memset(big, 'y', sizeof(big) - 1);
	big[sizeof(big) - 1] = 0;
	assert_int_equal(fr_err_set(&e, -2, "%s", big), -2);
	assert_true(strlen(e.msg) < sizeof(e.msg));
	assert_int_equal(fr_err_set(NULL, -5, "nobody listens"), -5);
}

/* The address sanitizer would end the process. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static void leave(void *arg)
{
	_exit(*(int *)arg);
}

/* Needs memory itself. */
static void allocate(void *arg)
{
	(void)arg;
	free(fr_xmalloc(SIZE_MAX / 4));
	_exit(7);
}

/* Returns the exit status of a process that has no memory. */
static int status_without_memory(void (*handler)(void *), int *arg)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		fr_mem_on_exhaustion(handler, arg);
		free(fr_xmalloc(SIZE_MAX / 4));
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void without_memory_the_process_ends(void **state)
{
	int n = 8;

	(void)state;
	assert_int_equal(status_without_memory(NULL, NULL), 3);
	assert_int_equal(status_without_memory(allocate, NULL), 3);
	assert_int_equal(status_without_memory(leave, &n), 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(vectors_grow_and_keep),
	    cmocka_unit_test(buffers_are_terminated),
	    cmocka_unit_test(maps_find_what_was_put),
	    cmocka_unit_test(crc_is_castagnoli),
	    cmocka_unit_test(numbers_for_people),
	    cmocka_unit_test(errors_carry_code_and_text),
	    cmocka_unit_test(without_memory_the_process_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
