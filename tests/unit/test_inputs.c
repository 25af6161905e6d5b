/*
 * The recorded inputs of threads: each answer once, in order, with its bytes; invalid inputs are an
 * error and leave nothing behind.
 */
#include "runs.h"
#include "trace/inputs.h"
#include "trace/trace.h"
#include <errno.h>

/* An input is no hook: it repeats the index. */
static void put(struct run *r, uint32_t t, unsigned what, uint64_t addr, uint64_t value)
{
	r->thread[t].hook--;
	run_put(r, t, FR_EV_INPUT, addr, what, value);
}

/* n bytes first, first + 1, ... as the runtime writes them. */
static void put_bytes(struct run *r, uint32_t t, unsigned what, unsigned n, uint8_t first)
{
	uint64_t word[FR_INPUT_BYTES / 8] = {0};

	for (unsigned i = 0; i < n; i++)
		word[i / 8] |= (uint64_t)(uint8_t)(first + i) << i % 8 * 8;
	put(r, t, what, n, word[0]);
	for (unsigned i = 1; i < (n + 7) / 8; i++)
		run_ext(r, t, 0, word[i], 0);
}

static struct fr_trace *save(struct run *r)
{
	char *dir = fx_folder();
	struct fr_trace *t;
	struct fr_err e;

	run_save(r, dir);
	if (fr_trace_open(dir, &t, &e) < 0)
		fail_msg("%s", e.msg);
	fx_remove(dir);
	return t;
}

/* The next record of a stream: its bytes, if all is as wanted. */
static const uint8_t *expect(const struct fr_buf *b, size_t *at, uint32_t what, uint64_t hook,
			     int64_t result, uint32_t len)
{
	struct fr_control_file_input in;
	const uint8_t *bytes;

	assert_true(*at + sizeof(in) <= b->n);
	memcpy(&in, b->s + *at, sizeof(in));
	assert_int_equal(in.what, what);
	assert_int_equal(in.hook, hook);
	assert_int_equal(in.result, result);
	assert_int_equal(in.len, len);
	*at += sizeof(in);
	bytes = (const uint8_t *)b->s + *at;
	*at += (len + 7) / 8 * 8;
	assert_true(*at <= b->n);
	for (size_t i = len; i % 8; i++)
		assert_int_equal(bytes[i], 0);
	return bytes;
}

static void every_kind_of_input_reads_back(void **state)
{
	struct run r = {0};
	struct fr_buf b = {0};
	struct fr_trace *t;
	const uint8_t *p;
	uint64_t hash;
	size_t at = 0;

	(void)state;
	run_sync(&r, 1, FR_EV_THREAD_START, 0, 0);
	run_ext(&r, 1, 0, 0, 0);
	put(&r, 1, FR_INPUT_TIME, 0, 1700000000123456789);
	run_fork(&r, 1, 2);
	put(&r, 1, FR_INPUT_CLOCK, 1, 5);
	put(&r, 1, FR_INPUT_CPU, 2, 6);
	put(&r, 2, FR_INPUT_TID, 0, 4711);
	put_bytes(&r, 1, FR_INPUT_RANDOM, 4, 10);
	run_write(&r, 1, 0x1000, 8, 3);
	put_bytes(&r, 1, FR_INPUT_RANDOM, 13, 20);
	put(&r, 1, FR_INPUT_RANDOM, 0, (uint64_t)-EAGAIN);
	put(&r, 1, FR_INPUT_PID, 0, 99);
	put(&r, 1, FR_INPUT_READ, fr_read_addr(100, 7), 0xabcdef);
	put(&r, 1, FR_INPUT_READ, fr_read_addr(0, -1), 0);
	put(&r, 1, FR_INPUT_READ, 0, (uint64_t)-EIO);
	put(&r, 1, FR_INPUT_READY, 0, 2);
	put(&r, 1, FR_INPUT_ACCEPT, 0, (uint64_t)-EINTR);
	put(&r, 1, FR_INPUT_WRITE, 0, 12);
	put(&r, 1, FR_INPUT_FILE, 0x1234, 0);
	put(&r, 1, FR_INPUT_FILE, 0, (uint64_t)-ENOENT);
	run_join(&r, 1, 2);
	t = save(&r);
	assert_int_equal(fr_inputs_collect(t, fr_trace_thread(t, 1), &b, NULL), 0);
	expect(&b, &at, FR_INPUT_TIME, 1, 1700000000123456789, 0);
	expect(&b, &at, FR_INPUT_CLOCK, 2, 5, 0);
	expect(&b, &at, FR_INPUT_CPU, 2, 6, 0);
	p = expect(&b, &at, FR_INPUT_RANDOM, 2, 4, 4);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(p[i], 10 + i);
	p = expect(&b, &at, FR_INPUT_RANDOM, 3, 13, 13);
	for (unsigned i = 0; i < 13; i++)
		assert_int_equal(p[i], 20 + i);
	expect(&b, &at, FR_INPUT_RANDOM, 3, -EAGAIN, 0);
	expect(&b, &at, FR_INPUT_PID, 3, 99, 0);
	p = expect(&b, &at, FR_INPUT_READ, 3, 100, 8);
	memcpy(&hash, p, 8);
	assert_int_equal(hash, 0xabcdef);
	assert_int_equal(((const struct fr_control_file_input *)p)[-1].from, 8);
	expect(&b, &at, FR_INPUT_READ, 3, 0, 0);
	expect(&b, &at, FR_INPUT_READ, 3, -EIO, 0);
	expect(&b, &at, FR_INPUT_READY, 3, 2, 0);
	expect(&b, &at, FR_INPUT_ACCEPT, 3, -EINTR, 0);
	expect(&b, &at, FR_INPUT_WRITE, 3, 12, 0);
	p = expect(&b, &at, FR_INPUT_FILE, 3, 0, 8);
	memcpy(&hash, p, 8);
	assert_int_equal(hash, 0x1234);
	expect(&b, &at, FR_INPUT_FILE, 3, -ENOENT, 0);
	assert_int_equal(at, b.n);
	/* The other thread's stand behind. */
	assert_int_equal(fr_inputs_collect(t, fr_trace_thread(t, 2), &b, NULL), 0);
	expect(&b, &at, FR_INPUT_TID, 1, 4711, 0);
	assert_int_equal(at, b.n);
	fr_buf_free(&b);
	fr_trace_free(t);
}

