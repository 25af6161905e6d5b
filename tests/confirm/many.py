#!/usr/bin/env python3
"""many.py COUNT LOOPS: a program with COUNT races, each at lines of its own, after LOOPS iterations of a loop.
Recorded with --order 0+,1,0."""
import sys

count, loops = (int(a) for a in sys.argv[1:])
print("""#include <pthread.h>
#include <stdio.h>
static volatile unsigned long work;
static long v[%d];
static void *first(void *arg)
{
	for (unsigned long i = 0; i < %dul; i++)
		work += i;""" % (count, loops))
for i in range(count):
    print("\tv[%d] = 1;" % i)
print("""	return arg;
}
int main(void)
{
	pthread_t t;
	long sum = 0;

	pthread_create(&t, NULL, first, NULL);""")
for i in range(count):
    print("\tsum += v[%d];" % i)
print("""	pthread_join(t, NULL);
	printf("%ld\\n", sum);
	return 0;
}""")
