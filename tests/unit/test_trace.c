/*
 * A run folder, reading: every truncation and every flipped byte of every file in it is an error
 * that names the file, or an incomplete prefix; never a crash, never silently less.
 */
#include "fixture.h"
#include "base/crc32c.h"
#include "format/trace_file.h"
#include "trace/merge.h"
#include "trace/stack.h"
#include "trace/trace.h"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* Slots of a thread, in order, checked against those that fx_run wrote. */
static uint64_t check_thread(const struct fr_trace *t, uint32_t id)
{
	const struct fr_trace_thread *th = fr_trace_thread(t, id);
	struct fr_iter it;
	struct fr_rec rec;
	struct fr_err e;
	uint64_t k = 0, events = 0;
	int r;

	if (!th)
		return 0;
	fr_iter_open(&it, t, th);
	while ((r = fr_iter_next(&it, &rec, &e)) > 0) {
		unsigned kind = fr_event_kind(rec.e);

		if (kind == FR_EV_READ || kind == FR_EV_WRITE) {
			uint64_t n = rec.hook - 1;
			struct fr_event want = fx_event(id, n);

			assert_memory_equal(rec.e, &want, sizeof(want));
			assert_true(n >= k);
			k = n;
		}
		events += fr_event_class(kind) != 'x';
	}
	if (r < 0)
		fail_msg("%s", e.msg);
	fr_iter_close(&it);
	return events;
}

static uint64_t check_all(const struct fr_trace *t)
{
	return check_thread(t, 1) + check_thread(t, 2);
}

static void properties_of_event_kinds_fit_together(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < 256; kind++) {
		unsigned is = fr_event_is(kind), access = is & (FR_IS_READ | FR_IS_WRITE);
		char class = fr_event_class(kind);

		assert_int_equal(!!access, class == 'a');
		assert_int_equal(!!(is & FR_IS_EVENT), class && class != 'x');
		assert_int_equal(!!(is & FR_IS_STAMPED), class && class != 'x' && !access);
		if (is & (FR_IS_ATOMIC | FR_IS_RANGE))
			assert_true(access);
		if (is & (FR_IS_ACQUIRE | FR_IS_WAIT))
			assert_true(is & FR_HAS_OUTCOME);
		if (is & FR_IS_RANGE)
			assert_false(fr_reads_value(kind) || fr_access_size(kind, 3));
		else
			assert_int_equal(fr_access_size(kind, 3), access ? 8 : 0);
	}
}

static void a_run_folder_reads_back(void **state)
{
	char *dir = fx_folder();
	uint64_t events = fx_run(dir);
	struct fr_trace *t;
	struct fr_err e;

	(void)state;
	if (fr_trace_open(dir, &t, &e) < 0)
		fail_msg("%s", e.msg);
	assert_true(t->complete);
	assert_null(t->why);
	assert_int_equal(t->thread.n, 2);
	assert_string_equal(t->thread.v[0].path, "0");
	assert_string_equal(t->thread.v[1].path, "0.1");
	assert_int_equal(t->thread.v[0].hooks, 30);
	assert_int_equal(check_all(t), events);
	assert_int_equal(events, 30 + 9);
	fr_trace_free(t);
	fx_remove(dir);
}

