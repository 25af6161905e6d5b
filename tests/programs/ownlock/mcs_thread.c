/* A queue lock (MCS) with one node for each thread, through the builtins of the compiler. */
struct node {
	struct node *next;
	int waits;
};

static struct node *tail;
static __thread struct node mine;

static void take(void)
{
	struct node *before;

	mine.next = 0;
	mine.waits = 1;
	before = __atomic_exchange_n(&tail, &mine, __ATOMIC_ACQ_REL);
	if (!before)
		return;
	__atomic_store_n(&before->next, &mine, __ATOMIC_RELEASE);
	while (__atomic_load_n(&mine.waits, __ATOMIC_ACQUIRE))
		__builtin_ia32_pause();
}

static void leave(void)
{
	if (!__atomic_load_n(&mine.next, __ATOMIC_ACQUIRE)) {
		if (__sync_bool_compare_and_swap(&tail, &mine, 0))
			return;
		while (!__atomic_load_n(&mine.next, __ATOMIC_ACQUIRE))
			__builtin_ia32_pause();
	}
	__atomic_store_n(&mine.next->waits, 0, __ATOMIC_RELEASE);
}

#include "account.h"
