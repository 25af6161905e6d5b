/* A statistics counter orders two accesses by its value alone, and main prints it at the end.
 * order: creation
 * kinds: data-race
 * subject: balance
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int hits, balance;

static void hit(void)
{
	pthread_mutex_lock(&m);
	hits++;
	pthread_mutex_unlock(&m);
}

static void *deposit(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&b);
	balance += 10;
	pthread_mutex_unlock(&b);
#else
	balance += 10;
#endif
	hit();
	return arg;
}

static void *audit(void *arg)
{
	int *seen = arg;

	hit();
	pthread_mutex_lock(&b);
	*seen = balance;
	pthread_mutex_unlock(&b);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	int seen;

	pthread_create(&t[0], NULL, deposit, NULL);
	pthread_create(&t[1], NULL, audit, &seen);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	printf("%d hits\n", hits);
	return 0;
}
