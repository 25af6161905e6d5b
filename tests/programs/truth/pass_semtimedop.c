/* semtimedop() on a System V semaphore. The receiver then owns the plain record. */
#include "truth.h"
#include <sys/ipc.h>
#include <sys/sem.h>

static int id;
static int record[2];

static void *sender(void *unused)
{
	struct sembuf up = {0, 1, 0};

	record[0] = 3;
	record[1] = 4;
	assert(semop(id, &up, 1) == 0);
	return unused;
}

static void *receiver(void *unused)
{
	struct sembuf down = {0, -1, 0};
	struct timespec t = {60, 0};

	assert(semtimedop(id, &down, 1, &t) == 0);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	id = semget(IPC_PRIVATE, 1, 0600);
	assert(id >= 0);
	both(receiver, sender, NULL);
	semctl(id, 0, IPC_RMID);
	return record[0];
}
