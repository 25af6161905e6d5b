// A function-local static is initialised once.
#include <cassert>
#include <map>
#include <string>
#include <thread>

static int built;

static const std::map<std::string, int> &table()
{
	static const std::map<std::string, int> t = [] {
		built++;
		return std::map<std::string, int>{{"one", 1}, {"two", 2}};
	}();
	return t;
}

int main()
{
	auto use = [] { assert(table().at("two") == 2 && built == 1); };
	std::thread a(use), b(use);
	a.join();
	b.join();
}
