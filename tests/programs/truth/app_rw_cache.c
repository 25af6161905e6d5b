/* A cache behind a rwlock, refreshed by a writer. */
#include "truth.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int table[8], generation;

static void *refresh(void *unused)
{
	for (int g = 1; g <= 3; g++) {
		pthread_rwlock_wrlock(&l);
		for (int i = 0; i < 8; i++)
			table[i] = g * i;
		generation = g;
		pthread_rwlock_unlock(&l);
	}
	return unused;
}

static void *use(void *unused)
{
	int last = 0;

	for (int n = 0; n < 4; n++) {
		pthread_rwlock_rdlock(&l);
		assert(table[7] == 7 * generation && generation >= last);
		last = generation;
		pthread_rwlock_unlock(&l);
	}
	return unused;
}

int main(void)
{
	return both(use, refresh, NULL);
}
