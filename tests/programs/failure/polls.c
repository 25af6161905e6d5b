/*
 * A thread that polls. With the first arguments no thread ever changes the polled value. With the
 * others a number of rounds, time or another thread ends the loop, and the program prints "end".
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_int flag;
static const char *how;

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void *polls(void *arg)
{
	long began = now_ms();

	if (!strcmp(how, "yield") || !strcmp(how, "sleeper"))
		while (!flag)
			sched_yield();
	else if (!strcmp(how, "usleep"))
		while (!flag)
			usleep(10);
	else if (!strcmp(how, "rounds"))
		for (long i = 0; i < 500000 && !flag; i++)
			sched_yield();
	else if (!strcmp(how, "time"))
		while (!flag && now_ms() < began + 500)
			sched_yield();
	return arg;
}

static void *sets(void *arg)
{
	if (!strcmp(how, "sleeper")) {
		usleep(500000);
		flag = 1;
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t, u;

	how = argc > 1 ? argv[1] : "";
	pthread_create(&t, NULL, polls, NULL);
	pthread_create(&u, NULL, sets, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	puts("end");
	return 0;
}
