/* Loading recorded runs: synchronisation, the life of memory, and threads. */
#include "runs.h"
#include "model/model.h"

#define X UINT64_C(0x5000)
#define Y UINT64_C(0x5008)
#define L UINT64_C(0x6000)
#define M UINT64_C(0x6040)
#define C UINT64_C(0x7000)

static void wait_on(struct run *r, uint32_t t, unsigned step, unsigned outcome)
{
	if (step == 0) {
		run_sync(r, t, FR_EV_MUTEX_UNLOCK, L, FR_SYNC(FR_OK, FR_WAIT, 0));
		return;
	}
	run_sync(r, t, FR_EV_COND_WAIT, C, FR_SYNC(outcome, FR_PLAIN, 0));
	run_ext(r, t, L, 0, 0);
	run_sync(r, t, FR_EV_MUTEX_LOCK, L, FR_SYNC(FR_OK, FR_WAIT, 0));
}

static void waits_end_after_their_signals(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	run_fork(&r, 1, 3);
	run_sync(&r, 1, FR_EV_COND_SIGNAL, C, 0); /* no thread waits: lost */
	run_lock(&r, 2, L);
	wait_on(&r, 2, 0, 0);
	run_lock(&r, 3, L);
	wait_on(&r, 3, 0, 0);
	run_sync(&r, 1, FR_EV_COND_SIGNAL, C, 0);
	wait_on(&r, 2, 1, FR_OK);
	run_unlock(&r, 2, L);
	wait_on(&r, 3, 1, FR_OK); /* the one signal is used up */
	wait_on(&r, 3, 0, 0);
	run_lock(&r, 2, L);
	wait_on(&r, 2, 0, 0);
	run_sync(&r, 1, FR_EV_COND_BROADCAST, C, 0);
	wait_on(&r, 2, 1, FR_OK);
	run_unlock(&r, 2, L);
	wait_on(&r, 3, 1, FR_OK);
	wait_on(&r, 3, 0, 0);
	wait_on(&r, 3, 1, FR_TIMEDOUT);
	run_unlock(&r, 3, L);
	run_lock(&r, 2, L);
	wait_on(&r, 2, 0, 0); /* for ever */
	run_put(&r, 2, FR_EV_PENDING, C, FR_EV_COND_WAIT, 0);
	m = run_load(&r);
	run_check_feasible(m);
	assert_string_equal(
	    run_text(m),
	    "0 signal, 1 acquire, 1 release, +1 wait-begin, 2 acquire, 2 release, +2 wait-begin, "
	    "0 signal, 1 wait, 1 acquire, 1 release, 2 !wait, 2 acquire, 2 release, +2 wait-begin, "
	    "1 acquire, 1 release, +1 wait-begin, 0 broadcast, 1 wait, 1 acquire, 1 release, "
	    "2 wait, 2 acquire, 2 release, +2 wait-begin, 2 !wait, 2 acquire, 2 release, "
	    "1 acquire, 1 release, +1 wait-begin");
	assert_int_equal(m->count[FR_MC_wakes_unseen], 1);
	fr_model_free(m);
}

