/*
 * A semaphore and a read-write lock in one function, each with its own name. An update is lost.
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static int calls, balance;

static void note(void)
{
	pthread_rwlock_wrlock(&table);
	calls++;
	pthread_rwlock_unlock(&table);
}

static __attribute__((noinline)) void take(int n)
{
	int old;

	sem_wait(&tokens);
	old = balance;
	sem_post(&tokens);
	note();
	sem_wait(&tokens);
	balance = old - n;
	sem_post(&tokens);
}

static void *one(void *arg)
{
	take(1);
	return arg;
}

static void *two(void *arg)
{
	take(2);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	sem_init(&tokens, 0, 1);
	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(balance == -3);
	return 0;
}
