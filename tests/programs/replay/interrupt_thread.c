/*
 * Two threads take a lock, allocate, and poll flags that a handler in each of them sets. A third
 * one sends the signals.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define SIGNALS 60

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int handled;
static _Atomic(_Bool) stop;
static unsigned long shared;
static _Thread_local atomic_int mine;

static void on_signal(int sig)
{
	(void)sig;
	atomic_fetch_add(&mine, 1);
	atomic_fetch_add(&handled, 1);
}

static void *worker(void *arg)
{
	unsigned long *changes = arg;
	int last = 0;

	while (!atomic_load(&stop)) {
		pthread_mutex_lock(&lock);
		shared++;
		pthread_mutex_unlock(&lock);
		free(malloc(20));
		if (atomic_load(&mine) != last) {
			last = atomic_load(&mine);
			++*changes;
		}
	}
	return NULL;
}

int main(void)
{
	unsigned long changes[2] = {0};
	pthread_t t[2];

	signal(SIGUSR1, on_signal);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, &changes[i]);
	for (int i = 0; i < SIGNALS; i++) {
		for (volatile int k = 0; k < 3000 + i; k++)
			;
		pthread_kill(t[i % 2], SIGUSR1);
	}
	while (atomic_load(&handled) < 2)
		;
	atomic_store(&stop, 1);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d %lu %lu %lu\n", atomic_load(&handled), changes[0], changes[1], shared);
	return 0;
}
