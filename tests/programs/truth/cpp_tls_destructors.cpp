/*
 * The destructor of a thread-local object adds its thread's work to the total and prints the number
 * of threads that ended before.
 *
 * options: --order creation
 */
#include <cstdio>
#include <mutex>
#include <thread>

static std::mutex lock;
static int total, ended, live;

struct tally {
	int n = 0;
	tally()
	{
		std::lock_guard<std::mutex> g(lock);
		live++;
	}
	~tally()
	{
		int before, others;
		{
			std::lock_guard<std::mutex> g(lock);
			total += n;
			before = ended++;
		}
		{
			std::lock_guard<std::mutex> g(lock);
			others = --live;
		}
		std::printf("%d ended before, %d live\n", before, others);
	}
};
static thread_local tally mine;

static void work()
{
	for (int i = 0; i < 4; i++)
		mine.n++;
}

int main()
{
	std::thread a(work), b(work), c(work);
	a.join();
	b.join();
	c.join();
	return total != 12 || ended != 3;
}
