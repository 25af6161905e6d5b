/*
 * The queue of Michael and Scott, with tagged indices in place of pointers. Consumers print the
 * number of items that they got and of times that the queue looked empty.
 *
 * options: --order creation
 */
#include "truth.h"
#include <stdatomic.h>

#define NODES 16
#define NONE 255u
#define AT(x) ((unsigned)(x) & 255u)
#define TAGGED(old, i) ((((old) >> 8) + 1) << 8 | (i))

static struct {
	atomic_uint next;
	atomic_int value;
} node[NODES];
static atomic_uint head, tail, used = 1, helped;
static atomic_int got;

static void put(int v)
{
	unsigned i = atomic_fetch_add(&used, 1), t, n;

	atomic_store(&node[i].value, v);
	atomic_store(&node[i].next, NONE);
	for (;;) {
		t = atomic_load(&tail);
		n = atomic_load(&node[AT(t)].next);
		if (t != atomic_load(&tail))
			continue;
		if (AT(n) != NONE) {
			atomic_fetch_add(&helped, 1);
			atomic_compare_exchange_strong(&tail, &t, TAGGED(t, AT(n)));
		} else if (atomic_compare_exchange_strong(&node[AT(t)].next, &n, TAGGED(n, i))) {
			atomic_compare_exchange_strong(&tail, &t, TAGGED(t, i));
			return;
		}
	}
}

static int take(int *ret)
{
	for (;;) {
		unsigned h = atomic_load(&head), t = atomic_load(&tail), n = atomic_load(&node[AT(h)].next);

		if (h != atomic_load(&head))
			continue;
		if (AT(n) == NONE)
			return 0;
		if (AT(h) == AT(t)) {
			atomic_compare_exchange_strong(&tail, &t, TAGGED(t, AT(n)));
			continue;
		}
		*ret = atomic_load(&node[AT(n)].value);
		if (atomic_compare_exchange_strong(&head, &h, TAGGED(h, AT(n))))
			return 1;
	}
}

static void *producer(void *unused)
{
	for (int i = 1; i < 5; i++)
		put(i);
	return unused;
}

static void *consumer(void *unused)
{
	int v, n = 0, empty = 0;

	for (int i = 0; i < 5; i++) {
		if (take(&v)) {
			n++;
			atomic_fetch_add(&got, v);
		} else {
			empty++;
			sched_yield();
		}
	}
	printf("got %d, %d times empty\n", n, empty);
	return unused;
}

int main(void)
{
	pthread_t c;
	int v;

	atomic_store(&node[0].next, NONE);
	pthread_create(&c, NULL, consumer, NULL);
	both(producer, producer, NULL);
	pthread_join(c, NULL);
	while (take(&v))
		got += v;
	printf("helped: %s\n", helped ? "yes" : "no");
	return got != 20;
}
