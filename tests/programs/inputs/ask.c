/* Two threads make each call whose answer comes from outside the program, and print the answers. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int shared, quiet;
static volatile size_t ten = 10; /* not known to the compiler */
static volatile sig_atomic_t signals;

static void bump(void) { __atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST); }

static void hex(const char *what, const unsigned char *p, size_t n)
{
	printf("%s", what);
	for (size_t i = 0; i < n; i++)
		printf(" %02x", p[i]);
	printf("\n");
}

static void clocks(void)
{
	struct timespec ts;
	struct timeval tv;
	struct tms used;
	time_t again;

	clock_gettime(CLOCK_REALTIME, &ts);
	printf("time %lld\n", ts.tv_sec * 1000000000LL + ts.tv_nsec);
	timespec_get(&ts, TIME_UTC);
	printf("time %lld\n", ts.tv_sec * 1000000000LL + ts.tv_nsec);
	gettimeofday(&tv, NULL);
	printf("time %lld\n", tv.tv_sec * 1000000000LL + tv.tv_usec * 1000LL);
	printf("time %lld\n", time(&again) * 1000000000LL);
	clock_gettime(CLOCK_MONOTONIC, &ts);
	printf("clock %lld\n", ts.tv_sec * 1000000000LL + ts.tv_nsec);
	clock_gettime(CLOCK_BOOTTIME, &ts);
	printf("clock %lld\n", ts.tv_sec * 1000000000LL + ts.tv_nsec);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	printf("cpu-time %lld\n", ts.tv_sec * 1000000000LL + ts.tv_nsec);
	printf("cpu-time %lld\n", clock() * (1000000000LL / CLOCKS_PER_SEC));
	clock_t now = times(&used);
	long long tick = 1000000000LL / sysconf(_SC_CLK_TCK);
	printf("cpu-time %lld\ncpu-time %lld\n", used.tms_utime * tick, used.tms_stime * tick);
	printf("cpu-time %lld\ncpu-time %lld\n", used.tms_cutime * tick, used.tms_cstime * tick);
	printf("clock %lld\n", now * tick);
	if (clock_gettime(12345, &ts) == 0) /* there is no such clock: not an input */
		abort();
}

static void randoms(void)
{
	unsigned char b[600];
	int fd;

	if (getrandom(b, 3, 0) != 3)
		abort();
	hex("random 3 bytes:", b, 3);
	if (getentropy(b, 20))
		abort();
	hex("random 20 bytes:", b, 20);
	if (getrandom(b, 300, 0) != 300 && getrandom(NULL, 1, 0) == 1)
		abort();
	hex("random 256 bytes:", b, 256);
	hex("more 44 bytes:", b + 256, 44);
	if (syscall(SYS_getrandom, b, 8, 0) != 8)
		abort();
	hex("random 8 bytes:", b, 8);
	fd = open("/dev/urandom", O_RDONLY);
	if (fd < 0 || read(fd, b, 16) != 16)
		abort();
	hex("random 16 bytes:", b, 16);
	close(fd);
}

static void handler(int sig) { signals += sig == SIGUSR1; }

static void ids(void)
{
	pid_t pid = getpid();

	printf("pid = %d\n", pid);
	printf("ppid = %d\n", getppid());
	printf("tid = %d\n", gettid());
	printf("tid = %ld\n", syscall(SYS_gettid));
	printf("pid = %ld\n", syscall(SYS_getpid));
	if (quiet)
		return;
	signal(SIGUSR1, handler);
	kill(pid, SIGUSR1);
	tgkill(pid, pid, SIGUSR1);
	sigqueue(pid, SIGUSR1, (union sigval){0});
	if (signals != 3)
		abort();
}

static void reads(void)
{
	int to[2], fd = open("input.txt", O_RDONLY);
	char a[8], b[64], line[64];
	struct iovec v[2] = {{a, 5}, {b, sizeof(b)}};
	FILE *f;

	if (fd < 0 || pipe(to))
		abort();
	printf("read %zd\n", read(fd, b, ten));
	printf("read %zd\n", pread(fd, b, ten, 2));
	printf("read %zd\n", readv(fd, v, 2));
	printf("read %zd\n", read(fd, b, 1));
	printf("read %d\n", (int)(read(-1, b, 1) < 0) - 10); /* -EBADF */
	f = fdopen(fd, "r");
	rewind(f);
	printf("read %zu\n", strlen(fgets(line, (int)ten + 10, f)));
	printf("read %zu\n", fread(b, 1, ten, f));
	fclose(f);
	if (write(to[1], "x", 1) != 1)
		abort();
	printf("read %zd\n", read(to[0], b, sizeof(b)));
}

static void waits(void)
{
	struct epoll_event ev = {.events = EPOLLIN};
	struct timespec none = {0};
	struct timeval zero = {0};
	struct pollfd p;
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(at);
	int to[2], e = epoll_create1(0), s = socket(AF_INET, SOCK_STREAM, 0), c;
	fd_set set;

	if (pipe(to))
		abort();
	p = (struct pollfd){.fd = to[0], .events = POLLIN};
	epoll_ctl(e, EPOLL_CTL_ADD, to[0], &ev);
	printf("ready = %d\n", poll(&p, ten / 10, 0));
	if (write(to[1], "x", 1) != 1)
		abort();
	printf("ready = %d\n", poll(&p, 1, -1));
	printf("ready = %d\n", ppoll(&p, ten / 10, &none, NULL));
	FD_ZERO(&set);
	FD_SET(to[0], &set);
	printf("ready = %d\n", select(to[0] + 1, &set, NULL, NULL, &zero));
	printf("ready = %d\n", pselect(to[0] + 1, &set, NULL, NULL, &none, NULL));
	printf("ready = %d\n", epoll_wait(e, &ev, 1, 0));
	printf("ready = %d\n", epoll_pwait(e, &ev, 1, 0, NULL));
	if (bind(s, (void *)&at, sizeof(at)) || listen(s, 1) || getsockname(s, (void *)&at, &len))
		abort();
	c = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(c, (void *)&at, sizeof(at)))
		abort();
	printf("accept = %d\n", accept(s, NULL, NULL));
	printf("accept = %d\n", accept4(-1, NULL, NULL, 0) - 8); /* -EBADF */
}

static void *other(void *arg)
{
	struct timespec ts;

	bump();
	clock_gettime(CLOCK_MONOTONIC, &ts);
	bump();
	*(long long *)arg = ts.tv_sec * 1000000000LL + ts.tv_nsec;
	return NULL;
}

/* ask [quiet]: without signals */
int main(int argc, char **argv)
{
	long long told;
	pthread_t th;

	(void)argv;
	quiet = argc > 1;
	bump();
	clocks();
	bump();
	randoms();
	ids();
	bump();
	reads();
	waits();
	pthread_create(&th, NULL, other, &told);
	pthread_join(th, NULL);
	printf("clock %lld\n", told);
	return 0;
}
