/* A ticket lock of two short numbers. */
#include <sched.h>
#include <stdint.h>

static struct {
	uint16_t next, serving;
} word;

static void take(void)
{
	uint16_t mine = __sync_fetch_and_add(&word.next, 1);

	while (__atomic_load_n(&word.serving, __ATOMIC_ACQUIRE) != mine)
		sched_yield();
}

static void leave(void)
{
	__atomic_add_fetch(&word.serving, 1, __ATOMIC_RELEASE);
}

#include "account.h"