static void stacks_are_rebuilt(void **state)
{
	struct fr_event e[3] = {{.w0 = fr_w0(0, FR_EV_FRAMES, 2)},
				{.w0 = fr_w0(11, FR_EV_EXT, 0), .value = 1},
				{.w0 = fr_w0(22, FR_EV_EXT, 0), .value = 2}};
	struct fr_event f[2] = {{.w0 = fr_w0(1, FR_EV_FRAMES, 1), .site = 33},
				{.w0 = fr_w0(44, FR_EV_EXT, 0), .value = 4}};
	struct fr_event wild = {.w0 = fr_w0(FR_ADDR_MASK, FR_EV_FRAMES, 0)};
	struct fr_stack s = {0};

	(void)state;
	fr_stack_feed(&s, &(struct fr_rec){e, 3, 0});
	assert_int_equal(s.frame.n, 2);
	assert_int_equal(s.frame.v[1].call, 22);
	fr_stack_feed(&s, &(struct fr_rec){f, 2, 0});
	assert_int_equal(s.frame.n, 2);
	assert_int_equal(s.frame.v[0].call, 33);
	assert_int_equal(s.frame.v[0].func, 1);
	assert_int_equal(s.frame.v[1].func, 4);
	f[0] = (struct fr_event){.w0 = fr_w0(1, FR_EV_READ, 1), .site = 33};
	fr_stack_feed(&s, &(struct fr_rec){f, 1, 0});
	assert_int_equal(s.frame.n, 2);
	fr_stack_feed(&s, &(struct fr_rec){&wild, 1, 0});
	assert_true(s.frame.n <= 65536);
	fr_stack_free(&s);
}

/* Stamped events in order, nothing lost, each thread's own order kept. */
static void stamped_events_are_merged_in_order(void **state)
{
	char *dir = fx_folder();
	uint64_t events = fx_run(dir), n = 0, last = 0, hook[3] = {0}, stamp;
	const struct fr_trace_thread *th;
	struct fr_merge m;
	struct fr_trace *t;
	struct fr_rec rec;
	bool exact;

	(void)state;
	assert_int_equal(fr_trace_open(dir, &t, NULL), 0);
	assert_int_equal(fr_merge_open(&m, t, NULL), 0);
	while (fr_merge_next(&m, &rec, &th, &stamp, &exact, NULL) > 0) {
		if (exact) {
			assert_true(stamp >= last);
			last = stamp;
		}
		assert_true(rec.hook >= hook[th->id]);
		hook[th->id] = rec.hook;
		n += fr_event_class(fr_event_kind(rec.e)) != 'x';
	}
	assert_int_equal(n, events);
	assert_int_equal(last, 24);
	fr_merge_close(&m);
	fr_trace_free(t);
	fx_remove(dir);
}

/* Makes another version of a trace file. */
static void set_version(const char *dir, uint32_t version)
{
	char *path = fx_path(dir, "trace"), *p;
	struct fr_trace_header h;
	size_t n;

	p = fx_read(path, &n);
	memcpy(&h, p, sizeof(h));
	h.version = version;
	h.check = fr_crc32c(0, &h, offsetof(struct fr_trace_header, check));
	memcpy(p, &h, sizeof(h));
	fx_write(path, p, n);
	free(p);
	free(path);
}

/* Traces of the version before are read; those of another version are refused by their number. */
static void older_versions_are_read_newer_are_refused(void **state)
{
	char *dir = fx_folder();
	uint64_t events = fx_run(dir);
	struct fr_trace *t;
	struct fr_err e;

	(void)state;
	for (uint32_t v = FR_TRACE_OLDEST; v <= FR_TRACE_VERSION; v++) {
		set_version(dir, v);
		if (fr_trace_open(dir, &t, &e) < 0)
			fail_msg("%s", e.msg);
		assert_int_equal(check_all(t), events);
		fr_trace_free(t);
	}
	set_version(dir, FR_TRACE_OLDEST - 1);
	assert_int_equal(fr_trace_open(dir, &t, &e), -EPROTO);
	assert_non_null(strstr(e.msg, "has version 1 of the trace format"));
	set_version(dir, FR_TRACE_VERSION + 1);
	assert_int_equal(fr_trace_open(dir, &t, &e), -EPROTO);
	assert_non_null(strstr(e.msg, "has version 11 of the trace format"));
	fx_remove(dir);
}

static void expect_error(const char *dir, const char *file, const char *what)
{
	struct fr_trace *t = NULL;
	struct fr_err e = {0};

	if (fr_trace_open(dir, &t, &e) >= 0)
		fail_msg("%s of %s goes unnoticed", what, file);
	if (!strstr(e.msg, file))
		fail_msg("%s of %s: '%s' does not name it", what, file, e.msg);
}

