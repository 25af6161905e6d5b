/*
 * Two binary semaphores, taken in opposite orders.
 * order: creation
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t a, b;
static int x;

static void use(sem_t *first, sem_t *second)
{
	sem_wait(first);
	sem_wait(second); /* @wait */
	x++;
	sem_post(second);
	sem_post(first);
}

static void *one(void *arg)
{
	use(&a, &b);
	return arg;
}

static void *two(void *arg)
{
#ifdef FIXED
	use(&a, &b);
#else
	use(&b, &a);
#endif
	return arg;
}

int main(void)
{
	pthread_t t, u;

	sem_init(&a, 0, 1);
	sem_init(&b, 0, 1);
	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
