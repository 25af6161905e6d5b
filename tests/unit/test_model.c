/* The model: builder, accessors, validation. Loading is in test_load.c. */
#include "fixture.h"
#include "model/model.h"
#include "model/model_heap.h"
#include <errno.h>

static fr_ev add(struct fr_builder *b, unsigned t, unsigned op, uint32_t obj, unsigned flags)
{
	struct fr_mev e = {.obj = obj,
			   .flags = flags & 0x3ff,
			   .thread = (uint16_t)t,
			   .op = (uint8_t)op,
			   .mask = op <= FR_OP_WRITE ? 0xff : 0};

	return fr_builder_add(b, &e, 0);
}

static fr_ev access_bytes(struct fr_builder *b, unsigned t, unsigned op, uint32_t obj,
			  unsigned mask)
{
	struct fr_mev e = {
	    .obj = obj, .thread = (uint16_t)t, .op = (uint8_t)op, .mask = (uint8_t)mask};

	return fr_builder_add(b, &e, 0);
}

static void threads_and_objects_have_their_events(void **state)
{
	struct fr_builder *b = fr_builder_new();
	struct fr_model *m;

	(void)state;
	fr_builder_thread(b, "0", 1);
	fr_builder_thread(b, "0.1", 2);
	for (int i = 0; i < 3; i++)
		fr_builder_obj(b, FR_C_LOC, (struct fr_mobj){.addr = 8 * (uint64_t)i});
	fr_builder_obj(b, FR_C_LOCK, (struct fr_mobj){.addr = 0x99});
	add(b, 0, FR_OP_CREATE, 1, 0);	      /* 0 */
	add(b, 1, FR_OP_WRITE, 2, 0);	      /* 1 */
	add(b, 0, FR_OP_ACQUIRE, 0, 0);	      /* 2 */
	add(b, 0, FR_OP_READ, 2, 0);	      /* 3 */
	add(b, 0, FR_OP_WRITE, 0, FR_F_PART); /* 4 */
	add(b, 1, FR_OP_READ, 2, 0);	      /* 5 */
	add(b, 0, FR_OP_MARK, 80, 0);	      /* 6 */
	m = fr_builder_finish(b);
	assert_int_equal(m->n, 7);
	assert_int_equal(m->thread[0].n, 5);
	assert_int_equal(m->thread[1].n, 2);
	assert_int_equal(m->thread[1].create, 0);
	assert_int_equal(m->thread[0].create, FR_NO_EV);
	assert_int_equal(m->thread[0].ev[3], 4);
	assert_int_equal(m->cls[FR_C_LOC].n, 3);
	assert_int_equal(m->cls[FR_C_LOC].first[0], 0);
	assert_int_equal(m->cls[FR_C_LOC].first[1], 1);
	assert_int_equal(m->cls[FR_C_LOC].first[2], 1); /* no thread touches the second */
	assert_int_equal(m->cls[FR_C_LOC].first[3], 4);
	assert_int_equal(m->cls[FR_C_LOC].list[0], 4);
	assert_int_equal(m->cls[FR_C_LOC].list[1], 1);
	assert_int_equal(m->cls[FR_C_LOC].list[2], 3);
	assert_int_equal(m->cls[FR_C_LOC].list[3], 5);
	assert_int_equal(m->cls[FR_C_LOCK].list[0], 2);
	assert_int_equal(fr_model_pos(m, 4), 3);
	assert_int_equal(fr_model_prev(m, 5), 1);
	assert_int_equal(fr_model_prev(m, 1), FR_NO_EV);
	assert_int_equal(fr_model_next(m, 1), 5);
	assert_int_equal(fr_model_next(m, 4), 6);
	assert_int_equal(fr_model_next(m, 6), FR_NO_EV);
	assert_int_equal(fr_head(m, 4), 3);
	assert_int_equal(fr_head(m, 5), 5);
	assert_int_equal(fr_model_validate(m, NULL, NULL), 0);
	fr_model_free(m);
}

