/*
 * Two semaphores in opposite orders; in the twin a third semaphore guards both.
 * order: creation
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t a, b, gate;
static int x;

static void use(sem_t *first, sem_t *second)
{
#ifdef FIXED
	sem_wait(&gate);
#endif
	sem_wait(first);
	sem_wait(second);
	x++;
	sem_post(second);
	sem_post(first);
#ifdef FIXED
	sem_post(&gate);
#endif
}

static void *one(void *arg)
{
	use(&a, &b);
	return arg;
}

static void *two(void *arg)
{
	use(&b, &a);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	sem_init(&a, 0, 1);
	sem_init(&b, 0, 1);
	sem_init(&gate, 0, 1);
	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
