/*
 * A reader looks, releases the read lock, takes the write lock and checks again; it counts how
 * often it came too late.
 */
#include "truth.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int made, late, makes;
static void *work(void *unused)
{
	int have;

	pthread_rwlock_rdlock(&rw);
	have = made;
	pthread_rwlock_unlock(&rw);
	if (!have) {
		pthread_rwlock_wrlock(&rw);
		if (!made) {
			made = 1;
			makes++;
		} else {
			late++;
		}
		pthread_rwlock_unlock(&rw);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	printf("made %d times, %d late\n", makes, late);
	return makes != 1;
}
