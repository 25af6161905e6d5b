/* Two threads, a lock, a global, a heap object. Lines are named by the test. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;
static struct record { int first; int last; } *record;

static __attribute__((noinline)) void deposit(int amount)
{
	pthread_mutex_lock(&lock); /* LOCK */
	balance += amount; /* BALANCE */
	record->last = balance; /* RECORD */
	pthread_mutex_unlock(&lock); /* UNLOCK */
}

static void *worker(void *arg)
{
	deposit((int)(long)arg); /* CALL */
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	record = malloc(sizeof(*record)); /* MALLOC */
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, (void *)(i + 1)); /* CREATE */
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL); /* JOIN */
	printf("%d %d\n", balance, record->last);
	free(record); /* FREE */
	return balance != 103;
}
