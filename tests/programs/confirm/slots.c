/*
 * A ring of messages between two threads, without locks: the sender counts a message as sent before
 * it is in the ring. The recipient spins on the count. Before that: messages that are sent in the
 * right order, counted by compare-and-swap.
 *
 * expect: data-race ring[] write@late read@take
 * harm: crash slots.c:@take
 * order: creation
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define SLOTS 8

static const char *ring[SLOTS];
static atomic_uint sent, letters;

static void add(unsigned n)
{
	unsigned old = atomic_load(&letters);

	while (!atomic_compare_exchange_weak(&letters, &old, old + n))
		;
}

static void *sender(void *arg)
{
	for (unsigned i = 0; i < 3; i++) {
		ring[i] = i & 1 ? "pong" : "ping";
		add(4);
		atomic_fetch_add_explicit(&sent, 1, memory_order_release);
	}
#ifdef FIXED
	ring[3] = "bye";
	atomic_fetch_add_explicit(&sent, 1, memory_order_release);
#else
	atomic_fetch_add_explicit(&sent, 1, memory_order_release);
	ring[3] = "bye"; /* @late */
#endif
	return arg;
}

static void *recipient(void *arg)
{
	for (unsigned i = 0; i < 4; i++) {
		while (atomic_load_explicit(&sent, memory_order_acquire) <= i)
			sched_yield();
		add((unsigned)strlen(ring[i])); /* @take */
	}
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, recipient, NULL);
	pthread_create(&t2, NULL, sender, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	printf("%u\n", atomic_load(&letters));
	return 0;
}
