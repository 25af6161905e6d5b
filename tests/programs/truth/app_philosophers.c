/* Three philosophers; the last one takes its forks the other way round. */
#include "truth.h"

static pthread_mutex_t fork_[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
				   PTHREAD_MUTEX_INITIALIZER};
static int meals;

static void *dine(void *arg)
{
	int i = (int)(long)arg, l = i, r = (i + 1) % 3;

	if (l > r) {
		l = 0;
		r = 2;
	}
	for (int n = 0; n < 2; n++) {
		pthread_mutex_lock(&fork_[l]);
		pthread_mutex_lock(&fork_[r]);
		tick();
		pthread_mutex_unlock(&fork_[r]);
		pthread_mutex_unlock(&fork_[l]);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, dine, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	meals = truth_count;
	return meals != 6;
}
