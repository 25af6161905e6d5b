// Function-local statics and thread_locals that use each other, destroyed at the ends of threads
// and of the program.
#include "truth.h"
#include <mutex>
#include <string>
#include <thread>
#include <vector>
struct registry {
	std::mutex m;
	std::vector<std::string> names;
	~registry() { names.clear(); }
};
static registry &all()
{
	static registry r;
	return r;
}
struct session {
	std::string name;
	explicit session(std::string n) : name(std::move(n))
	{
		auto &r = all();
		std::lock_guard g(r.m);
		r.names.push_back(name);
	}
	~session()
	{
		auto &r = all();
		std::lock_guard g(r.m);
		std::erase(r.names, name);
	}
};
static void work(const char *n)
{
	thread_local session s(n);
	assert(!s.name.empty());
}
int main()
{
	std::thread a([] { work("a thread with a long name, number one"); });
	std::thread b([] { work("a thread with a long name, number two"); });
	work("the main thread, which has a long name as well");
	a.join();
	b.join();
	assert(all().names.size() == 1);
}
