// A module loaded by a C program: its static is guarded, its thread and mutex are C++.
#include <mutex>
#include <thread>

static std::mutex m;
static int sum;

struct first {
	int v;
	first() : v(40) {}
};

extern "C" int plugin(int n)
{
	static first f;
	std::thread t([n] {
		std::lock_guard<std::mutex> g(m);
		sum += n;
	});
	t.join();
	std::lock_guard<std::mutex> g(m);
	return f.v + sum;
}
