/*
 * Readers and writers of semaphores: the first reader takes the room and another one, the last,
 * gives it back.
 */
#include "truth.h"
#include <semaphore.h>
static sem_t room, mutex, turnstile;
static int readers, value;
static void *reader(void *unused)
{
	(void)unused;
	for (int i = 0; i < 2; i++) {
		sem_wait(&turnstile);
		sem_post(&turnstile);
		sem_wait(&mutex);
		if (++readers == 1)
			sem_wait(&room);
		sem_post(&mutex);
		assert(value % 2 == 0);
		sem_wait(&mutex);
		if (--readers == 0)
			sem_post(&room);
		sem_post(&mutex);
	}
	return NULL;
}
static void *writer(void *unused)
{
	(void)unused;
	for (int i = 0; i < 2; i++) {
		sem_wait(&turnstile);
		sem_wait(&room);
		value++;
		value++;
		sem_post(&turnstile);
		sem_post(&room);
	}
	return NULL;
}
int main(void)
{
	pthread_t t[3];

	sem_init(&room, 0, 1);
	sem_init(&mutex, 0, 1);
	sem_init(&turnstile, 0, 1);
	pthread_create(&t[0], NULL, reader, NULL);
	pthread_create(&t[1], NULL, writer, NULL);
	pthread_create(&t[2], NULL, reader, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(value == 4);
	return 0;
}
