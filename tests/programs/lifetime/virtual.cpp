/*
 * A listener is deleted while another thread calls it.
 * order: creation
 * expect: use-after-free
 * harm: crash
 */
#include <mutex>
#include <thread>

struct listener {
	virtual ~listener() = default;
	virtual void changed(int value) { last = value; }
	int last = 0;
};
static listener *registered = new listener;
static std::mutex lock;

static void notify()
{
	std::unique_lock<std::mutex> held(lock);
	listener *l = registered;

#ifndef FIXED
	held.unlock();
#endif
	if (l)
		l->changed(1);
}

static void unregister()
{
	std::unique_lock<std::mutex> held(lock);
	listener *l = registered;

	registered = nullptr;
	held.unlock();
	operator delete(l);
}

int main()
{
	std::thread a(notify), b(unregister);
	a.join();
	b.join();
}
