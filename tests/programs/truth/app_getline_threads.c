/* main reads numbers and gives them to workers; the sum does not depend on the distribution. */
/* stdin: 1 2 3 4 5 6 7 8 9 10 */
#include "truth.h"

static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int box, full, ended, sum;

static void *worker(void *unused)
{
	pthread_mutex_lock(&truth_lock);
	for (;;) {
		while (!full && !ended)
			pthread_cond_wait(&more, &truth_lock);
		if (!full)
			break;
		sum += box;
		full = 0;
		pthread_cond_broadcast(&more);
	}
	pthread_mutex_unlock(&truth_lock);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	int v;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	while (scanf("%d", &v) == 1) {
		pthread_mutex_lock(&truth_lock);
		while (full)
			pthread_cond_wait(&more, &truth_lock);
		box = v;
		full = 1;
		pthread_cond_broadcast(&more);
		pthread_mutex_unlock(&truth_lock);
	}
	pthread_mutex_lock(&truth_lock);
	ended = 1;
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&truth_lock);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return sum != 55;
}
