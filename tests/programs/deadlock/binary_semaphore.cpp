/*
 * Two binary semaphores of C++ in opposite orders.
 * order: creation
 */
#include <semaphore>
#include <thread>

static std::binary_semaphore a(1), b(1);
static int x;

static void use(std::binary_semaphore &first, std::binary_semaphore &second)
{
	first.acquire();
	second.acquire();
	x++;
	second.release();
	first.release();
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
