/*
 * The recorded run reads a pointer without a lock after another thread has cleared it, and crashes. FIXED: the reader copes.
 * UNRELATED: main crashes in every order.
 *
 * order: 0,2,1
 */
#include <pthread.h>
#include <stdlib.h>

static int *volatile p;

static void *use(void *arg)
{
	int *q = p;

#if defined FIXED || defined UNRELATED
	if (!q)
		return arg;
#endif
	return *q == 3 ? arg : NULL;
}

static void *clear(void *arg)
{
	p = NULL;
	return arg;
}

int main(void)
{
	static int three = 3;
	pthread_t t, u;

	p = &three;
	pthread_create(&t, NULL, use, NULL);
	pthread_create(&u, NULL, clear, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
#ifdef UNRELATED
	*(volatile int *)p = 1;
#endif
	return 0;
}