static void an_empty_model_is_valid(void **state)
{
	struct fr_model *m = fr_builder_finish(fr_builder_new());

	(void)state;
	assert_int_equal(m->n, 0);
	assert_int_equal(fr_model_validate(m, NULL, NULL), 0);
	fr_model_free(m);
	fr_builder_free(fr_builder_new());
}

static void large_hook_indices_come_back(void **state)
{
	static const uint64_t hook[] = {1, 5, 0xffffffff, 0x100000000, 0x100000007, 0x500000000};
	struct fr_builder *b = fr_builder_new();
	struct fr_model *m;

	(void)state;
	fr_builder_thread(b, "0", 1);
	fr_builder_thread(b, "0.1", 2);
	for (unsigned i = 0; i < fr_array_size(hook); i++)
		for (unsigned t = 0; t < 2; t++) {
			struct fr_mev e = {.op = FR_OP_MARK, .thread = (uint16_t)t};

			fr_builder_add(b, &e, t ? i : hook[i]);
		}
	m = fr_builder_finish(b);
	for (unsigned i = 0; i < fr_array_size(hook); i++) {
		assert_int_equal(fr_model_hook(m, 2 * i), hook[i]);
		assert_int_equal(fr_model_hook(m, 2 * i + 1), i);
	}
	assert_int_equal(fr_model_line(m, 0), 0);
	fr_model_free(m);
}

/* Any indices whatever come back, in blocks that are full and not, one by one and in order. */
static void any_hook_indices_come_back(void **state)
{
	static const uint64_t far[] = {0, 1, 3, 200, 70000, UINT64_C(1) << 33, UINT64_MAX};

	(void)state;
	srand(7);
	for (unsigned round = 0; round < 300; round++) {
		uint32_t n = (uint32_t)rand() % 400;
		uint64_t hook[400], most = far[round % fr_array_size(far)], now = 1;
		struct fr_hooks h = {0};
		struct fr_hooks_cursor c = {.h = &h};

		for (uint32_t i = 0; i < n; i++) {
			uint64_t step = (uint64_t)rand() << 33 ^ (uint64_t)rand();

			now += most == UINT64_MAX ? step << (rand() % 2) : step % (most + 1);
			if (round % 5 == 4 && rand() % 50 == 0)
				now -= (uint64_t)rand() % 1000; /* back */
			fr_hooks_push(&h, hook[i] = now);
		}
		fr_hooks_end(&h);
		assert_int_equal(h.n, n);
		for (uint32_t i = 0; i < n; i++) {
			assert_true(fr_hooks_get(&h, i) == hook[i]);
			assert_true(fr_hooks_next(&c) == hook[i]);
		}
		if (most == 1 && round % 5 != 4) /* a bit each */
			assert_true(h.word.n <= (n + 63) / 64);
		fr_hooks_free(&h);
	}
}

static void finds_the_write_of_each_byte(void **state)
{
	struct fr_builder *b = fr_builder_new();
	struct fr_model *m;
	fr_ev w[8];

	(void)state;
	fr_builder_thread(b, "0", 1);
	fr_builder_thread(b, "1", 2);
	fr_builder_obj(b, FR_C_LOC, (struct fr_mobj){0});
	fr_builder_obj(b, FR_C_LOC, (struct fr_mobj){0});
	access_bytes(b, 0, FR_OP_WRITE, 0, 0x0f); /* 0 */
	access_bytes(b, 1, FR_OP_WRITE, 0, 0x03); /* 1 */
	access_bytes(b, 1, FR_OP_READ, 0, 0xff);  /* 2 */
	access_bytes(b, 0, FR_OP_WRITE, 1, 0xff); /* 3 */
	access_bytes(b, 0, FR_OP_READ, 0, 0x06);  /* 4 */
	access_bytes(b, 0, FR_OP_WRITE, 0, 0xff); /* 5 */
	m = fr_builder_finish(b);
	fr_model_writers(m, 2, w);
	assert_int_equal(w[0], 1);
	assert_int_equal(w[1], 1);
	assert_int_equal(w[2], 0);
	assert_int_equal(w[3], 0);
	for (int i = 4; i < 8; i++)
		assert_int_equal(w[i], FR_NO_EV);
	fr_model_writers(m, 4, w);
	assert_int_equal(w[0], FR_NO_EV); /* not in its mask */
	assert_int_equal(w[1], 1);
	assert_int_equal(w[2], 0);
	fr_model_free(m);
}

