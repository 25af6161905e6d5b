/* A recursive lock: owner and depth. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uintptr_t owner;
static _Thread_local int depth;

static void take(void)
{
	uintptr_t me = (uintptr_t)pthread_self(), none = 0;

	if (atomic_load(&owner) != me)
		while (!atomic_compare_exchange_weak(&owner, &none, me)) {
			none = 0;
			sched_yield();
		}
	depth++;
}

static void leave(void)
{
	if (!--depth)
		atomic_store(&owner, 0);
}

#include "account.h"
