// A configuration swapped through the atomic functions for shared_ptr.
#include <cassert>
#include <memory>
#include <thread>

struct conf {
	int a, b;
};

static std::shared_ptr<const conf> cur = std::make_shared<const conf>(conf{0, 0});

int main()
{
	std::thread t([] {
		for (int i = 1; i <= 3; i++)
			std::atomic_store(&cur, std::make_shared<const conf>(conf{i, i}));
	});
	for (int i = 0; i < 3; i++) {
		auto c = std::atomic_load(&cur);
		assert(c->a == c->b);
	}
	t.join();
}
