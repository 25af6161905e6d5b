/*
 * A lock of its own as a class, with std::lock_guard.
 * order: creation
 */
#include <atomic>
#include <mutex>
#include <thread>

class Spin
{
	std::atomic<bool> taken{false};

public:
	void lock()
	{
		bool no = false;

		while (!taken.compare_exchange_strong(no, true, std::memory_order_acquire))
			no = false;
	}
	void unlock()
	{
		taken.store(false, std::memory_order_release);
	}
};

static Spin a, b;
static int x;

static void use(Spin &first, Spin &second)
{
	std::lock_guard<Spin> one(first);
	std::lock_guard<Spin> two(second);

	x++;
}

static void one()
{
	use(a, b);
}

static void two()
{
#ifdef FIXED
	use(a, b);
#else
	use(b, a);
#endif
}

int main()
{
	std::thread t(one), u(two);

	t.join();
	u.join();
	return 0;
}
