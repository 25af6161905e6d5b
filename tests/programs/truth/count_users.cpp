/*
 * Threads print the number of users of a shared object, before they take a share and after they
 * gave it back.
 *
 * options: --order creation
 */
#include <cassert>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::shared_ptr<int> whole = std::make_shared<int>(7);

static std::shared_ptr<int> take()
{
	std::lock_guard<std::mutex> g(lock);
	return whole;
}

static void work(std::shared_ptr<int> mine)
{
	long before = mine.use_count();
	{
		auto more = take();
		assert(*more == 7);
		std::printf("%ld users, then %ld\n", before, more.use_count());
	}
	std::printf("%s\n", mine.use_count() <= 2 ? "alone" : "with others");
}

int main()
{
	std::vector<std::thread> t;
	for (int i = 0; i < 3; i++)
		t.emplace_back(work, whole);
	for (auto &x : t)
		x.join();
	return whole.use_count() != 1;
}
