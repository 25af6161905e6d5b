/*
 * A log takes its sequence numbers from an atomic counter, and prints them. The update of the
 * balance is not atomic.
 * order: creation
 * kinds: atomicity-violation
 * subject: balance
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_long sequence;
static int balance = 100;

__attribute__((noinline)) static void log_line(const char *text)
{
	long n = atomic_fetch_add(&sequence, 1);

	printf("%ld %s\n", n, text);
}

static void *withdraw(void *arg)
{
	int v;

	log_line("begin");
	pthread_mutex_lock(&m);
	v = balance;
#ifndef FIXED
	pthread_mutex_unlock(&m);
	log_line("update");
	pthread_mutex_lock(&m);
#endif
	balance = v - 10;
	pthread_mutex_unlock(&m);
	log_line("end");
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, withdraw, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
