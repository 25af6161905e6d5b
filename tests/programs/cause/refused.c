/*
 * A thread does its job only if it gets the lock at once. In the recorded run another thread holds
 * it, and the job is not done. The twin waits for the lock.
 *
 * order: 0+,0+,1,2
 * twin: the recorded run of the twin ends well
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

#ifdef RW
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#define HOLD() pthread_rwlock_rdlock(&lock)
#define TAKE() pthread_rwlock_wrlock(&lock)
#define TRY() pthread_rwlock_trywrlock(&lock)
#define GIVE() pthread_rwlock_unlock(&lock)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define HOLD() pthread_mutex_lock(&lock)
#define TAKE() pthread_mutex_lock(&lock)
#define TRY() pthread_mutex_trylock(&lock)
#define GIVE() pthread_mutex_unlock(&lock)
#endif
static int done, wanted = 1;

static void *holds(void *arg)
{
	HOLD();
	sched_yield();
	GIVE();
	return arg;
}

static void *works(void *arg)
{
#ifdef FIXED
	TAKE();
#else
	if (TRY())
		return arg;
#endif
	done = 1;
	GIVE();
	return arg;
}

int main(void)
{
	pthread_t a, b;

#ifdef UNRELATED
	wanted = 2;
#endif
	pthread_create(&a, NULL, holds, NULL);
	pthread_create(&b, NULL, works, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(done == wanted);
	return 0;
}
