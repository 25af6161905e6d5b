/*
 * A thread waits for room in a full System V queue; the thread that makes room has published
 * something.
 */
#include "truth.h"
#include <sys/ipc.h>
#include <sys/msg.h>

static int queue, published;
static struct {
	long type;
	char text[1024];
} message = {.type = 1};

static void *drain(void *unused)
{
	struct {
		long type;
		char text[1024];
	} m;

	tick();
	published = 1;
	assert(msgrcv(queue, &m, sizeof(m.text), 0, 0) == sizeof(m.text));
	return unused;
}

static void *wait_for_room(void *unused)
{
	assert(msgsnd(queue, &message, sizeof(message.text), 0) == 0);
	assert(published == 1);
	assert(look());
	return unused;
}

int main(void)
{
	queue = msgget(IPC_PRIVATE, 0600);
	assert(queue >= 0);
	while (msgsnd(queue, &message, sizeof(message.text), IPC_NOWAIT) == 0)
		;
	assert(errno == EAGAIN);
	both(drain, wait_for_room, NULL);
	assert(msgctl(queue, IPC_RMID, NULL) == 0);
	return 0;
}
