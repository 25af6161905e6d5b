/* main returns while another thread holds a lock and sleeps: no exit handler wants that lock. */
#include "truth.h"
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;

static void *holder(void *unused)
{
	pthread_mutex_lock(&m);
	tick();
	sem_post(&s);
	sleep(1000);
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t t, u;

	sem_init(&s, 0, 0);
	pthread_create(&u, NULL, truth_looker, NULL);
	pthread_create(&t, NULL, holder, NULL);
	sem_wait(&s);
	pthread_join(u, NULL);
	return 0;
}
