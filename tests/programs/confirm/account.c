/*
 * An account: a deposit under the lock, a fee without it. Before that, the owner of a recursive
 * lock takes it twice. The owner of an error-checking lock tries to take it twice, and a thread
 * that does not hold that lock tries to release it.
 *
 * expect: data-race balance write@deposit read@fee
 * harm: assert account.c:@sum: Assertion `balance == 147' failed
 * order: creation
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t journal = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static long balance;

static long credit(long n)
{
	pthread_mutex_lock(&lock);
	balance += n; /* @deposit */
	n = balance;
	pthread_mutex_unlock(&lock);
	return n;
}

static void *audit(void *arg)
{
	pthread_mutex_lock(&lock);
	assert(credit(100) == 100);
	pthread_mutex_unlock(&lock);
	assert(pthread_mutex_unlock(&journal) == EPERM);
	pthread_mutex_lock(&journal);
	assert(pthread_mutex_lock(&journal) == EDEADLK);
	pthread_mutex_unlock(&journal);
	return arg;
}

static void *deposit(void *arg)
{
	credit(50);
	return arg;
}

static void *fee(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&lock);
#endif
	balance -= 3; /* @fee */
#ifdef FIXED
	pthread_mutex_unlock(&lock);
#endif
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, audit, NULL);
	pthread_join(t1, NULL);
	pthread_create(&t1, NULL, deposit, NULL);
	pthread_create(&t2, NULL, fee, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	assert(balance == 147); /* @sum */
	return 0;
}
