/* A failed attempt jumps back with longjmp. */
#include <sched.h>
#include <setjmp.h>
#include <stdatomic.h>

static atomic_int word;

__attribute__((noinline)) static void attempt(jmp_buf *again)
{
	if (atomic_exchange(&word, 1))
		longjmp(*again, 1);
}

static void take(void)
{
	jmp_buf again;

	if (setjmp(again))
		sched_yield();
	attempt(&again);
}

static void leave(void)
{
	atomic_store(&word, 0);
}

#include "account.h"
