/* The columns of a block: any slots whatever come back bit for bit; no bytes whatever do harm. */
#include "fixture.h"
#include "base/crc32c.h"
#include "format/trace_file.h"
#include "trace/codec.h"
#include <pthread.h>
#include <stdio.h>

/* Of the columns of some slots; changes only together with FR_TRACE_VERSION. */
#define GOLDEN 0x9e17a561u
/* The same with inputs among them, which version 3 added; in 4 to 10 blocks are the same. */
#define GOLDEN_INPUT 0x0277e39eu
_Static_assert(FR_TRACE_OLDEST == 2 && FR_TRACE_VERSION == 10, "a new version has a new GOLDEN");

static struct fr_event in[FR_CODEC_MAX_SLOTS], out[FR_CODEC_MAX_SLOTS];

/* Sorts of traces: from a tidy loop to noise. */
static void make(unsigned sort, uint64_t *seed, uint32_t n)
{
	uint32_t hook = (uint32_t)fx_random(seed);

	for (uint32_t i = 0; i < n; i++) {
		uint64_t r = fx_random(seed);
		struct fr_event *e = &in[i];

		hook += (uint32_t)(r % 3);
		switch (sort) {
		case 0: /* a loop over an array */
			*e = (struct fr_event){fr_w0(0x7f0000000000 + i / 3 * 8, 2 + i % 2, 3),
					       i * 5ull, 10 + i % 3, hook};
			break;
		case 1: /* objects, negative strides, values of all lengths, late ones */
			*e = (struct fr_event){fr_w0(0xffffffff0000 - r % 512 * 64 + i % 4 * 8,
						     2 + r % 8, (unsigned)(r >> 8)),
					       r >> (r % 64), (uint32_t)(r % 200),
					       hook - (r % 50 == 0) * 100};
			break;
		case 2: /* all kinds, EXT slots between */
			*e = (struct fr_event){fr_w0(r,
						     i % 3 ? FR_EV_EXT : (unsigned)(r >> 40) % 110,
						     (unsigned)(r >> 50)),
					       i % 2 ? i : r, (uint32_t)(r % 30), hook};
			break;
		case 3: /* more symbols than the table has */
			*e = (struct fr_event){fr_w0(r % 100000, 2, 3), r % 1000,
					       (uint32_t)(r % 5000), hook};
			break;
		default: /* noise */
			*e = (struct fr_event){r, fx_random(seed), (uint32_t)fx_random(seed),
					       (uint32_t)fx_random(seed)};
		}
	}
}

static void round_trip(struct fr_codec *c, uint32_t n)
{
	struct fr_encoded enc = fr_codec_encode(c, in, n);
	uint8_t *copy = fr_xmalloc(enc.length);

	assert_true(enc.length <= FR_CODEC_BOUND(n));
	memcpy(copy, enc.payload, enc.length);
	memset(out, 0xa5, sizeof(out));
	assert_int_equal(fr_codec_decode(c, copy, enc.length, enc.codec, enc.plain, out, n), 0);
	assert_memory_equal(in, out, n * sizeof(*in));
	free(copy);
}

static void slots_come_back(void **state)
{
	struct fr_codec *c = fr_codec_new();
	uint64_t seed = 11;

	(void)state;
	for (unsigned sort = 0; sort < 5; sort++)
		for (uint32_t n = 0; n < 70; n++) {
			make(sort, &seed, n);
			round_trip(c, n);
		}
	for (int i = 0; i < 200; i++) {
		uint32_t n = (uint32_t)(fx_random(&seed) % (FR_CODEC_MAX_SLOTS + 1));

		make(i % 5, &seed, n);
		round_trip(c, n);
	}
	fr_codec_free(c);
}

