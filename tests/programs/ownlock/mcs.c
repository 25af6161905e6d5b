/* A queue lock (MCS) with nodes on the stacks of the callers. */
#include <stdatomic.h>
#include <stddef.h>

struct node {
	struct node *_Atomic next;
	atomic_int locked;
};

static struct node *_Atomic tail;

static void take(struct node *n)
{
	struct node *before;

	atomic_store(&n->next, NULL);
	atomic_store(&n->locked, 1);
	before = atomic_exchange(&tail, n);
	if (!before)
		return;
	atomic_store(&before->next, n);
	while (atomic_load(&n->locked))
		;
}

static void leave(struct node *n)
{
	struct node *after = atomic_load(&n->next), *self = n;

	if (!after) {
		if (atomic_compare_exchange_strong(&tail, &self, NULL))
			return;
		while (!(after = atomic_load(&n->next)))
			;
	}
	atomic_store(&after->locked, 0);
}

#define NODE struct node node
#include "account.h"
