/*
 * Threads in a section are counted under a lock, in one region on entry and in one on leaving; the
 * program prints the largest number, and whom each thread met.
 *
 * options: --order creation
 */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int inside, most, entered;

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		int with, left;

		pthread_mutex_lock(&lock);
		with = inside++;
		entered++;
		if (inside > most)
			most = inside;
		pthread_mutex_unlock(&lock);
		pthread_mutex_lock(&lock);
		left = --inside;
		pthread_mutex_unlock(&lock);
		printf("met %d, left %d\n", with, left);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	printf("at most %d at once\n", most);
	return inside != 0 || entered != 6;
}
