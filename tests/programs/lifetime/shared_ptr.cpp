/*
 * A thread copies a shared pointer while another assigns to it, without a lock: the copy uses a
 * control block that the assignment has freed.
 * order: creation
 * expect: use-after-free
 */
#include <memory>
#include <mutex>
#include <thread>

struct config {
	int port = 80;
};
static std::shared_ptr<config> current = std::make_shared<config>();
static std::mutex lock;

static void reader()
{
#ifdef FIXED
	std::unique_lock<std::mutex> held(lock);
#endif
	std::shared_ptr<config> mine = current;
#ifdef FIXED
	held.unlock();
#endif
	if (mine->port < 0)
		throw 1;
}

static void reload()
{
	auto fresh = std::make_shared<config>();
#ifdef FIXED
	std::unique_lock<std::mutex> held(lock);
#endif
	current = fresh;
}

int main()
{
	std::thread a(reader), b(reload);
	a.join();
	b.join();
}
