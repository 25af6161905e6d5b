/* Data that passes from one thread to another through descriptors: see pass.h. */
#define _GNU_SOURCE
#include "pass.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>

static int in, out, through[2];
static char to[N];

/* ---- pipes and what acts on any descriptor ---- */

static void set_pipe(void)
{
	int end[2];

	need(!pipe(end), "pipe");
	in = end[0];
	out = end[1];
}

static void give_write(void)
{
	need(write(out, buffer, N) == N, "write");
}

static void get_read(void)
{
	need(read(in, to, N) > 0, "read");
}

static void give_writev(void)
{
	struct iovec v[2] = {{buffer, 16}, {buffer + 16, 16}};

	need(writev(out, v, 2) == N, "writev");
}

static void get_readv(void)
{
	struct iovec v[2] = {{to, 16}, {to + 16, 16}};

	need(readv(in, v, 2) == N, "readv");
}

static void give_close(void)
{
	need(!close(out), "close");
}

static void get_end(void)
{
	need(read(in, to, N) == 0, "read");
}

static void get_poll(void)
{
	struct pollfd p[2] = {{.fd = in, .events = POLLIN}, {.fd = out, .events = POLLOUT}};

	do
		need(poll(p, 2, -1) > 0, "poll");
	while (!(p[0].revents & POLLIN));
}

static void get_select(void)
{
	fd_set s;

	FD_ZERO(&s);
	FD_SET(in, &s);
	need(select(in + 1, &s, NULL, NULL, NULL) == 1, "select");
}

static void get_epoll(void)
{
	struct epoll_event e = {.events = EPOLLIN, .data.u64 = 7};
	int ep = epoll_create1(0);

	need(ep >= 0 && !epoll_ctl(ep, EPOLL_CTL_ADD, in, &e), "epoll_ctl");
	need(epoll_wait(ep, &e, 1, -1) == 1, "epoll_wait");
}

static void get_fionread(void)
{
	int n = 0;

	while (!n)
		need(!ioctl(in, FIONREAD, &n), "ioctl");
}

/* The same pipe under another number. */
static void set_dup(void)
{
	set_pipe();
	out = dup(out);
	in = fcntl(in, F_DUPFD, 20);
	need(dup2(in, 30) == 30, "dup2");
	in = 30;
}

static void set_fifo(void)
{
	unlink("fifo");
	need(!mkfifo("fifo", 0600), "mkfifo");
}

static void give_fifo(void)
{
	out = open("fifo", O_WRONLY);
	need(out >= 0, "open");
}

static void get_fifo(void)
{
	in = open("fifo", O_RDONLY);
	need(in >= 0, "open");
}

/* ---- inside the kernel, from one pipe to another ---- */

static void set_through(void)
{
	set_pipe();
	need(!pipe(through), "pipe");
}

static void get_splice(void)
{
	need(splice(in, NULL, through[1], NULL, N, 0) > 0, "splice");
}

static void get_tee(void)
{
	need(tee(in, through[1], N, 0) > 0, "tee");
}

static void give_vmsplice(void)
{
	struct iovec v = {buffer, N};

	need(vmsplice(out, &v, 1, 0) == N, "vmsplice");
}

static void give_sendfile(void)
{
	int fd = open("sent", O_CREAT | O_RDWR | O_TRUNC, 0600);

	need(fd >= 0 && write(fd, buffer, N) == N, "write");
	need(sendfile(out, fd, &(off_t){0}, N) == N, "sendfile");
}

/* ---- sockets ---- */

static void set_pair(int type)
{
	int end[2];

	need(!socketpair(AF_UNIX, type, 0, end), "socketpair");
	in = end[0];
	out = end[1];
}

static void set_stream(void)
{
	set_pair(SOCK_STREAM);
}

static void set_seqpacket(void)
{
	set_pair(SOCK_SEQPACKET);
}

static void give_send(void)
{
	need(send(out, buffer, N, 0) == N, "send");
}

static void get_recv(void)
{
	need(recv(in, to, N, 0) > 0, "recv");
}

static void give_sendmsg(void)
{
	struct iovec v = {buffer, N};
	struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};

	need(sendmsg(out, &m, 0) == N, "sendmsg");
}

