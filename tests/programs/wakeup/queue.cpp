/*
 * A queue whose close() sets its flag without the lock.
 * order: 0+,1,0+,2,1,0
 */
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

class Queue {
	std::mutex m;
	std::condition_variable c;
	std::queue<int> q;
	std::atomic<bool> closed{false};

public:
	void push(int x)
	{
		std::lock_guard<std::mutex> l(m);
		q.push(x);
		c.notify_one();
	}
	bool pop(int *ret)
	{
		std::unique_lock<std::mutex> l(m);
		while (q.empty() && !closed)
			c.wait(l); /* @wait */
		if (q.empty())
			return false;
		*ret = q.front();
		q.pop();
		return true;
	}
	void close()
	{
#ifdef FIXED
		std::lock_guard<std::mutex> l(m);
#endif
		closed = true;
		c.notify_all(); /* @signal */
	}
};

int main()
{
	Queue q;
	int sum = 0;
	std::thread t([&] {
		for (int x; q.pop(&x);)
			sum += x;
	});
	std::thread u([&] {
		q.push(1);
		q.push(2);
	});

	u.join();
	q.close();
	t.join();
	return sum != 3;
}
