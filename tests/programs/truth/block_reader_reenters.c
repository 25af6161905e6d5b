/* A read lock is taken twice by one thread while writers only try: glibc prefers readers. */
#include "truth.h"
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int n;
static int sum(int k)
{
	int r;

	pthread_rwlock_rdlock(&l);
	r = k ? n + sum(k - 1) : n;
	pthread_rwlock_unlock(&l);
	return r;
}
static void *writer(void *arg)
{
	for (int i = 0; i < 4; i++) {
		if (pthread_rwlock_trywrlock(&l) == 0) {
			n = i;
			pthread_rwlock_unlock(&l);
		}
		sched_yield();
	}
	return arg;
}
int main(void)
{
	pthread_t t;

	assert(!pthread_create(&t, NULL, writer, NULL));
	for (int i = 0; i < 4; i++)
		assert(sum(2) % 3 == 0);
	pthread_join(t, NULL);
	return 0;
}
