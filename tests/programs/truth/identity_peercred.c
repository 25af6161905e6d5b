/* The credentials of a socket pair's peer are the process's own. */
#include "truth.h"
#include <sys/socket.h>

static void *work(void *unused)
{
	struct ucred c;
	socklen_t n = sizeof(c);
	int s[2];

	tick();
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0);
	assert(getsockopt(s[0], SOL_SOCKET, SO_PEERCRED, &c, &n) == 0);
	tick();
	assert(c.pid == getpid() && c.uid == getuid() && c.gid == getgid());
	close(s[0]);
	close(s[1]);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
