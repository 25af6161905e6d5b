// An intrusive pointer whose count lives in the object; copies are made from a slot under a spin
// lock.
#include "truth.h"
#include <atomic>
#include <thread>
struct counted {
	std::atomic<int> refs{0};
	int payload;
	explicit counted(int p) : payload(p) {}
};
class ref
{
	counted *p;

public:
	explicit ref(counted *q = nullptr) : p(q) { if (p) p->refs.fetch_add(1, std::memory_order_relaxed); }
	ref(const ref &o) : ref(o.p) {}
	ref &operator=(ref o) { std::swap(p, o.p); return *this; }
	~ref() { if (p && p->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) delete p; }
	counted *operator->() const { return p; }
};
static std::atomic_flag spin = ATOMIC_FLAG_INIT;
static ref slot(new counted(1));
static ref get()
{
	while (spin.test_and_set(std::memory_order_acquire))
		sched_yield();
	ref r = slot;
	spin.clear(std::memory_order_release);
	return r;
}
static void set(ref r)
{
	while (spin.test_and_set(std::memory_order_acquire))
		sched_yield();
	std::swap(slot, r);
	spin.clear(std::memory_order_release);
}
int main()
{
	std::thread a([] {
		for (int i = 0; i < 3; i++)
			assert(get()->payload > 0);
	});
	std::thread b([] {
		for (int i = 2; i < 5; i++)
			set(ref(new counted(i)));
	});
	a.join();
	b.join();
	assert(get()->payload == 4);
}
