/* sendmsg(), sendto(), sendmmsg() and their headers are free again when the message arrived. */
#include "truth.h"
#include <sys/socket.h>
#include <sys/uio.h>

static char body[16] = "message";
static struct iovec io = {body, 7};
static struct msghdr hdr = {.msg_iov = &io, .msg_iovlen = 1};
static int s[2], t[2];

static void *sender(void *unused)
{
	assert(sendmsg(s[0], &hdr, 0) == 7);
	return unused;
}

static void *receiver(void *unused)
{
	char got[16];

	assert(recv(s[1], got, sizeof(got), 0) == 7);
	memset(body, 0, sizeof(body));
	io.iov_len = 0;
	hdr.msg_iovlen = 0;
	assert(sendto(t[0], body, 1, 0, NULL, 0) == 1);
	return unused;
}

int main(void)
{
	char c;

	assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, s) == 0 &&
	       socketpair(AF_UNIX, SOCK_DGRAM, 0, t) == 0);
	both(receiver, sender, NULL);
	assert(read(t[1], &c, 1) == 1);
	return body[0];
}
