/*
 * An iterator stays in use after the lock under which it was found; another thread erases the
 * element.
 * order: creation
 * expect: use-after-free
 */
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::map<int, std::string> table = {{1, "a long text of the first element"}, {2, "and one of the second"}};
static std::mutex lock;
static size_t total;

static void reader()
{
	std::unique_lock<std::mutex> held(lock);
	auto at = table.find(1);

	if (at == table.end())
		return;
#ifndef FIXED
	held.unlock();
	held.lock();
#endif
	total += at->second.size();
}

static void eraser()
{
	std::lock_guard<std::mutex> held(lock);
	table.erase(1);
}

int main()
{
	std::thread a(reader), b(eraser);
	a.join();
	b.join();
}
