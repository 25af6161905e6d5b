// std::thread, std::atomic, std::mutex, virtual calls, an exception through instrumented frames.
#include <atomic>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace shop {
struct Shape {
	int edges = 3;
	virtual ~Shape() = default;
	virtual int area() { return edges; }
};
struct Square : Shape {
	int area() override { return edges + 1; }
};

class Counter {
public:
	void hit(int n)
	{
		std::lock_guard<std::mutex> guard(lock);
		hits += n; // HITS
		if (n == 2)
			throw std::runtime_error("two");
	}
	int hits = 0;
	std::atomic<long> seen{0};

private:
	std::mutex lock;
};

static Counter counter;
static std::atomic<bool> ready{false};
static int data;

static void work(int n)
{
	if (!ready.load(std::memory_order_acquire)) // READY
		return;
	try {
		counter.hit(n); // HIT
	} catch (const std::runtime_error &) {
		counter.seen += 10; // CAUGHT
	}
	counter.seen.fetch_add(data, std::memory_order_relaxed); // SEEN
}
} // namespace shop

int main()
{
	std::vector<std::thread> threads;
	shop::Shape *s = new shop::Square; // NEW

	shop::data = 42; // DATA
	shop::ready.store(true, std::memory_order_release); // RELEASE
	for (int i = 1; i <= 2; i++)
		threads.emplace_back(shop::work, i);
	for (auto &t : threads)
		t.join();
	std::printf("%d %ld %d\n", shop::counter.hits, shop::counter.seen.load(), s->area());
	delete s;
	return 0;
}
