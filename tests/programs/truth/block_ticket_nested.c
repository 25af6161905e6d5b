/* Two ticket locks, always in one order, with a condition in between. */
#include "truth.h"
#include <stdatomic.h>
struct ticket {
	atomic_uint next, now;
};
static struct ticket outer, inner;
static int x, y;
static void lock(struct ticket *t)
{
	unsigned me = atomic_fetch_add(&t->next, 1);

	while (atomic_load_explicit(&t->now, memory_order_acquire) != me)
		sched_yield();
}
static void unlock(struct ticket *t)
{
	atomic_fetch_add_explicit(&t->now, 1, memory_order_release);
}
static void *worker(void *arg)
{
	for (int i = 0; i < 3; i++) {
		lock(&outer);
		x++;
		lock(&inner);
		y += x;
		unlock(&outer);
		y -= 1;
		unlock(&inner);
	}
	return arg;
}
int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		assert(!pthread_create(&t[i], NULL, worker, NULL));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(x == 6 && y == 1 + 2 + 3 + 4 + 5 + 6 - 6);
	return 0;
}
