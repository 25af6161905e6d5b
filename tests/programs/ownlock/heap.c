/* The lock is in an object on the heap, behind a pointer. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
	long id;
	atomic_int word;
};

static struct object *object;

__attribute__((constructor)) static void create(void)
{
	object = calloc(1, sizeof(*object));
}

static void take(void)
{
	while (atomic_exchange(&object->word, 1))
		sched_yield();
}

static void leave(void)
{
	atomic_store(&object->word, 0);
}

#include "account.h"