static void get_recvmsg(void)
{
	struct iovec v = {to, N};
	struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};

	need(recvmsg(in, &m, 0) > 0, "recvmsg");
}

static void give_sendmmsg(void)
{
	struct iovec v = {buffer, N};
	struct mmsghdr m = {.msg_hdr = {.msg_iov = &v, .msg_iovlen = 1}};

	need(sendmmsg(out, &m, 1, 0) == 1, "sendmmsg");
}

static void get_recvmmsg(void)
{
	struct iovec v = {to, N};
	struct mmsghdr m = {.msg_hdr = {.msg_iov = &v, .msg_iovlen = 1}};

	need(recvmmsg(in, &m, 1, 0, NULL) == 1, "recvmmsg");
}

static void give_shutdown(void)
{
	need(!shutdown(out, SHUT_WR), "shutdown");
}

/* A descriptor that is sent in a message is the same pipe. */
static void give_rights(void)
{
	char c = 'x', space[CMSG_SPACE(sizeof(int))] = {0};
	struct iovec v = {&c, 1};
	struct msghdr m = {
	    .msg_iov = &v, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof(space)};
	struct cmsghdr *h = CMSG_FIRSTHDR(&m);

	need(!pipe(through), "pipe");
	h->cmsg_level = SOL_SOCKET;
	h->cmsg_type = SCM_RIGHTS;
	h->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(h), through, sizeof(int));
	need(sendmsg(out, &m, 0) == 1, "sendmsg");
	need(write(through[1], buffer, N) == N, "write");
}

static void get_rights(void)
{
	char c, space[CMSG_SPACE(sizeof(int))] = {0};
	struct iovec v = {&c, 1};
	struct msghdr m = {
	    .msg_iov = &v, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof(space)};
	int fd;

	need(recvmsg(in, &m, 0) == 1, "recvmsg");
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fd));
	need(read(fd, to, N) == N, "read");
}

/* ---- datagrams between sockets that are not a pair ---- */

static struct sockaddr_in port;

static void set_udp(void)
{
	socklen_t n = sizeof(port);

	in = socket(AF_INET, SOCK_DGRAM, 0);
	out = socket(AF_INET, SOCK_DGRAM, 0);
	port =
	    (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	need(!bind(in, (void *)&port, n) && !getsockname(in, (void *)&port, &n), "bind");
}

static void set_udp_connected(void)
{
	set_udp();
	need(!connect(out, (void *)&port, sizeof(port)), "connect");
}

static void give_sendto(void)
{
	need(sendto(out, buffer, N, 0, (void *)&port, sizeof(port)) == N, "sendto");
}

static void get_recvfrom(void)
{
	struct sockaddr_in from;
	socklen_t n = sizeof(from);

	need(recvfrom(in, to, N, 0, (void *)&from, &n) == N, "recvfrom");
}

static struct sockaddr_un named = {.sun_family = AF_UNIX, .sun_path = "socket"};

static void set_unix_datagram(void)
{
	unlink("socket");
	in = socket(AF_UNIX, SOCK_DGRAM, 0);
	out = socket(AF_UNIX, SOCK_DGRAM, 0);
	need(!bind(in, (void *)&named, sizeof(named)), "bind");
}

static void give_unix_datagram(void)
{
	need(sendto(out, buffer, N, 0, (void *)&named, sizeof(named)) == N, "sendto");
}

/* ---- connections ---- */

static int listener;

static void set_tcp(void)
{
	socklen_t n = sizeof(port);

	listener = socket(AF_INET, SOCK_STREAM, 0);
	out = socket(AF_INET, SOCK_STREAM, 0);
	port =
	    (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	need(!bind(listener, (void *)&port, n) && !listen(listener, 4) &&
		 !getsockname(listener, (void *)&port, &n),
	     "bind");
}

static void give_connect(void)
{
	need(!connect(out, (void *)&port, sizeof(port)), "connect");
}

static void get_accept(void)
{
	in = accept(listener, NULL, NULL);
	need(in >= 0, "accept");
}

static void give_tcp(void)
{
	give_connect();
	give_send();
}

static void get_tcp(void)
{
	get_accept();
	need(recv(in, to, N, MSG_WAITALL) == N, "recv");
}

static void set_unix(void)
{
	named.sun_path[0] = 0; /* abstract */
	snprintf(named.sun_path + 1, sizeof(named.sun_path) - 1, "forerun-%d", getpid());
	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	out = socket(AF_UNIX, SOCK_STREAM, 0);
	need(!bind(listener, (void *)&named, sizeof(named)) && !listen(listener, 4), "bind");
}

static void give_unix(void)
{
	need(!connect(out, (void *)&named, sizeof(named)), "connect");
	give_send();
}

/* ---- queues, counters, timers, signals, terminals ---- */

static void set_mq(void)
{
	struct mq_attr a = {.mq_maxmsg = 2, .mq_msgsize = N};
	char name[64];

	snprintf(name, sizeof(name), "/forerun-%d", getpid());
	in = out = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &a);
	need(in >= 0, "mq_open");
	mq_unlink(name);
}

static void give_mq(void)
{
	need(!mq_send(out, buffer, N, 3), "mq_send");
}

static void get_mq(void)
{
	unsigned priority;

	need(mq_receive(in, to, N, &priority) == N, "mq_receive");
}

static void give_mq_timed(void)
{
	struct timespec never = {.tv_sec = 4000000000};

	need(!mq_timedsend(out, buffer, N, 3, &never), "mq_timedsend");
}

static void get_mq_timed(void)
{
	struct timespec never = {.tv_sec = 4000000000};

	need(mq_timedreceive(in, to, N, NULL, &never) == N, "mq_timedreceive");
}

/* A queue of one message is a lock: the thread that can send holds it. */
static void set_mq_lock(void)
{
	struct mq_attr a = {.mq_maxmsg = 1, .mq_msgsize = N};
	char name[64];

	snprintf(name, sizeof(name), "/forerun-l-%d", getpid());
	in = out = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &a);
	need(in >= 0, "mq_open");
	mq_unlink(name);
}

