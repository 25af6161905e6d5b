/*
 * Something is counted under the read side of a rwlock, which lets others in.
 *
 * expect: data-race hits read@hit write@hit
 * expect: data-race hits write@hit write@hit
 * harm: output
 * order: creation
 * (The two writes meet only in the tier sliced: it does not matter what the second thread has read.)
 *	forerun cc -g -O1 -pthread rwlock.c -o rwlock
 *	forerun record --order creation ./rwlock
 *	forerun predict
 * With -DFIXED it is right, and there is nothing to be found.
 */
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static long hits;

static void *look(void *arg)
{
#ifdef FIXED
	pthread_rwlock_wrlock(&l);
#else
	pthread_rwlock_rdlock(&l);
#endif
	hits++; /* @hit */
	pthread_rwlock_unlock(&l);
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, look, NULL);
	pthread_create(&t2, NULL, look, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	printf("%ld\n", hits);
	return 0;
}
