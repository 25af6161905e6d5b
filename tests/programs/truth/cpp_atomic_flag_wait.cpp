// std::atomic_flag::wait.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic_flag done;
static long sum;

int main()
{
	std::thread t([] {
		for (int i = 1; i <= 10; i++)
			sum += i;
		done.test_and_set();
		done.notify_all();
	});
	done.wait(false);
	assert(sum == 55);
	t.join();
}
