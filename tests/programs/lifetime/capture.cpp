/*
 * A function starts a detached thread with a lambda that captures a local variable by reference,
 * and returns. The twin captures a copy.
 *
 * order: 0+,1,0
 * expect: use-after-free
 */
#include <atomic>
#include <string>
#include <thread>

static std::atomic<long> total, ended;

static void start(int n)
{
	std::string name(n, 'x');
#ifdef FIXED
	std::thread([name] {
#else
	std::thread([&name] {
#endif
		for (char c : name)
			total += c;
		ended = 1;
	}).detach();
}

int main()
{
	start(40);
	while (!ended)
		std::this_thread::yield();
	return 0;
}
