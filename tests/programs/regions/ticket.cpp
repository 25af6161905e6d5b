// Tickets: taken by a load and a store; FIXED: by a compare-exchange loop. The program prints each
// thread's ticket, and the threads may get them in any order.
#include <atomic>
#include <cstdio>
#include <thread>

static std::atomic<int> next_ticket{0};
static int got[2];

static int take()
{
	int v = next_ticket.load();
#ifdef FIXED
	while (!next_ticket.compare_exchange_weak(v, v + 1))
		;
#else
	next_ticket.store(v + 1);
#endif
	return v;
}

int main()
{
	std::thread a([] { got[0] = take(); });
	std::thread b([] { got[1] = take(); });
	a.join();
	b.join();
	printf("%d %d\n", got[0], got[1]);
	return 0;
}
