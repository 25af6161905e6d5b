/* A debugging aid counts and prints every lock that a thread takes. Behind it, a deadlock.
 * order: creation
 * kinds: deadlock
 * subject: first
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static atomic_int locks;
static int last;

static void take(pthread_mutex_t *m, int id)
{
	int n;

	pthread_mutex_lock(m);
	n = atomic_fetch_add(&locks, 1);
	if (n > 100)
		n = 100;
	printf("lock %d: %d, before it %d\n", n, id, __atomic_load_n(&last, __ATOMIC_RELAXED));
	__atomic_store_n(&last, id, __ATOMIC_RELAXED);
}

static void *one(void *arg)
{
	take(&first, 1);
	take(&second, 2);
	pthread_mutex_unlock(&second);
	pthread_mutex_unlock(&first);
	return arg;
}

static void *other(void *arg)
{
#ifdef FIXED
	take(&first, 1);
	take(&second, 2);
	pthread_mutex_unlock(&second);
	pthread_mutex_unlock(&first);
#else
	take(&second, 2);
	take(&first, 1);
	pthread_mutex_unlock(&first);
	pthread_mutex_unlock(&second);
#endif
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
