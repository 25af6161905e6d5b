/*
 * Senders take tokens from a bucket, and yield while it is empty; the bucket is filled by a thread.
 * The program prints how often each sender looked in vain.
 *
 * options: --order creation
 */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int tokens = 1, filled = 1, vain, most;

static void *fill(void *unused)
{
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&lock);
		if (tokens < 3) {
			tokens++;
			filled++;
		}
		most = tokens > most ? tokens : most;
		pthread_mutex_unlock(&lock);
		sched_yield();
	}
	return unused;
}

static void *send_all(void *unused)
{
	int sent = 0, late = 0, looks = 0;

	while (sent < 3 && looks < 50) {
		int got = 0;

		pthread_mutex_lock(&lock);
		looks++;
		if (tokens) {
			tokens--;
			got = 1;
		} else {
			vain++;
		}
		pthread_mutex_unlock(&lock);
		if (got) {
			sent++;
			continue;
		}
		late++;
		sched_yield();
	}
	printf("sent %d, late %d\n", sent, late);
	return unused;
}

int main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, fill, NULL);
	pthread_create(&b, NULL, send_all, NULL);
	pthread_create(&c, NULL, send_all, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	printf("%d in vain, at most %d tokens\n", vain, most);
	return tokens > 3;
}
