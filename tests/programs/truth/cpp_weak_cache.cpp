/*
 * A cache keeps weak pointers; lock() decides whether an object still lives.
 */
#include "truth.h"
#include <map>
#include <memory>
#include <mutex>
#include <thread>
static std::mutex m;
static std::map<int, std::weak_ptr<int>> cache;
static std::shared_ptr<int> get(int k)
{
	std::lock_guard<std::mutex> g(m);
	auto p = cache[k].lock();
	if (!p)
		cache[k] = p = std::make_shared<int>(k * 10);
	return p;
}
static void run()
{
	for (int i = 0; i < 4; i++) {
		auto p = get(i % 2);
		assert(*p == i % 2 * 10);
	}
}
int main()
{
	std::thread a(run), b(run);
	a.join();
	b.join();
}
