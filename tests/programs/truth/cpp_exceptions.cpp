// Locks released by unwinding.
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex m;
static int x;

static void risky(int i)
{
	std::lock_guard g(m);
	x++;
	if (i % 2)
		throw std::runtime_error("odd");
	x++;
}

static void work()
{
	for (int i = 0; i < 4; i++) {
		try {
			risky(i);
		} catch (const std::exception &) {
			std::lock_guard g(m);
			x += 10;
		}
	}
}

int main()
{
	std::thread a(work), b(work);
	a.join();
	b.join();
	return x != 52;
}
