/*
 * Waiters for two things share a condition variable, and one is notified. In the recorded run, the
 * first need not wait.
 * order: 0,2,1
 */
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static bool red, blue;

static void wait_for(bool &what)
{
	std::unique_lock l(m);
	c.wait(l, [&] { return what; }); // @wait
}

static void give(bool &what)
{
	std::lock_guard l(m);
	what = true;
#ifdef FIXED
	c.notify_all();
#else
	c.notify_one();
#endif
}

int main()
{
	std::thread t[] = {std::thread([] { wait_for(red); }), std::thread([] { give(red); }),
			   std::thread([] { wait_for(blue); }), std::thread([] { give(blue); })};

	for (std::thread &x : t)
		x.join();
}
