/*
 * Something is counted under the read side of a rwlock, which lets others in.
 *
 * expect: data-race hits read@hit write@hit
 * expect: data-race hits write@hit write@hit
 * harm: output
 * order: creation
 * (Only the tier sliced lets the two writes meet: the value that the second thread has read does
 * not matter.)
 *	forerun cc -g -O1 -pthread rwlock.c -o rwlock
 *	forerun record --order creation ./rwlock
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
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