/* The format prescribes these bytes: other bytes are another version. */
static void the_format_stays(void **state)
{
	struct fr_codec *c = fr_codec_new();
	uint64_t seed = 77;
	struct fr_encoded e;
	uint32_t events;

	(void)state;
	make(1, &seed, 20);
	for (uint32_t i = 0; i < 20; i += 4)
		in[i].w0 = fr_w0(in[i].w0, i % 8 ? FR_EV_MUTEX_LOCK : FR_EV_EXT, 0);
	for (uint32_t i = 2; i < 20; i += 8) {
		in[i].w0 = fr_w0(0, FR_EV_BRANCH, FR_BRANCH_IF);
		in[i + 3].w0 = fr_w0(in[i].w0, FR_EV_CALL, 1);
	}
	e = fr_codec_encode(c, in, 20);
	assert_int_equal(e.codec, 0);
	assert_int_equal(fr_crc32c(0, e.payload, e.length), GOLDEN);
	events = e.events;
	in[7].w0 = fr_w0(0, FR_EV_INPUT, FR_INPUT_TIME);
	in[13].w0 = fr_w0(1, FR_EV_INPUT, FR_INPUT_CLOCK);
	e = fr_codec_encode(c, in, 20);
	assert_int_equal(e.codec, 0);
	assert_int_equal(e.events, events - 2);
	assert_int_equal(fr_crc32c(0, e.payload, e.length), GOLDEN_INPUT);
	round_trip(c, 20);
	fr_codec_free(c);
}

/* Both builds of the loops write and read the same. */
static void both_builds_of_the_loops_agree(void **state)
{
	struct fr_codec *fast = fr_codec_new(), *slow = fr_codec_new();
	uint64_t seed = 31;

	(void)state;
	fr_codec_portable(slow);
	for (int i = 0; i < 50; i++) {
		uint32_t n = 1 + (uint32_t)(fx_random(&seed) % 3000);
		struct fr_encoded a, b;

		make(i % 5, &seed, n);
		a = fr_codec_encode(fast, in, n);
		b = fr_codec_encode(slow, in, n);
		assert_int_equal(a.length, b.length);
		assert_int_equal(a.events, b.events);
		assert_memory_equal(a.payload, b.payload, a.length);
		assert_int_equal(
		    fr_codec_decode(slow, a.payload, a.length, a.codec, a.plain, out, n), 0);
		assert_memory_equal(in, out, n * sizeof(*in));
	}
	fr_codec_free(fast);
	fr_codec_free(slow);
}

/* Extremes in each field. */
static void extreme_values_come_back(void **state)
{
	static const uint64_t v[] = {0,
				     1,
				     0x7f,
				     0x80,
				     0xff,
				     0x7fff,
				     0x8000,
				     UINT32_MAX,
				     (uint64_t)INT64_MAX,
				     (uint64_t)INT64_MIN,
				     UINT64_MAX,
				     FR_ADDR_MASK,
				     FR_ADDR_MASK / 2,
				     FR_ADDR_MASK / 2 + 1};
	struct fr_codec *c = fr_codec_new();
	uint32_t n = 0;

	(void)state;
	for (size_t i = 0; i < fr_array_size(v); i++)
		for (size_t j = 0; j < fr_array_size(v); j++)
			in[n++] = (struct fr_event){v[i], v[j], (uint32_t)v[j], (uint32_t)v[i]};
	round_trip(c, n);
	memset(in, 0, sizeof(in));
	round_trip(c, FR_CODEC_MAX_SLOTS);
	memset(in, 0xff, sizeof(in));
	round_trip(c, FR_CODEC_MAX_SLOTS);
	fr_codec_free(c);
}

static void counts_events(void **state)
{
	struct fr_codec *c = fr_codec_new();
	struct fr_encoded e;

	(void)state;
	in[0] = (struct fr_event){fr_w0(8, FR_EV_READ, 3), 1, 1, 1};
	in[1] = (struct fr_event){fr_w0(8, FR_EV_ATOMIC_RMW, 3), 1, 2, 2};
	in[2] = (struct fr_event){fr_w0(8, FR_EV_EXT, 0), 1, 0, 2};
	in[3] = (struct fr_event){fr_w0(8, FR_EV_STAMP, 0), 1, 0, 2};
	in[4] = (struct fr_event){fr_w0(8, FR_EV_MUTEX_LOCK, 0), 1, 3, 3};
	e = fr_codec_encode(c, in, 5);
	assert_int_equal(e.events, 3);
	assert_false(e.names);
	in[2].w0 = fr_w0(8, FR_EV_TU, 0);
	e = fr_codec_encode(c, in, 5);
	assert_true(e.names);
	fr_codec_free(c);
}

