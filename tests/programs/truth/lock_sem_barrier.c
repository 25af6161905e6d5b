/* A reusable barrier of semaphores with two turnstiles. */
#include "truth.h"
#include <semaphore.h>
#define N 3
static sem_t mutex, in, out;
static int count, cell[N];
static void wait_all(void)
{
	sem_wait(&mutex);
	if (++count == N)
		for (int i = 0; i < N; i++)
			sem_post(&in);
	sem_post(&mutex);
	sem_wait(&in);
	sem_wait(&mutex);
	if (--count == 0)
		for (int i = 0; i < N; i++)
			sem_post(&out);
	sem_post(&mutex);
	sem_wait(&out);
}
static void *worker(void *arg)
{
	int me = (int)(intptr_t)arg;

	for (int i = 0; i < 2; i++) {
		cell[me] = i + 1;
		wait_all();
		assert(cell[(me + 1) % N] == i + 1);
		wait_all();
	}
	return NULL;
}
int main(void)
{
	pthread_t t[N];

	sem_init(&mutex, 0, 1);
	sem_init(&in, 0, 0);
	sem_init(&out, 0, 0);
	for (intptr_t i = 0; i < N; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return 0;
}
