// A blocking queue that can be closed; consumers take the remaining items.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

template <typename T> class channel
{
	std::mutex m;
	std::condition_variable c;
	std::deque<T> q;
	bool closed = false;

      public:
	void push(T v)
	{
		std::lock_guard g(m);
		q.push_back(std::move(v));
		c.notify_one();
	}
	void close()
	{
		std::lock_guard g(m);
		closed = true;
		c.notify_all();
	}
	std::optional<T> pop()
	{
		std::unique_lock l(m);
		c.wait(l, [&] { return closed || !q.empty(); });
		if (q.empty())
			return std::nullopt;
		T v = std::move(q.front());
		q.pop_front();
		return v;
	}
};

int main()
{
	channel<std::vector<int>> ch;
	int sums[2] = {0, 0};
	auto eat = [&](int me) {
		while (auto v = ch.pop())
			for (int x : *v)
				sums[me] += x;
	};
	std::thread a(eat, 0), b(eat, 1);
	for (int i = 0; i < 4; i++)
		ch.push({i, i + 1});
	ch.close();
	a.join();
	b.join();
	return sums[0] + sums[1] != 16;
}
