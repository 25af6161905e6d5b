/* A System V message passes the ownership of a buffer. */
#include "truth.h"
#include <sys/ipc.h>
#include <sys/msg.h>

struct note {
	long type;
	int index;
};

static int id, slots[4];

static void *sender(void *unused)
{
	for (int i = 0; i < 4; i++) {
		struct note n = {1, i};

		slots[i] = i * i;
		assert(msgsnd(id, &n, sizeof(int), 0) == 0);
	}
	return unused;
}

static void *receiver(void *unused)
{
	for (int i = 0; i < 4; i++) {
		struct note n;

		assert(msgrcv(id, &n, sizeof(int), 0, 0) == sizeof(int));
		assert(slots[n.index] == n.index * n.index);
		slots[n.index] = -1;
	}
	return unused;
}

int main(void)
{
	id = msgget(IPC_PRIVATE, 0600);
	assert(id >= 0);
	both(receiver, sender, NULL);
	msgctl(id, IPC_RMID, NULL);
	return slots[2] != -1;
}
