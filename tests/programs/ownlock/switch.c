/* A switch over the states of the lock. */
#include <sched.h>
#include <stdatomic.h>

enum state { FREE, TAKEN };

static _Atomic enum state word;

static void take(void)
{
	for (;;)
		switch (atomic_exchange(&word, TAKEN)) {
		case FREE:
			return;
		case TAKEN:
			sched_yield();
			break;
		}
}

static void leave(void)
{
	atomic_store(&word, FREE);
}

#include "account.h"
