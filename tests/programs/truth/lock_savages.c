/*
 * Dining savages: a savage that finds the pot empty wakes the cook and waits until it is full,
 * still with the mutex.
 */
#include "truth.h"
#include <semaphore.h>
static sem_t mutex, empty, filled;
static int servings, eaten, fills;
static void *savage(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		sem_wait(&mutex);
		if (!servings) {
			sem_post(&empty);
			sem_wait(&filled);
		}
		servings--;
		eaten++;
		sem_post(&mutex);
	}
	return NULL;
}
static void *cook(void *unused)
{
	(void)unused;
	for (;;) {
		sem_wait(&empty);
		if (eaten == 6)
			return NULL;
		servings = 2;
		fills++;
		sem_post(&filled);
	}
}
int main(void)
{
	pthread_t t[3];

	sem_init(&mutex, 0, 1);
	sem_init(&empty, 0, 0);
	sem_init(&filled, 0, 0);
	pthread_create(&t[0], NULL, cook, NULL);
	pthread_create(&t[1], NULL, savage, NULL);
	pthread_create(&t[2], NULL, savage, NULL);
	pthread_join(t[1], NULL);
	pthread_join(t[2], NULL);
	sem_post(&empty);
	pthread_join(t[0], NULL);
	assert(fills == 3);
	return 0;
}
