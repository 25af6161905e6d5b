/*
 * A counting semaphore of C++ with one unit, and a mutex.
 * order: creation
 */
#include <mutex>
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> s(1);
static std::mutex m;
static int x;

static void one()
{
	s.acquire();
	{
		std::lock_guard<std::mutex> k(m);

		x++;
	}
	s.release();
}

static void two()
{
#ifdef FIXED
	s.acquire();
#endif
	{
		std::lock_guard<std::mutex> k(m);

#ifndef FIXED
		s.acquire();
#endif
		x++;
	}
	s.release();
}

int main()
{
	std::thread t(one), u(two);

	t.join();
	u.join();
	return 0;
}