static void lock_mq(void)
{
	need(!mq_send(out, "x", 1, 0), "mq_send");
}

static void unlock_mq(void)
{
	char c[N];

	need(mq_receive(in, c, N, NULL) == 1, "mq_receive");
}

static void set_eventfd(void)
{
	in = out = eventfd(0, EFD_SEMAPHORE);
	need(in >= 0, "eventfd");
}

/* Two numbers of one counter. */
static void set_eventfd_dup(void)
{
	set_eventfd();
	out = dup(in);
	need(out >= 0, "dup");
}

static void set_eventfd_fcntl(void)
{
	set_eventfd();
	in = fcntl(out, F_DUPFD, 20);
	need(in >= 0, "fcntl");
}

/* The number was that of another counter. */
static void set_eventfd_dup2(void)
{
	set_eventfd();
	out = eventfd(0, 0);
	need(dup2(in, out) == out, "dup2");
}

static void set_eventfd_again(void)
{
	int old = eventfd(0, 0);

	need(old >= 0 && !close(old), "close");
	set_eventfd();
	need(in == old, "eventfd");
	out = dup(in);
	need(out >= 0, "dup");
}

static void give_eventfd(void)
{
	need(!eventfd_write(out, 1), "eventfd_write");
}

static void get_eventfd(void)
{
	eventfd_t n;

	need(!eventfd_read(in, &n), "eventfd_read");
}

/* The epoll instance is ready because of the counter. */
static void get_eventfd_nested(void)
{
	struct epoll_event e = {.events = EPOLLIN};
	struct pollfd p = {.fd = epoll_create1(0), .events = POLLIN};

	need(p.fd >= 0 && !epoll_ctl(p.fd, EPOLL_CTL_ADD, in, &e), "epoll_ctl");
	need(poll(&p, 1, -1) == 1, "poll");
}

static void give_eventfd_write(void)
{
	unsigned long n = 1;

	need(write(out, &n, sizeof(n)) == sizeof(n), "write");
}

static void set_timerfd(void)
{
	in = out = timerfd_create(CLOCK_MONOTONIC, 0);
	need(in >= 0, "timerfd_create");
}

static void give_timerfd(void)
{
	struct itimerspec soon = {.it_value.tv_nsec = 1000000};

	need(!timerfd_settime(out, 0, &soon, NULL), "timerfd_settime");
}

