/*
 * A System V queue hands heap buffers on by pointer; the receiver frees them.
 */
#include "truth.h"
#include <sys/ipc.h>
#include <sys/msg.h>
struct msg {
	long type;
	char *text;
};
static int q;
static void *sender(void *arg)
{
	for (int i = 0; i < 4; i++) {
		struct msg m = {1, malloc(16)};

		snprintf(m.text, 16, "text %d", i);
		assert(!msgsnd(q, &m, sizeof(m.text), 0));
	}
	return arg;
}
int main(void)
{
	pthread_t t;

	q = msgget(IPC_PRIVATE, 0600);
	assert(q >= 0);
	assert(!pthread_create(&t, NULL, sender, NULL));
	for (int i = 0; i < 4; i++) {
		struct msg m;

		assert(msgrcv(q, &m, sizeof(m.text), 1, 0) == sizeof(m.text));
		assert(m.text[5] == '0' + i);
		free(m.text);
	}
	pthread_join(t, NULL);
	msgctl(q, IPC_RMID, NULL);
	return 0;
}
