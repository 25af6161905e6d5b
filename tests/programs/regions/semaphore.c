/*
 * A withdrawal reads the balance and writes it in two sections of one semaphore, which the program
 * uses as a lock. A deposit in between is lost.
 *   NEW    the semaphore begins with its unit
 *   GIVEN  main posts it before it creates the threads
 *   TRY    the deposit tries to take it
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

static sem_t guard;
static int balance = 100;

static void take(void)
{
	sem_wait(&guard);
}

static void *withdraw(void *arg)
{
	int have;

	take();
	have = balance;
#ifndef FIXED
	sem_post(&guard);
	take();
#endif
	balance = have - 10;
	sem_post(&guard);
	return arg;
}

static void *deposit(void *arg)
{
#ifdef TRY
	while (sem_trywait(&guard))
		sched_yield();
#else
	take();
#endif
	balance += 50;
	sem_post(&guard);
	return arg;
}

int main(void)
{
	pthread_t a, b;

#ifdef GIVEN
	sem_init(&guard, 0, 0);
	sem_post(&guard);
#else
	sem_init(&guard, 0, 1);
#endif
	pthread_create(&a, NULL, withdraw, NULL);
	pthread_create(&b, NULL, deposit, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(balance == 140);
	return 0;
}
