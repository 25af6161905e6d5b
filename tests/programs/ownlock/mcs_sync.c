/* A queue lock (MCS) made of __sync functions and volatile fields. */
#include <sched.h>
#include <stddef.h>

struct node {
	struct node *volatile next;
	volatile int go;
};

static struct node *tail;

static void take(struct node *n)
{
	struct node *before;

	n->next = NULL;
	n->go = 0;
	before = __atomic_exchange_n(&tail, n, __ATOMIC_SEQ_CST);
	if (before) {
		__atomic_store_n(&before->next, n, __ATOMIC_RELEASE);
		while (!__atomic_load_n(&n->go, __ATOMIC_ACQUIRE))
			sched_yield();
	}
}

static void leave(struct node *n)
{
	if (!__atomic_load_n(&n->next, __ATOMIC_ACQUIRE)) {
		if (__sync_bool_compare_and_swap(&tail, n, NULL))
			return;
		while (!__atomic_load_n(&n->next, __ATOMIC_ACQUIRE))
			sched_yield();
	}
	__atomic_store_n(&n->next->go, 1, __ATOMIC_RELEASE);
}

#define NODE struct node node
#include "account.h"
