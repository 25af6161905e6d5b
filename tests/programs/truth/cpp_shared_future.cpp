// Two threads wait for one shared future.
#include <cassert>
#include <future>
#include <string>
#include <thread>

int main()
{
	std::promise<std::string> p;
	std::shared_future<std::string> f = p.get_future().share();
	auto reader = [f] { assert(f.get() == "ready"); };
	std::thread a(reader), b(reader);
	p.set_value("ready");
	a.join();
	b.join();
}
