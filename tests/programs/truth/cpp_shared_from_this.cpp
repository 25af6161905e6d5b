/*
 * An object keeps itself alive in a callback that another thread runs after the owner has let go.
 */
#include "truth.h"
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
static std::mutex m;
static std::function<void()> callback;
struct session : std::enable_shared_from_this<session> {
	int n = 4;
	void start()
	{
		auto self = shared_from_this();
		std::lock_guard<std::mutex> g(m);
		callback = [self] {
			self->n++;
			assert(self->n == 5);
		};
	}
};
int main()
{
	std::thread t([] {
		for (int i = 0; i < 4; i++) {
			std::function<void()> f;
			{
				std::lock_guard<std::mutex> g(m);
				f.swap(callback);
			}
			if (f)
				return f();
			sched_yield();
		}
	});
	{
		auto s = std::make_shared<session>();
		s->start();
	}
	t.join();
	std::lock_guard<std::mutex> g(m);
	callback = nullptr;
}
