/*
 * The pool, with programs that are none: threads that write as the contract says, processes that
 * die in the middle of it, and a pool that was scribbled over.
 */
#include "fixture.h"
#include "trace/pool_reader.h"
#include "trace/trace.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct rig {
	char *dir, *pool, *trace;
	struct fr_pool_reader *f;
	struct fr_writer *w;
};

static const uint8_t run_id[16] = "0123456789abcdef";

static struct rig rig_new(uint32_t max_blocks)
{
	struct rig r = {.dir = fx_folder()};

	r.pool = fx_path(r.dir, "pool");
	r.trace = fx_path(r.dir, "trace");
	assert_int_equal(fr_pool_reader_create(r.pool, "a=1", max_blocks, &r.f, NULL), 0);
	assert_int_equal(fr_writer_create(r.trace, run_id, &r.w, NULL), 0);
	assert_true(fx_attach(r.f->p));
	return r;
}

/* run.json as it is when the recorder has died: as it was at the start. */
static void initial_run(const struct rig *r)
{
	char *path = fx_path(r->dir, "run.json");
	struct fr_run run = {.version = fr_xstrdup("0"),
			     .program = fr_xstrdup("p"),
			     .path = fr_xstrdup("/p"),
			     .cwd = fr_xstrdup("/"),
			     .options = fr_xstrdup(""),
			     .started = fr_xstrdup(""),
			     .reason = fr_xstrdup("the recorder was interrupted"),
			     .exit = -1};

	memcpy(run.run_id, run_id, 16);
	assert_int_equal(fr_run_write(path, &run, NULL), 0);
	fr_run_clear(&run);
	free(path);
}

static void rig_free(struct rig *r)
{
	fr_pool_reader_free(r->f);
	fr_writer_free(r->w);
	free(r->pool);
	free(r->trace);
	fx_remove(r->dir);
}

/* Reads back: thread id must have exactly the events 0 ... n-1, and perhaps a PENDING. */
static void expect_events(const struct fr_trace *t, uint32_t id, uint64_t n, bool pending)
{
	const struct fr_trace_thread *th = fr_trace_thread(t, id);
	struct fr_iter it;
	struct fr_rec rec;
	struct fr_err e;
	uint64_t k = 0;
	int r;

	assert_non_null(th);
	fr_iter_open(&it, t, th);
	while ((r = fr_iter_next(&it, &rec, &e)) > 0) {
		struct fr_event want = fx_event(id, k);

		if (k == n && pending) {
			assert_int_equal(fr_event_kind(rec.e), FR_EV_PENDING);
			assert_int_equal(fr_event_addr(rec.e), 0x1234);
			assert_int_equal(fr_event_aux(rec.e), FR_EV_MUTEX_LOCK);
			pending = false;
			continue;
		}
		assert_memory_equal(rec.e, &want, sizeof(want));
		assert_int_equal(rec.hook, k + 1);
		k++;
	}
	if (r < 0)
		fail_msg("%s", e.msg);
	assert_int_equal(k, n);
	assert_false(pending);
	fr_iter_close(&it);
}

struct work {
	struct fr_pool *p;
	uint32_t nth;
	uint64_t events;
	uint32_t id;
};

static void *work(void *arg)
{
	struct work *w = arg;
	struct fx_thread t = fx_thread_new(w->p, 1, w->nth);

	w->id = t.t->id;
	for (uint64_t k = 0; k < w->events; k++) {
		struct fr_event e = fx_event(w->id, k);

		assert_true(fx_put(&t, &e, 1));
	}
	fx_close(&t);
	return NULL;
}

