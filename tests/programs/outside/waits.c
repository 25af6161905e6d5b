/*
 * Two threads race after one has waited for the other through the kernel: before the race, or also
 * after it.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int end[2], lock_a, lock_b;
static long a, b, rounds;
static const char *how;

static void wait_outside(void)
{
	char c = 0;

	if (!strcmp(how, "pipe") || !strcmp(how, "socket")) {
		if (read(end[0], &c, 1) != 1)
			rounds += 100;
	} else if (!strcmp(how, "poll")) {
		struct pollfd f = {.fd = end[0], .events = POLLIN};

		while (poll(&f, 1, -1) != 1 || read(end[0], &c, 1) != 1)
			;
	} else if (!strcmp(how, "flock")) {
		flock(lock_b, LOCK_EX);
	} else {
		for (int i = 0; i < 5; i++)
			nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	}
}

static void let_go(void)
{
	if (!strcmp(how, "flock"))
		flock(lock_a, LOCK_UN);
	else if (strcmp(how, "sleep") != 0 && write(end[1], "x", 1) != 1)
		rounds += 1000;
}

static void *taker(void *arg)
{
#ifdef BEFORE
	wait_outside();
#endif
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	b = a; /* @take */
#ifdef AFTER
	wait_outside();
#endif
	return arg;
}

static void *giver(void *arg)
{
#ifdef BEFORE
	let_go();
#endif
	a = 1; /* @give */
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
#ifdef AFTER
	sched_yield(); /* the taker waits */
	let_go();
#endif
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t, u;

	how = argc > 1 ? argv[1] : "pipe";
	if (strcmp(how, "socket") ? pipe(end) : socketpair(AF_UNIX, SOCK_STREAM, 0, end))
		return 2;
	lock_a = open("lock", O_RDWR | O_CREAT, 0600);
	lock_b = open("lock", O_RDWR);
	if (!strcmp(how, "flock") && flock(lock_a, LOCK_EX))
		return 2;
	pthread_create(&t, NULL, taker, NULL);
	pthread_create(&u, NULL, giver, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("%ld %ld\n", b, rounds);
	return 0;
}
