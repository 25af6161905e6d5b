// A look-up counts its hit and then itself, and the reporter reads both counters: functions of the
// library access them. STORE: by stores. FIXED: each uses them in the order that makes sense.
//
// order: creation
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<long> lookups{0}, hits{0};

static void find()
{
#ifdef STORE
	hits.store(1);
	lookups.store(1);
#elif defined(FIXED)
	lookups++;
	hits++;
#else
	hits++;
	lookups++;
#endif
}

static void report()
{
#ifdef FIXED
	long h = hits.load();
	long l = lookups.load();
#else
	long l = lookups.load();
	long h = hits.load();
#endif
	assert(h <= l);
}

int main()
{
	std::thread a(find), b(report);

	a.join();
	b.join();
}
