// Tickets: a loop that compares and exchanges, and one that loads and stores (BUG). Who gets which is open, and is printed.
#include <atomic>
#include <cstdio>
#include <thread>
#include <unistd.h>

static std::atomic<int> next_ticket{0};
static int got[2];

static int take()
{
	int v = next_ticket.load();
#ifdef BUG
	next_ticket.store(v + 1);
#else
	while (!next_ticket.compare_exchange_weak(v, v + 1))
		;
#endif
	return v;
}

int main()
{
	std::thread a([] { got[0] = take(); });
	usleep(100000);
	std::thread b([] { got[1] = take(); });
	a.join();
	b.join();
	printf("%d %d\n", got[0], got[1]);
	return 0;
}
