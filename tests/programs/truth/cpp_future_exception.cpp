// An exception travels through a future.
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>

static int detail;

static int fails()
{
	detail = 3;
	throw std::runtime_error("no");
}

int main()
{
	auto f = std::async(std::launch::async, fails);
	try {
		f.get();
		return 1;
	} catch (const std::runtime_error &e) {
		assert(std::string(e.what()) == "no" && detail == 3);
	}
}
