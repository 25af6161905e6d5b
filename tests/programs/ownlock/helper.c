/* The lock is passed to helper functions by its address, in another function each. */
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

struct spin {
	atomic_int word;
};

static struct spin spin;

__attribute__((noinline)) static bool try_take(struct spin *s)
{
	return !atomic_exchange_explicit(&s->word, 1, memory_order_acquire);
}

__attribute__((noinline)) static void spin_take(struct spin *s)
{
	while (!try_take(s))
		sched_yield();
}

__attribute__((noinline)) static void spin_leave(struct spin *s)
{
	atomic_store_explicit(&s->word, 0, memory_order_release);
}

static void take(void)
{
	spin_take(&spin);
}

static void leave(void)
{
	spin_leave(&spin);
}

#include "account.h"
