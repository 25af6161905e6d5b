/*
 * A bank account that is always locked when it is touched, and still goes wrong: withdraw() looks
 * at the balance under the lock, lets go of it, and writes the new balance under the lock again. A
 * deposit that comes in between is lost. There is no data race here for a race detector to find.
 *
 * In an ordinary run the deposit comes long after the withdrawal, and all is well.
 *
 *	forerun-cc -g -O1 -pthread bank.c -o bank
 *	forerun run ./bank 100
 *	forerun replay forerun.d/bank.1/1
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long balance;

static void *withdraw(void *arg)
{
	long amount = *(const long *)arg;
	long seen;

	pthread_mutex_lock(&lock);
	seen = balance;
	pthread_mutex_unlock(&lock);
	if (seen < amount)
		return NULL;
	pthread_mutex_lock(&lock);
	balance = seen - amount; /* the balance may have changed since */
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *deposit(void *arg)
{
	long amount = *(const long *)arg;

	usleep(100000); /* the customer walks up to the counter */
	pthread_mutex_lock(&lock);
	balance += amount;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(int argc, char **argv)
{
	long start = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
	long out = 10, in = 50;
	pthread_t t1, t2;

	balance = start;
	pthread_create(&t1, NULL, withdraw, &out);
	pthread_create(&t2, NULL, deposit, &in);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	printf("balance %ld\n", balance);
	assert(balance == (start < out ? start : start - out) + in);
	return 0;
}
