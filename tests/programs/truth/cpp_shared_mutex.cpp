// A reader-writer cache over std::shared_mutex.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>

static std::shared_mutex m;
static std::unordered_map<int, std::string> cache;

static std::string get(int k)
{
	{
		std::shared_lock l(m);
		auto i = cache.find(k);
		if (i != cache.end())
			return i->second;
	}
	std::unique_lock l(m);
	return cache.try_emplace(k, std::to_string(k * k)).first->second;
}

int main()
{
	auto use = [] {
		for (int k = 0; k < 4; k++)
			assert(get(k) == std::to_string(k * k));
	};
	std::thread a(use), b(use);
	a.join();
	b.join();
	return cache.size() != 4;
}
