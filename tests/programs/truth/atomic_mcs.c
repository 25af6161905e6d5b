/* An MCS queue lock. */
#include "truth.h"
#include <stdatomic.h>

struct node {
	struct node *_Atomic next;
	atomic_int locked;
};

static struct node *_Atomic tail;
static int x;

static void enter(struct node *me)
{
	struct node *before;

	atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
	before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
	if (!before)
		return;
	atomic_store_explicit(&me->locked, 1, memory_order_relaxed);
	atomic_store_explicit(&before->next, me, memory_order_release);
	while (atomic_load_explicit(&me->locked, memory_order_acquire))
		sched_yield();
}

static void leave(struct node *me)
{
	struct node *after = atomic_load_explicit(&me->next, memory_order_acquire), *self = me;

	if (!after) {
		if (atomic_compare_exchange_strong_explicit(
			&tail, &self, NULL, memory_order_release, memory_order_relaxed))
			return;
		while (!(after = atomic_load_explicit(&me->next, memory_order_acquire)))
			sched_yield();
	}
	atomic_store_explicit(&after->locked, 0, memory_order_release);
}

static void *work(void *unused)
{
	struct node me;

	for (int i = 0; i < 5; i++) {
		enter(&me);
		x++;
		leave(&me);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return x != 10;
}
