/* Workers may find the queue closed before they start; a closed queue is an ordinary answer. */
#include "truth.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int *box;
static int closed;
static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	while (!box && !closed)
		pthread_cond_wait(&c, &m);
	if (box) {
		assert(*box == 3);
		free(box);
		box = NULL;
	}
	pthread_mutex_unlock(&m);
	return arg;
}
int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		assert(!pthread_create(&t[i], NULL, worker, NULL));
	pthread_mutex_lock(&m);
	box = malloc(sizeof(*box));
	*box = 3;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	closed = 1;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	free(box);
	return 0;
}
