/*
 * A thread waits for room in a full socket of each kind; the thread that makes room has published
 * something.
 */
#include "truth.h"
#include <sys/socket.h>

static int end[2], kind, published;
static char block[4096];

static void fill(void)
{
	while (send(end[0], block, sizeof(block), MSG_DONTWAIT) > 0)
		;
	assert(errno == EAGAIN);
}

static void *drain(void *unused)
{
	tick();
	published = kind;
	for (int i = 0; i < 64 && recv(end[1], block, sizeof(block), MSG_DONTWAIT) > 0; i++)
		;
	return unused;
}

static void *wait_for_room(void *unused)
{
	char one[64] = {0};

	assert(send(end[0], one, sizeof(one), 0) == sizeof(one));
	assert(published == kind);
	assert(look());
	return unused;
}

int main(void)
{
	static const int kinds[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};

	for (int i = 0; i < 3; i++) {
		kind = kinds[i];
		assert(socketpair(AF_UNIX, kind, 0, end) == 0);
		fill();
		both(drain, wait_for_room, NULL);
		close(end[0]);
		close(end[1]);
	}
	return 0;
}
