/* The program's data about itself is consistent. argv[1] names the data to check. Correct. */
#define _GNU_SOURCE
#include "neighbour.h"
#include <assert.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const char *how;
static _Atomic int from, value, seen;

static void handler(int sig, siginfo_t *info, void *context)
{
	from = info->si_pid;
	value = info->si_value.sival_int;
	seen++;
}

static void handle(void)
{
	struct sigaction a = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};

	sigaction(SIGUSR1, &a, NULL);
}

static void masks(void)
{
	cpu_set_t all, one, now;

	assert(sched_getaffinity(0, sizeof(all), &all) == 0);
	for (int k = 0; k < CPU_SETSIZE; k++) {
		if (!CPU_ISSET(k, &all))
			continue;
		CPU_ZERO(&one);
		CPU_SET(k, &one);
		assert(pthread_setaffinity_np(pthread_self(), sizeof(one), &one) == 0);
		assert(sched_getcpu() == k);
		assert(sched_getaffinity(0, sizeof(now), &now) == 0 && CPU_EQUAL(&now, &one));
	}
	assert(sched_setaffinity(gettid(), sizeof(all), &all) == 0);
	assert(pthread_getaffinity_np(pthread_self(), sizeof(now), &now) == 0);
	assert(CPU_EQUAL(&now, &all));
}

static void *asks(void *arg)
{
	tick();
	if (!strcmp(how, "cpu"))
		masks();
	handle();
	if (!strcmp(how, "raise"))
		raise(SIGUSR1);
	else if (!strcmp(how, "kill"))
		kill(getpid(), SIGUSR1);
	else if (!strcmp(how, "thread"))
		pthread_kill(pthread_self(), SIGUSR1);
	else if (!strcmp(how, "value"))
		pthread_sigqueue(pthread_self(), SIGUSR1, (union sigval){.sival_int = 42});
	if (strcmp(how, "cpu") != 0) {
		while (!seen)
			sched_yield();
		assert(from == getpid());
		assert(strcmp(how, "value") != 0 || value == 42);
	}
	tick();
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	how = argc > 1 ? argv[1] : "cpu";
	pthread_create(&b, NULL, looks, NULL);
	pthread_create(&a, NULL, asks, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