static void locks_follow_their_stamps(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	run_sync(&r, 1, FR_EV_MUTEX_LOCK, L, FR_SYNC(FR_OK, FR_PLAIN, FR_RECURSIVE));
	run_sync(&r, 1, FR_EV_MUTEX_LOCK, L, FR_SYNC(FR_OK, FR_TRY, FR_RECURSIVE));
	run_sync(&r, 2, FR_EV_MUTEX_LOCK, L, FR_SYNC(FR_BUSY, FR_TRY, FR_RECURSIVE));
	run_sync(&r, 2, FR_EV_MUTEX_LOCK, L, FR_SYNC(FR_TIMEDOUT, FR_TIMED, FR_RECURSIVE));
	run_unlock(&r, 1, L);
	run_unlock(&r, 1, L);
	run_sync(&r, 2, FR_EV_MUTEX_LOCK, L, FR_SYNC(FR_BUSY, FR_TRY, FR_RECURSIVE)); /* late */
	run_sync(&r, 2, FR_EV_MUTEX_LOCK, L, FR_SYNC(FR_DEADLK, FR_PLAIN, FR_RECURSIVE));
	run_sync(&r, 2, FR_EV_MUTEX_UNLOCK, L, FR_SYNC(FR_NOTOWNER, FR_PLAIN, 0));
	run_sync(&r, 2, FR_EV_RW_RDLOCK, M, 0);
	run_sync(&r, 1, FR_EV_RW_RDLOCK, M, 0);
	run_sync(&r, 1, FR_EV_RW_RDLOCK, M, 0);
	run_sync(&r, 2, FR_EV_RW_WRLOCK, M, FR_SYNC(FR_BUSY, FR_TRY, 0));
	run_sync(&r, 1, FR_EV_RW_UNLOCK, M, 0);
	run_sync(&r, 1, FR_EV_RW_UNLOCK, M, 0);
	run_sync(&r, 2, FR_EV_RW_UNLOCK, M, 0);
	run_sync(&r, 2, FR_EV_RW_WRLOCK, M, 0);
	run_sync(&r, 1, FR_EV_RW_RDLOCK, M, FR_SYNC(FR_BUSY, FR_TRY, 0));
	run_sync(&r, 2, FR_EV_RW_UNLOCK, M, 0);
	m = run_load(&r);
	run_check_feasible(m);
	assert_string_equal(run_text(m),
			    "0 acquire, 1 acquire-failed, 1 acquire-failed, 0 release, "
			    "1 acquire-shared, 0 acquire-shared, 0 acquire-shared, "
			    "1 acquire-failed, 0 release-shared, 0 release-shared, "
			    "1 release-shared, 1 acquire, 0 acquire-shared-failed, 1 release");
	assert_int_equal(m->count[FR_MC_fails_unplaced], 1);
	assert_int_equal(m->count[FR_MC_locks_unbalanced], 0);
	assert_int_equal(m->cls[FR_C_LOCK].obj[0].aux, FR_LOCK_RECURSIVE);
	assert_int_equal(m->cls[FR_C_LOCK].obj[1].aux, FR_LOCK_RW);
	assert_true(m->ev[2].flags & FR_F_BLOCKING);
	fr_model_free(m);
}

static void odd_uses_of_locks_are_counted(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	run_unlock(&r, 1, L); /* taken before the recording */
	run_lock(&r, 1, L);
	run_unlock(&r, 2, L); /* by another thread */
	run_lock(&r, 2, L);
	run_lock(&r, 1, L); /* its release was not seen */
	run_sync(&r, 1, FR_EV_MUTEX_INIT, L, 0);
	run_lock(&r, 2, L); /* another lock */
	m = run_load(&r);
	run_check_feasible(m);
	assert_string_equal(run_text(m), "0 acquire, 0 ~release, 1 acquire, 1 ~release, 0 acquire, "
					 "1 acquire");
	assert_int_equal(m->count[FR_MC_locks_unbalanced], 3);
	assert_int_equal(m->cls[FR_C_LOCK].n, 2);
	fr_model_free(m);
	/* The owner dies. */
	run_fork(&r, 1, 2);
	run_lock(&r, 2, L);
	run_exit(&r, 2);
	run_sync(&r, 1, FR_EV_MUTEX_LOCK, L, FR_SYNC(FR_OWNERDEAD, FR_PLAIN, 0));
	run_sync(&r, 1, FR_EV_MUTEX_CONSISTENT, L, 0);
	run_unlock(&r, 1, L);
	run_expect(&r, "1 acquire, 1 ~release, 0 acquire, 0 release");
}

