/*
 * Two threads share the work of a queue and print their shares, the longest queue and the name of
 * the last thread.
 */
#include "truth.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int queued, made, most;
static void *worker(void *arg)
{
	int mine = 0;

	for (;;) {
		pthread_mutex_lock(&m);
		while (!queued && made < 6)
			pthread_cond_wait(&c, &m);
		if (!queued) {
			pthread_mutex_unlock(&m);
			break;
		}
		queued--;
		pthread_mutex_unlock(&m);
		mine++;
	}
	printf("%s did %d\n", (char *)arg, mine);
	return NULL;
}
int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, worker, "first");
	pthread_create(&t[1], NULL, worker, "second");
	for (int i = 0; i < 6; i++) {
		pthread_mutex_lock(&m);
		made++;
		queued++;
		if (queued > most)
			most = queued;
		pthread_cond_broadcast(&c);
		pthread_mutex_unlock(&m);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("longest queue: %d\n", most);
	return 0;
}
