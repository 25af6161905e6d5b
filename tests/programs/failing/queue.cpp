/*
 * A producer puts an item into a queue, which the consumer's thread closes. The queue throws then.
 * The twin closes the queue after the producer has ended.
 *
 * order: creation
 * harm: crash
 */
#include <mutex>
#include <queue>
#include <stdexcept>
#include <thread>

class Queue
{
      public:
	void put(int x)
	{
		std::lock_guard<std::mutex> g(m);
		if (closed)
			throw std::runtime_error("closed"); /* @fails */
		items.push(x);
	}
	void close()
	{
		std::lock_guard<std::mutex> g(m);
		closed = true;
	}

      private:
	std::mutex m;
	std::queue<int> items;
	bool closed = false;
};

Queue queue;

int main()
{
	std::thread producer([] { queue.put(1); });
#ifdef FIXED
	producer.join();
#endif
	std::thread consumer([] { queue.close(); });

#ifndef FIXED
	producer.join();
#endif
	consumer.join();
}
