/*
 * A thread joins another one while it holds a semaphore that the other one needs.
 * order: creation
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;

static void *works(void *arg)
{
	sem_wait(&s);
	x++;
	sem_post(&s);
	return arg;
}

static void *ends(void *arg)
{
	sem_wait(&s);
#ifdef FIXED
	sem_post(&s);
	pthread_join(*(pthread_t *)arg, NULL);
#else
	pthread_join(*(pthread_t *)arg, NULL);
	sem_post(&s);
#endif
	return NULL;
}

int main(void)
{
	pthread_t t, u;

	sem_init(&s, 0, 1);
	pthread_create(&t, NULL, works, NULL);
	pthread_create(&u, NULL, ends, &t);
	pthread_join(u, NULL);
	return 0;
}
