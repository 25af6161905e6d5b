/*
 * A connection is served by a task of std::async. A timer removes idle connections from the table,
 * and so destroys one that its task has taken from the table.
 * The twin keeps a shared pointer in the task.
 *
 * order: creation
 * expect: use-after-free
 */
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

struct connection {
	int requests = 0;
	bool idle = true;
};
static std::mutex m;
static std::map<int, std::shared_ptr<connection>> table;

static int serve(int id)
{
#ifdef FIXED
	std::shared_ptr<connection> c;
#else
	connection *c = nullptr;
#endif
	{
		std::lock_guard<std::mutex> g(m);
		auto i = table.find(id);
		if (i == table.end())
			return 0;
#ifdef FIXED
		c = i->second;
#else
		c = i->second.get();
#endif
	}
	std::lock_guard<std::mutex> g(m);
	return ++c->requests;
}

static void close_idle()
{
	std::lock_guard<std::mutex> g(m);
	for (auto i = table.begin(); i != table.end();)
		i = i->second->idle ? table.erase(i) : std::next(i);
}

int main()
{
	table[1] = std::make_shared<connection>();
	auto f = std::async(std::launch::async, serve, 1);
	std::thread timer(close_idle);
	timer.join();
	return f.get() > 1;
}
