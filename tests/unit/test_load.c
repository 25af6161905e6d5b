/* Loading recorded runs: accesses, and the recorded order. */
#include "runs.h"
#include "model/load.h"
#include "model/model.h"
#include <errno.h>

#define X UINT64_C(0x5000)
#define Y UINT64_C(0x5008)
#define L UINT64_C(0x6000)
#define M UINT64_C(0x6040)

static void private_accesses_are_left_out(void **state)
{
	struct run r = {0};

	(void)state;
	run_write(&r, 1, X, 8, 1); /* before the other is there: still shared */
	run_fork(&r, 1, 2);
	run_read(&r, 2, X, 8, 1);
	run_write(&r, 2, Y, 8, 7); /* its own */
	run_read(&r, 2, Y, 8, 7);
	run_read(&r, 1, 0x9000, 8, 3); /* no thread writes it */
	run_read(&r, 2, 0x9000, 8, 3);
	run_expect(&r, "0 write 1, 1 read 1");
}

static void values_decide_the_order(void **state)
{
	struct run r = {0};

	(void)state;
	/* Thread 1's stamp comes first, yet its write of the flag was seen late. */
	run_fork(&r, 1, 2);
	run_write(&r, 1, X, 4, 0);
	run_lock(&r, 1, L);
	run_read(&r, 2, X, 4, 0);
	run_read(&r, 2, X, 4, 0);
	run_read(&r, 2, X, 4, 1);
	run_write(&r, 1, X, 4, 1);
	run_unlock(&r, 1, L);
	run_lock(&r, 2, M);
	run_unlock(&r, 2, M);
	run_expect(&r, "0 write 0, 0 acquire, 1 read 0, 1 read 0, 0 write 1, 0 release, 1 read 1, "
		       "1 acquire, 1 release");
	/* A write that is ahead of a thread whose stamp comes later is taken when it is seen. */
	run_fork(&r, 1, 2);
	run_write(&r, 1, X, 4, 0);
	run_lock(&r, 1, L);
	run_write(&r, 2, X, 4, 5);
	run_read(&r, 1, X, 4, 5);
	run_unlock(&r, 1, L);
	run_lock(&r, 2, M);
	run_expect(&r, "0 write 0, 0 acquire, 1 write 5, 0 read 5, 0 release, 1 acquire");
	/* The value before all writes. */
	run_fork(&r, 1, 2);
	run_read(&r, 2, X, 4, 9);
	run_write(&r, 1, X, 4, 5);
	run_lock(&r, 1, L);
	run_lock(&r, 2, M);
	run_expect(&r, "1 read 9, 0 write 5, 0 acquire, 1 acquire");
}

/*
 * A spinning thread writes no stamps: the write that ends the loop is many stamps of others ahead.
 */
static void a_spinning_thread_is_ordered(void **state)
{
	struct fr_model *m;

	(void)state;
	for (unsigned spins = 1; spins < 5000; spins = spins * 3 + 1) {
		struct run r = {0};

		run_fork(&r, 1, 2);
		run_put(&r, 1, FR_EV_ATOMIC_STORE, X, 2, 0);
		for (unsigned i = 0; i < 50; i++) {
			run_lock(&r, 1, L);
			run_write(&r, 1, Y, 4, i);
			run_unlock(&r, 1, L);
		}
		run_put(&r, 1, FR_EV_ATOMIC_STORE, X, 2, 1);
		for (unsigned i = 0; i < spins; i++)
			run_put(&r, 2, FR_EV_ATOMIC_LOAD, X, 2, 0);
		run_put(&r, 2, FR_EV_ATOMIC_LOAD, X, 2, 1);
		run_read(&r, 2, Y, 4, 49);
		for (unsigned i = 0; i < 600; i++)
			run_put(&r, 2, FR_EV_ATOMIC_LOAD, X, 2, 1);
		run_lock(&r, 1, L);
		run_unlock(&r, 1, L);
		run_lock(&r, 2, L);
		run_write(&r, 2, Y, 4, 77);
		run_unlock(&r, 2, L);
		run_lock(&r, 1, L);
		run_read(&r, 1, Y, 4, 77);
		run_unlock(&r, 1, L);
		m = run_load(&r);
		run_check_feasible(m);
		assert_int_equal(m->count[FR_MC_reads_unexplained], 0);
		assert_int_equal(m->count[FR_MC_locks_unbalanced], 0);
		fr_model_free(m);
	}
}

static void coarse(struct run *r, uint32_t t, uint64_t clock)
{
	fr_vec_push(&r->thread[t].slot, ((struct fr_event){.w0 = fr_w0(r->stamp, FR_EV_STAMP, 0),
							   .value = clock,
							   .hook = r->thread[t].hook}));
}

