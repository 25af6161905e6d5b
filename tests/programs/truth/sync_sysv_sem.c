/* A System V semaphore set as a lock. */
#include "truth.h"
#include <sys/ipc.h>
#include <sys/sem.h>

static int id, x;

static void *work(void *unused)
{
	struct sembuf down = {0, -1, SEM_UNDO}, up = {0, 1, SEM_UNDO};

	for (int i = 0; i < 3; i++) {
		assert(semop(id, &down, 1) == 0);
		x++;
		assert(semop(id, &up, 1) == 0);
	}
	return unused;
}

int main(void)
{
	struct sembuf up = {0, 1, 0};

	id = semget(IPC_PRIVATE, 1, 0600);
	assert(id >= 0);
	assert(semop(id, &up, 1) == 0);
	both(work, work, NULL);
	semctl(id, 0, IPC_RMID);
	return x != 6;
}
