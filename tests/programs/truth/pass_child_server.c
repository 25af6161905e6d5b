/*
 * A server in a child process tells one client of another: each client thread has a connection of
 * its own.
 */
#include "truth.h"
#include <arpa/inet.h>
#include <sys/socket.h>

static struct sockaddr_in address = {.sin_family = AF_INET};
static int published;

static int connected(char who)
{
	int s = socket(AF_INET, SOCK_STREAM, 0);

	assert(s >= 0 && connect(s, (void *)&address, sizeof(address)) == 0);
	assert(write(s, &who, 1) == 1);
	return s;
}

static void *put(void *unused)
{
	int s = connected('p');
	char done;

	tick();
	published = 1;
	assert(write(s, "x", 1) == 1);
	assert(read(s, &done, 1) == 1);
	close(s);
	return unused;
}

static void *get(void *unused)
{
	int s = connected('g');
	char got;

	assert(read(s, &got, 1) == 1 && got == 'x');
	assert(published == 1);
	assert(look());
	close(s);
	return unused;
}

static void serve(int l)
{
	int putter = -1, getter = -1;
	char c;

	while (putter < 0 || getter < 0) {
		int s = accept(l, NULL, NULL);

		if (s < 0 || read(s, &c, 1) != 1)
			_exit(1);
		if (c == 'p')
			putter = s;
		else
			getter = s;
	}
	if (read(putter, &c, 1) != 1 || write(getter, &c, 1) != 1 || write(putter, &c, 1) != 1)
		_exit(1);
	_exit(0);
}

int main(void)
{
	socklen_t n = sizeof(address);
	int l = socket(AF_INET, SOCK_STREAM, 0);
	pid_t child;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert(bind(l, (void *)&address, n) == 0 && listen(l, 2) == 0);
	assert(getsockname(l, (void *)&address, &n) == 0);
	child = fork();
	if (!child)
		serve(l);
	close(l);
	both(put, get, NULL);
	assert(waitpid(child, NULL, 0) == child);
	return 0;
}
