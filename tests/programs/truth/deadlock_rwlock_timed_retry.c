/* Timed read and write locks in retry loops. */
#include "truth.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int v;

static void dl(struct timespec *t)
{
	clock_gettime(CLOCK_REALTIME, t);
	t->tv_nsec += 2000000;
	if (t->tv_nsec > 999999999) {
		t->tv_sec++;
		t->tv_nsec -= 1000000000;
	}
}

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		struct timespec t;
		int r;

		do {
			dl(&t);
			r = pthread_rwlock_timedwrlock(&l, &t);
		} while (r == ETIMEDOUT);
		assert(!r);
		v++;
		usleep(300);
		pthread_rwlock_unlock(&l);
	}
	return unused;
}

static void *r(void *unused)
{
	int last = 0;

	for (int i = 0; i < 3; i++) {
		struct timespec t;
		int e;

		do {
			dl(&t);
			e = pthread_rwlock_timedrdlock(&l, &t);
		} while (e == ETIMEDOUT);
		assert(!e && v >= last);
		last = v;
		pthread_rwlock_unlock(&l);
		if (!pthread_rwlock_tryrdlock(&l)) {
			assert(v >= last);
			pthread_rwlock_unlock(&l);
		}
	}
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, 0, r, 0);
	both(work, r, 0);
	pthread_join(t, 0);
	return v != 3;
}
