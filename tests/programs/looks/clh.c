/* A queue lock (CLH): each thread waits at the node of the one before it, and takes that node over.
 * level: -O0
 */
#include <sched.h>
#include <stdatomic.h>

struct node {
	atomic_int taken;
};

static struct node free_node, nodes[2];
static struct node *_Atomic tail = &free_node;
static atomic_int threads;
static _Thread_local struct node *mine, *before;

static void take(void)
{
	if (!mine)
		mine = &nodes[atomic_fetch_add(&threads, 1)];
	atomic_store(&mine->taken, 1);
	before = atomic_exchange(&tail, mine);
	while (atomic_load(&before->taken))
		sched_yield();
}

static void leave(void)
{
	struct node *next = before;

	atomic_store(&mine->taken, 0);
	mine = next;
}

#include "late.h"
