// Two threads build lines and append them to one log; the order varies.
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex m;
static std::string log_;

static void work(const char *who)
{
	for (int i = 0; i < 3; i++) {
		std::ostringstream line;
		line << who << ' ' << i << '\n';
		std::lock_guard g(m);
		log_ += line.str();
		std::cout << line.str() << std::flush;
	}
}

int main()
{
	std::thread a(work, "a"), b(work, "b");
	a.join();
	b.join();
	return log_.size() != 24;
}