static void set_signalfd(void)
{
	sigset_t s;

	sigemptyset(&s);
	sigaddset(&s, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &s, NULL);
	in = signalfd(-1, &s, 0);
	need(in >= 0, "signalfd");
}

static void give_signalfd(void)
{
	kill(getpid(), SIGUSR1);
}

static void get_signalfd(void)
{
	struct signalfd_siginfo i;

	need(read(in, &i, sizeof(i)) == sizeof(i), "read");
}

static void set_pty(void)
{
	out = posix_openpt(O_RDWR | O_NOCTTY);
	need(out >= 0 && !grantpt(out) && !unlockpt(out), "posix_openpt");
	in = open(ptsname(out), O_RDWR | O_NOCTTY);
	need(in >= 0, "open");
}

static void give_pty(void)
{
	need(write(out, "line\n", 5) == 5, "write");
}

static const struct mechanism all[] = {
    {"pipe", set_pipe, give_write, get_read, PASSES_BUFFER},
    {"writev", set_pipe, give_writev, get_readv, PASSES_BUFFER},
    {"close", set_pipe, give_close, get_end, PASSES},
    {"poll", set_pipe, give_write, get_poll, PASSES_BUFFER},
    {"select", set_pipe, give_write, get_select, PASSES_BUFFER},
    {"epoll", set_pipe, give_write, get_epoll, PASSES_BUFFER},
    {"fionread", set_pipe, give_write, get_fionread, PASSES_BUFFER},
    {"dup", set_dup, give_write, get_read, PASSES_BUFFER},
    {"fifo", set_fifo, give_fifo, get_fifo, PASSES},
    {"splice", set_through, give_write, get_splice, PASSES_BUFFER},
    {"tee", set_through, give_write, get_tee, PASSES_BUFFER},
    {"vmsplice", set_pipe, give_vmsplice, get_poll, PASSES_BUFFER},
    {"sendfile", set_pipe, give_sendfile, get_read, PASSES_BUFFER},
    {"send", set_stream, give_send, get_recv, PASSES_BUFFER},
    {"seqpacket", set_seqpacket, give_send, get_recv, PASSES_BUFFER},
    {"sendmsg", set_stream, give_sendmsg, get_recvmsg, PASSES_BUFFER},
    {"sendmmsg", set_seqpacket, give_sendmmsg, get_recvmmsg, PASSES_BUFFER},
    {"shutdown", set_stream, give_shutdown, get_end, PASSES},
    {"rights", set_stream, give_rights, get_rights, PASSES_BUFFER},
    {"udp", set_udp, give_sendto, get_recvfrom, PASSES_BUFFER},
    {"udp-connected", set_udp_connected, give_send, get_recv, PASSES_BUFFER},
    {"unix-datagram", set_unix_datagram, give_unix_datagram, get_recv, PASSES_BUFFER},
    {"connect", set_tcp, give_connect, get_accept, PASSES},
    {"tcp", set_tcp, give_tcp, get_tcp, PASSES_BUFFER},
    {"unix", set_unix, give_unix, get_tcp, PASSES_BUFFER},
    {"mq", set_mq, give_mq, get_mq, PASSES_BUFFER},
    {"mq-timed", set_mq, give_mq_timed, get_mq_timed, PASSES_BUFFER},
    {"lock-mq", set_mq_lock, lock_mq, unlock_mq, LOCKS},
    {"eventfd", set_eventfd, give_eventfd, get_eventfd, PASSES},
    {"eventfd-dup", set_eventfd_dup, give_eventfd, get_eventfd, PASSES},
    {"eventfd-fcntl", set_eventfd_fcntl, give_eventfd, get_eventfd, PASSES},
    {"eventfd-dup2", set_eventfd_dup2, give_eventfd, get_eventfd, PASSES},
    {"eventfd-again", set_eventfd_again, give_eventfd, get_eventfd, PASSES},
    {"eventfd-nested", set_eventfd, give_eventfd, get_eventfd_nested, PASSES},
    {"eventfd-write", set_eventfd, give_eventfd_write, get_poll, PASSES},
    {"timerfd", set_timerfd, give_timerfd, get_read, PASSES},
    {"signalfd", set_signalfd, give_signalfd, get_signalfd, PASSES},
    {"pty", set_pty, give_pty, get_read, PASSES},
};

RUN(all)
