// Thread-local objects with constructors and destructors.
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

static std::atomic<int> alive{0};
static int total;

struct tracker {
	std::string name{"a fairly long name that lives on the heap"};
	int uses = 0;
	tracker()
	{
		alive++;
	}
	~tracker()
	{
		alive--;
	}
};

static thread_local tracker mine;

static void work()
{
	for (int i = 0; i < 3; i++)
		mine.uses++;
	assert(mine.uses == 3 && mine.name.size() > 20);
}

int main()
{
	std::thread a(work), b(work);
	a.join();
	b.join();
	total = alive;
	return total != 0;
}