/* More events than the pool can hold at once, by several threads, while it is drained. */
static void drains_while_threads_write(void **state)
{
	enum { THREADS = 5 };
	struct rig r = rig_new(8);
	struct work w[THREADS];
	pthread_t thread[THREADS];
	struct fr_trace *t;
	struct fr_err e;
	int done = 0;

	(void)state;
	initial_run(&r);
	for (int i = 0; i < THREADS; i++) {
		w[i] = (struct work){r.f->p, (uint32_t)i + 1, 40000u + 977u * (unsigned)i, 0};
		assert_int_equal(pthread_create(&thread[i], NULL, work, &w[i]), 0);
	}
	while (done < THREADS) {
		assert_true(fr_pool_reader_drain(r.f, r.w) >= 0);
		if (pthread_tryjoin_np(thread[done], NULL) == 0)
			done++;
		else
			fr_pool_reader_wait(r.f, 5);
	}
	/* 8 and 4 a thread: bounded, whatever the length of the run */
	assert_true(r.f->reserved <= 8 + 4 * THREADS + 16);
	fr_pool_reader_finish(r.f, r.w);
	assert_int_equal(r.f->damaged, 0);
	assert_int_equal(fr_writer_flush(r.w), 0);
	assert_int_equal(
	    fr_writer_end(r.w, fr_pool_threads(r.f->p), fr_pool_thread_count(r.f->p), 0), 0);
	fr_pool_reader_remove(r.f, true);
	assert_int_not_equal(access(r.pool, F_OK), 0);
	if (fr_trace_open(r.dir, &t, &e) < 0)
		fail_msg("%s", e.msg);
	for (int i = 0; i < THREADS; i++)
		expect_events(t, w[i].id, w[i].events, false);
	fr_trace_free(t);
	rig_free(&r);
}

/* The child dies by SIGKILL while it writes; all that it wrote before is kept. */
static void killed_program(struct rig *r, uint64_t *count, unsigned delay_us)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		struct fx_thread a = fx_thread_new(r->f->p, 0, 0), b = fx_thread_new(r->f->p, 1, 1);

		b.t->pending = fr_w0(0x1234, FR_EV_MUTEX_LOCK, 0);
		for (uint64_t k = 0;; k++) {
			struct fr_event e = fx_event(a.t->id, k);

			if (!fx_put(&a, &e, 1))
				_exit(1);
			__atomic_store_n(&count[0], k + 1, __ATOMIC_RELAXED);
			if (k % 3)
				continue;
			e = fx_event(b.t->id, k / 3);
			if (!fx_put(&b, &e, 1))
				_exit(1);
			__atomic_store_n(&count[1], k / 3 + 1, __ATOMIC_RELAXED);
		}
	}
	assert_true(pid > 0);
	usleep(delay_us);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	assert_true(WIFSIGNALED(status));
}

static uint64_t events_of(const struct fr_trace *t, uint32_t id)
{
	const struct fr_trace_thread *th = fr_trace_thread(t, id);

	return th ? th->slots - (id == 2) : 0;
}

/* An event may be complete before or after it is counted. */
static void expect_all(const struct fr_trace *t, const uint64_t *count)
{
	for (uint32_t id = 1; id <= 2; id++) {
		uint64_t n = events_of(t, id);

		if (!fr_trace_thread(t, id))
			continue; /* killed before it was there */
		assert_true(n == count[id - 1] || n == count[id - 1] + 1);
		expect_events(t, id, n, id == 2);
	}
}

static uint64_t *shared_counts(struct rig *r)
{
	/* in the pool's thread area, far behind the threads in use: shared with the child */
	return (uint64_t *)fr_pool_threads(r->f->p)[FR_POOL_MAX_THREADS - 1].rt;
}

static void a_killed_program_leaves_its_events(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 25; i++) {
		struct rig r = rig_new(FR_POOL_MAX_BLOCKS);
		uint64_t *count = shared_counts(&r);
		struct fr_trace *t;
		struct fr_err e;

		initial_run(&r);
		/* no drain: everything has to fit */
		r.f->p->max_blocks = FR_POOL_MAX_BLOCKS;
		killed_program(&r, count, 200 + i * 37);
		if (i % 2) { /* the recorder finishes */
			fr_pool_reader_finish(r.f, r.w);
			assert_int_equal(r.f->damaged, 0);
			assert_int_equal(fr_writer_flush(r.w), 0);
			assert_int_equal(fr_writer_end(r.w, fr_pool_threads(r.f->p),
						       fr_pool_thread_count(r.f->p), 0),
					 0);
		} else { /* the recorder was killed, too: its lock is gone */
			flock(r.f->fd, LOCK_UN);
		}
		if (fr_trace_open(r.dir, &t, &e) < 0)
			fail_msg("%s", e.msg);
		assert_false(t->complete);
		assert_non_null(t->why);
		expect_all(t, count);
		fr_trace_free(t);
		rig_free(&r);
	}
}

