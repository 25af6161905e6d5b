/*
 * The recorded run loses an update, and main's assertion fails. FIXED: one region. UNRELATED: the
 * assertion fails in every order.
 *
 * order: 0,1,2,1
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *deposit(void *arg)
{
	pthread_mutex_lock(&m);
	int b = balance;
#ifndef FIXED
	pthread_mutex_unlock(&m);
	sched_yield();
	pthread_mutex_lock(&m);
#endif
	balance = b + 10;
	pthread_mutex_unlock(&m);
	return arg;
}

static void *withdraw(void *arg)
{
	pthread_mutex_lock(&m);
	balance -= 10;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, deposit, NULL);
	pthread_create(&u, NULL, withdraw, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
#ifdef UNRELATED
	assert(balance == 1000);
#endif
	assert(balance == 0);
	return 0;
}
