// The clocks and files of C++, which libstdc++ asks for; and a handler that asks while the thread
// does.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <sys/time.h>
#include <thread>

static volatile long asked;

static void handler(int)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	asked = asked + 1;
}

int main()
{
	using namespace std::chrono;
	struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};

	std::printf("time %lld\n", (long long)system_clock::now().time_since_epoch().count());
	std::printf("clock %lld\n", (long long)steady_clock::now().time_since_epoch().count());
	std::ifstream file("input.txt");
	std::string line;
	std::getline(file, line);
	std::printf("read %d\n", (int)file.seekg(0, std::ios::end).tellg());
	std::signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &often, nullptr);
	for (long i = 0; i < 20000 || asked < 20; i++)
		(void)steady_clock::now();
	setitimer(ITIMER_REAL, &never, nullptr);
	std::this_thread::sleep_for(milliseconds(1));
	std::this_thread::yield();
	std::fprintf(stderr, "asked %ld\n", (long)asked);
}
