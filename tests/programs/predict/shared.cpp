/*
 * C++: a std::shared_mutex, and a write under its shared side.
 *
 * expect: data-race hits read@hit write@hit
 * expect: data-race hits write@hit write@hit
 * harm: output
 * order: creation
 * (Only the tier sliced lets the two writes meet: the value that the second thread has read does
 * not matter.)
 *	forerun c++ -g -O1 -pthread shared.cpp -o shared
 *	forerun record --order creation ./shared
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static long hits;

static void look()
{
#ifdef FIXED
	std::unique_lock<std::shared_mutex> l(m);
#else
	std::shared_lock<std::shared_mutex> l(m);
#endif
	hits++; /* @hit */
}

int main()
{
	std::thread t1(look), t2(look);

	t1.join();
	t2.join();
	std::printf("%ld\n", hits);
	return 0;
}
