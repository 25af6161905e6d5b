/*
 * Two semaphores in opposite orders; between its waits, one thread reads what the other wrote
 * later.
 * order: creation
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t a, b;
static int x;

static void *one(void *arg)
{
	sem_wait(&a);
	sem_wait(&b);
	x++;
	sem_post(&b);
	sem_post(&a);
	return arg;
}

static void *two(void *arg)
{
#ifdef FIXED
	sem_wait(&a);
	sem_wait(&b);
	x++;
#else
	sem_wait(&b);
	x++;
	sem_wait(&a);
#endif
	x++;
	sem_post(&a);
	sem_post(&b);
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
