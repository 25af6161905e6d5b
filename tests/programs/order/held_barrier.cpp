/*
 * A thread comes to a barrier with the lock that another needs before it comes there.
 * order: 0,2,1
 */
#include <barrier>
#include <mutex>
#include <thread>

static std::mutex m;
static int x;

int main()
{
	std::barrier b(2);
	std::thread t([&] {
		std::unique_lock l(m);

		x++;
#ifdef FIXED
		l.unlock();
#endif
		b.arrive_and_wait(); // @fails
	});
	std::thread u([&] {
		{
			std::lock_guard l(m);
			x++;
		}
		b.arrive_and_wait();
	});

	t.join();
	u.join();
}
