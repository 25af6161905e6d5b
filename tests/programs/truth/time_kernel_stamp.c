/* The kernel's time stamp of a datagram fits the clock. */
#include "truth.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static double now_of(clockid_t c)
{
	struct timespec t;

	clock_gettime(c, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static int a, b;
static struct sockaddr_in ad;

static void *s(void *unused)
{
	tick();
	usleep(1000);
	assert(sendto(a, "t", 1, 0, (void *)&ad, sizeof ad) == 1);
	tick();
	return unused;
}

static void *r(void *unused)
{
	double t0 = now_of(CLOCK_REALTIME);
	char x, cb[128];
	struct iovec io = {&x, 1};

	struct msghdr m = {
	    .msg_iov = &io, .msg_iovlen = 1, .msg_control = cb, .msg_controllen = 128};
	assert(recvmsg(b, &m, 0) == 1);
	double t1 = now_of(CLOCK_REALTIME);
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c))
		if (c->cmsg_type == SO_TIMESTAMPNS) {
			struct timespec t;

			memcpy(&t, CMSG_DATA(c), sizeof t);
			double k = t.tv_sec + t.tv_nsec * 1e-9;
			assert(k <= t1 + 1 && k >= t0 - 1);
		}
	assert(look());
	return unused;
}

int main(void)
{
	a = socket(AF_INET, SOCK_DGRAM, 0);
	b = socket(AF_INET, SOCK_DGRAM, 0);
	int one = 1;
	setsockopt(b, SOL_SOCKET, SO_TIMESTAMPNS, &one, 4);
	ad.sin_family = AF_INET;
	ad.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	bind(b, (void *)&ad, sizeof ad);
	socklen_t l = sizeof ad;
	getsockname(b, (void *)&ad, &l);
	return both(r, s, 0);
}
