/* An array lock (Anderson): each thread spins on a place of its own. */
#include <sched.h>
#include <stdatomic.h>

#define PLACES 4

static atomic_uint next_place;
static atomic_int may_go[PLACES] = {1};
static _Thread_local unsigned place;

static void take(void)
{
	unsigned mine = atomic_fetch_add(&next_place, 1) % PLACES;

	while (!atomic_load(&may_go[mine]))
		sched_yield();
	atomic_store(&may_go[mine], 0);
	place = mine;
}

static void leave(void)
{
	atomic_store(&may_go[(place + 1) % PLACES], 1);
}

#include "account.h"
