/* A ring whose room and items are counted by two eventfds in semaphore mode. */
#include "truth.h"
#include <sys/eventfd.h>
#define N 2
static int room, items, ring[N];
static void down(int fd)
{
	uint64_t one;

	assert(read(fd, &one, 8) == 8 && one == 1);
}
static void up(int fd)
{
	uint64_t one = 1;

	assert(write(fd, &one, 8) == 8);
}
static void *producer(void *unused)
{
	(void)unused;
	for (int i = 0; i < 5; i++) {
		down(room);
		ring[i % N] = i * 3;
		up(items);
	}
	return NULL;
}
static void *consumer(void *unused)
{
	(void)unused;
	for (int i = 0; i < 5; i++) {
		down(items);
		assert(ring[i % N] == i * 3);
		up(room);
	}
	return NULL;
}
int main(void)
{
	room = eventfd(N, EFD_SEMAPHORE);
	items = eventfd(0, EFD_SEMAPHORE);
	return both(producer, consumer, NULL);
}
