// std::barrier with a completion function.
#include <barrier>
#include <cassert>
#include <thread>

static int part[2], total;

int main()
{
	auto add = []() noexcept { total += part[0] + part[1]; };
	std::barrier bar(2, add);
	auto work = [&](int me) {
		for (int i = 1; i <= 3; i++) {
			part[me] = i;
			bar.arrive_and_wait();
			assert(total >= i * 2);
			bar.arrive_and_wait();
		}
	};
	std::thread t(work, 1);
	work(0);
	t.join();
	return total != 24;
}
