/*
 * Two threads lose updates: once in first(), then in later(), in which they yield. Whatever follows
 * an execution of first() without interruption, the threads then interrupt each other in later().
 * That says nothing about first().
 *
 * order: 0,1,1,1,1,2,2,2,2
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int one, two;

static void first(void)
{
	int v;

	pthread_mutex_lock(&lock);
	v = one;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	one = v + 1;
	pthread_mutex_unlock(&lock);
}

static void later(void)
{
	int v;

	pthread_mutex_lock(&lock);
	v = two;
	pthread_mutex_unlock(&lock);
	sched_yield();
	pthread_mutex_lock(&lock);
	two = v + 1;
	pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
	first();
	for (int i = 0; i < 3; i++)
		later();
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	puts(one == 2 && two == 6 ? "right" : "wrong");
	return 0;
}
