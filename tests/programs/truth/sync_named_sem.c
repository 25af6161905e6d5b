/* A named semaphore as a lock. */
#include "truth.h"
#include <semaphore.h>

static sem_t *s;
static int x;

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		sem_wait(s);
		x++;
		sem_post(s);
	}
	return unused;
}

int main(void)
{
	char name[64];

	snprintf(name, sizeof(name), "/truth-sem-%d", (int)getpid());
	s = sem_open(name, O_CREAT, 0600, 1);
	if (s == SEM_FAILED)
		return 0; /* no /dev/shm here */
	sem_unlink(name);
	both(work, work, NULL);
	sem_close(s);
	return x != 6;
}
