/*
 * more ROUNDS SECONDS QUESTION: two threads ask for time, random bytes and ids, ROUNDS times. Then
 * main sleeps for SECONDS seconds with each call that can sleep, and asks QUESTION. With other
 * arguments than the recorded ones it needs more answers than were recorded.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static int rounds, count;
static _Thread_local volatile sig_atomic_t mine;
static char said[2][100000];

static void handler(int sig)
{
	(void)sig;
	mine = 1;
}

static long long now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void *ask(void *arg)
{
	char *to = arg, *end = to + sizeof(said[0]);
	long long last = 0;
	cpu_set_t set;

	for (int i = 0; i < rounds; i++) {
		unsigned random;
		long long t = now(CLOCK_MONOTONIC);

		__atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
		if (t < last)
			abort();
		last = t;
		if (getentropy(&random, sizeof(random)))
			abort();
		to += snprintf(to, (size_t)(end - to), "%lld %lld %08x %d %d\n", t, (long long)time(NULL), random,
			       getpid(), gettid());
	}
	/* The ids are good for something. */
	if (tgkill(getpid(), gettid(), SIGUSR1) || !mine)
		abort();
	if (sched_getaffinity(gettid(), sizeof(set), &set) || sched_setaffinity(gettid(), sizeof(set), &set))
		abort();
	if (getpgid(getpid()) != getpgrp())
		abort();
	return NULL;
}

static void rest(int s)
{
	struct timespec ts = {.tv_sec = s}, at;
	struct timeval tv = {.tv_sec = s};
	long long from, upto;

	if (s)
		__atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST); /* elsewhere than in the recorded run */
	from = now(CLOCK_MONOTONIC);
	sleep((unsigned)s);
	usleep((useconds_t)s * 1000000);
	nanosleep(&ts, NULL);
	thrd_sleep(&ts, NULL);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
	clock_gettime(CLOCK_MONOTONIC, &at);
	at.tv_sec += s;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
	if (poll(NULL, 0, s * 1000) || ppoll(NULL, 0, &ts, NULL))
		abort();
	if (select(0, NULL, NULL, NULL, &tv) || pselect(0, NULL, NULL, NULL, &ts, NULL))
		abort();
	sched_yield();
	thrd_yield();
	upto = now(CLOCK_MONOTONIC);
	if (upto - from < 10LL * s * 1000000000)
		abort();
	printf("%s\n", upto - from < (10LL * s + 1) * 1000000000 ? "slept" : "slept too long");
}

int main(int argc, char **argv)
{
	pthread_t th[2];

	if (argc < 4)
		return 2;
	rounds = atoi(argv[1]);
	signal(SIGUSR1, handler);
	for (int i = 0; i < 2; i++)
		pthread_create(&th[i], NULL, ask, said[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(th[i], NULL);
	printf("%s%s", said[0], said[1]);
	rest(atoi(argv[2]));
	switch (*argv[3]) {
	case 't':
		printf("time %lld\n", (long long)time(NULL));
		break;
	case 'p':
		printf("pid %d\n", getpid());
		break;
	}
	return 0;
}
