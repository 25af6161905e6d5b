/*
 * A shared pointer under a lock: one thread uses it, another resets it.
 * The twin looks whether it is empty.
 *
 * order: creation
 */
#include <memory>
#include <mutex>
#include <thread>

struct counter {
	int value;
};

static std::mutex lock;
std::shared_ptr<counter> current;

static void use()
{
	std::lock_guard<std::mutex> guard(lock);

#ifdef FIXED
	if (current)
#endif
		current->value++; /* @use */
}

static void drop()
{
	std::lock_guard<std::mutex> guard(lock);

	current.reset();
}

int main()
{
	current = std::make_shared<counter>();
	std::thread a(use), b(drop);

	a.join();
	b.join();
	return 0;
}
