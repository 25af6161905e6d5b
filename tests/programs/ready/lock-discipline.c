/*
 * One function reads the account without its lock. The accounts are elements of one array, so one
 * block of memory holds several locks: the lock of another account is no protection, and its use no
 * violation.
 * order: creation
 * spec: lock-discipline
 */
#include <pthread.h>
#include <stdlib.h>

struct account {
	pthread_mutex_t lock;
	long balance, changes;
};
static struct account *all;

static void deposit(struct account *a, long x)
{
	pthread_mutex_lock(&a->lock);
	a->balance += x;
	a->changes++;
	pthread_mutex_unlock(&a->lock);
}

static long average(struct account *a)
{
	long r;

#ifdef FIXED
	pthread_mutex_lock(&a->lock);
#endif
	r = a->changes ? a->balance / a->changes : 0;
#ifdef FIXED
	pthread_mutex_unlock(&a->lock);
#endif
	return r;
}

static void *first(void *arg)
{
	deposit(&all[0], 5);
	deposit(&all[1], 5);
	return arg;
}

static void *second(void *arg)
{
	deposit(&all[1], 7);
	return average(&all[0]) > 100 ? NULL : arg;
}

int main(void)
{
	pthread_t a, b;

	all = calloc(2, sizeof(*all));
	for (int i = 0; i < 2; i++)
		pthread_mutex_init(&all[i].lock, NULL);
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(all);
	return 0;
}
