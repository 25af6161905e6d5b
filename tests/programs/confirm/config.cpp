/*
 * C++: settings behind a std::shared_mutex, made on first use (a function-local static,
 * std::call_once). A thread sets a limit without the lock. A reader that finds no limit throws an
 * exception, and nothing catches it. The twin takes the lock and has a limit from the start.
 * Without that limit, the order of the threads would still decide whether it throws.
 *
 * expect: data-race * write@set read@get
 * harm: crash config.cpp:@throw
 * order: creation
 */
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>

struct Settings {
	mutable std::shared_mutex m;
#ifdef FIXED
	int limit = 50, users = 0;
#else
	int limit = 0, users = 0;
#endif
	int get() const
	{
		std::shared_lock<std::shared_mutex> l(m);
		if (!limit) /* @get */
			throw std::runtime_error("there is no limit"); /* @throw */
		return limit;
	}
	void set(int n)
	{
#ifdef FIXED
		std::unique_lock<std::shared_mutex> l(m);
#endif
		limit = n; /* @set */
	}
	void enter()
	{
		std::unique_lock<std::shared_mutex> l(m);
		users++;
	}
};

static Settings &settings()
{
	static Settings s;
	return s;
}

static std::once_flag once;

static void start()
{
	std::call_once(once, [] { settings().enter(); });
	settings().enter();
	settings().set(80);
}

static void serve()
{
	std::call_once(once, [] { settings().enter(); });
	settings().enter();
	std::printf("%s\n", settings().get() > 0 ? "limited" : "unlimited");
}

int main()
{
	std::thread a(start), b(serve);

	a.join();
	b.join();
	std::printf("%d users\n", settings().users);
	return 0;
}
