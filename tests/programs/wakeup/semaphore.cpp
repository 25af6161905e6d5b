/*
 * A std::counting_semaphore whose unit goes from thread to thread; the last keeps it, and may come
 * first.
 * order: creation
 */
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> s{1};

int main()
{
	std::thread a([] {
		s.acquire(); /* @wait */
		s.release();
	});
	std::thread b([] {
		s.acquire();
#ifdef FIXED
		s.release();
#endif
	});

	a.join();
	b.join();
	return 0;
}
