#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static atomic_int flag;
static int fd;
static void *hello(void *p) { puts("hello"); flag = 1; return p; }
static void *spins(void *p) { while (!flag) {} puts("spun"); return p; }
static void *yields(void *p) { while (!flag) sched_yield(); puts("yielded"); return p; }
static void *sets_later(void *p) { usleep(2000); puts("set"); flag = 1; return p; }
static void *receives(void *p)
{
	struct timeval limit = {.tv_usec = 50000};
	char b[4];
	int s[2];

	socketpair(AF_UNIX, SOCK_STREAM, 0, s);
	setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	if (recv(s[0], b, sizeof(b), 0) < 0)
		puts("nothing received");
	return p;
}
static void *sleeps(void *p) { sleep(1000); puts("slept 1000"); return p; }
static void *sleeps_less(void *p) { sleep(900); puts("slept 900"); return p; }
static void *locks(void *p) { int f = open("lock", O_RDWR); flock(f, LOCK_EX); puts("locked"); return p; }
static void *reads(void *p) { char b[64]; while (fgets(b, sizeof(b), stdin)) fputs(b, stdout); return p; }
static void leaves(int s) { _exit(s); }
/* A handler could post it, so the wait of this thread is no hang. */
static sem_t never;
static void *waits(void *p) { puts("pauses"); sem_wait(&never); return p; }
static void caught(int s) { if (write(1, "caught\n", 7) < 0) _exit(9); (void)s; }
static void both(void *(*f)(void *), void *(*g)(void *))
{
	pthread_t t, u;

	pthread_create(&t, 0, f, 0);
	pthread_create(&u, 0, g, 0);
	sched_yield();
	if (fd > 0) {
		puts("unlocks");
		flock(fd, LOCK_UN);
	}
	pthread_join(t, 0);
	pthread_join(u, 0);
}
int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	setvbuf(stdout, 0, _IOLBF, 0);
	if (!strcmp(how, "spin"))
		both(spins, hello);
	if (!strcmp(how, "yield"))
		both(yields, sets_later);
	if (!strcmp(how, "receive"))
		both(receives, hello);
	if (!strcmp(how, "alarm")) {
		struct itimerval soon = {.it_value = {.tv_usec = 20000}};
		sigset_t alarms, old;

		sigemptyset(&alarms);
		sigaddset(&alarms, SIGALRM);
		pthread_sigmask(SIG_BLOCK, &alarms, &old);
		signal(SIGALRM, caught);
		setitimer(ITIMER_REAL, &soon, 0);
		sigsuspend(&old);
	}
	if (!strcmp(how, "sleep"))
		both(sleeps, sleeps_less);
	if (!strcmp(how, "lock")) {
		fd = open("lock", O_CREAT | O_RDWR, 0600);
		flock(fd, LOCK_EX);
		both(locks, hello);
	}
	if (!strcmp(how, "read"))
		both(reads, hello);
	if (!strcmp(how, "child")) {
		int st;

		if (!fork()) {
			usleep(100000);
			_exit(5);
		}
		wait(&st);
		printf("child %d\n", WEXITSTATUS(st));
		both(hello, hello);
	}
	if (!strcmp(how, "pause")) {
		signal(SIGTERM, caught);
		puts("pauses");
		pause();
		puts("continues");
	}
	if (!strcmp(how, "wait")) {
		signal(SIGTERM, leaves);
		both(waits, hello);
	}
	if (!strcmp(how, "for ever")) {
		puts("pauses");
		for (;;)
			pause();
	}
	puts("end");
	return 0;
}
