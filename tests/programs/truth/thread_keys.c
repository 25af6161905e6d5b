/* A destructor of thread-specific data counts under a lock. */
#include "truth.h"

static pthread_key_t key;
static int freed;

static void drop(void *p)
{
	pthread_mutex_lock(&truth_lock);
	freed++;
	pthread_mutex_unlock(&truth_lock);
	free(p);
}

static void *work(void *unused)
{
	int *p = malloc(sizeof(*p));

	*p = 1;
	pthread_setspecific(key, p);
	assert(*(int *)pthread_getspecific(key) == 1);
	return unused;
}

int main(void)
{
	pthread_key_create(&key, drop);
	both(work, work, NULL);
	return freed != 2;
}
