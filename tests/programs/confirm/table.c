/*
 * A table grows. Its size is updated before the new rows exist. A thread that looks up a new row in
 * between reads beyond the old rows.
 *
 * build: -fsanitize=address
 * expect: data-race size write@size read@check
 * expect: data-race row write@grow read@look
 * harm: sanitizer heap-buffer-overflow
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FIXED
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#endif
static long *row;
static int size = 2;

static void *grow(void *arg)
{
	long *more = calloc(4, sizeof(*more));

	memcpy(more, row, 2 * sizeof(*more));
#ifdef FIXED
	pthread_rwlock_wrlock(&lock);
#endif
	size = 4;   /* @size */
	row = more; /* @grow */
#ifdef FIXED
	pthread_rwlock_unlock(&lock);
#endif
	return arg;
}

static void *look(void *arg)
{
	long *found = arg;

#ifdef FIXED
	pthread_rwlock_rdlock(&lock);
#endif
	if (size > 3)		 /* @check */
		*found = row[3]; /* @look */
#ifdef FIXED
	pthread_rwlock_unlock(&lock);
#endif
	return NULL;
}

int main(void)
{
	long *old = calloc(2, sizeof(*old)), found = -1;
	pthread_t t1, t2;

	row = old;
	pthread_create(&t1, NULL, grow, NULL);
	pthread_create(&t2, NULL, look, &found);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	printf("%ld\n", found);
	free(row);
	free(old);
	return 0;
}
