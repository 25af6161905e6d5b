/*
 * Threads lose updates. A control that begins in the middle of such an update, between what one
 * thread read and what it writes, shows the same total as the violation. WAY: 1 in two lock
 * regions, 2 in two functions, 3 with atomics, 4 of two accounts.
 *
 * order: creation
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define THREADS 3
#define TIMES 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count[2];
static atomic_int total;

static __attribute__((noinline)) int get(int which)
{
	int v;

	pthread_mutex_lock(&lock);
	v = count[which];
	pthread_mutex_unlock(&lock);
	return v;
}

static __attribute__((noinline)) void set(int which, int v)
{
	pthread_mutex_lock(&lock);
	count[which] = v;
	pthread_mutex_unlock(&lock);
}

static void once(int i)
{
#if WAY == 1
	int v;

	pthread_mutex_lock(&lock);
	v = count[0];
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	count[0] = v + 1;
	pthread_mutex_unlock(&lock);
#elif WAY == 2
	set(0, get(0) + 1);
#elif WAY == 3
	int v = atomic_load(&total);

	atomic_store(&total, v + 1);
#else
	int v = get(i & 1);

	set(i & 1, v - 1);
	v = get(!(i & 1));
	set(!(i & 1), v + 2);
#endif
	(void)i;
}

static void *work(void *arg)
{
	int i = (int)(long)arg;

	for (int k = 0; k < TIMES; k++)
		once(i);
	return arg;
}

int main(void)
{
	pthread_t t[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	total += get(0) + get(1);
	printf("%d of %d\n", total, THREADS * TIMES);
#ifdef STATUS
	return total != THREADS * TIMES;
#else
	return 0;
#endif
}
