/* MSG_PEEK sees the message before it is taken. The receiver then owns the plain record. */
#include "truth.h"
#include <sys/socket.h>

static int s[2];
static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	assert(send(s[0], "p", 1, 0) == 1);
	return unused;
}

static void *receiver(void *unused)
{
	char c;

	assert(recv(s[1], &c, 1, MSG_PEEK) == 1);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0);
	both(receiver, sender, NULL);
	return record[0];
}
