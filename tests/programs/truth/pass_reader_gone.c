/*
 * A thread learns from a failing write that another one has closed the other end, and that it has
 * published something.
 */
#include "truth.h"
#include <sys/socket.h>

static int end[2], published;

static void *leave(void *unused)
{
	tick();
	published = 1;
	assert(close(end[0]) == 0);
	return unused;
}

static void *write_until_gone(void *unused)
{
	static char block[4096];

	while (write(end[1], block, sizeof(block)) > 0)
		;
	assert((errno == EPIPE || errno == ECONNRESET) && published == 1);
	assert(look());
	return unused;
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	assert(pipe(end) == 0);
	both(leave, write_until_gone, NULL);
	close(end[1]);
	published = 0;
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, end) == 0);
	both(leave, write_until_gone, NULL);
	close(end[1]);
	return 0;
}
