/* SO_RCVTIMEO expires, then data comes. */
#include "truth.h"
#include <sys/socket.h>
#include <sys/time.h>

static double now_of(clockid_t c)
{
	struct timespec t;

	clock_gettime(c, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static int sv[2];
static pthread_barrier_t b;

static void *wa(void *unused)
{
	tick();
	struct timeval tv = {0, 3000};
	setsockopt(sv[0], SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof tv);
	char c;
	double a = now_of(CLOCK_MONOTONIC);
	int r = recv(sv[0], &c, 1, 0);
	assert(r == -1 && (errno == EAGAIN || errno == EWOULDBLOCK));
	assert(now_of(CLOCK_MONOTONIC) - a >= 0.0025);
	tick();
	pthread_barrier_wait(&b);
	while (recv(sv[0], &c, 1, 0) != 1)
		;
	assert(c == 'z');
	return unused;
}

static void *s(void *unused)
{
	pthread_barrier_wait(&b);
	usleep(6000);
	assert(look());
	send(sv[1], "z", 1, 0);
	return unused;
}

int main(void)
{
	pthread_barrier_init(&b, 0, 2);
	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, sv));
	return both(wa, s, 0);
}
