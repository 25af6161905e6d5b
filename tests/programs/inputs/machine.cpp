/* std::random_device asks the processor inside libstdc++. */
#include <cstdio>
#include <random>
#include <thread>

static void ask()
{
	std::random_device d;

	std::printf("%u %u\n", d(), d());
}

int main()
{
	std::thread t(ask);

	t.join();
	ask();
	return 0;
}
