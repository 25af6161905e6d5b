/*
 * A thread that polls. With the first arguments no thread ever changes the polled value. With the
 * others a number of rounds, time or another thread ends the loop, and the program prints "end".
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 3000000 /* the controller begins to look after a million hooks */

static atomic_int flag;
static volatile int plain;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t sem; /* without a unit */
static long first;
static const char *how;

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* main holds these locks until the end. The loops have no hook but the call. */
static void tries(void)
{
	if (!strcmp(how, "mutex"))
		while (pthread_mutex_trylock(&mutex))
			sched_yield();
	else if (!strcmp(how, "read"))
		while (pthread_rwlock_tryrdlock(&rwlock))
			;
	else if (!strcmp(how, "write"))
		while (pthread_rwlock_trywrlock(&rwlock))
			sched_yield();
	else if (!strcmp(how, "spin"))
		while (pthread_spin_trylock(&spin))
			;
	else if (!strcmp(how, "sem"))
		while (sem_trywait(&sem))
			sched_yield();
}

/* Nothing comes before the loops: the counter is near the number of hooks. */
static void *counts(void *arg)
{
	for (long i = first; i < ROUNDS && !plain; i++)
		;
	return arg;
}

static void *attempts(void *arg)
{
	for (long i = first; i < ROUNDS && pthread_mutex_trylock(&mutex); i++)
		;
	return arg;
}

static void *polls(void *arg)
{
	long began = now_ms();

	if (!strcmp(how, "yield") || !strcmp(how, "sleeper"))
		while (!flag)
			sched_yield();
	else if (!strcmp(how, "usleep"))
		while (!flag)
			usleep(10);
	else if (!strcmp(how, "plain"))
		while (!plain)
			;
	else if (!strcmp(how, "rounds"))
		for (long i = 0; i < 500000 && !flag; i++)
			sched_yield();
	else if (!strcmp(how, "time"))
		while (!flag && now_ms() < began + 500)
			sched_yield();
	else
		tries();
	return arg;
}

static void *sets(void *arg)
{
	if (!strcmp(how, "sleeper")) {
		usleep(500000);
		flag = 1;
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t, u;

	how = argc > 1 ? argv[1] : "";
	first = argc > 2 ? atol(argv[2]) : 0;
	sem_init(&sem, 0, 0);
	pthread_mutex_lock(&mutex);
	pthread_rwlock_wrlock(&rwlock);
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	pthread_spin_lock(&spin);
	pthread_create(&t, NULL,
		       !strcmp(how, "counts")	  ? counts
		       : !strcmp(how, "attempts") ? attempts
						  : polls,
		       NULL);
	pthread_create(&u, NULL, sets, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	puts("end");
	return 0;
}
