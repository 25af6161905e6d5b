/* A reader releases the lock, takes it to write and tests again. */
#include "truth.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int ready, made;

static void *work(void *unused)
{
	int seen;

	pthread_rwlock_rdlock(&l);
	seen = ready;
	pthread_rwlock_unlock(&l);
	if (!seen) {
		pthread_rwlock_wrlock(&l);
		if (!ready) {
			made++;
			ready = 1;
		}
		pthread_rwlock_unlock(&l);
	}
	pthread_rwlock_rdlock(&l);
	assert(made == 1);
	pthread_rwlock_unlock(&l);
	return unused;
}

int main(void)
{
	return both(work, work, NULL);
}
