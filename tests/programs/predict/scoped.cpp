/*
 * C++: two mutexes in two orders, by lock_guard. std::scoped_lock takes both without waiting for
 * one while it holds the other.
 *
 * expect: deadlock a,b acquire@forth acquire@back
 * harm: hang
 * order: creation
 *	forerun c++ -g -O1 -pthread scoped.cpp -o scoped
 *	forerun record --order creation ./scoped
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <mutex>
#include <thread>

static std::mutex a, b;
static long n;

static void forth()
{
#ifdef FIXED
	std::scoped_lock l(a, b);
#else
	std::lock_guard<std::mutex> first(a);
	std::lock_guard<std::mutex> second(b); /* @forth */
#endif
	n++;
}

static void back()
{
#ifdef FIXED
	std::scoped_lock l(b, a);
#else
	std::lock_guard<std::mutex> first(b);
	std::lock_guard<std::mutex> second(a); /* @back */
#endif
	n++;
}

int main()
{
	std::thread t1(forth), t2(back);

	t1.join();
	t2.join();
	return 0;
}
