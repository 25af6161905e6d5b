// condition_variable_any waits with shared locks; one writer wakes all readers.
#include "truth.h"
#include <condition_variable>
#include <shared_mutex>
#include <thread>
#include <vector>
static std::shared_mutex m;
static std::condition_variable_any c;
static int version, value;
int main()
{
	std::vector<std::thread> t;
	for (int i = 0; i < 2; i++)
		t.emplace_back([] {
			std::shared_lock<std::shared_mutex> l(m);
			c.wait(l, [] { return version == 2; });
			assert(value == 20);
		});
	for (int i = 1; i <= 2; i++) {
		{
			std::unique_lock<std::shared_mutex> l(m);
			version = i;
			value = 10 * i;
		}
		c.notify_all();
	}
	for (auto &x : t)
		x.join();
}