/* Some blocks are in the trace, some of those are still in the pool as well, the last is torn. */
static void a_killed_recorder_leaves_a_readable_folder(void **state)
{
	struct rig r = rig_new(64);
	struct fx_thread a;
	struct fr_trace *t;
	struct fr_err e;
	struct stat st;
	uint64_t n = 5 * FR_BLOCK_SLOTS + 100;

	(void)state;
	initial_run(&r);
	a = fx_thread_new(r.f->p, 0, 0);
	for (uint64_t k = 0; k < n; k++) {
		struct fr_event ev = fx_event(1, k);

		assert_true(fx_put(&a, &ev, 1));
		if (k == 2 * FR_BLOCK_SLOTS)
			assert_int_equal(fr_pool_reader_drain(r.f, r.w), 2);
	}
	/* written, not given back */
	for (uint32_t seq = 2; seq < 4; seq++)
		for (uint32_t b = 0; b < r.f->reserved; b++) {
			struct fr_block *bl = fr_pool_block(r.f->p, b);

			if (bl->state == FR_BLOCK_FULL && bl->seq == seq)
				assert_int_equal(
				    fr_writer_add(r.w, 1, seq, bl->first_hook, bl->slot, bl->used),
				    0);
		}
	assert_int_equal(fr_writer_flush(r.w), 0);
	assert_int_equal(stat(r.trace, &st), 0);
	flock(r.f->fd, LOCK_UN);
	/* whole, then torn at several places */
	for (off_t cut = 0; cut < 120; cut += 7) {
		assert_int_equal(truncate(r.trace, st.st_size - cut), 0);
		if (fr_trace_open(r.dir, &t, &e) < 0)
			fail_msg("cut by %d: %s", (int)cut, e.msg);
		assert_false(t->complete);
		assert_true(t->salvaged);
		assert_non_null(strstr(t->why, "interrupted"));
		expect_events(t, 1, n, false);
		fr_trace_free(t);
	}
	/* a block that is neither here nor there */
	assert_int_equal(truncate(r.trace, 100), 0);
	assert_int_not_equal(fr_trace_open(r.dir, &t, &e), 0);
	assert_non_null(strstr(e.msg, "missing"));
	rig_free(&r);
}

static void live_recorder_is_left_alone(void **state)
{
	struct rig r = rig_new(64);
	struct fx_thread a;
	struct fr_trace *t;
	struct fr_err e;

	(void)state;
	initial_run(&r);
	a = fx_thread_new(r.f->p, 0, 0);
	for (uint64_t k = 0; k < FR_BLOCK_SLOTS + 100; k++) {
		struct fr_event ev = fx_event(1, k);

		assert_true(fx_put(&a, &ev, 1));
	}
	assert_int_equal(fr_pool_reader_drain(r.f, r.w), 1);
	if (fr_trace_open(r.dir, &t, &e) < 0)
		fail_msg("%s", e.msg);
	assert_false(t->complete);
	assert_non_null(strstr(t->why, "has not ended"));
	expect_events(t, 1, FR_BLOCK_SLOTS, false);
	fr_trace_free(t);
	rig_free(&r);
}

