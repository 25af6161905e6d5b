/*
 * The program wakes a player only if the player said before that it sleeps. The recorded run
 * does not pause: nobody waits, and nobody signals.
 * order: 0
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int paused = 1;
static atomic_int sleeps;

static void *plays(void *arg)
{
	pthread_mutex_lock(&m);
	while (paused) {
		atomic_store(&sleeps, 1);
		pthread_cond_wait(&c, &m); /* @wait */
		atomic_store(&sleeps, 0);
	}
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t;
	int wake;

	pthread_create(&t, 0, plays, 0);
	wake = atomic_load(&sleeps);
	pthread_mutex_lock(&m);
#ifdef FIXED
	wake = 1;
#endif
	paused = 0;
	pthread_mutex_unlock(&m);
	if (wake)
		pthread_cond_signal(&c);
	pthread_join(t, 0);
	return 0;
}
