/*
 * A pointer crosses a socketpair as a number, and the answer brings it back.
 */
#include "truth.h"
#include <sys/socket.h>
struct call {
	int in, out;
};
static int s[2];
static void *server(void *arg)
{
	struct call *c;

	while (read(s[1], &c, sizeof(c)) == sizeof(c) && c) {
		c->out = c->in + 100;
		assert(write(s[1], &c, sizeof(c)) == sizeof(c));
	}
	return arg;
}
int main(void)
{
	struct call *stop = NULL;
	pthread_t t;

	assert(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, s));
	assert(!pthread_create(&t, NULL, server, NULL));
	for (int i = 0; i < 3; i++) {
		struct call *c = malloc(sizeof(*c)), *back;

		c->in = i;
		assert(write(s[0], &c, sizeof(c)) == sizeof(c));
		assert(read(s[0], &back, sizeof(back)) == sizeof(back) && back == c);
		assert(back->out == i + 100);
		free(c);
	}
	assert(write(s[0], &stop, sizeof(stop)) == sizeof(stop));
	pthread_join(t, NULL);
	return 0;
}
