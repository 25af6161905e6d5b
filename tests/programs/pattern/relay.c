/*
 * A letter box. One thread puts a letter in and sets a flag. Another waits for the flag and takes
 * the letter. A third clears the box in the evening for the next day. It assumes that the letter
 * was taken before, because the evening is late. The repair waits until it was.
 *
 * Three threads, one location: put, clear, take. In this order the letter is lost.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t full, empty;
static int box;

static void *sender(void *arg)
{
	(void)arg;
	box = 7; /* @put */
	sem_post(&full);
	return NULL;
}

static void *receiver(void *arg)
{
	int letter;

	(void)arg;
	sem_wait(&full);
	letter = box; /* @take */
	assert(letter == 7);
	sem_post(&empty);
	return NULL;
}

static void *cleaner(void *arg)
{
	(void)arg;
#ifdef FIXED
	sem_wait(&empty);
#endif
	box = 0; /* @clear */
	return NULL;
}

int main(void)
{
	void *(*const work[])(void *) = {sender, receiver, cleaner};
	pthread_t t[3];

	sem_init(&full, 0, 0);
	sem_init(&empty, 0, 0);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	puts("done");
	return 0;
}
