/* Schedules as control files; the recalled parts of a run; schedules of other builds. */
#include "confirm/control_file_build.h"
#include "confirm/modules.h"
#include "fixture.h"
#include "schedules.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- schedules ---- */

static struct fr_recorded recollection(void)
{
	struct fr_recorded r = {0};
	struct fr_recorded_thread t = {.path = fr_xstrdup("0.1")},
				  u = {.path = fr_xstrdup("0.2.1")};

	fr_vec_push(&t.call,
		    ((struct fr_recorded_call){2, FR_EV_MUTEX_LOCK, FR_BUSY, false, false}));
	fr_vec_push(&t.call, ((struct fr_recorded_call){3, FR_EV_MUTEX_LOCK, FR_OK, false, false}));
	fr_vec_push(&t.call,
		    ((struct fr_recorded_call){4, FR_EV_MUTEX_LOCK, FR_TIMEDOUT, false, false}));
	fr_vec_push(&t.call,
		    ((struct fr_recorded_call){6, FR_EV_MUTEX_LOCK, FR_BUSY, false, false}));
	fr_buf_add(&u.input, "12345678abcdefgh", 16);
	fr_vec_push(&r.thread, t);
	fr_vec_push(&r.thread, u);
	fr_vec_push(&r.range, ((struct fr_recorded_range){0x1000, 0x2000}));
	return r;
}

/* The program's view: the file under its path. */
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
	struct fr_schedule_file s = fx_schedule(FR_MEETING_EITHER_ORDER);
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

	/* Main is first; the list contains the parent that no turn names. */
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

	/* They are sorted by thread and hook. Values of reads are compared, values of writes are
	   not. */
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
	struct fr_schedule_file s = fx_schedule(FR_MEETING_CYCLE);
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
	s = fx_schedule(FR_MEETING_NONE);
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

/* ---- the recalled parts of a run ---- */

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
	    cmocka_unit_test(another_build_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
