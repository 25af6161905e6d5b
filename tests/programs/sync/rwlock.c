/* Read-write locks and spin locks. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static pthread_rwlock_t l;
static pthread_spinlock_t s;

static void *other(void *arg)
{
	struct timespec past = {.tv_sec = 1};

	(void)arg;
	printf("trywr %s\n", strerrorname_np(pthread_rwlock_trywrlock(&l)));
	printf("timedwr %s\n", strerrorname_np(pthread_rwlock_timedwrlock(&l, &past)));
	printf("clockwr %s\n", strerrorname_np(pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &past)));
	printf("tryrd %s\n", strerrorname_np(pthread_rwlock_tryrdlock(&l)));
	pthread_rwlock_unlock(&l);
	printf("timedrd %s\n", strerrorname_np(pthread_rwlock_timedrdlock(&l, &past)));
	pthread_rwlock_unlock(&l);
	printf("clockrd %s\n", strerrorname_np(pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &past)));
	pthread_rwlock_unlock(&l);
	printf("spin try %s\n", strerrorname_np(pthread_spin_trylock(&s)));
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_rwlock_init(&l, NULL);
	pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
	pthread_spin_lock(&s);
	pthread_rwlock_rdlock(&l);
	pthread_create(&t, NULL, other, NULL);
	pthread_join(t, NULL);
	pthread_rwlock_unlock(&l);
	pthread_spin_unlock(&s);
	pthread_rwlock_wrlock(&l);
	printf("deadlock %s\n", strerrorname_np(pthread_rwlock_rdlock(&l)));
	pthread_rwlock_unlock(&l);
	pthread_rwlock_destroy(&l);
	pthread_spin_destroy(&s);
	return 0;
}
