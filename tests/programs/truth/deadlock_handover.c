/* A semaphore used as a lock that another thread releases. */
#include "truth.h"
#include <semaphore.h>

static sem_t a, b;
static int x;

static void *ping(void *unused)
{
	for (int i = 0; i < 3; i++) {
		sem_wait(&a);
		x++;
		sem_post(&b);
	}
	return unused;
}

static void *pong(void *unused)
{
	for (int i = 0; i < 3; i++) {
		sem_wait(&b);
		x--;
		sem_post(&a);
	}
	return unused;
}

int main(void)
{
	sem_init(&a, 0, 1);
	sem_init(&b, 0, 0);
	both(ping, pong, NULL);
	return x;
}
