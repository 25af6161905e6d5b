/* A class with a queue lock (MCS) and a guard object. */
#include <atomic>
#include <thread>

class Mcs
{
      public:
	struct Node {
		std::atomic<Node *> next{nullptr};
		std::atomic<bool> wait{true};
	};

	void lock(Node &n)
	{
		Node *before;

		n.next.store(nullptr, std::memory_order_relaxed);
		n.wait.store(true, std::memory_order_relaxed);
		before = last.exchange(&n, std::memory_order_acq_rel);
		if (!before)
			return;
		before->next.store(&n, std::memory_order_release);
		while (n.wait.load(std::memory_order_acquire))
			std::this_thread::yield();
	}
	void unlock(Node &n)
	{
		Node *after = n.next.load(std::memory_order_acquire), *self = &n;

		if (!after) {
			if (last.compare_exchange_strong(self, nullptr))
				return;
			do {
				after = n.next.load(std::memory_order_acquire);
			} while (!after);
		}
		after->wait.store(false, std::memory_order_release);
	}

      private:
	std::atomic<Node *> last{nullptr};
};

static Mcs mcs;

static void take(Mcs::Node *n)
{
	mcs.lock(*n);
}

static void leave(Mcs::Node *n)
{
	mcs.unlock(*n);
}

#define NODE Mcs::Node node
#include "account.h"
