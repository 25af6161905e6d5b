/*
 * A reference to an element of a vector stays in use while another thread appends to the vector.
 * order: creation
 * expect: use-after-free
 */
#include <mutex>
#include <thread>
#include <vector>

static std::vector<int> numbers(4, 7);
static std::mutex lock;

static void reader()
{
	std::unique_lock<std::mutex> held(lock);
	int *first = &numbers.front();

#ifndef FIXED
	held.unlock();
	held.lock();
#endif
	++*first;
}

static void append()
{
	for (int i = 0; i < 8; i++) {
		std::lock_guard<std::mutex> held(lock);
		numbers.push_back(i);
	}
}

int main()
{
	std::thread a(reader), b(append);
	a.join();
	b.join();
}
