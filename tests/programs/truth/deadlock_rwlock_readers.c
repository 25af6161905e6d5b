/* Two readers nest two rwlocks in opposite orders: readers do not exclude one another. */
#include "truth.h"

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;
static int x = 1, y = 2;

static void *one(void *unused)
{
	pthread_rwlock_rdlock(&a);
	pthread_rwlock_rdlock(&b);
	assert(x + y == 3);
	pthread_rwlock_unlock(&b);
	pthread_rwlock_unlock(&a);
	return unused;
}

static void *two(void *unused)
{
	pthread_rwlock_rdlock(&b);
	pthread_rwlock_rdlock(&a);
	assert(x + y == 3);
	pthread_rwlock_unlock(&a);
	pthread_rwlock_unlock(&b);
	return unused;
}

int main(void)
{
	return both(one, two, NULL);
}
