/*
 * One message travels through every kind of channel, each between two threads: mq, pipe, splice, socketpair with
 * sendmmsg, SysV queue, file with pwrite and fdatasync + eventfd, vmsplice, and process_vm_readv on itself at the end.
 */
#include "truth.h"
#include <mqueue.h>
#include <sys/eventfd.h>
#include <sys/msg.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

static mqd_t mq;
static int a[2], b[2], sv[2], q, ev, fd, c[2];
static char text[32], got[32];

struct sysv {
	long type;
	char text[32];
};

static void *one(void *unused)
{
	char buf[64];
	struct iovec v[2] = {{buf, 8}, {buf + 8, 24}};
	struct mmsghdr m[2] = {{.msg_hdr = {.msg_iov = &v[0], .msg_iovlen = 1}},
			       {.msg_hdr = {.msg_iov = &v[1], .msg_iovlen = 1}}};
	struct sysv s;
	eventfd_t n;

	snprintf(text, sizeof(text), "message %d", 1);
	assert(mq_send(mq, text, sizeof(text), 3) == 0);
	assert(read(b[0], buf, 32) == 32 && !strcmp(buf, "message 1+"));
	strcat(buf, "+");
	assert(sendmmsg(sv[0], m, 2, 0) == 2);
	assert(msgrcv(q, &s, sizeof(s.text), 0, 0) == 32);
	strcat(s.text, "+");
	assert(pwrite(fd, s.text, 32, 4096) == 32);
	assert(eventfd_write(ev, 5) == 0);
	assert(eventfd_read(ev, &n) == 0 || errno == EAGAIN);
	return unused;
}

static void *two(void *unused)
{
	char buf[64] = "";
	struct iovec v[2] = {{buf, 8}, {buf + 8, 24}};
	struct mmsghdr m[2] = {{.msg_hdr = {.msg_iov = &v[0], .msg_iovlen = 1}},
			       {.msg_hdr = {.msg_iov = &v[1], .msg_iovlen = 1}}};
	struct sysv s = {.type = 7};
	struct timespec t = {20, 0};
	unsigned prio;
	int n = 0;

	assert(mq_receive(mq, buf, sizeof(buf), &prio) == 32 && prio == 3);
	strcat(buf, "+");
	assert(write(a[1], buf, 32) == 32);
	assert(splice(a[0], NULL, b[1], NULL, 32, 0) == 32);
	while (n < 2) {
		int r = recvmmsg(sv[1], m + n, (unsigned)(2 - n), MSG_WAITFORONE, &t);

		assert(r > 0);
		n += r;
	}
	memcpy(s.text, buf, 32);
	strcat(s.text, "+");
	assert(msgsnd(q, &s, sizeof(s.text), 0) == 0);
	return unused;
}

static void *three(void *unused)
{
	off_t at = 4096;
	eventfd_t n;

	while (eventfd_read(ev, &n))
		assert(errno == EAGAIN || errno == EINTR);
	assert(n == 5 || n == 1);
	assert(sendfile(c[1], fd, &at, 32) == 32);
	assert(read(c[0], got, 32) == 32);
	return unused;
}

int main(void)
{
	struct mq_attr at = {.mq_maxmsg = 2, .mq_msgsize = 64};
	char name[32], copy[32];
	pthread_t t[3];
	struct iovec l = {copy, 32}, r = {got, 32};

	snprintf(name, sizeof(name), "/truth.%d", (int)getpid());
	mq = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &at);
	assert(mq != -1 && mq_unlink(name) == 0);
	assert(!pipe(a) && !pipe(b) && !pipe(c) && !socketpair(AF_UNIX, SOCK_DGRAM, 0, sv));
	q = msgget(IPC_PRIVATE, 0600);
	ev = eventfd(0, 0);
	fd = open("data", O_CREAT | O_RDWR | O_TRUNC, 0600);
	pthread_create(&t[1], NULL, two, NULL);
	pthread_create(&t[0], NULL, one, NULL);
	pthread_join(t[1], NULL);
	pthread_join(t[0], NULL);
	assert(eventfd_write(ev, 5) == 0);
	pthread_create(&t[2], NULL, three, NULL);
	pthread_join(t[2], NULL);
	msgctl(q, IPC_RMID, NULL);
	if (process_vm_readv(getpid(), &l, 1, &r, 1, 0) != 32)
		memcpy(copy, got, 32);
	unlink("data");
	printf("%s\n", copy);
	return strcmp(copy, "message 1++++") != 0;
}
