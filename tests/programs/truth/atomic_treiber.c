/* A Treiber stack that only grows while two threads push; main pops afterwards. */
#include "truth.h"
#include <stdatomic.h>

struct item {
	struct item *next;
	int value;
};

static struct item *_Atomic top;
static struct item pool[8];
static atomic_int used;

static void push(int v)
{
	struct item *i = &pool[atomic_fetch_add(&used, 1)];

	i->value = v;
	i->next = atomic_load_explicit(&top, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&top, &i->next, i, memory_order_release,
						      memory_order_relaxed))
		;
}

static void *work(void *unused)
{
	for (int i = 1; i <= 4; i++)
		push(i);
	return unused;
}

int main(void)
{
	int sum = 0;

	both(work, work, NULL);
	for (struct item *i = atomic_load(&top); i; i = i->next)
		sum += i->value;
	return sum != 20;
}