static void a_flipped_byte_is_noticed(void **state)
{
	static const char *const files[] = {"trace", "sites", "run.json"};
	static const char mask[] = {1, 0x10, (char)0x80, (char)0xff};
	char *dir = fx_folder(), what[64];

	(void)state;
	fx_run(dir);
	for (size_t f = 0; f < fr_array_size(files); f++) {
		char *path = fx_path(dir, files[f]), *good;
		size_t n;

		good = fx_read(path, &n);
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k < sizeof(mask); k++) {
				good[i] ^= mask[k];
				fx_write(path, good, n);
				good[i] ^= mask[k];
				snprintf(what, sizeof(what), "byte %zu ^ %x", i, mask[k]);
				expect_error(dir, files[f], what);
			}
		fx_write(path, good, n);
		free(good);
		free(path);
	}
	assert_int_equal(access(dir, F_OK), 0);
	fx_remove(dir);
}

/* At the borders of blocks the prefix is usable, and says that it is one. */
static void a_truncated_trace_is_a_usable_prefix(void **state)
{
	char *dir = fx_folder(), *path = fx_path(dir, "trace"), what[64];
	uint64_t events = fx_run(dir), before = 0;
	unsigned prefixes = 0;
	char *good;
	size_t n;

	(void)state;
	good = fx_read(path, &n);
	for (size_t i = 0; i < n; i++) {
		struct fr_trace *t = NULL;
		struct fr_err e = {0};

		fx_write(path, good, i);
		if (fr_trace_open(dir, &t, &e) < 0) {
			snprintf(what, sizeof(what), "cut at %zu", i);
			expect_error(dir, "trace", what);
			assert_non_null(strstr(e.msg, "offset"));
			continue;
		}
		prefixes++;
		assert_false(t->complete);
		assert_non_null(strstr(t->why, "before its end block"));
		assert_non_null(strstr(t->why, "usable"));
		assert_true(check_all(t) >= before);
		assert_true(check_all(t) <= events);
		before = check_all(t);
		assert_int_equal(t->run.events, before);
		fr_trace_free(t);
	}
	/* after the header and after each of four blocks */
	assert_int_equal(prefixes, 5);
	assert_int_equal(before, events);
	free(good);
	free(path);
	fx_remove(dir);
}

static void other_truncated_files_are_refused(void **state)
{
	static const char *const files[] = {"sites", "run.json"};
	char *dir = fx_folder(), what[64];

	(void)state;
	fx_run(dir);
	for (size_t f = 0; f < fr_array_size(files); f++) {
		char *path = fx_path(dir, files[f]), *good;
		size_t n;

		good = fx_read(path, &n);
		for (size_t i = 0; i < n; i++) {
			fx_write(path, good, i);
			snprintf(what, sizeof(what), "cut at %zu", i);
			expect_error(dir, files[f], what);
		}
		unlink(path);
		expect_error(dir, files[f], "absence");
		fx_write(path, good, n);
		free(good);
		free(path);
	}
	fx_remove(dir);
}

/* Bytes after the end, whole blocks gone or twice. */
static void missing_and_repeated_blocks_are_noticed(void **state)
{
	char *dir = fx_folder();
	char *path = fx_path(dir, "trace"), *changed, *good;
	struct fr_trace_block b;
	size_t n, first = sizeof(struct fr_trace_header), len;

	(void)state;
	fx_run(dir);
	good = fx_read(path, &n);
	changed = fr_xmalloc(2 * n);
	memcpy(changed, good, n);
	changed[n] = 'x';
	fx_write(path, changed, n + 1);
	expect_error(dir, "trace", "a byte more");
	memcpy(&b, good + first, sizeof(b));
	len = sizeof(b) + b.length;
	memcpy(changed, good, first);
	memcpy(changed + first, good + first + len, n - first - len);
	fx_write(path, changed, n - len);
	expect_error(dir, "trace", "a block less");
	memcpy(changed, good, first + len);
	memcpy(changed + first + len, good + first, n - first);
	fx_write(path, changed, n + len);
	expect_error(dir, "trace", "a block twice");
	fx_write(path, "", 0);
	expect_error(dir, "trace", "emptiness");
	unlink(path);
	expect_error(dir, "trace", "absence");
	fx_write(path, good, n);
	free(changed);
	free(good);
	free(path);
	fx_remove(dir);
	expect_error("/nonexistent", "/nonexistent", "absence");
}

