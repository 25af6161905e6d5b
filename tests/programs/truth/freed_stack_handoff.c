/*
 * A request lives on the stack of its sender, which waits until the server has answered by a
 * semaphore in it.
 */
#include "truth.h"
#include <semaphore.h>
struct request {
	sem_t done;
	int in, out;
};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static struct request *queue[8];
static int head, tail, stop;
static void *server(void *arg)
{
	pthread_mutex_lock(&m);
	for (;;) {
		struct request *r;

		while (head == tail && !stop)
			pthread_cond_wait(&c, &m);
		if (head == tail)
			break;
		r = queue[head++ % 8];
		pthread_mutex_unlock(&m);
		r->out = r->in * 2;
		sem_post(&r->done);
		pthread_mutex_lock(&m);
	}
	pthread_mutex_unlock(&m);
	return arg;
}
static int ask(int n)
{
	struct request r = {.in = n};

	sem_init(&r.done, 0, 0);
	pthread_mutex_lock(&m);
	queue[tail++ % 8] = &r;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	while (sem_wait(&r.done))
		;
	/* no sem_destroy: the server may still be inside sem_post, which touches r no more */
	return r.out;
}
static void *client(void *arg)
{
	for (int i = 1; i < 4; i++)
		assert(ask(i) == 2 * i);
	return arg;
}
int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		assert(!pthread_create(&t[i], NULL, i ? client : server, NULL));
	for (int i = 1; i < 3; i++)
		pthread_join(t[i], NULL);
	pthread_mutex_lock(&m);
	stop = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_join(t[0], NULL);
	return 0;
}
