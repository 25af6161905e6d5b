// std::latch: the last arrival releases the waiter.
#include <cassert>
#include <latch>
#include <thread>

static int cells[3];

int main()
{
	std::latch ready(2), go(1);
	std::thread a([&] {
		go.wait();
		cells[0] = cells[2] + 1;
		ready.count_down();
	});
	std::thread b([&] {
		go.wait();
		cells[1] = cells[2] + 2;
		ready.count_down();
	});
	cells[2] = 10;
	go.count_down();
	ready.wait();
	assert(cells[0] == 11 && cells[1] == 12);
	a.join();
	b.join();
}
