/*
 * A barrier made of a lock, a condition and a generation; the last one to arrive prints that it was
 * the last.
 */
#include "truth.h"

#define THREADS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t open_again = PTHREAD_COND_INITIALIZER;

static int here, generation, value[THREADS], was_last[THREADS];

static int arrive(int me)
{
	int last, mine;

	pthread_mutex_lock(&lock);
	mine = generation;
	last = ++here == THREADS;
	if (last) {
		here = 0;
		generation++;
		was_last[me]++;
		pthread_cond_broadcast(&open_again);
	}
	while (mine == generation)
		pthread_cond_wait(&open_again, &lock);
	pthread_mutex_unlock(&lock);
	return last;
}

static void *work(void *arg)
{
	int me = (int)(intptr_t)arg;

	for (int i = 1; i < 4; i++) {
		value[me] = i;
		if (arrive(me))
			printf("%d is last in round %d\n", me, i);
		assert(value[(me + 1) % THREADS] == i);
		arrive(me);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[THREADS];

	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	printf("last: %d %d %d\n", was_last[0], was_last[1], was_last[2]);
	return generation != 6;
}