/* Each of these is one event too many. */
#define EV(thread, name, ...) {.t = (thread), .op = FR_OP_##name, ##__VA_ARGS__}
static const struct bad {
	const char *what;
	unsigned n, at; /* events, and the wrong one */
	struct {
		int t, op, obj, flags;
	} e[3];
} bad[] = {
    {"acquires a lock that is held", 2, 1, {EV(0, ACQUIRE), EV(1, ACQUIRE)}},
    {"acquires a lock that is held", 2, 1, {EV(0, ACQUIRE_SHARED), EV(1, ACQUIRE)}},
    {"acquires a lock that is held", 2, 1, {EV(0, ACQUIRE), EV(1, ACQUIRE_SHARED)}},
    {"releases a lock that it does not hold", 2, 1, {EV(0, ACQUIRE), EV(1, RELEASE)}},
    {"releases a lock that it does not hold", 2, 1, {EV(0, ACQUIRE_SHARED), EV(1, RELEASE_SHARED)}},
    {"fails to acquire a lock that is free", 1, 0, {EV(0, ACQUIRE_FAILED)}},
    {"fails to acquire a lock that is free",
     2,
     1,
     {EV(0, ACQUIRE_SHARED), EV(1, ACQUIRE_SHARED_FAILED)}},
    {"has an event before it is created", 2, 0, {EV(1, MARK), EV(0, CREATE, .obj = 1)}},
    {"is created twice", 2, 1, {EV(0, CREATE, .obj = 1), EV(0, CREATE, .obj = 1)}},
    {"is joined twice", 2, 1, {EV(0, JOIN, .obj = 1), EV(2, JOIN, .obj = 1)}},
    {"joins itself", 1, 0, {EV(0, JOIN)}},
    {"goes on after it was joined", 2, 1, {EV(0, JOIN, .obj = 1), EV(1, MARK)}},
    {"goes on after its end", 2, 1, {EV(1, EXIT, .obj = 1), EV(1, MARK)}},
    {"starts after its first event", 2, 1, {EV(1, MARK), EV(1, START, .obj = 1)}},
    {"in thread", 1, 0, {EV(1, START)}},
    {"part of a step of another thread", 2, 1, {EV(0, MARK), EV(1, MARK, .flags = FR_F_PART)}},
    {"part of a step of another thread", 1, 0, {EV(0, MARK, .flags = FR_F_PART)}},
    {"waits without giving up a lock", 1, 0, {EV(0, WAIT_BEGIN)}},
    {"returns from a wait that it did not begin", 1, 0, {EV(0, WAIT)}},
    {"semaphore that is zero", 2, 1, {EV(0, SEM_WAIT), EV(0, SEM_WAIT)}},
    {"fails to take a semaphore that is 1", 1, 0, {EV(0, SEM_FAILED)}},
    {"leaves a barrier that 1 of 2 entered", 2, 1, {EV(0, BARRIER_ENTER), EV(0, BARRIER_LEAVE)}},
    {"before the generation before is complete",
     2,
     1,
     {EV(0, BARRIER_ENTER), EV(1, BARRIER_ENTER, .obj = 1)}},
    {"3 threads enter a barrier for 2",
     3,
     2,
     {EV(0, BARRIER_ENTER), EV(1, BARRIER_ENTER), EV(2, BARRIER_ENTER)}},
    {"passes a once that is not done", 2, 1, {EV(0, ONCE_BEGIN), EV(1, ONCE_DONE)}},
    {"out of order", 1, 0, {EV(0, ONCE_END)}},
    {"of an object twice", 3, 2, {EV(0, ALLOC), EV(0, FREE), EV(1, FREE)}},
    {"of an object that does not exist", 1, 0, {EV(0, READ, .obj = 1)}},
    {"of a thread that does not exist", 1, 0, {EV(0, CREATE, .obj = 9)}},
};

static struct fr_model *build(const struct bad *c, unsigned n)
{
	struct fr_builder *b = fr_builder_new();

