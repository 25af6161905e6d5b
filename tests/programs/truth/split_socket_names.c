/* Two sockets bound to free ports get different numbers, and getsockname() tells them. */
#include "truth.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static int bound(struct sockaddr_in *a)
{
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	socklen_t n = sizeof(*a);

	*a = (struct sockaddr_in){.sin_family = AF_INET};
	a->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert(s >= 0 && bind(s, (struct sockaddr *)a, sizeof(*a)) == 0);
	assert(getsockname(s, (struct sockaddr *)a, &n) == 0);
	return s;
}

static void *work(void *unused)
{
	struct sockaddr_in a, b, from;
	socklen_t n = sizeof(from);
	int s = bound(&a), t;
	char c;

	tick();
	t = bound(&b);
	assert(a.sin_port != b.sin_port);
	assert(sendto(s, "x", 1, 0, (struct sockaddr *)&b, sizeof(b)) == 1);
	tick();
	assert(recvfrom(t, &c, 1, 0, (struct sockaddr *)&from, &n) == 1 &&
	       from.sin_port == a.sin_port);
	close(s);
	close(t);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
