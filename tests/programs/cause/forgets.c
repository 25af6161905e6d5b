/*
 * The thread that comes second keeps the lock, whichever it is, and a third one polls for the lock
 * for ever. The third one gets it only if it comes in between: no order of the first two is the
 * cause. FIXED: the second thread gives the lock back.
 *
 * order: 0+,0+,0+,1,2,3
 */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users;

static void *use(void *arg)
{
	pthread_mutex_lock(&lock);
	if (users++ > 0) {
#ifdef FIXED
		pthread_mutex_unlock(&lock);
#endif
		return arg;
	}
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *look(void *arg)
{
	while (pthread_mutex_trylock(&lock))
		sched_yield();
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, use, NULL);
	pthread_create(&t[1], NULL, use, NULL);
	pthread_create(&t[2], NULL, look, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
