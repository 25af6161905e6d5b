/* A pool of threads; each prints the number of tasks that it ran. */
#include "truth.h"
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>
#include <iostream>

static std::mutex m;
static std::condition_variable cv;
static std::queue<int> tasks;
static bool closed;

int main()
{
	std::vector<std::thread> pool;
	int ran[3] = {};

	for (int i = 0; i < 3; i++)
		pool.emplace_back([&ran, i] {
			for (;;) {
				std::unique_lock<std::mutex> l(m);
				cv.wait(l, [] { return closed || !tasks.empty(); });
				if (tasks.empty())
					return;
				tasks.pop();
				ran[i]++;
			}
		});
	for (int i = 0; i < 6; i++) {
		std::lock_guard<std::mutex> l(m);
		tasks.push(i);
		cv.notify_one();
	}
	{
		std::lock_guard<std::mutex> l(m);
		closed = true;
	}
	cv.notify_all();
	for (auto &t : pool)
		t.join();
	std::cout << "ran " << ran[0] << ' ' << ran[1] << ' ' << ran[2] << std::endl;
	return ran[0] + ran[1] + ran[2] != 6;
}
