/* A detached thread tells by a semaphore that it has finished. */
#include "truth.h"
#include <semaphore.h>

static sem_t done;
static int result;

static void *work(void *unused)
{
	result = 6;
	sem_post(&done);
	return unused;
}

int main(void)
{
	pthread_attr_t a;
	pthread_t t;

	sem_init(&done, 0, 0);
	pthread_attr_init(&a);
	pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
	pthread_create(&t, &a, work, NULL);
	sem_wait(&done);
	return result != 6;
}