/* With any content of the pool, the recorder neither hangs nor touches memory of others. */
static void a_damaged_pool_does_no_harm(void **state)
{
	uint64_t seed = 99;

	(void)state;
	for (int i = 0; i < 60; i++) {
		struct rig r = rig_new(16);
		struct fx_thread a = fx_thread_new(r.f->p, 0, 0);
		uint8_t *bytes = (uint8_t *)r.f->p;
		struct fr_pool old;

		for (uint64_t k = 0; k < 3 * FR_BLOCK_SLOTS + 5; k++) {
			struct fr_event e = fx_event(1, k);

			assert_true(fx_put(&a, &e, 1));
		}
		memcpy(&old, r.f->p, sizeof(old));
		for (int k = 0; k < 40; k++) {
			size_t where = i % 3 == 0 ? fx_random(&seed) % 512
				       : i % 3 == 1
					   ? FR_POOL_THREADS_OFF + fx_random(&seed) % 256
					   : FR_POOL_BLOCKS_OFF +
						 fx_random(&seed) % r.f->reserved * FR_BLOCK_SIZE +
						 fx_random(&seed) % 64;
			bytes[where] = (uint8_t)fx_random(&seed);
		}
		r.f->p->want = 0; /* no thread waits, whatever the pool says */
		fr_pool_reader_drain(r.f, r.w);
		fr_pool_reader_finish(r.f, r.w);
		fr_writer_flush(r.w);
		fr_writer_end(r.w, fr_pool_threads(r.f->p), fr_pool_thread_count(r.f->p), 0);
		rig_free(&r);
	}
}

static void a_full_disk_stops_the_recording(void **state)
{
	struct rig r = rig_new(64);
	struct rlimit old, small;
	struct fx_thread a;
	struct stat st;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	a = fx_thread_new(r.f->p, 0, 0);
	for (uint64_t k = 0; k < 3 * FR_BLOCK_SLOTS; k++) {
		struct fr_event e = fx_event(1, k);

		assert_true(fx_put(&a, &e, 1));
		if (k == FR_BLOCK_SLOTS)
			assert_int_equal(fr_pool_reader_drain(r.f, r.w), 1);
	}
	fx_close(&a);
	assert_int_equal(stat(r.trace, &st), 0);
	small = (struct rlimit){(rlim_t)st.st_size + 100, old.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(fr_pool_reader_drain(r.f, r.w), -EFBIG);
	fr_pool_reader_stop(r.f, EFBIG);
	assert_int_equal(r.f->p->state, FR_POOL_STOPPED);
	/* the file ends where it was whole */
	small.rlim_cur = old.rlim_cur;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(st.st_size, fr_writer_stats(r.w).bytes);
	/* with room again, nothing was lost */
	fr_pool_reader_finish(r.f, r.w);
	assert_int_equal(fr_writer_flush(r.w), 0);
	assert_int_equal(fr_writer_stats(r.w).slots, 3 * FR_BLOCK_SLOTS);
	rig_free(&r);
}

static void errors_of_creation_are_returned(void **state)
{
	struct fr_pool_reader *f;
	struct fr_err e = {0};
	char *dir = fx_folder(), *path = fx_path(dir, "pool");
	struct rlimit old, small;

	(void)state;
	assert_int_not_equal(fr_pool_reader_create("/nonexistent/pool", "", 8, &f, &e), 0);
	assert_non_null(strstr(e.msg, "/nonexistent/pool"));
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = (struct rlimit){1 << 20, old.rlim_max};
	setrlimit(RLIMIT_FSIZE, &small);
	assert_int_not_equal(fr_pool_reader_create(path, "", 8, &f, &e), 0);
	setrlimit(RLIMIT_FSIZE, &old);
	assert_non_null(strstr(e.msg, path));
	fx_remove(dir);
	free(path);
}

/* Whatever the folder is called, the program's stack begins at the same place. */
static void long_paths_are_kept(void **state)
{
	char *a = fr_pool_padded("/tmp/pool"), *b = fr_pool_padded("/a/much longer/path/pool");
	char *relative = fr_pool_padded("pool");

	(void)state;
	assert_int_equal(strlen(a), strlen(b));
	assert_string_equal(a + strlen(a) - 10, "//tmp/pool");
	assert_int_equal(strspn(a, "/"), strlen(a) - 8);
	assert_string_equal(relative, "pool");
	free(a);
	free(b);
	free(relative);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(drains_while_threads_write),
	    cmocka_unit_test(a_killed_program_leaves_its_events),
	    cmocka_unit_test(a_killed_recorder_leaves_a_readable_folder),
	    cmocka_unit_test(live_recorder_is_left_alone),
	    cmocka_unit_test(a_damaged_pool_does_no_harm),
	    cmocka_unit_test(a_full_disk_stops_the_recording),
	    cmocka_unit_test(errors_of_creation_are_returned),
	    cmocka_unit_test(long_paths_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
