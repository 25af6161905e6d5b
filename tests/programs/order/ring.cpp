/*
 * A ring buffer: the consumer takes the number of items in one critical section and the item in the
 * next; a second consumer empties it between, and the buffer asserts that there is an item.
 * The twin asks and takes at once.
 *
 * order: creation
 */
#include <atomic>
#include <cassert>
#include <mutex>
#include <optional>
#include <thread>

class ring {
public:
	void put(int v)
	{
		std::lock_guard<std::mutex> g(m);
		item[(head + n++) % 4] = v;
	}
	bool empty()
	{
		std::lock_guard<std::mutex> g(m);
		return n == 0;
	}
	int take()
	{
		std::lock_guard<std::mutex> g(m);
		return take_locked();
	}
	std::optional<int> try_take()
	{
		std::lock_guard<std::mutex> g(m);
		if (n == 0)
			return {};
		return take_locked();
	}

private:
	int take_locked()
	{
		assert(n > 0); /* @fails */
		int v = item[head];
		head = (head + 1) % 4;
		n--;
		return v;
	}
	std::mutex m;
	int item[4] = {}, head = 0, n = 0;
};
static ring r;
std::atomic<int> sum;

static void consume()
{
#ifdef FIXED
	while (auto v = r.try_take())
		sum += *v;
#else
	while (!r.empty())
		sum += r.take();
#endif
}

int main()
{
	r.put(1);
	r.put(2);
	std::thread a(consume), b(consume);
	a.join();
	b.join();
	return sum != 3;
}
