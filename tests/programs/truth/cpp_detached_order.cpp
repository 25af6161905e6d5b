/*
 * Detached threads announce their end with notify_all_at_thread_exit; main waits and prints the
 * order.
 *
 * options: --order creation
 */
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::condition_variable ended;
static std::string order;
static int left = 3, woken;

static void work(char me)
{
	{
		std::lock_guard<std::mutex> g(lock);
		order += me;
	}
	std::unique_lock<std::mutex> l(lock);
	order += static_cast<char>(me - 'a' + 'A');
	left--;
	std::notify_all_at_thread_exit(ended, std::move(l));
}

int main()
{
	for (char c : {'a', 'b', 'c'})
		std::thread(work, c).detach();
	std::unique_lock<std::mutex> l(lock);
	while (left) {
		woken++;
		ended.wait(l);
	}
	std::printf("%s, waited %s\n", order.c_str(), woken > 1 ? "often" : "once");
	return order.size() != 6;
}
