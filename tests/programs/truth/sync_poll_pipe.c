/* poll() and select() see the byte that the other thread wrote before they read it. */
#include "truth.h"
#include <poll.h>
#include <sys/select.h>

static int p[2], q[2], a, b;

static void *left(void *unused)
{
	struct pollfd f = {.fd = q[0], .events = POLLIN};

	a = 1;
	assert(write(p[1], "1", 1) == 1);
	assert(poll(&f, 1, -1) == 1);
	assert(b == 2);
	b = 3;
	return unused;
}

static void *right(void *unused)
{
	fd_set s;

	FD_ZERO(&s);
	FD_SET(p[0], &s);
	assert(select(p[0] + 1, &s, NULL, NULL, NULL) == 1);
	assert(a == 1);
	b = 2;
	assert(write(q[1], "2", 1) == 1);
	return unused;
}

int main(void)
{
	assert(pipe(p) == 0 && pipe(q) == 0);
	both(right, left, NULL);
	return b != 3;
}
