// std::atomic_ref over a plain array; a barrier of joins before the plain reads.
#include <atomic>
#include <thread>
#include <vector>

int main()
{
	std::vector<int> hist(4);
	auto count = [&] {
		for (int i = 0; i < 8; i++)
			std::atomic_ref<int>(hist[i % 4]).fetch_add(1, std::memory_order_relaxed);
	};
	std::thread a(count), b(count);
	a.join();
	b.join();
	return hist[0] != 4 || hist[3] != 4;
}
