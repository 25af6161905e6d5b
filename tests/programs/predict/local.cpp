/*
 * C++: a static variable in a function is made by whoever comes first; who comes later looks at its guard alone. What the
 * constructor writes is no race, what is written afterwards is one.
 *
 * expect: data-race * write@write read@read
 * harm: output
 * order: creation
 * twin: prints less
 *	forerun c++ -g -O1 -pthread local.cpp -o local
 *	forerun record --order creation ./local
 *	forerun predict
 * With -DFIXED it is right, and there is nothing to be found.
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
