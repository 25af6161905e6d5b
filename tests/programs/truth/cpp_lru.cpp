// An LRU cache behind one mutex; two lookups of one key may interleave with an insertion.
#include <cassert>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

static std::mutex m;
static std::list<std::pair<int, std::string>> order;
static std::unordered_map<int, decltype(order)::iterator> where;

static bool get(int k, std::string &v)
{
	std::lock_guard g(m);
	auto i = where.find(k);
	if (i == where.end())
		return false;
	order.splice(order.begin(), order, i->second);
	v = i->second->second;
	return true;
}

static void put(int k, const std::string &v)
{
	std::lock_guard g(m);
	if (where.count(k))
		return;
	order.emplace_front(k, v);
	where[k] = order.begin();
	if (order.size() > 3) {
		where.erase(order.back().first);
		order.pop_back();
	}
}

static void work(int from)
{
	for (int k = from; k < from + 4; k++) {
		std::string v;
		if (!get(k, v))
			put(k, std::to_string(k));
		if (get(k, v))
			assert(v == std::to_string(k));
	}
}

int main()
{
	std::thread a(work, 0), b(work, 2);
	a.join();
	b.join();
	return order.size() != 3 || where.size() != 3;
}
