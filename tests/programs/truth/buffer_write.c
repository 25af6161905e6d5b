/* A thread may change a buffer as soon as the other side has received it. */
#include "truth.h"
#include <sys/socket.h>
#include <sys/uio.h>

static char a[32] = "first", b[32] = "second", c[32] = "third";
static int p[2], s[2], q[2];

static void *sender(void *unused)
{
	struct iovec io[2] = {{c, 2}, {c + 8, 2}};

	assert(write(p[1], a, 5) == 5);
	assert(send(s[0], b, 6, 0) == 6);
	assert(writev(q[1], io, 2) == 4);
	return unused;
}

static void *receiver(void *unused)
{
	char t[8];

	assert(read(p[0], t, 5) == 5);
	a[0] = 'x';
	assert(recv(s[1], t, 6, 0) == 6);
	b[0] = 'y';
	assert(read(q[0], t, 4) == 4);
	c[9] = 'z';
	return unused;
}

int main(void)
{
	assert(pipe(p) == 0 && pipe(q) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0);
	both(receiver, sender, NULL);
	return a[0] != 'x' || b[0] != 'y' || c[9] != 'z';
}