/* Walks everything; the result does not matter. */
static void walk(const struct fr_trace *t)
{
	const struct fr_trace_thread *th;
	struct fr_stack stack = {0};
	struct fr_merge m;
	struct fr_rec rec;
	uint64_t stamp;
	bool exact;

	if (fr_merge_open(&m, t, NULL) < 0)
		return;
	while (fr_merge_next(&m, &rec, &th, &stamp, &exact, NULL) > 0) {
		fr_stack_feed(&stack, &rec);
		fr_sites_get(t->sites, rec.e->site);
	}
	fr_merge_close(&m);
	fr_stack_free(&stack);
}

#define FIELD(block, name) ((block) + offsetof(struct fr_trace_block, name))

/* Makes the checksums of a block fit. */
static void seal(char *block)
{
	uint32_t magic = FR_TRACE_BLOCK_MAGIC, length, check;

	memcpy(FIELD(block, magic), &magic, 4);
	memcpy(&length, FIELD(block, length), 4);
	check = fr_crc32c(0, block + sizeof(struct fr_trace_block), length);
	memcpy(FIELD(block, payload_check), &check, 4);
	check = fr_crc32c(0, block, offsetof(struct fr_trace_block, check));
	memcpy(FIELD(block, check), &check, 4);
}

/* Wrong in any way under checksums that fit: an error or nonsense, but no harm. */
static void hostile_blocks_do_no_harm(void **state)
{
	char *dir = fx_folder(), *path = fx_path(dir, "trace"), *good, *changed;
	uint64_t seed = 41, opened = 0;
	struct fr_trace_block b;
	size_t n, offset[16];
	unsigned blocks = 0;

	(void)state;
	fx_run(dir);
	good = fx_read(path, &n);
	changed = fr_xmalloc(n);
	for (size_t at = sizeof(struct fr_trace_header); at < n; at += sizeof(b) + b.length) {
		memcpy(&b, good + at, sizeof(b));
		assert_true(blocks < fr_array_size(offset) - 1);
		offset[blocks++] = at;
	}
	offset[blocks] = n;
	for (int i = 0; i < 20000; i++) {
		unsigned which = (unsigned)(fx_random(&seed) % blocks);
		size_t at = offset[which], end = offset[which + 1];
		struct fr_trace *t = NULL;

		memcpy(changed, good, n);
		for (uint64_t k = 1 + fx_random(&seed) % 3; k > 0; k--) {
			size_t where = fx_random(&seed) % (end - at);

			/* the length stays: the reader must still find the rest */
			if (where < offsetof(struct fr_trace_block, length) ||
			    where >= offsetof(struct fr_trace_block, payload_check))
				changed[at + where] = (char)fx_random(&seed);
		}
		seal(changed + at);
		fx_write(path, changed, n);
		if (fr_trace_open(dir, &t, NULL) < 0)
			continue;
		opened++;
		walk(t);
		fr_trace_free(t);
	}
	assert_true(opened > 100);
	free(good);
	free(changed);
	free(path);
	fx_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(properties_of_event_kinds_fit_together),
	    cmocka_unit_test(a_run_folder_reads_back),
	    cmocka_unit_test(stacks_are_rebuilt),
	    cmocka_unit_test(stamped_events_are_merged_in_order),
	    cmocka_unit_test(older_versions_are_read_newer_are_refused),
	    cmocka_unit_test(a_flipped_byte_is_noticed),
	    cmocka_unit_test(a_truncated_trace_is_a_usable_prefix),
	    cmocka_unit_test(other_truncated_files_are_refused),
	    cmocka_unit_test(missing_and_repeated_blocks_are_noticed),
	    cmocka_unit_test(hostile_blocks_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
