/*
 * C++: a std::shared_mutex, and a write under its shared side.
 *
 * expect: data-race hits read@hit write@hit
 * expect: data-race hits write@hit write@hit
 * harm: output
 * order: creation
 * (The two writes meet only in the tier sliced: it does not matter what the second thread has read.)
 *	forerun c++ -g -O1 -pthread shared.cpp -o shared
 *	forerun record --order creation ./shared
 *	forerun predict
 * With -DFIXED it is right, and there is nothing to be found.
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
