/* A service thread waits for work for ever; main returns and ends the process. */
#include "truth.h"

static pthread_cond_t c = PTHREAD_COND_INITIALIZER, d = PTHREAD_COND_INITIALIZER;
static int jobs, done;

static void *service(void *unused)
{
	pthread_mutex_lock(&truth_lock);
	for (;;) {
		while (!jobs)
			pthread_cond_wait(&c, &truth_lock);
		jobs--;
		done++;
		pthread_cond_signal(&d);
	}
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, service, NULL);
	pthread_detach(t);
	pthread_mutex_lock(&truth_lock);
	jobs = 2;
	pthread_cond_signal(&c);
	while (done < 2)
		pthread_cond_wait(&d, &truth_lock);
	pthread_mutex_unlock(&truth_lock);
	return 0;
}
