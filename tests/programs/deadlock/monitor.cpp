/*
 * A nested monitor of two classes.
 * order: 0,2,1
 */
#include <condition_variable>
#include <mutex>
#include <thread>

class Gate
{
	std::mutex m;
	std::condition_variable c;
	bool open = false;

public:
	void pass()
	{
		std::unique_lock<std::mutex> k(m);

		c.wait(k, [this] { return open; });
	}
	void lift()
	{
		std::lock_guard<std::mutex> k(m);

		open = true;
		c.notify_all();
	}
};

static std::mutex account;
static Gate gate;
static int x;

static void one()
{
#ifdef FIXED
	gate.pass();
#endif
	std::lock_guard<std::mutex> k(account);

#ifndef FIXED
	gate.pass();
#endif
	x++;
}

static void two()
{
	{
		std::lock_guard<std::mutex> k(account);

		x++;
	}
	std::this_thread::yield();
	gate.lift();
}

int main()
{
	std::thread t(one), u(two);

	t.join();
	u.join();
	return 0;
}
