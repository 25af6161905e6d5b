#!/usr/bin/env python3
"""races.py COUNT [crash]: a program with COUNT races that do not interfere, each at lines of its own, with harm of four
kinds; and two more, each of which interferes with one of them. Recorded with --order 0+,1,0. "crash": and a pointer
that is taken away between two looks at it, last of all. With -DFIXED every access is under a lock, and a pointer may be
missing."""
import sys

count = int(sys.argv[1])
crash = sys.argv[2:] == ["crash"]
twice = (1, 6)
print("""#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#ifdef FIXED
#define IN pthread_mutex_lock(&all)
#define OUT pthread_mutex_unlock(&all)
#define OF(q) ((q) ? *(q) : 0)
#else
#define IN (void)0
#define OUT (void)0
#define OF(q) *(q)
#endif
pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t some = PTHREAD_MUTEX_INITIALIZER;
static sem_t gone; /* after each race, so that one that goes wrong does not make the next go wrong */
static volatile long v[%d];
const volatile long one = 1, *volatile last = &one;
static const volatile long *volatile p[%d];
static void *first(void *arg)
{""" % (count, count))
for i in range(count):
    if i % 3 == 0:
        print("\tpthread_mutex_lock(&some);\n\tpthread_mutex_unlock(&some);")
    what = "p[%d] = &one;" % i if i % 4 == 3 else "v[%d] = 1;" % i
    for _ in range(2 if i in twice else 1):
        print("\tIN;\n\t%s\n\tOUT;" % what)
    print("\tsem_post(&gone);")
if crash:
    print("\tsched_yield();\n\tIN;\n\tlast = NULL;\n\tOUT;")
print("""	return arg;
}
int main(void)
{
	long sum = 0, status = 0, unused;
	const volatile long *q;
	pthread_t t;

	sem_init(&gone, 0, 0);
	pthread_create(&t, NULL, first, NULL);""")
for i in range(count):
    if i % 5 == 0:
        print("\tpthread_mutex_lock(&some);\n\tpthread_mutex_unlock(&some);")
    print("\tIN;")
    if i % 4 == 0:
        print("\tsum += v[%d];" % i)
    elif i % 4 == 1:
        print("\tstatus |= !v[%d];" % i)
    elif i % 4 == 2:
        print("\tunused = v[%d];" % i)
    else:
        print("\tq = p[%d];" % i)
    print("\tOUT;")
    if i % 4 == 2:
        print("\t(void)unused;")
    elif i % 4 == 3:
        print("\tsum += OF(q);")
    print("\tsem_wait(&gone);")
if crash:
    print("\tIN;\n\tif (last)\n\t\tsum += *last;\n\tOUT;")
print("""	pthread_join(t, NULL);
	printf("%ld\\n", sum);
	return (int)status;
}""")
