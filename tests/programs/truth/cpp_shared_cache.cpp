/*
 * A cache under a shared_mutex: look up with a shared lock, compute without one, then insert. Two
 * threads may compute one value; the first one wins. The program prints the number of values
 * computed in vain.
 *
 * options: --order creation
 */
#include <atomic>
#include <cassert>
#include <cstdio>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static std::map<int, int> cache;
static std::atomic<int> computed, vain;

static int get(int k)
{
	{
		std::shared_lock<std::shared_mutex> g(lock);
		auto i = cache.find(k);
		if (i != cache.end())
			return i->second;
	}
	int v = k * 10;
	computed++;
	std::unique_lock<std::shared_mutex> g(lock);
	auto [i, fresh] = cache.emplace(k, v);
	if (!fresh)
		vain++;
	return i->second;
}

static std::size_t size()
{
	std::shared_lock<std::shared_mutex> g(lock);
	return cache.size();
}

static void work()
{
	std::size_t before = size();
	for (int k = 0; k < 3; k++)
		assert(get(k) == 10 * k);
	std::printf("%zu values, then %zu\n", before, size());
}

int main()
{
	std::thread a(work), b(work);
	a.join();
	b.join();
	std::printf("%d computed, %d in vain\n", computed.load(), vain.load());
	return cache.size() != 3 || computed - vain != 3;
}
