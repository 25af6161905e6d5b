/* A thread waits with wait_for in a loop and prints how often it woke up in vain. */
#include "truth.h"
#include <condition_variable>
#include <mutex>
#include <thread>
#include <iostream>
#include <chrono>

static std::mutex m;
static std::condition_variable cv;
static int n;

int main()
{
	int vain = 0;
	std::thread a([] {
		for (int i = 0; i < 3; i++) {
			std::this_thread::sleep_for(std::chrono::microseconds(300));
			std::lock_guard<std::mutex> l(m);
			n++;
			cv.notify_one();
		}
	});
	{
		std::unique_lock<std::mutex> l(m);
		while (n < 3)
			if (cv.wait_for(l, std::chrono::microseconds(250)) == std::cv_status::timeout || n < 3)
				vain++;
	}
	a.join();
	std::cout << vain << " times in vain\n";
	return 0;
}
