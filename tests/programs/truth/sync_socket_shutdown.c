/* shutdown() of a socket pair ends the other side's wait. */
#include "truth.h"
#include <sys/socket.h>

static int s[2], n;

static void *server(void *unused)
{
	char c;

	while (recv(s[1], &c, 1, 0) == 1)
		n++;
	assert(n == 3);
	n = 0;
	return unused;
}

static void *client(void *unused)
{
	for (int i = 0; i < 3; i++)
		assert(send(s[0], "x", 1, MSG_NOSIGNAL) == 1);
	shutdown(s[0], SHUT_WR);
	return unused;
}

int main(void)
{
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0);
	both(server, client, NULL);
	return n;
}