static void semaphores_barriers_and_once_are_modelled(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	run_sync(&r, 1, FR_EV_SEM_INIT, X, 0);
	run_ext(&r, 1, 1, 0, 0);
	run_sync(&r, 2, FR_EV_SEM_WAIT, X, 0);
	run_sync(&r, 2, FR_EV_SEM_WAIT, X, FR_SYNC(FR_BUSY, FR_TRY, 0));
	run_sync(&r, 1, FR_EV_SEM_POST, X, 0);
	run_sync(&r, 1, FR_EV_SEM_POST, X, FR_SYNC(FR_ERROR, FR_PLAIN, 0)); /* it did not */
	run_sync(&r, 2, FR_EV_SEM_WAIT, X, FR_SYNC(FR_INTR, FR_PLAIN, 0));
	run_sync(&r, 1, FR_EV_SEM_WAIT, Y, 0); /* there before */
	run_sync(&r, 1, FR_EV_SEM_WAIT, Y, 0);
	run_sync(&r, 1, FR_EV_BARRIER_INIT, L, 0);
	run_ext(&r, 1, 2, 0, 0);
	for (int i = 0; i < 2; i++) {
		run_sync(&r, 1, FR_EV_BARRIER_ENTER, L, 0);
		run_sync(&r, 2, FR_EV_BARRIER_ENTER, L, 0);
		run_sync(&r, 2, FR_EV_BARRIER_LEAVE, L, 0);
		run_ext(&r, 2, (uint64_t)i, 0, 0);
		run_sync(&r, 1, FR_EV_BARRIER_LEAVE, L, FR_SYNC(FR_SERIAL, FR_PLAIN, 0));
		run_ext(&r, 1, (uint64_t)i, 0, 0);
	}
	run_sync(&r, 1, FR_EV_ONCE_BEGIN, C, 0);
	run_sync(&r, 1, FR_EV_ONCE_END, C, FR_SYNC(FR_ERROR, FR_PLAIN, 0));
	run_sync(&r, 2, FR_EV_ONCE_BEGIN, C, 0);
	run_sync(&r, 2, FR_EV_ONCE_END, C, 0);
	run_sync(&r, 1, FR_EV_ONCE_DONE, C, 0);
	run_sync(&r, 1, FR_EV_ONCE_DONE, M, 0); /* done before */
	run_sync(&r, 1, FR_EV_USER_RELEASE, M, 0);
	run_sync(&r, 2, FR_EV_USER_ACQUIRE, M, 0);
	run_sync(&r, 1, FR_EV_USER_RELEASE, FR_STREAM, 0); /* an unknown one */
	run_sync(&r, 2, FR_EV_USER_ACQUIRE, FR_STREAM, 0);
	m = run_load(&r);
	run_check_feasible(m);
	assert_string_equal(
	    run_text(m),
	    "1 sem-wait, 1 sem-failed, 0 sem-wait, 0 sem-wait, "
	    "0 barrier-enter, 1 barrier-enter, 1 barrier-leave, 0 barrier-leave, "
	    "0 barrier-enter, 1 barrier-enter, 1 barrier-leave, 0 barrier-leave, "
	    "0 once-begin, 0 once-end, +0 release-all, 1 acquire-all, 1 once-begin, 1 once-end, "
	    "0 once-done, 0 release-all, 1 acquire-all, 0 mark, 1 mark");
	assert_int_equal(m->cls[FR_C_SEM].obj[1].count, 2);
	assert_int_equal(m->cls[FR_C_BARRIER].obj[1].aux, 1);
	fr_model_free(m);
}

static void alloc(struct run *r, uint32_t t, unsigned kind, uint64_t addr, uint64_t size)
{
	run_sync(r, t, kind, addr, FR_MEM_MALLOC);
	run_ext(r, t, size, 0, 0);
}

