/* Loading recorded runs: ranges, and granules in a row that are one location. */
#include "runs.h"
#include "model/model.h"

#define X UINT64_C(0x5000)
#define L UINT64_C(0x6000)

static void range(struct run *r, uint32_t t, unsigned kind, uint64_t addr, uint64_t size)
{
	run_put(r, t, kind, addr, 0, 0);
	run_ext(r, t, 1, 0, (uint32_t)size);
}

/* One part for each stretch that nothing divides. */
static void ranges_are_divided_where_accesses_begin_or_end(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	/* Overlapping in the middle. */
	run_fork(&r, 1, 2);
	range(&r, 1, FR_EV_RANGE_WRITE, X, 1 << 20);
	range(&r, 2, FR_EV_RANGE_READ, X + (1 << 19), 1 << 20);
	m = run_load(&r);
	run_check_feasible(m);
	assert_string_equal(run_text(m), "0 write, 1 read");
	assert_int_equal(m->cls[FR_C_LOC].obj[0].addr, X + (1 << 19));
	fr_model_free(m);
	/* Side by side: nothing is shared. */
	run_fork(&r, 1, 2);
	range(&r, 1, FR_EV_RANGE_WRITE, X, 4096);
	range(&r, 2, FR_EV_RANGE_WRITE, X + 4096, 4096);
	run_expect(&r, "");
	/* Side by side in one granule: shared, and no conflict. */
	run_fork(&r, 1, 2);
	range(&r, 1, FR_EV_RANGE_WRITE, X, 4093);
	range(&r, 2, FR_EV_RANGE_WRITE, X + 4093, 4099);
	m = run_load(&r);
	assert_string_equal(run_text(m), "0 write, 1 write");
	assert_int_equal(m->ev[m->n - 2].mask & m->ev[m->n - 1].mask, 0);
	fr_model_free(m);
	/* The last granule in part, and a single access in the midst of it. */
	run_fork(&r, 1, 2);
	range(&r, 1, FR_EV_RANGE_WRITE, X, 8003);
	range(&r, 2, FR_EV_RANGE_WRITE, X, 16000);
	run_write(&r, 2, X + 804, 4, 1);
	m = run_load(&r);
	run_check_feasible(m);
	/* Up to the single access, its granule, the rest, and the three bytes. */
	assert_string_equal(run_text(m), "0 write, +0 write, +0 write, +0 write, "
					 "1 write, +1 write, +1 write, +1 write, 1 write 1");
	fr_model_free(m);
	/* A life divides a range that the accesses do not divide. */
	run_fork(&r, 1, 2);
	range(&r, 1, FR_EV_RANGE_WRITE, X, 4096);
	run_lock(&r, 1, L);
	run_unlock(&r, 1, L);
	run_lock(&r, 2, L);
	run_sync(&r, 2, FR_EV_ALLOC, X + 1024, FR_MEM_MALLOC);
	run_ext(&r, 2, 1024, 0, 0);
	range(&r, 2, FR_EV_RANGE_WRITE, X, 4096);
	m = run_load(&r);
	run_check_feasible(m);
	assert_string_equal(
	    run_text(m), "0 write, +0 write, 0 acquire, 0 release, 1 acquire, 1 write, +1 write");
	assert_int_equal(m->cls[FR_C_LOC].obj[1].addr, X + 2048);
	fr_model_free(m);
	/* The content of a range is unknown: except for zeroes, it may be a value that another
	   thread has yet to write. */
	run_fork(&r, 1, 2);
	range(&r, 1, FR_EV_RANGE_WRITE, X, 16);
	run_read(&r, 1, X, 4, 0);
	run_write(&r, 1, X, 4, 7);
	run_read(&r, 1, X, 4, 1);
	run_read(&r, 2, X, 4, 7);
	run_write(&r, 2, X, 4, 1);
	run_lock(&r, 2, L);
	run_unlock(&r, 2, L);
	run_lock(&r, 1, L);
	run_expect(&r, "0 write, 0 read 0, 0 write 7, 1 read 7, 1 write 1, 1 acquire, 1 release, "
		       "0 read 1, 0 acquire");
}

#define PIECES 24

struct piece {
	uint32_t thread, hook, count, stride, elem;
	uint64_t addr;
};

static bool overlap(const struct piece *a, const struct piece *b)
{
	for (uint32_t i = 0; i < a->count; i++)
		for (uint32_t k = 0; k < b->count; k++)
			if (a->addr + i * a->stride < b->addr + k * b->stride + b->elem &&
			    b->addr + k * b->stride < a->addr + i * a->stride + a->elem)
				return true;
	return false;
}

static uint32_t piece_of(const struct piece *p, const struct fr_model *m, fr_ev e)
{
	uint32_t i = 0;

	while (i < PIECES &&
	       (p[i].thread != m->ev[e].thread + 1u || p[i].hook != (uint32_t)fr_model_hook(m, e)))
		i++;
	assert_true(i < PIECES);
	return i;
}

