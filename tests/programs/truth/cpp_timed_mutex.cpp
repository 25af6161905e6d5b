// A timed mutex in a retry loop.
#include <chrono>
#include <mutex>
#include <thread>

static std::timed_mutex m;
static std::recursive_timed_mutex r;
static int x, y;

static void work()
{
	using namespace std::chrono_literals;

	for (int i = 0; i < 3; i++) {
		while (!m.try_lock_for(2ms))
			;
		x++;
		m.unlock();
		while (!r.try_lock_until(std::chrono::steady_clock::now() + 2ms))
			;
		r.lock();
		y++;
		r.unlock();
		r.unlock();
	}
}

int main()
{
	std::thread a(work), b(work);
	a.join();
	b.join();
	return x != 6 || y != 6;
}
