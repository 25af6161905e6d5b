/*
 * A thread that empties a semaphore with sem_trywait may take the unit that another waits for.
 * order: creation
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *posts(void *arg)
{
	sem_post(&s);
	return arg;
}

static void *waits(void *arg)
{
	sem_wait(&s); /* @wait */
	return arg;
}

static void *empties(void *arg)
{
#ifdef FIXED
	int value;

	sem_getvalue(&s, &value);
#else
	while (sem_trywait(&s) == 0)
		;
#endif
	return arg;
}

int main(void)
{
	pthread_t a, b, c;

	sem_init(&s, 0, 0);
	pthread_create(&a, 0, posts, 0);
	pthread_create(&b, 0, waits, 0);
	pthread_create(&c, 0, empties, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	return 0;
}
