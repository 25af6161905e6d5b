/* A timed write lock against a reader that waits for the writer's mutex. */
#include "truth.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *reader(void *unused)
{
	pthread_rwlock_rdlock(&l);
	tick();
	pthread_rwlock_unlock(&l);
	return unused;
}

static void *writer(void *unused)
{
	for (int r = 1; r;) {
		struct timespec ts;

		clock_gettime(CLOCK_REALTIME, &ts);
		ts.tv_nsec += 2000000;
		ts.tv_sec += ts.tv_nsec / 1000000000;
		ts.tv_nsec %= 1000000000;
		pthread_mutex_lock(&truth_lock);
		r = pthread_rwlock_timedwrlock(&l, &ts);
		if (r == 0) {
			x++;
			pthread_rwlock_unlock(&l);
		}
		pthread_mutex_unlock(&truth_lock);
	}
	return unused;
}

int main(void)
{
	both(reader, writer, NULL);
	return x != 1;
}
