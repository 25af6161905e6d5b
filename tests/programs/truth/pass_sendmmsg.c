/* sendmmsg() and recvmmsg(). The receiver then owns the plain record. */
#include "truth.h"
#include <sys/socket.h>
#include <sys/uio.h>

static int s[2];
static char out[4] = "mm";
static int record[2];

static void *sender(void *unused)
{
	struct iovec v = {out, 2};
	struct mmsghdr m = {.msg_hdr = {.msg_iov = &v, .msg_iovlen = 1}};

	record[0] = 3;
	record[1] = 4;
	assert(sendmmsg(s[0], &m, 1, 0) == 1);
	return unused;
}

static void *receiver(void *unused)
{
	char c[2];
	struct iovec v = {c, 2};
	struct mmsghdr m = {.msg_hdr = {.msg_iov = &v, .msg_iovlen = 1}};

	assert(recvmmsg(s[1], &m, 1, 0, NULL) == 1 && m.msg_len == 2);
	out[0] = 'z';
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, s) == 0);
	both(receiver, sender, NULL);
	return record[0];
}
