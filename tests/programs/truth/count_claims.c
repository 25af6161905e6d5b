/* Workers look whether items are left, then claim one; the check is repeated under the lock. */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int left = 6, did[2], late;

static void *work(void *arg)
{
	int me = arg != NULL;

	for (;;) {
		int some;

		pthread_mutex_lock(&lock);
		some = left > 0;
		pthread_mutex_unlock(&lock);
		if (!some)
			break;
		pthread_mutex_lock(&lock);
		if (left > 0) {
			left--;
			did[me]++;
		} else {
			late++;
		}
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, &left);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("first %d second %d, %d too late\n", did[0], did[1], late);
	return did[0] + did[1] != 6;
}
