/*
 * As queue.cpp, but main catches the exception and ends with another status.
 * The twin closes the queue after the last item.
 *
 * order: creation
 * harm: exit
 */
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex m;
bool closed;
int items;

static bool is_closed()
{
	std::lock_guard<std::mutex> g(m);
	return closed;
}

static void put()
{
	if (is_closed())
		throw std::runtime_error("closed"); /* @fails */
	items++;
}

static void shut()
{
	std::lock_guard<std::mutex> g(m);
	closed = true;
}

int main()
try {
#ifdef FIXED
	put();
	std::thread t(shut);
#else
	std::thread t([] {});
	std::thread other(shut);
	try {
		put();
	} catch (...) {
		t.join();
		other.join();
		throw;
	}
	other.join();
#endif
	t.join();
	return 0;
} catch (const std::exception &e) {
	std::cerr << e.what() << '\n';
	return 2;
}
