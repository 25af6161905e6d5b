/* sendfile() to a socket, and an acknowledgement on the way back. */
#include "truth.h"
#include <sys/sendfile.h>
#include <sys/socket.h>

static int sv[2], fd;
static int flag;

static void *s(void *unused)
{
	off_t o = 0;

	flag = 1;
	while (o < 1000)
		assert(sendfile(sv[0], fd, &o, 1000 - o) > 0);
	shutdown(sv[0], SHUT_WR);
	char k;
	assert(recv(sv[0], &k, 1, MSG_WAITALL) == 1 && k == 'K');
	assert(flag == 2);
	tick();
	return unused;
}

static void *r(void *unused)
{
	char b[1000];

	assert(recv(sv[1], b, 1000, MSG_WAITALL) == 1000);
	for (int i = 0; i < 1000; i++)
		assert(b[i] == (char)i);
	char e;
	assert(recv(sv[1], &e, 1, 0) == 0);
	assert(flag == 1);
	flag = 2;
	assert(look());
	char k = 'K';
	assert(send(sv[1], &k, 1, MSG_NOSIGNAL) == 1);
	k = 0;
	return unused;
}

int main(void)
{
	char n[] = "sfXXXXXX", b[1000];

	fd = mkstemp(n);
	unlink(n);
	for (int i = 0; i < 1000; i++)
		b[i] = i;
	assert(write(fd, b, 1000) == 1000);
	socketpair(AF_UNIX, SOCK_STREAM, 0, sv);
	return both(r, s, 0);
}
