/*
 * Threads that poll. With the first arguments nobody ever changes what they poll; with the others a
 * number of rounds, time, a signal, a child, another process, a random number or another thread ends
 * the loop, and the program prints "end".
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS 700 /* the loops that end take at least this time */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int done;
static volatile int plain;
static atomic_int flag, *shared;
static const char *how;
static int ends[2];

static int is(const char *name)
{
	return !strcmp(how, name);
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int get(void)
{
	int d;

	pthread_mutex_lock(&lock);
	d = done;
	pthread_mutex_unlock(&lock);
	return d;
}

static void on_signal(int sig)
{
	(void)sig;
	flag = 1;
}

/* Returns whether the loop shall go on: what it asks differs from round to round. */
static int goes_on(long began)
{
	unsigned n = 0;
	char c;

	if (is("time"))
		return now_ms() < began + MS;
	if (is("seconds"))
		return time(NULL) < began / 1000 + 2;
	if (is("clock"))
		return clock() < CLOCKS_PER_SEC / 2;
	if (is("random"))
		return getrandom(&n, sizeof(n), 0) < 0 || n % 3000000;
	if (is("rand"))
		return rand() % 2000000 != 7;
	if (is("pipe"))
		return read(ends[0], &c, 1) < 0;
	if (is("file"))
		return access("polls.file", F_OK) < 0;
	if (is("reaps"))
		return waitpid(-1, NULL, WNOHANG) == 0;
#ifdef __x86_64__
	if (is("rdrand")) {
		__asm__ volatile("rdrand %0" : "=r"(n));
		return n % 1000000;
	}
#endif
	return 1;
}

#ifdef __x86_64__
static unsigned long ticks(void)
{
	unsigned lo, hi;

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
	return (unsigned long)hi << 32 | lo;
}
#else
#define ticks() ((unsigned long)now_ms() * 1000000)
#endif

static void *polls(void *arg)
{
	long began = is("seconds") ? time(NULL) * 1000 : now_ms();
	unsigned long end;

	if (is("yield") || is("sleeper") || is("signal") || is("timer"))
		while (!flag)
			sched_yield();
	else if (is("usleep"))
		while (!flag)
			usleep(10);
	else if (is("spin") || is("two") || is("writer") || is("last")) {
		while (!plain)
			;
		flag = is("last");
	}
	else if (is("lock"))
		while (!get())
			sched_yield();
	else if (is("shared") || is("child"))
		while (!*shared)
			;
	else if (is("ticks"))
		for (end = ticks() + 2000000000; !plain && ticks() < end;)
			;
	else if (is("rounds"))
		for (long i = 0; i < 500000 && !flag; i++)
			sched_yield();
	else if (is("counts"))
		for (unsigned long i = 0; i < 400000000 && !plain; i++)
			;
	else
		while (!flag && goes_on(began))
			;
	return arg;
}

static void *other(void *arg)
{
	if (is("sleeper") || is("writer"))
		usleep(MS * 1000), flag = plain = 1;
	else if (is("two"))
		while (!plain)
			sched_yield();
	else if (is("last")) {
		usleep(MS * 1000);
		plain = 1; /* then polls, too */
		while (!flag)
			usleep(100);
	}
	else if (is("lock")) {
		pthread_mutex_lock(&lock);
		while (done < 2)
			pthread_cond_wait(&cond, &lock);
		pthread_mutex_unlock(&lock);
	} else if (is("waker")) {
		pthread_mutex_lock(&lock);
		while (!done)
			pthread_cond_wait(&cond, &lock);
		pthread_mutex_unlock(&lock);
		flag = 1;
	}
	return arg;
}

/* A thread that computes, then wakes the one that ends the loop. */
static void *wakes(void *arg)
{
	for (unsigned long i = 0; i < 30000000; i++)
		plain = 0;
	pthread_mutex_lock(&lock);
	done = 1;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void prepare(void)
{
	struct itimerval in = {.it_value = {.tv_usec = MS * 1000}};
	pid_t parent = getpid();

	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		      is("shared") || is("child") ? MAP_SHARED | MAP_ANONYMOUS
						  : MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	if (is("signal") || is("timer"))
		signal(is("signal") ? SIGUSR1 : SIGALRM, on_signal);
	if (is("timer"))
		setitimer(ITIMER_REAL, &in, NULL);
	if (is("pipe"))
		pipe(ends), fcntl(ends[0], F_SETFL, O_NONBLOCK);
	if (!is("shared") && !is("child") && !is("signal") && !is("pipe") && !is("file") && !is("reaps"))
		return;
	/* "shared", "signal" and "file": not a child */
	if (fork() == 0) {
		if (!is("child") && !is("reaps") && !is("pipe") && fork() != 0)
			_exit(0);
		usleep(MS * 1000);
		*shared = 1;
		if (is("signal"))
			kill(parent, SIGUSR1);
		if (is("pipe") && write(ends[1], "x", 1) < 0)
			_exit(1);
		if (is("file"))
			close(open("polls.file", O_CREAT | O_WRONLY, 0600));
		_exit(0);
	}
	if (!is("child") && !is("reaps") && !is("pipe"))
		wait(NULL);
}

int main(int argc, char **argv)
{
	pthread_t t, u, v;

	how = argc > 1 ? argv[1] : "";
	unlink("polls.file");
	prepare();
	pthread_create(&t, NULL, polls, NULL);
	pthread_create(&u, NULL, other, NULL);
	if (is("waker"))
		pthread_create(&v, NULL, wakes, NULL), pthread_join(v, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	puts("end");
	return 0;
}
