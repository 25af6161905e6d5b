/* A table of functions chooses the lock. */
#include <sched.h>
#include <stdatomic.h>

struct lock_ops {
	void (*take)(atomic_int *);
	void (*leave)(atomic_int *);
};

static void spin_take(atomic_int *w)
{
	int none = 0;

	while (!atomic_compare_exchange_weak_explicit(w, &none, 1, memory_order_acquire,
						      memory_order_relaxed)) {
		none = 0;
		sched_yield();
	}
}

static void spin_leave(atomic_int *w)
{
	atomic_store_explicit(w, 0, memory_order_release);
}

static const struct lock_ops spin = {spin_take, spin_leave}, *volatile ops = &spin;
static atomic_int word;

static void take(void)
{
	ops->take(&word);
}

static void leave(void)
{
	ops->leave(&word);
}

#include "account.h"
