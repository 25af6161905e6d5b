// Exceptions through instrumented frames: thrown deep, caught, rethrown, with destructors that
// touch shared data, carried from one thread to another, and one that ends a function-local
// static's initialiser.
#include <cstdio>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static long shared_count;
static long unwound;
static long landmark;

struct Guard {
	~Guard()
	{
		std::lock_guard<std::mutex> hold(lock);
		unwound++;
	}
};

__attribute__((noinline)) static void deep(int n)
{
	Guard g;

	if (n == 0) {
		{
			std::lock_guard<std::mutex> hold(lock);
			shared_count++;
		}
		throw std::runtime_error("from the depth");
	}
	deep(n - 1);
}

__attribute__((noinline)) static void rethrower(int n)
{
	try {
		deep(n);
	} catch (const std::runtime_error &) {
		throw;
	}
}

static int once_unlucky(bool fail)
{
	static std::shared_ptr<int> value = [&] {
		if (fail)
			throw std::logic_error("not yet");
		return std::make_shared<int>(42);
	}();
	return *value;
}

static void worker()
{
	for (int i = 0; i < 200; i++) {
		try {
			rethrower(i % 20);
		} catch (const std::exception &e) {
			if (std::string(e.what()) != "from the depth")
				std::terminate();
		}
	}
}

__attribute__((noinline)) static void after_all(long n)
{
	std::lock_guard<std::mutex> hold(lock);
	landmark = n;
}

static void wait_for_landmark()
{
	for (long n = 0; n != 7;) {
		std::this_thread::yield();
		std::lock_guard<std::mutex> hold(lock);
		n = landmark;
	}
}

int main()
{
	std::thread a(worker), b(worker);
	std::future<int> f;
	std::string said;

	a.join();
	b.join();
	try {
		once_unlucky(true);
	} catch (const std::logic_error &e) {
		said = e.what();
	}
	f = std::async(std::launch::async, []() -> int {
		deep(3);
		return 0;
	});
	try {
		f.get();
	} catch (const std::runtime_error &e) {
		said += std::string(", ") + e.what();
	}
	std::thread c(wait_for_landmark);
	after_all(7);
	c.join();
	std::printf("%ld thrown, %ld unwound, %d, %s\n", shared_count, unwound, once_unlucky(false), said.c_str());
	return 0;
}
