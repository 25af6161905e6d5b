/*
 * Thread-local buffers flush into a locked total in their destructors, before join returns.
 */
#include "truth.h"
#include <mutex>
#include <thread>
#include <vector>
static std::mutex m;
static long total;
struct buffer {
	long n = 0;
	~buffer()
	{
		std::lock_guard<std::mutex> g(m);
		total += n;
	}
};
static thread_local buffer mine;
int main()
{
	std::vector<std::thread> t;
	for (int i = 0; i < 3; i++)
		t.emplace_back([i] {
			for (int k = 0; k < 4; k++)
				mine.n += i;
		});
	for (auto &x : t)
		x.join();
	assert(total == 12);
}
