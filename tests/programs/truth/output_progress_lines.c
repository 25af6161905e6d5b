/*
 * Workers print progress lines under one lock, in any order.
 */
#include "truth.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void *run(void *arg)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		done++;
		printf("worker %d: %d of 6 done\n", *(int *)arg, done);
		pthread_mutex_unlock(&m);
	}
	return NULL;
}
int main(void)
{
	int ids[3] = {1, 2, 3};
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		assert(!pthread_create(&t[i], NULL, run, &ids[i]));
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
