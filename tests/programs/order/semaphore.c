/*
 * A semaphore guards a balance; money is taken before it is paid in.
 * The twin takes nothing from an empty account.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <semaphore.h>

sem_t guard;
int balance;

static void *first(void *arg)
{
	sem_wait(&guard);
	balance += 100;
	sem_post(&guard);
	return arg;
}

static void *second(void *arg)
{
	sem_wait(&guard);
#ifdef FIXED
	if (balance >= 60)
#endif
		balance -= 60;
	assert(balance >= 0); /* @fails */
	sem_post(&guard);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	sem_init(&guard, 0, 1);
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
