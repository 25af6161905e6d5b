/* A queue lock (CLH): each thread spins on the node of its predecessor, and takes that node over. */
#include <stdatomic.h>

struct node {
	atomic_int locked;
};

static struct node free_node, nodes[3];
static struct node *_Atomic tail = &free_node;
static atomic_int threads;
static _Thread_local struct node *mine, *before;

static void take(void)
{
	if (!mine)
		mine = &nodes[atomic_fetch_add(&threads, 1)];
	atomic_store(&mine->locked, 1);
	before = atomic_exchange(&tail, mine);
	while (atomic_load(&before->locked))
		;
}

static void leave(void)
{
	struct node *next = before;

	atomic_store(&mine->locked, 0);
	mine = next;
}

#include "account.h"
