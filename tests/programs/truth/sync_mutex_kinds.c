/* Recursive, error-checking, adaptive and priority-inheriting mutexes. */
#include "truth.h"

static pthread_mutex_t rec, err, ada, pri;
static int a, b, c, d;

static void nested(int depth)
{
	pthread_mutex_lock(&rec);
	a++;
	if (depth)
		nested(depth - 1);
	pthread_mutex_unlock(&rec);
}

static void *work(void *unused)
{
	nested(2);
	assert(pthread_mutex_lock(&err) == 0);
	assert(pthread_mutex_lock(&err) == EDEADLK);
	b++;
	assert(pthread_mutex_unlock(&err) == 0);
	assert(pthread_mutex_unlock(&err) == EPERM);
	pthread_mutex_lock(&ada);
	c++;
	pthread_mutex_unlock(&ada);
	pthread_mutex_lock(&pri);
	d++;
	pthread_mutex_unlock(&pri);
	return unused;
}

int main(void)
{
	pthread_mutexattr_t at;

	pthread_mutexattr_init(&at);
	pthread_mutexattr_settype(&at, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&rec, &at);
	pthread_mutexattr_settype(&at, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&err, &at);
	pthread_mutexattr_settype(&at, PTHREAD_MUTEX_ADAPTIVE_NP);
	pthread_mutex_init(&ada, &at);
	pthread_mutexattr_settype(&at, PTHREAD_MUTEX_NORMAL);
	pthread_mutexattr_setprotocol(&at, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&pri, &at);
	both(work, work, NULL);
	return a != 6 || b != 2 || c != 2 || d != 2;
}
