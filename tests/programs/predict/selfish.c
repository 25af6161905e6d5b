/*
 * A function that takes the lock is called with the lock held. The run hangs, and is ended by a
 * signal.
 *
 * expect: deadlock journal acquire@again
 * harm: hang
 * order: creation
 *	forerun cc -g -O1 -pthread selfish.c -o selfish
 *	forerun record --order creation ./selfish
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#ifdef FIXED
static pthread_mutex_t journal = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
#else
static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
#endif
static int entries;

static void give_up(int sig)
{
	(void)sig;
	_exit(0);
}

static __attribute__((noinline)) void append(int n)
{
	pthread_mutex_lock(&journal); /* @again */
	entries += n;
	pthread_mutex_unlock(&journal);
}

static void *writer(void *arg)
{
	pthread_mutex_lock(&journal);
	append(1);
	pthread_mutex_unlock(&journal);
	return arg;
}

int main(void)
{
	pthread_t t;

	signal(SIGALRM, give_up);
	append(1);
	pthread_create(&t, NULL, writer, NULL);
	sleep(1000); /* no real time passes: it ends when no other thread can run */
	alarm(1);
	pthread_join(t, NULL);
	return entries != 2;
}
