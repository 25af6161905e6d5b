/*
 * An optimistic update: it checks a version under the lock and retries; the program prints the
 * number of retries.
 *
 * options: --order creation
 */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int version, value, retries;

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++)
		for (;;) {
			int seen, next;

			pthread_mutex_lock(&lock);
			seen = version;
			next = value + 1;
			pthread_mutex_unlock(&lock);
			pthread_mutex_lock(&lock);
			if (version == seen) {
				value = next;
				version++;
				pthread_mutex_unlock(&lock);
				break;
			}
			retries++;
			pthread_mutex_unlock(&lock);
		}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	printf("value %d, %d retries\n", value, retries);
	return value != 6;
}
