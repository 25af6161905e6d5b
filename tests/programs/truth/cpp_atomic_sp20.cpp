// std::atomic<std::shared_ptr>, C++20.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<std::shared_ptr<int>> cur{std::make_shared<int>(0)};

int main()
{
	std::thread t([] {
		for (int i = 1; i <= 3; i++)
			cur.store(std::make_shared<int>(i));
	});
	int last = 0;
	for (int i = 0; i < 3; i++) {
		auto p = cur.load();
		assert(*p >= last && *p <= 3);
		last = *p;
	}
	t.join();
}
