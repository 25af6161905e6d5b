/* Imported traces: order, lines and names are those of the file. Bad input is in
   tests/import/std.t.
 */
#include "oracle/check.h"
#include "fixture.h"
#include "model/model.h"
#include "import/std.h"
#include <stdio.h>
#include <sys/stat.h>

static struct fr_model *import(const char *text, size_t n, struct fr_std_stats *stats)
{
	char *dir = fx_folder(), *file = fx_path(dir, "in.std"), *out = fx_path(dir, "out");
	struct fr_model *m = NULL;
	struct fr_err err = {0};

	fx_write(file, text, n);
	assert_int_equal(mkdir(out, 0700), 0);
	if (fr_std_import(file, out, "test", stats, &err) < 0 || fr_model_load(out, &m, &err) < 0)
		fail_msg("%s", err.msg);
	free(file);
	free(out);
	fx_remove(dir);
	return m;
}

static void check_feasible(const struct fr_model *m)
{
	const struct fr_candidate none = {0};
	struct fr_schedule all = {.cut = m->n};
	struct fr_checker *c = fr_checker_new(m);
	struct fr_err err = {0};

	if (fr_checker_check(c, &all, &none, &err) < 0)
		fail_msg("%s", err.msg);
	fr_checker_free(c);
}

static void check_name(const struct fr_model *m, enum fr_class c, uint32_t obj, const char *want)
{
	char *name = fr_model_obj_name(m, c, obj);

	assert_string_equal(name, want);
	free(name);
}

static void names_are_kept(void **state)
{
	static const char text[] = "main|fork(Thread-7)|A.java:1\n"
				   "main|acq(Lock@12)|A.java:2\n"
				   "main|w(a.b[3])|A.java:3\n"
				   "main|rel(Lock@12)|A.java:4\n"
				   "\n"
				   "Thread-7|acq(Lock@12)|B.java:9\n"
				   "Thread-7|acq(Lock@12)|B.java:10\n"
				   "Thread-7|rel(Lock@12)|B.java:11\n"
				   "Thread-7|r(a.b[3])|B.java:12\n"
				   "Thread-7|w(own)|B.java:12\n"
				   "Thread-7|rel(Lock@12)|B.java:13\n"
				   "main|join(Thread-7)|A.java:5\n";
	static const unsigned lines[] = {1, 2, 3, 4, 6, 9, 11, 12};
	struct fr_std_stats stats;
	struct fr_model *m = import(text, sizeof(text) - 1, &stats);

	(void)state;
	check_feasible(m);
	assert_int_equal(stats.lines, 12);
	assert_int_equal(stats.events, 11);
	assert_int_equal(stats.inner, 2);
	assert_int_equal(m->n, fr_array_size(lines));
	for (fr_ev e = 0; e < m->n; e++)
		assert_int_equal(fr_model_line(m, e), lines[e]);
	assert_string_equal(m->thread[0].path, "main");
	assert_string_equal(m->thread[1].path, "Thread-7");
	check_name(m, FR_C_THREAD, 1, "Thread-7");
	check_name(m, FR_C_LOCK, 0, "Lock@12");
	check_name(m, FR_C_LOC, 0, "a.b[3]");
	assert_int_equal(m->cls[FR_C_LOC].n, 1); /* `own` is one thread's */
	assert_string_equal(fr_sites_get(m->trace->sites, m->ev[5].site).function, "B.java:12");
	assert_non_null(strstr(fr_sites_get(m->trace->sites, m->ev[5].site).file, "in.std"));
	assert_true(m->ev[5].flags & FR_F_NOVALUE);
	fr_model_free(m);
}

/* The order of the file, whatever it is: many threads, which begin with accesses or regions. */
static void the_order_of_the_file_is_kept(void **state)
{
	struct fr_buf b = {0};
	struct fr_std_stats stats;
	struct fr_model *m;
	uint64_t seed = 3;
	FR_VEC(unsigned) thread = {0};

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		unsigned t = (unsigned)(fx_random(&seed) % 50);

		fr_vec_push(&thread, t);
		if (fx_random(&seed) % 8 == 0)
			fr_buf_printf(&b, "T%u|begin|%u\n", t, i % 1000);
		else
			fr_buf_printf(&b, "T%u|%c(V%u)|%u\n", t, fx_random(&seed) % 2 ? 'r' : 'w',
				      (unsigned)(fx_random(&seed) % 5), i % 1000);
	}
	m = import(b.s, b.n, &stats);
	check_feasible(m);
	assert_int_equal(m->n, 20000);
	for (fr_ev e = 0; e < m->n; e++) {
		char name[16];

		snprintf(name, sizeof(name), "T%u", thread.v[e]);
		assert_int_equal(fr_model_line(m, e), e + 1);
		assert_string_equal(m->thread[m->ev[e].thread].path, name);
	}
	assert_int_equal(stats.threads, 50);
	assert_int_equal(stats.variables, 5);
	assert_int_equal(stats.locations, 1000);
	fr_model_free(m);
	fr_vec_free(&thread);
	fr_buf_free(&b);
}

/* Threads without events are forked and joined all the same. */
static void threads_without_events_are_joined(void **state)
{
	static const char text[] = "A|fork(B)|1\n"
				   "A|w(x)|2\n"
				   "A|fork(C)|3\n"
				   "B|join(C)|4\n"
				   "B|w(x)|5\n"
				   "A|fork(D)|6\n";
	struct fr_std_stats stats;
	struct fr_model *m = import(text, sizeof(text) - 1, &stats);

	(void)state;
	check_feasible(m);
	assert_int_equal(m->n, 6);
	assert_int_equal(m->nthreads, 4);
	assert_int_equal(m->ev[3].op, FR_OP_JOIN);
	assert_int_equal(m->thread[m->ev[3].obj].create, 2);
	assert_int_equal(m->thread[m->ev[3].obj].n, 0);
	assert_int_equal(m->thread[m->ev[5].obj].n, 0);
	fr_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_are_kept),
	    cmocka_unit_test(the_order_of_the_file_is_kept),
	    cmocka_unit_test(threads_without_events_are_joined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
