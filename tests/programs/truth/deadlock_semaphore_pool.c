/* Two permits of a pool; each thread takes one, then tries for a second and gives way. */
#include "truth.h"
#include <semaphore.h>

static sem_t s;
static int done;

static void *work(void *unused)
{
	for (;;) {
		sem_wait(&s);
		if (sem_trywait(&s) == 0)
			break;
		sem_post(&s);
		sched_yield();
	}
	tick();
	done++;
	sem_post(&s);
	sem_post(&s);
	return unused;
}

int main(void)
{
	sem_init(&s, 0, 2);
	both(work, work, NULL);
	return done != 2;
}
