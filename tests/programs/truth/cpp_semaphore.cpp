// Counting and binary semaphores around a ring.
#include <cassert>
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> space(4), items(0);
static std::binary_semaphore finished(0);
static int ring[4];

int main()
{
	std::thread consumer([] {
		for (int i = 0; i < 8; i++) {
			items.acquire();
			assert(ring[i % 4] == i);
			space.release();
		}
		finished.release();
	});
	for (int i = 0; i < 8; i++) {
		space.acquire();
		ring[i % 4] = i;
		items.release();
	}
	finished.acquire();
	ring[0] = -1;
	consumer.join();
}
