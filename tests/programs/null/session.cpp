/*
 * A caller asks whether there is a session, and then uses it, each under the mutex. Another thread
 * ends the session. The twin takes the session once.
 *
 * order: creation
 */
#include <memory>
#include <mutex>
#include <thread>

struct session {
	int user = 3;
};
static std::mutex m;
static std::shared_ptr<session> current = std::make_shared<session>();
int user;

#ifndef FIXED
static bool has_session()
{
	std::lock_guard<std::mutex> g(m);
	return current != nullptr;
}
#endif

static std::shared_ptr<session> get()
{
	std::lock_guard<std::mutex> g(m);
	return current;
}

int main()
{
	std::thread a([] {
#ifdef FIXED
		if (auto s = get())
			user = s->user;
#else
		if (has_session())
			user = get()->user; /* @use */
#endif
	});
	std::thread b([] {
		std::lock_guard<std::mutex> g(m);
		current.reset();
	});
	a.join();
	b.join();
	return 0;
}
