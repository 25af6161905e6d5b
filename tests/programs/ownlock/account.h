/*
 * An account behind a lock that the program implements itself. Two bugs, both about data:
 * withdraw() gives the lock up between its look at `bal` and its write, and second() changes
 * `audit` without the lock. The program defines take() and leave(), with a NODE that lives as long
 * as its caller.
 */
#include <assert.h>
#include <pthread.h>

#ifndef NODE
#define NODE (void)0
#define NODE_ARG
#else
#define NODE_ARG &node
#endif

static int bal = 100, audit;

static void withdraw(int k)
{
	NODE;
	int b;

	take(NODE_ARG);
	b = bal;
#ifndef FIXED
	leave(NODE_ARG);
	take(NODE_ARG);
#endif
	bal = b - k;
	leave(NODE_ARG);
}

static void count(void)
{
	NODE;

	take(NODE_ARG);
	audit++;
	leave(NODE_ARG);
}

static void *first(void *unused)
{
	for (int i = 0; i < 3; i++)
		withdraw(11);
	return unused;
}

static void *second(void *unused)
{
	for (int i = 0; i < 3; i++)
		withdraw(5);
#ifdef FIXED
	count();
#else
	audit++;
#endif
	return unused;
}

static void *third(void *unused)
{
	count();
	return unused;
}

int main(void)
{
	void *(*const routine[])(void *) = {first, second, third};
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, routine[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(bal == 100 - 48);
	return 0;
}
