// A waiter destroys the condition after its last wait; the notifier holds the lock while it
// notifies.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

struct event {
	std::mutex m;
	std::condition_variable c;
	bool set = false;
};

int main()
{
	for (int i = 0; i < 3; i++) {
		auto e = std::make_unique<event>();
		std::thread t([p = e.get()] {
			std::lock_guard g(p->m);
			p->set = true;
			p->c.notify_one();
		});
		{
			std::unique_lock l(e->m);
			e->c.wait(l, [&] { return e->set; });
		}
		t.join();
	}
}
