// fetch_add on an atomic double, and a compare-exchange loop on a structure.
#include <atomic>
#include <thread>

struct span {
	short lo, hi;
};

static std::atomic<double> sum{0};
static std::atomic<span> range{{0, 0}};

static void work(short v)
{
	sum.fetch_add(0.5);
	span old = range.load(), fresh;
	do {
		fresh = old;
		if (v < fresh.lo)
			fresh.lo = v;
		if (v > fresh.hi)
			fresh.hi = v;
	} while (!range.compare_exchange_weak(old, fresh));
}

int main()
{
	std::thread a(work, short(-3)), b(work, short(5));
	a.join();
	b.join();
	span s = range;
	return sum != 1.0 || s.lo != -3 || s.hi != 5;
}
