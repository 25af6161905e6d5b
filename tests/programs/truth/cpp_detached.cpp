// A detached std::thread; a shared state keeps alive what it uses.
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

struct state {
	std::mutex m;
	std::condition_variable c;
	bool done = false;
	int result = 0;
};

int main()
{
	auto s = std::make_shared<state>();
	std::thread([s] {
		std::lock_guard g(s->m);
		s->result = 9;
		s->done = true;
		s->c.notify_all();
	}).detach();
	std::unique_lock l(s->m);
	s->c.wait(l, [&] { return s->done; });
	return s->result != 9;
}