/* Of coarse stamps with one number, the clock tells which came first. */
static void clocks_order_equal_coarse_stamps(void **state)
{
	(void)state;
	for (uint32_t spins = 1; spins <= 2; spins++) { /* the thread that does */
		struct run r = {0};

		run_fork(&r, 1, 2);
		coarse(&r, 3 - spins, 10);
		run_write(&r, 3 - spins, Y, 4, 12);
		run_put(&r, 3 - spins, FR_EV_ATOMIC_STORE, X, 2, 1);
		run_put(&r, spins, FR_EV_ATOMIC_LOAD, X, 2, 0);
		run_put(&r, spins, FR_EV_ATOMIC_LOAD, X, 2, 1);
		coarse(&r, spins, 20);
		run_read(&r, spins, Y, 4, 12);
		run_lock(&r, spins, L);
		run_lock(&r, 3 - spins, M);
		run_expect(&r, spins == 1 ? "0 read 0, 1 write 12, 1 write 1, 0 read 1, 0 read 12, "
					    "0 acquire, 1 acquire"
					  : "1 read 0, 0 write 12, 0 write 1, 1 read 1, 1 read 12, "
					    "1 acquire, 0 acquire");
	}
}

static void an_unexplained_read_gets_a_write(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	run_write(&r, 1, X, 4, 1);
	run_lock(&r, 1, L);
	run_unlock(&r, 1, L);
	run_lock(&r, 2, L);
	run_read(&r, 2, X, 4, 0x107);
	m = run_load(&r);
	run_check_feasible(m);
	assert_string_equal(
	    run_text(m), "0 write 1, 0 acquire, 0 release, 1 acquire, 1 ~write 263, +1 read 263");
	assert_int_equal(m->count[FR_MC_reads_unexplained], 1);
	assert_int_equal(m->ev[m->n - 2].mask, 0x03); /* the bytes that differ */
	fr_model_free(m);
}

static void wide_accesses_are_one_step(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	for (uint32_t t = 1; t <= 2; t++) {
		run_lock(&r, t, L);
		run_write(&r, t, X + 6, 4, 0x44332211);	      /* across granules */
		run_put(&r, t, FR_EV_WRITE, X + 0x10, 4, 99); /* 16 bytes */
		run_put(&r, t, FR_EV_RANGE_WRITE, X + 0x21, 0, 0);
		run_ext(&r, t, 1, 0, 9);
		run_put(&r, t, FR_EV_RANGE_READ, X + 0x40, 0, 0);
		run_ext(&r, t, 3, 16, 2); /* three elements of two bytes, 16 apart */
		run_put(&r, t, FR_EV_RANGE_WRITE, X + 0x40, 0, 0);
		run_ext(&r, t, 1, 0, 8 * 5);
		run_unlock(&r, t, L);
	}
	m = run_load(&r);
	run_check_feasible(m);
	assert_string_equal(run_text(m),
			    "0 acquire, 0 write 8721, +0 write 17459, 0 write, 0 write, "
			    "+0 write, 0 read, +0 read, +0 read, 0 write, +0 write, +0 write, "
			    "+0 write, +0 write, 0 release, "
			    "1 acquire, 1 write 8721, +1 write 17459, 1 write, 1 write, "
			    "+1 write, 1 read, +1 read, +1 read, 1 write, +1 write, +1 write, "
			    "+1 write, +1 write, 1 release");
	for (fr_ev e = 0; e < m->n; e++)
		if (m->ev[e].op == FR_OP_WRITE &&
		    m->cls[FR_C_LOC].obj[m->ev[e].obj].addr == X + 0x20) {
			assert_int_equal(m->ev[e].mask, 0xfe);
			assert_true(m->ev[e].flags & FR_F_RANGE);
		}
	fr_model_free(m);
}

static void atomics_have_their_parts(void **state)
{
	struct run r = {0};

	(void)state;
	run_fork(&r, 1, 2);
	run_put(&r, 1, FR_EV_ATOMIC_STORE, X, 2 | FR_ATOMIC_OK, 0);
	run_put(&r, 2, FR_EV_ATOMIC_RMW, X, 2 | FR_ATOMIC_OK, 1);
	run_ext(&r, 2, FR_RMW_ADD, 2, 0);
	run_put(&r, 2, FR_EV_ATOMIC_CAS, X, 2, 2);
	run_ext(&r, 2, 0, 77, 0);
	run_put(&r, 1, FR_EV_ATOMIC_RMW, X, 2 | FR_ATOMIC_OK, 0);
	run_ext(&r, 1, FR_RMW_ADD, 1, 0);
	run_put(&r, 1, FR_EV_ATOMIC_CAS, X, 2 | FR_ATOMIC_OK, 2);
	run_ext(&r, 1, 0, 3, 0);
	run_expect(&r, "0 write 0, 0 read 0, +0 write 1, 1 read 1, +1 write 2, 1 read 2, 0 read 2, "
		       "+0 write 3");
}

