/*
 * C++: the first thread initialises a static variable in a function; later threads only read its
 * guard. Writes of the constructor do not race with them, later writes do.
 *
 * expect: data-race * write@write read@read
 * harm: output
 * order: creation
 * twin: prints less
 *	forerun c++ -g -O1 -pthread local.cpp -o local
 *	forerun record --order creation ./local
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <cstdio>
#include <thread>

long initial = 5; /* not static: the table shall be made when the program runs */

struct Table {
	long size = initial;
	long hits = 0;
};

static Table &table()
{
	static Table t;

	return t;
}

static void look()
{
	printf("%ld\n", table().size);
#ifndef FIXED
	printf("%ld\n", table().hits); /* @read */
#endif
}

int main()
{
	std::thread first([] { table().hits = 1; /* @write */ });
	std::thread second(look);

	first.join();
	second.join();
	return 0;
}
