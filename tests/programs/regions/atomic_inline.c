/*
 * A function that must be atomic, and is inlined. Some functions that it calls are defined above
 * and inlined, too; another one is not. Each locks, and between them comes a region of another
 * lock. main calls the function twice in a row: two calls.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int x, notes;

static inline void set(int n)
{
	pthread_mutex_lock(&m);
	x = n;
	pthread_mutex_unlock(&m);
}

__attribute__((noinline)) static void note(void)
{
	pthread_mutex_lock(&other);
	notes++;
	pthread_mutex_unlock(&other);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
}

static inline int get(void)
{
	int n;

	pthread_mutex_lock(&m);
	n = x;
	pthread_mutex_unlock(&m);
	return n;
}

static inline void bump(void)
{
	int n = get();

	note();
	set(n + 1);
}

static void *work(void *arg)
{
	bump();
	bump();
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, work, NULL);
	pthread_create(&t[1], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", x);
	return 0;
}
