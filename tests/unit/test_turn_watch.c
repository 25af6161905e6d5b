/*
 * Threads that sleep while they have the turn. One that waits for something outside loses the turn
 * to a parked thread. One that waits for forerun itself, for a free block of the pool, keeps it.
 */
#include "process/turn_watch.h"
#include "base/mem.h"
#include "format/pool.h"
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#define SECOND UINT64_C(1000000000)

static int ends[2];
static _Atomic int sleeper;

static void *sleep_long(void *arg)
{
	char c;

	sleeper = (int)syscall(SYS_gettid);
	if (read(ends[0], &c, 1) < 0)
		return NULL;
	return arg;
}

/* Thread 1 sleeps with the turn; thread 2 is parked. Returns whether thread 2 is to take the
   turn. */
static bool loses_turn(uint32_t want)
{
	struct fr_control_file *c = fr_xcalloc(1, sizeof(*c));
	struct fr_pool *pool = mmap(NULL, FR_POOL_BLOCKS_OFF, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct fr_turn_watch w = {.c = c, .pool = pool};
	uint64_t still = 0;
	bool lost;

	assert_ptr_not_equal(pool, MAP_FAILED);
	pool->pid = getpid();
	pool->threads = 2;
	pool->want = want;
	fr_pool_threads(pool)[0].id = 1;
	fr_pool_threads(pool)[0].os_tid = (uint32_t)sleeper;
	fr_pool_threads(pool)[1].id = 2;
	c->phase = FR_PHASE_MET;
	c->current = 1;
	c->status[0] = FR_CTL_RUNNING;
	c->status[1] = FR_CTL_READY;
	for (uint64_t i = 1; i <= 6; i++)
		still = fr_turn_watch_check(&w, i * SECOND);
	lost = c->go[1] == FR_GO_DEPUTY;
	assert_int_equal(c->away, lost ? 1 : 0);
	assert_int_equal(still != 0, lost);
	munmap(pool, FR_POOL_BLOCKS_OFF);
	free(c);
	return lost;
}

static void waits(void **state)
{
	pthread_t t;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pthread_create(&t, NULL, sleep_long, NULL), 0);
	while (!sleeper)
		poll(NULL, 0, 1);
	assert_false(loses_turn(1));
	while (!loses_turn(0)) /* it may not sleep yet */
		poll(NULL, 0, 1);
	assert_false(loses_turn(1));
	assert_int_equal(write(ends[1], "x", 1), 1);
	pthread_join(t, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(waits)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
