/* Two counting semaphores taken in opposite order, but each has room for both threads. */
#include "truth.h"
#include <semaphore.h>
static sem_t a, b;
static void take(sem_t *s)
{
	while (sem_wait(s))
		;
}
static void *one(void *arg)
{
	for (int i = 0; i < 3; i++) {
		take(&a);
		take(&b);
		sem_post(&a);
		sem_post(&b);
	}
	return arg;
}
static void *two(void *arg)
{
	for (int i = 0; i < 3; i++) {
		take(&b);
		take(&a);
		sem_post(&b);
		sem_post(&a);
	}
	return arg;
}
int main(void)
{
	pthread_t t[2];

	sem_init(&a, 0, 2);
	sem_init(&b, 0, 1);
	assert(!pthread_create(&t[0], NULL, one, NULL));
	assert(!pthread_create(&t[1], NULL, two, NULL));
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
