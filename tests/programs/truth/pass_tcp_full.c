/*
 * A thread polls for room in a full TCP connection; the thread that makes room has published
 * something.
 */
#include "truth.h"
#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

static int from, to, published;
static char block[65536];

static void *drain(void *unused)
{
	struct pollfd p = {.fd = to, .events = POLLIN};

	tick();
	published = 1;
	while (poll(&p, 1, 0) == 1 && recv(to, block, sizeof(block), MSG_DONTWAIT) > 0)
		;
	return unused;
}

static void *wait_for_room(void *unused)
{
	struct pollfd p = {.fd = from, .events = POLLOUT};

	assert(poll(&p, 1, -1) == 1);
	assert(published == 1);
	assert(look());
	return unused;
}

int main(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int l = socket(AF_INET, SOCK_STREAM, 0), small = 4096, full = 0;
	socklen_t n = sizeof(a);

	assert(bind(l, (void *)&a, n) == 0 && listen(l, 1) == 0 && getsockname(l, (void *)&a, &n) == 0);
	from = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(l, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	setsockopt(from, SOL_SOCKET, SO_SNDBUF, &small, sizeof(small));
	assert(connect(from, (void *)&a, n) == 0);
	to = accept(l, NULL, NULL);
	assert(to >= 0);
	while (full < 20) { /* acknowledged bytes make room for a while */
		if (send(from, block, sizeof(block), MSG_DONTWAIT) > 0) {
			full = 0;
		} else {
			full++;
			usleep(1000);
		}
	}
	return both(drain, wait_for_room, NULL);
}