/* The predictors must make a loop cost next to nothing. */
static void loops_are_small(void **state)
{
	struct fr_codec *c = fr_codec_new();
	uint64_t seed = 2;

	(void)state;
	make(0, &seed, 2728);
	assert_true(fr_codec_encode(c, in, 2728).length < 2728 * 2);
	fr_codec_free(c);
}

/* Damaged payloads: an error or other slots, but no harm. Meant for the sanitizer build. */
static void damaged_payloads_do_no_harm(void **state)
{
	struct fr_codec *c = fr_codec_new();
	uint64_t seed = 23;

	(void)state;
	for (int i = 0; i < 4000; i++) {
		uint32_t n = (uint32_t)(fx_random(&seed) % 300), plain;
		struct fr_encoded enc;
		size_t length;
		uint8_t *p, codec;

		make(i % 5, &seed, n);
		enc = fr_codec_encode(c, in, n);
		length = enc.length;
		plain = enc.plain;
		codec = enc.codec;
		p = fr_xmalloc(length);
		memcpy(p, enc.payload, length);
		for (uint64_t k = fx_random(&seed) % 5; k > 0; k--)
			p[fx_random(&seed) % length] = (uint8_t)fx_random(&seed);
		if (fx_random(&seed) % 4 == 0)
			length = fx_random(&seed) % (length + 1);
		if (fx_random(&seed) % 8 == 0)
			n += (uint32_t)(fx_random(&seed) % 8);
		if (fx_random(&seed) % 16 == 0)
			plain = (uint32_t)fx_random(&seed);
		if (fx_random(&seed) % 8 == 0)
			codec = (uint8_t)(fx_random(&seed) % 3);
		if (codec == 0 && fx_random(&seed) % 2)
			plain = (uint32_t)length;
		/* exactly as much memory as there are bytes */
		p = fr_xrealloc(p, length, 1);
		fr_codec_decode(c, p, length, codec, plain, out, n);
		free(p);
	}
	assert_int_not_equal(fr_codec_decode(c, (uint8_t *)"", 0, 0, 0, out, 1), 0);
	assert_int_not_equal(fr_codec_decode(c, (uint8_t *)"", 0, 0, 0, out, UINT32_MAX), 0);
	fr_codec_free(c);
}

/* Decodes a block of its own again and again. Returns NULL if it always comes back. */
static void *decode_often(void *codec)
{
	struct fr_event *mine = fr_xmalloc(sizeof(in)), *back = fr_xmalloc(sizeof(in));
	struct fr_codec *own = fr_codec_new();
	uint64_t seed = (uintptr_t)pthread_self();
	struct fr_encoded enc;
	bool same = true;

	for (uint32_t i = 0; i < FR_CODEC_MAX_SLOTS; i++)
		mine[i] = (struct fr_event){fx_random(&seed), i, (uint32_t)fx_random(&seed), i};
	enc = fr_codec_encode(own, mine, FR_CODEC_MAX_SLOTS);
	for (int i = 0; i < 200 && same; i++)
		same = fr_codec_decode(codec, enc.payload, enc.length, enc.codec, enc.plain, back,
				       FR_CODEC_MAX_SLOTS) == 0 &&
		       !memcmp(mine, back, sizeof(in));
	fr_codec_free(own);
	free(mine);
	free(back);
	return same ? NULL : codec;
}

static void threads_decode_with_one_codec(void **state)
{
	struct fr_codec *c = fr_codec_new();
	pthread_t t[4];
	void *bad;

	(void)state;
	for (size_t i = 0; i < fr_array_size(t); i++)
		assert_int_equal(pthread_create(&t[i], NULL, decode_often, c), 0);
	for (size_t i = 0; i < fr_array_size(t); i++) {
		assert_int_equal(pthread_join(t[i], &bad), 0);
		assert_null(bad);
	}
	fr_codec_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(slots_come_back),
	    cmocka_unit_test(extreme_values_come_back),
	    cmocka_unit_test(the_format_stays),
	    cmocka_unit_test(both_builds_of_the_loops_agree),
	    cmocka_unit_test(counts_events),
	    cmocka_unit_test(loops_are_small),
	    cmocka_unit_test(damaged_payloads_do_no_harm),
	    cmocka_unit_test(threads_decode_with_one_codec),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
