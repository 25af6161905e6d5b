// std::call_once, also when the first attempt throws.
#include <cassert>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag flag, risky;
static std::unique_ptr<int> value;
static int tries;

static void use()
{
	std::call_once(flag, [] { value = std::make_unique<int>(7); });
	assert(*value == 7);
	try {
		std::call_once(risky, [] {
			if (++tries == 1)
				throw std::runtime_error("again");
		});
	} catch (const std::runtime_error &) {
	}
}

int main()
{
	std::thread a(use), b(use);
	a.join();
	b.join();
	return *value != 7;
}
