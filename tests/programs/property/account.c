/*
 * Two deposits: one reads the balance, then the other writes it (GPredict figures 4 and 5). Each
 * access has a lock, so there is no race.
 * order: creation
 * spec: account.spec
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, whole = PTHREAD_MUTEX_INITIALIZER;
static int balance;

void deposit(int amount)
{
	int old;

#ifdef FIXED
	pthread_mutex_lock(&whole);
#endif
	pthread_mutex_lock(&mutex);
	old = balance;
	pthread_mutex_unlock(&mutex);
	pthread_mutex_lock(&mutex);
	balance = old + amount;
	pthread_mutex_unlock(&mutex);
#ifdef FIXED
	pthread_mutex_unlock(&whole);
#endif
}

static void *pay(void *arg)
{
	deposit(5);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	(void)whole;
	pthread_create(&a, NULL, pay, NULL);
	pthread_create(&b, NULL, pay, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(balance == 10);
	return 0;
}
