/* A thread asks for the value of a semaphore until it is high enough, and then takes all of it. */
#include "truth.h"
#include <semaphore.h>
static sem_t s;
static int item[3];
static void *giver(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		item[i] = i + 1;
		sem_post(&s);
	}
	return NULL;
}
static void *taker(void *unused)
{
	int v = 0, sum = 0;

	(void)unused;
	while (v < 3) {
		sem_getvalue(&s, &v);
		sched_yield();
	}
	for (int i = 0; i < 3; i++) {
		assert(!sem_trywait(&s));
		sum += item[i];
	}
	assert(sum == 6);
	return NULL;
}
int main(void)
{
	sem_init(&s, 0, 0);
	return both(giver, taker, NULL);
}