static void each_life_of_memory_has_its_locations(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	for (uint32_t i = 1; i <= 2; i++) {
		alloc(&r, i, FR_EV_ALLOC, X, 64);
		run_write(&r, i, X + 8, 8, i);
		run_lock(&r, i, L);
		run_unlock(&r, i, L);
		run_lock(&r, 3 - i, L);
		run_read(&r, 3 - i, X + 8, 8, i);
		run_unlock(&r, 3 - i, L);
		run_lock(&r, i, L);
		run_unlock(&r, i, L);
		alloc(&r, i, FR_EV_FREE, X, 64);
	}
	/* One that both threads have, but never both in one life. */
	for (uint32_t i = 1; i <= 2; i++) {
		alloc(&r, i, FR_EV_ALLOC, X, 64);
		run_write(&r, i, X + 16, 8, i);
		alloc(&r, i, FR_EV_FREE, X, 64);
	}
	/* One that another thread frees. */
	alloc(&r, 1, FR_EV_ALLOC, X, 64);
	run_write(&r, 1, X + 24, 8, 5);
	run_lock(&r, 1, L);
	alloc(&r, 2, FR_EV_FREE, X, 64);
	m = run_load(&r);
	run_check_feasible(m);
	assert_string_equal(
	    run_text(m),
	    "0 alloc, 0 write 1, 0 acquire, 0 release, 1 acquire, 1 read 1, 1 release, "
	    "0 acquire, 0 release, 0 free, "
	    "1 alloc, 1 write 2, 1 acquire, 1 release, 0 acquire, 0 read 2, 0 release, "
	    "1 acquire, 1 release, 1 free, 0 alloc, 0 write 5, 0 acquire, 1 free");
	assert_int_equal(m->cls[FR_C_LOC].n, 3);
	assert_int_equal(m->cls[FR_C_HEAP].n, 3);
	for (uint32_t i = 0; i < 3; i++) {
		const struct fr_mobj *heap = &m->cls[FR_C_HEAP].obj[i];

		assert_int_equal(m->cls[FR_C_LOC].obj[i].aux, i + 1);
		assert_int_equal(m->ev[heap->count - 1].op, FR_OP_ALLOC);
		assert_int_equal(m->ev[heap->count - 1].obj, i);
	}
	fr_model_free(m);
}

static void benign_accesses_are_marked(void **state)
{
	struct run r = {0};
	struct fr_model *m;
	unsigned benign = 0;

	(void)state;
	run_fork(&r, 1, 2);
	run_write(&r, 2, X, 4, 1);
	run_sync(&r, 1, FR_EV_USER_BENIGN, X, 0);
	run_ext(&r, 1, 4, 0, 0);
	run_write(&r, 1, X, 4, 1);
	run_write(&r, 1, X + 4, 4, 1);
	run_write(&r, 2, X + 4, 4, 1);
	m = run_load(&r);
	for (fr_ev e = 0; e < m->n; e++)
		if (fr_is_access(&m->ev[e]))
			benign = benign << 1 | ((m->ev[e].flags & FR_F_BENIGN) != 0);
	assert_true(benign == 0xc || benign == 0xa || benign == 0x9);
	fr_model_free(m);
}

static void threads_are_created_and_joined(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	run_join(&r, 1, 2);
	run_sync(&r, 1, FR_EV_THREAD_CREATE, 9, 0); /* failed after all */
	run_sync(&r, 1, FR_EV_THREAD_CREATE, 0, FR_SYNC(FR_ERROR, FR_PLAIN, 0));
	run_fork(&r, 1, 3); /* still there at the end */
	m = run_load(&r);
	run_check_feasible(m);
	assert_int_equal(m->nthreads, 3);
	assert_string_equal(m->thread[1].path, "0.1");
	assert_int_equal(m->count[FR_MC_threads_partial], 1);
	assert_int_equal(m->n, 6); /* create start exit join create start */
	assert_int_equal(m->thread[2].create, 4);
	fr_model_free(m);
	/* The actions of a thread after its cancellation come after that. */
	run_fork(&r, 1, 2);
	run_sync(&r, 2, FR_EV_SEM_POST, X, 0);
	run_sync(&r, 1, FR_EV_SEM_WAIT, X, 0);
	run_sync(&r, 1, FR_EV_THREAD_CANCEL, 2, 0);
	run_lock(&r, 2, L);
	run_unlock(&r, 2, L);
	run_sync(&r, 1, FR_EV_THREAD_CANCEL, 2, FR_SYNC(FR_ERROR, FR_PLAIN, 0));
	run_exit(&r, 2);
	run_sync(&r, 1, FR_EV_THREAD_CANCEL, 2, 0); /* too late */
	run_expect(&r,
		   "1 sem-post, 0 sem-wait, 0 release-all, 1 acquire-all, 1 acquire, 1 release");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(waits_end_after_their_signals),
	    cmocka_unit_test(locks_follow_their_stamps),
	    cmocka_unit_test(odd_uses_of_locks_are_counted),
	    cmocka_unit_test(semaphores_barriers_and_once_are_modelled),
	    cmocka_unit_test(each_life_of_memory_has_its_locations),
	    cmocka_unit_test(benign_accesses_are_marked),
	    cmocka_unit_test(threads_are_created_and_joined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