	for (unsigned i = 0; i < 3; i++)
		fr_builder_thread(b, "t", i + 1);
	fr_builder_obj(b, FR_C_LOC, (struct fr_mobj){0});
	fr_builder_obj(b, FR_C_LOCK, (struct fr_mobj){0});
	fr_builder_obj(b, FR_C_COND, (struct fr_mobj){0});
	fr_builder_obj(b, FR_C_SEM, (struct fr_mobj){.count = 1});
	fr_builder_obj(b, FR_C_BARRIER, (struct fr_mobj){.count = 2});
	fr_builder_obj(b, FR_C_BARRIER, (struct fr_mobj){.count = 2, .aux = 1});
	fr_builder_obj(b, FR_C_ONCE, (struct fr_mobj){0});
	fr_builder_obj(b, FR_C_HEAP, (struct fr_mobj){0});
	for (unsigned i = 0; i < n; i++)
		add(b, (unsigned)c->e[i].t, (unsigned)c->e[i].op, (uint32_t)c->e[i].obj,
		    (unsigned)c->e[i].flags);
	return fr_builder_finish(b);
}

static void invalid_models_are_refused(void **state)
{
	(void)state;
	for (size_t k = 0; k < fr_array_size(bad); k++) {
		unsigned n = bad[k].n;
		struct fr_model *m;
		struct fr_err err = {0};
		fr_ev at = 99;

		m = build(&bad[k], n);
		assert_int_equal(fr_model_validate(m, &at, &err), -EBADMSG);
		if (!strstr(err.msg, bad[k].what))
			fail_msg("%zu: '%s', not '%s'", k, err.msg, bad[k].what);
		assert_int_equal(at, bad[k].at);
		fr_model_free(m);
		m = build(&bad[k], n - 1);
		assert_int_equal(fr_model_validate(m, NULL, NULL), 0);
		fr_model_free(m);
	}
}

/* The index of heap objects gives the same answers as a scan of all objects. */
static void the_heap_index_agrees_with_a_scan(void **state)
{
	uint64_t seed = 17;

	(void)state;
	for (unsigned round = 0; round < 60; round++) {
		struct fr_builder *b = fr_builder_new();
		struct fr_model *m;
		unsigned found = 0;

		fr_builder_thread(b, "0", 1);
		for (uint32_t i = 0; i < round; i++) {
			struct fr_mobj o = {.addr = 0x1000 + 8 * (fx_random(&seed) % 16),
					    .count = i + 1};
			struct fr_mev e = {.op = FR_OP_ALLOC,
					   .obj = i,
					   .value = fx_random(&seed) % (i % 7 ? 24 : 100)};

			if (i % 11 == 10)
				o.count = 0; /* its allocation was not seen */
			fr_builder_obj(b, FR_C_HEAP, o);
			fr_builder_add(b, &e, i);
		}
		m = fr_builder_finish(b);
		for (unsigned k = 0; k < 400; k++) {
			uint64_t addr = 0xff0 + fx_random(&seed) % 0x110;
			fr_ev before = (fr_ev)(fx_random(&seed) % (round + 2));
			uint32_t best = UINT32_MAX;

			for (uint32_t i = 0; i < m->cls[FR_C_HEAP].n; i++) {
				const struct fr_mobj *o = &m->cls[FR_C_HEAP].obj[i];

				if (o->count && o->count - 1 < before && addr >= o->addr &&
				    addr - o->addr < m->ev[o->count - 1].value)
					best = i; /* in the order of allocation */
			}
			found += best != UINT32_MAX;
			assert_int_equal(fr_heap_find(m, addr, before), best);
		}
		assert_true(round < 5 || found);
		fr_model_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(threads_and_objects_have_their_events),
	    cmocka_unit_test(an_empty_model_is_valid),
	    cmocka_unit_test(large_hook_indices_come_back),
	    cmocka_unit_test(any_hook_indices_come_back),
	    cmocka_unit_test(finds_the_write_of_each_byte),
	    cmocka_unit_test(invalid_models_are_refused),
	    cmocka_unit_test(the_heap_index_agrees_with_a_scan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
