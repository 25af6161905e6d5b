// Observers are held weakly: a notifier locks each weak_ptr; an observer may be destroyed at any
// time.
#include "truth.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
struct observer {
	int key = 77;
	~observer() { key = 0; }
};
static std::mutex m;
static std::vector<std::weak_ptr<observer>> all;
static std::atomic<int> calls{0};
int main()
{
	std::thread notifier([] {
		for (int i = 0; i < 3; i++) {
			std::vector<std::weak_ptr<observer>> copy;
			{
				std::lock_guard<std::mutex> g(m);
				copy = all;
			}
			for (auto &w : copy)
				if (auto o = w.lock()) {
					assert(o->key == 77);
					calls++;
				}
		}
	});
	for (int i = 0; i < 3; i++) {
		auto o = std::make_shared<observer>();
		{
			std::lock_guard<std::mutex> g(m);
			all.push_back(o);
		}
	}
	notifier.join();
	assert(calls <= 9);
}
