/*
 * Two levels of a cache with a lock each; a reference count behind a third lock; a condition for
 * the loader.
 */
#include "truth.h"
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
class Counter {
	std::mutex m;
	long n = 0;

    public:
	void add(long k)
	{
		std::lock_guard<std::mutex> g(m);
		n += k;
	}
	long get()
	{
		std::lock_guard<std::mutex> g(m);
		return n;
	}
};
static Counter lookups, loads;
class Cache {
	std::mutex m;
	std::condition_variable loaded;
	std::map<int, std::string> content;
	bool loading = false;

    public:
	std::string get(int key)
	{
		std::unique_lock<std::mutex> l(m);
		lookups.add(1);
		while (!content.count(key)) {
			if (loading) {
				loaded.wait(l);
				continue;
			}
			loading = true;
			loads.add(1);
			content[key] = std::to_string(key);
			loading = false;
			loaded.notify_all();
		}
		lookups.add(1);
		return content[key];
	}
};
int main()
{
	Cache c;
	std::vector<std::thread> t;
	for (int i = 0; i < 3; i++)
		t.emplace_back([&, i] {
			assert(c.get(i % 2) == std::to_string(i % 2));
			assert(loads.get() <= 2 && lookups.get() <= 6);
		});
	for (auto &x : t)
		x.join();
	assert(lookups.get() == 6 && loads.get() == 2);
}