/* More than fits into one event, and over the border of a block (of 1000 slots). */
static void long_answers_read_back(void **state)
{
	struct run r = {0};
	struct fr_buf b = {0};
	struct fr_trace *t;
	const uint8_t *p;
	size_t at = 0;

	(void)state;
	run_sync(&r, 1, FR_EV_THREAD_START, 0, 0);
	run_ext(&r, 1, 0, 0, 0);
	while (r.thread[1].slot.n < 970)
		run_write(&r, 1, 0x1000, 8, 3);
	put_bytes(&r, 1, FR_INPUT_RANDOM, 256, 1);
	put_bytes(&r, 1, FR_INPUT_MORE, 256, 1);
	put_bytes(&r, 1, FR_INPUT_MORE, 3, 1);
	put(&r, 1, FR_INPUT_PID, 0, 99);
	/* A handler asked in between. */
	put_bytes(&r, 1, FR_INPUT_MORE, 2, 7);
	t = save(&r);
	assert_int_equal(fr_inputs_collect(t, fr_trace_thread(t, 1), &b, NULL), 0);
	p = expect(&b, &at, FR_INPUT_RANDOM, 969, 515, 515);
	for (unsigned i = 0; i < 515; i++)
		assert_int_equal(p[i], (uint8_t)(1 + i % 256));
	expect(&b, &at, FR_INPUT_PID, 969, 99, 0);
	p = expect(&b, &at, FR_INPUT_RANDOM, 969, 2, 2);
	assert_int_equal(p[0], 7);
	assert_int_equal(at, b.n);
	fr_buf_free(&b);
	fr_trace_free(t);
}

static void invalid_inputs_are_refused(void **state)
{
	static const struct {
		unsigned what;
		uint64_t addr;
	} bad[] = {{0, 0},
		   {200, 1},
		   {FR_INPUT_RANDOM, 9}, /* the slot has room for 8 */
		   {FR_INPUT_RANDOM, FR_INPUT_BYTES + 1},
		   {FR_INPUT_MORE, FR_ADDR_MASK}};

	(void)state;
	for (size_t i = 0; i < fr_array_size(bad); i++) {
		struct run r = {0};
		struct fr_buf b = {0};
		struct fr_trace *t;
		struct fr_err e;

		run_sync(&r, 1, FR_EV_THREAD_START, 0, 0);
		run_ext(&r, 1, 0, 0, 0);
		put(&r, 1, FR_INPUT_PID, 0, 99);
		put(&r, 1, bad[i].what, bad[i].addr, 1);
		t = save(&r);
		fr_buf_add(&b, "12345678", 8);
		assert_int_equal(fr_inputs_collect(t, fr_trace_thread(t, 1), &b, &e), -EBADMSG);
		assert_non_null(strstr(e.msg, "thread 0 at hook 1"));
		assert_int_equal(b.n, 8);
		fr_buf_free(&b);
		fr_trace_free(t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_kind_of_input_reads_back),
	    cmocka_unit_test(long_answers_read_back),
	    cmocka_unit_test(invalid_inputs_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
