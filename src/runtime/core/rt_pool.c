/*
 * Takes blocks from the pool's free list and hands full ones over to the recorder
 * (fr_pool_reader_drain). Lock-free; waits only when the recorder is behind. Called with t->busy
 * set, so no signal handler interferes. Cancellation is disabled meanwhile, because it would lose a
 * block for ever.
 */
#include "rt_pool.h"
#include "rt_assert.h"
#include "real.h"
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WAKE_EVERY 16 /* full blocks between wake-ups; the recorder also polls */

static long futex(_Atomic uint32_t *word, int op, uint32_t value, const struct timespec *timeout)
{
	return syscall(SYS_futex, word, op, value, timeout, NULL, 0);
}

static void push_full(uint32_t block)
{
	struct fr_block *b = fr_pool_block(frt_pool, block);
	_Static_assert(FR_POOL_MAX_BLOCKS < UINT32_MAX, "0 is the end of a list, block + 1 else");
	uint64_t head = atomic_load_explicit(&frt_pool->full_list, memory_order_relaxed);

	do
		atomic_store_explicit(&b->next, (uint32_t)head, memory_order_relaxed);
	while (!atomic_compare_exchange_weak(&frt_pool->full_list, &head,
					     ((head >> 32) + 1) << 32 | (block + 1)));
	/* Not for every block: each wake is a system call here and a
	   context switch on some core. */
	if (!((atomic_fetch_add(&frt_pool->full_wake, 1) + 1) % WAKE_EVERY))
		futex(&frt_pool->full_wake, FUTEX_WAKE, INT_MAX, NULL);
}

/* Returns a block, or UINT32_MAX when the free list is empty. */
static uint32_t pop_free(void)
{
	uint64_t head = atomic_load(&frt_pool->free_list);

	while ((uint32_t)head) {
		uint32_t block = (uint32_t)head - 1;
		uint32_t next = atomic_load_explicit(&fr_pool_block(frt_pool, block)->next,
						     memory_order_relaxed);

		if (atomic_compare_exchange_weak(&frt_pool->free_list, &head,
						 ((head >> 32) + 1) << 32 | next))
			return block;
	}
	return UINT32_MAX;
}

static bool is_parent; /* the recorder is the parent of this process */

void frt_pool_attached(void)
{
	is_parent = getppid() == atomic_load(&frt_pool->recorder);
}

/* A dead process that nobody has waited for can still be sent signals, but has no children. */
bool frt_recorder_gone(void)
{
	int32_t pid = atomic_load(&frt_pool->recorder);

	if (is_parent)
		return getppid() != pid;
	return !pid || (kill(pid, 0) < 0 && errno == ESRCH);
}

/* Stops recording in all threads, even if some still have room. If one thread can no longer write
   an unlock, no other may write the lock that followed it. */
static void stop_all(void)
{
	atomic_store(&frt_pool->stop_errno, ESRCH);
	atomic_store(&frt_pool->state, FR_POOL_STOPPED);
	for (uint32_t i = 0, n = atomic_load(&frt_pool->threads); i < n && i < FR_POOL_MAX_THREADS;
	     i++) {
		struct frt_thread *t = (struct frt_thread *)&fr_pool_threads(frt_pool)[i];

		/* Looks like a changed call stack: the thread takes the
		   slow path and sees the stop. */
		__atomic_store_n(&t->emitted, UINT32_MAX, __ATOMIC_SEQ_CST);
	}
}

static uint32_t wait_free(void)
{
	const struct timespec patience = {.tv_nsec = 200 * 1000 * 1000};
	uint32_t block;

	for (;;) {
		uint32_t seen = atomic_load(&frt_pool->free_wake);

		block = pop_free();
		if (block != UINT32_MAX)
			return block;
		if (atomic_load(&frt_pool->state) != FR_POOL_ATTACHED)
			return UINT32_MAX;
		if (frt_pool->judged) {
			stop_all();
			return UINT32_MAX;
		}
		atomic_fetch_add(&frt_pool->want, 1);
		atomic_fetch_add(&frt_pool->full_wake, 1);
		futex(&frt_pool->full_wake, FUTEX_WAKE, INT_MAX, NULL);
		if (futex(&frt_pool->free_wake, FUTEX_WAIT, seen, &patience) < 0 &&
		    errno == ETIMEDOUT && frt_recorder_gone())
			stop_all();
		atomic_fetch_sub(&frt_pool->want, 1);
	}
}

static void close_block(struct frt_thread *t)
{
	uint32_t block = t->block;
	struct fr_block *b;

	if (block == UINT32_MAX)
		return;
	b = fr_pool_block(frt_pool, block);
	frt_assert(b->thread == t->id && t->pos >= b->slot && t->pos <= b->slot + FR_BLOCK_SLOTS);
	b->used = (uint32_t)(t->pos - b->slot);
	atomic_store_explicit(&b->state, FR_BLOCK_FULL, memory_order_release);
	t->end = t->pos = NULL;
	t->block = UINT32_MAX;
	push_full(block);
}

void frt_block_close(struct frt_thread *t)
{
	int cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	close_block(t);
	pthread_setcancelstate(cancel, NULL);
}

static bool next_block(struct frt_thread *t)
{
	struct fr_block *b;
	uint32_t block;

	close_block(t);
	if (atomic_load_explicit(&frt_pool->state, memory_order_relaxed) != FR_POOL_ATTACHED)
		return false;
	block = pop_free();
	if (block == UINT32_MAX)
		block = wait_free();
	if (block == UINT32_MAX)
		return false;
	frt_assert(block < FR_POOL_MAX_BLOCKS && t->block == UINT32_MAX);
	b = fr_pool_block(frt_pool, block);
	frt_assert(!t->pos && !t->end);
	b->thread = t->id;
	b->seq = t->seq++;
	b->used = 0;
	b->first_hook = t->hook ? t->hook - 1 : 0;
	atomic_store_explicit(&b->state, FR_BLOCK_OPEN, memory_order_release);
	t->block = block;
	t->pos = b->slot;
	__atomic_store_n(&t->end, b->slot + FR_BLOCK_SLOTS, __ATOMIC_RELEASE);
	return true;
}

bool frt_block_next(struct frt_thread *t)
{
	int saved = errno, cancel;
	bool got;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	got = next_block(t);
	errno = saved;
	pthread_setcancelstate(cancel, NULL);
	return got;
}