static void last_accesses_of_the_owner_are_checked(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	run_write(&r, 1, X, 8, 1);
	r.thread[1].hook += 100; /* hooks that were dropped */
	run_lock(&r, 1, L);
	run_unlock(&r, 1, L);
	run_lock(&r, 2, L);
	run_put(&r, 2, FR_EV_LAST_WRITE, X, 2, UINT64_C(0x500000007));
	run_ext(&r, 2, 50, 1, 0);
	run_put(&r, 2, FR_EV_LAST_READ, X, 3, 0);
	run_ext(&r, 2, 51, 1, 0);
	run_put(&r, 2, FR_EV_LAST_READ, X, 3, 0); /* torn: the owner never got there */
	run_ext(&r, 2, 5000, 1, 0);
	run_read(&r, 2, X, 8, UINT64_C(0x500000007));
	m = run_load(&r);
	run_check_feasible(m);
	assert_string_equal(run_text(m), "0 write 1, 0 write 7, +0 ~write 5, 0 read, 0 acquire, "
					 "0 release, 1 acquire, 1 read 21474836487");
	assert_int_equal(m->count[FR_MC_reads_unexplained], 0);
	assert_int_equal(m->count[FR_MC_lates_torn], 1);
	fr_model_free(m);
}

static void events_behind_a_handler_are_sorted(void **state)
{
	struct run r = {0};
	struct run_thread *t = &r.thread[1];
	struct fr_event e;

	(void)state;
	/* Written down after a handler's events, though it happened before. */
	run_fork(&r, 1, 2);
	run_write(&r, 1, X, 8, 1);
	run_write(&r, 1, X, 8, 2);
	run_sync(&r, 1, FR_EV_SIGNAL_BEGIN, 10, 0);
	run_write(&r, 1, X, 8, 3);
	run_sync(&r, 1, FR_EV_SIGNAL_END, 10, 0);
	e = t->slot.v[t->slot.n - 4];
	memmove(&t->slot.v[t->slot.n - 4], &t->slot.v[t->slot.n - 3], 3 * sizeof(e));
	t->slot.v[t->slot.n - 1] = e;
	run_read(&r, 1, X, 8, 3);
	run_lock(&r, 1, L);
	run_unlock(&r, 1, L);
	run_lock(&r, 2, L);
	run_read(&r, 2, X, 8, 3);
	run_expect(&r, "0 write 1, 0 write 2, 0 mark, 0 write 3, 0 mark, 0 read 3, 0 acquire, "
		       "0 release, 1 acquire, 1 read 3");
}

/* The loader refuses a run that a model cannot hold, with a message. */
static void a_run_that_is_too_long_is_refused(void **state)
{
	(void)state;
	for (unsigned max = 1; max < 12; max++) {
		struct run r = {0};
		struct fr_model *m = NULL;
		struct fr_err err = {0};
		char *dir = fx_folder();
		int e;

		run_fork(&r, 1, 2); /* two events, then eight, and one location */
		for (uint32_t t = 1; t <= 2; t++) {
			run_lock(&r, t, L);
			run_write(&r, t, X, 4, t);
			run_read(&r, t, X, 4, t);
			run_unlock(&r, t, L);
		}
		run_save(&r, dir);
		e = fr_load_run(dir, true, max, NULL, &m, &err);
		assert_int_equal(e, max < 11 ? -EFBIG : 0);
		if (e < 0)
			assert_true(strstr(err.msg, "is too long") != NULL);
		fr_model_free(m);
		fx_remove(dir);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(private_accesses_are_left_out),
	    cmocka_unit_test(values_decide_the_order),
	    cmocka_unit_test(a_spinning_thread_is_ordered),
	    cmocka_unit_test(clocks_order_equal_coarse_stamps),
	    cmocka_unit_test(an_unexplained_read_gets_a_write),
	    cmocka_unit_test(wide_accesses_are_one_step),
	    cmocka_unit_test(atomics_have_their_parts),
	    cmocka_unit_test(last_accesses_of_the_owner_are_checked),
	    cmocka_unit_test(events_behind_a_handler_are_sorted),
	    cmocka_unit_test(a_run_that_is_too_long_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
