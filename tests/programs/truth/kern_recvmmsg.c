/*
 * Two datagrams arrive with one recvmmsg; the sender reuses its buffers once the receiver has said
 * so through shutdown.
 */
#include "truth.h"
#include <sys/socket.h>
#include <sys/uio.h>
static int s[2], back[2];
static char out[2][8];
static void *sender(void *unused)
{
	char c;

	(void)unused;
	for (int i = 0; i < 2; i++) {
		memset(out[i], 'p' + i, sizeof(out[i]));
		assert(send(s[0], out[i], sizeof(out[i]), 0) == sizeof(out[i]));
	}
	assert(read(back[0], &c, 1) == 0);
	memset(out, 0, sizeof(out));
	return NULL;
}
static void *receiver(void *unused)
{
	char in[2][8];
	struct iovec v[2] = {{in[0], 8}, {in[1], 8}};
	struct mmsghdr h[2] = {{.msg_hdr = {.msg_iov = &v[0], .msg_iovlen = 1}}, {.msg_hdr = {.msg_iov = &v[1], .msg_iovlen = 1}}};
	int n = 0;

	(void)unused;
	while (n < 2) {
		int r = recvmmsg(s[1], h + n, (unsigned)(2 - n), MSG_WAITFORONE, NULL);

		assert(r > 0);
		n += r;
	}
	assert(in[0][0] == 'p' && in[1][7] == 'q');
	assert(out[0][0] == 'p' && out[1][0] == 'q');
	shutdown(back[1], SHUT_WR);
	return NULL;
}
int main(void)
{
	assert(!socketpair(AF_UNIX, SOCK_DGRAM, 0, s));
	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, back));
	return both(sender, receiver, NULL);
}
