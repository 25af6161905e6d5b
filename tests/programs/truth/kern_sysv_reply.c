/*
 * Requests and replies in one SysV queue: a client waits for its own type; the server fills a
 * static table first.
 */
#include "truth.h"
#include <sys/ipc.h>
#include <sys/msg.h>
static int q, table[3];
struct msg {
	long type;
	int who;
};
static void *client(void *arg)
{
	struct msg m = {1, (int)(intptr_t)arg};

	for (int i = 0; i < 2; i++) {
		m.type = 1;
		assert(!msgsnd(q, &m, sizeof(m.who), 0));
		assert(msgrcv(q, &m, sizeof(m.who), 10 + (intptr_t)arg, 0) == sizeof(m.who));
		assert(table[m.who] == i + 1);
	}
	return NULL;
}
int main(void)
{
	pthread_t t[2];

	q = msgget(IPC_PRIVATE, 0600);
	assert(q >= 0);
	for (intptr_t i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, client, (void *)(i + 1));
	for (int i = 0; i < 4; i++) {
		struct msg m;

		assert(msgrcv(q, &m, sizeof(m.who), 1, 0) == sizeof(m.who));
		table[m.who]++;
		m.type = 10 + m.who;
		assert(!msgsnd(q, &m, sizeof(m.who), 0));
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return msgctl(q, IPC_RMID, NULL);
}
