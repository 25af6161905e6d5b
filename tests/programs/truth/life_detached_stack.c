/*
 * A detached thread uses an object on its creator's stack; the creator leaves the function only
 * after the handshake.
 */
#include "truth.h"
#include <semaphore.h>
static sem_t done, bye;
static void *worker(void *arg)
{
	int *p = arg;

	*p *= 2;
	sem_post(&done);
	sem_wait(&bye);
	sem_post(&done);
	return NULL;
}
static int ask(int x)
{
	pthread_t t;
	int box[4] = {x, 0, 0, 0};

	assert(!pthread_create(&t, NULL, worker, box));
	pthread_detach(t);
	while (sem_wait(&done))
		;
	return box[0];
}
int main(void)
{
	sem_init(&done, 0, 0);
	sem_init(&bye, 0, 0);
	assert(ask(4) == 8);
	assert(ask(5) == 10);
	sem_post(&bye);
	sem_post(&bye);
	sem_wait(&done);
	sem_wait(&done);
	return 0;
}
