/* eventfd as an event: the value of the counter is the number of ready records. */
#include "truth.h"
#include <sys/eventfd.h>

static int fd, ring[8];

static void *producer(void *unused)
{
	for (int i = 0; i < 8; i++) {
		uint64_t one = 1;

		ring[i] = i + 100;
		assert(write(fd, &one, 8) == 8);
	}
	return unused;
}

static void *consumer(void *unused)
{
	int done = 0;

	while (done < 8) {
		uint64_t n;

		assert(read(fd, &n, 8) == 8);
		while (n--) {
			assert(ring[done] == done + 100);
			ring[done++] = 0;
		}
	}
	return unused;
}

int main(void)
{
	fd = eventfd(0, 0);
	return both(consumer, producer, NULL);
}
