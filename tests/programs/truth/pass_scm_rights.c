/* A descriptor passed over a socket; the receiver reads from it. The receiver then owns the plain
 * record. */
#include "truth.h"
#include <sys/socket.h>
#include <sys/uio.h>

static int s[2], p[2];
static int record[2];

static void *sender(void *unused)
{
	char room[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))) = {0}, c = 'd';
	struct iovec v = {&c, 1};
	struct msghdr m = {
	    .msg_iov = &v, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof(room)};
	struct cmsghdr *h = CMSG_FIRSTHDR(&m);

	record[0] = 3;
	record[1] = 4;
	h->cmsg_level = SOL_SOCKET;
	h->cmsg_type = SCM_RIGHTS;
	h->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(h), &p[0], sizeof(int));
	assert(sendmsg(s[0], &m, 0) == 1);
	return unused;
}

static void *receiver(void *unused)
{
	char room[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))), c;
	struct iovec v = {&c, 1};
	struct msghdr m = {
	    .msg_iov = &v, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof(room)};
	int fd;

	assert(recvmsg(s[1], &m, 0) == 1);
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(int));
	assert(read(fd, &c, 1) == 1 && c == 'k');
	close(fd);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0 && pipe(p) == 0 &&
	       write(p[1], "k", 1) == 1);
	both(receiver, sender, NULL);
	return record[0];
}
