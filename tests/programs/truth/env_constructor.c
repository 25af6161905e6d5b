/* A constructor starts a thread before main(), a destructor joins it. */
#include "truth.h"
#include <semaphore.h>

static pthread_t t;
static sem_t s;
static int x;

static void *work(void *unused)
{
	tick();
	while (sem_wait(&s) != 0)
		;
	x = 2;
	return unused;
}

__attribute__((constructor)) static void begin(void)
{
	sem_init(&s, 0, 0);
	x = 1;
	pthread_create(&t, NULL, work, NULL);
}

__attribute__((destructor)) static void end(void)
{
	sem_post(&s);
	pthread_join(t, NULL);
	if (x != 2)
		_exit(3);
}

int main(void)
{
	assert(look());
	return 0;
}