/* Accesses conflict in the model if and only if they have a byte in common. */
static void ranges_conflict_if_they_share_a_byte(void **state)
{
	uint64_t seed = 5;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct run r = {0};
		struct piece p[PIECES];
		bool seen[PIECES][PIECES] = {0};
		struct fr_model *m;
		unsigned large = 16u << fx_random(&seed) % 10;

		run_fork(&r, 1, 2);
		run_fork(&r, 1, 3);
		for (unsigned i = 0; i < PIECES; i++) {
			struct piece *x = &p[i];

			*x = (struct piece){.thread = 1 + (uint32_t)(fx_random(&seed) % 3),
					    .count = 1,
					    .elem = 1 + (uint32_t)(fx_random(&seed) % large),
					    .addr = X + fx_random(&seed) % (4 * large)};
			if (fx_random(&seed) % 3 == 0) {
				x->elem = 1u << fx_random(&seed) % 4;
				run_write(&r, x->thread, x->addr, x->elem, i);
			} else {
				if (fx_random(&seed) % 2) {
					x->count = 1 + (uint32_t)(fx_random(&seed) % 5);
					x->stride = x->elem + (uint32_t)(fx_random(&seed) % 20);
				}
				run_put(&r, x->thread, FR_EV_RANGE_WRITE, x->addr, 0, 0);
				run_ext(&r, x->thread, x->count, x->stride, x->elem);
			}
			x->hook = r.thread[x->thread].hook;
		}
		m = run_load(&r);
		for (fr_ev e = 0; e < m->n; e++)
			for (fr_ev f = 0; f < e; f++)
				if (fr_is_access(&m->ev[e]) && fr_is_access(&m->ev[f]) &&
				    m->ev[e].obj == m->ev[f].obj && m->ev[e].mask & m->ev[f].mask)
					seen[piece_of(p, m, e)][piece_of(p, m, f)] =
					    seen[piece_of(p, m, f)][piece_of(p, m, e)] = true;
		for (unsigned i = 0; i < PIECES; i++)
			for (unsigned k = 0; k < i; k++)
				if (p[i].thread != p[k].thread)
					assert_int_equal(seen[i][k], overlap(&p[i], &p[k]));
		fr_model_free(m);
	}
}

static void range_read(struct run *r, uint32_t t, uint64_t addr, uint32_t size)
{
	run_put(r, t, FR_EV_RANGE_READ, addr, 0, 0);
	run_ext(r, t, 1, 0, size);
}

static void expect_open(struct run *r, uint64_t want)
{
	struct fr_model *m = run_load(r);

	run_check_feasible(m);
	assert_int_equal(m->count[FR_MC_writers_open], want);
	fr_model_free(m);
}

/* Whether stamps say which write a read without a value saw. */
static void reads_with_several_possible_writers_are_counted(void **state)
{
	enum { AT = 0x5000, LOCK = 0x6000 };
	struct run r = {0};

	(void)state;
	/* One lock: yes. */
	run_fork(&r, 1, 2);
	for (uint32_t k = 0; k < 6; k++) {
		uint32_t t = 1 + k % 2;

		run_lock(&r, t, LOCK);
		range_read(&r, t, AT, 16);
		run_write(&r, t, AT + 4, 4, k);
		run_write(&r, t, AT + 8, 8, k);
		run_unlock(&r, t, LOCK);
	}
	expect_open(&r, 0);
	/* Each its own part of a granule, and read after they have ended: yes. */
	for (uint32_t t = 2; t <= 3; t++)
		run_fork(&r, 1, t);
	for (uint32_t t = 2; t <= 3; t++) {
		run_write(&r, t, AT + 4 * (t - 2), 4, t);
		run_exit(&r, t);
	}
	for (uint32_t t = 2; t <= 3; t++)
		run_join(&r, 1, t);
	range_read(&r, 1, AT, 8);
	expect_open(&r, 0);
	/* The same bytes: they are joined, but which of them was last? */
	for (uint32_t t = 2; t <= 3; t++)
		run_fork(&r, 1, t);
	for (uint32_t t = 2; t <= 3; t++)
		run_write(&r, t, AT, 4, t);
	for (uint32_t t = 2; t <= 3; t++)
		run_exit(&r, t);
	for (uint32_t t = 2; t <= 3; t++)
		run_join(&r, 1, t);
	range_read(&r, 1, AT, 8);
	expect_open(&r, 1);
	/* Written while it may have been read, before or after in the order. */
	for (uint32_t reader = 1; reader <= 2; reader++) {
		run_fork(&r, 1, 2);
		run_write(&r, 3 - reader, AT, 4, 7);
		range_read(&r, reader, AT, 8);
		run_lock(&r, 1, LOCK);
		run_unlock(&r, 1, LOCK);
		run_lock(&r, 2, LOCK);
		run_unlock(&r, 2, LOCK);
		expect_open(&r, 1);
	}
	/* Other bytes of the granule. */
	run_fork(&r, 1, 2);
	run_write(&r, 1, AT, 4, 7);
	range_read(&r, 2, AT + 4, 4);
	run_write(&r, 2, AT + 4, 4, 7);
	run_lock(&r, 1, LOCK);
	run_lock(&r, 2, LOCK + 64);
	expect_open(&r, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ranges_are_divided_where_accesses_begin_or_end),
	    cmocka_unit_test(ranges_conflict_if_they_share_a_byte),
	    cmocka_unit_test(reads_with_several_possible_writers_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
