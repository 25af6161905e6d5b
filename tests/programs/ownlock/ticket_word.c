/* A ticket lock in one word: the upper half is drawn, the lower half is served. */
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint32_t word;

static void take(void)
{
	uint32_t mine = atomic_fetch_add(&word, 1u << 16) >> 16;

	while ((atomic_load(&word) & 0xffff) != mine)
		sched_yield();
}

static void leave(void)
{
	atomic_fetch_add(&word, 1);
}

#include "account.h"
