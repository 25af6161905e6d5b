/*
 * A class with a queue lock (CLH), the nodes of which are on the heap. At -O0, the waiting loop calls functions.
 * level: -O1
 */
#include <atomic>

class Queue
{
	struct node {
		std::atomic<bool> busy{false};
	};
	std::atomic<node *> tail{new node};
	static thread_local node *own, *prior;

      public:
	void lock()
	{
		if (!own)
			own = new node;
		own->busy.store(true, std::memory_order_relaxed);
		prior = tail.exchange(own, std::memory_order_acq_rel);
		while (prior->busy.load(std::memory_order_acquire)) {
		}
	}
	void unlock()
	{
		node *n = own;

		own = prior;
		n->busy.store(false, std::memory_order_release);
	}
};

thread_local Queue::node *Queue::own, *Queue::prior;
static Queue queue;

static void take()
{
	queue.lock();
}

static void leave()
{
	queue.unlock();
}

#include "account.h"
