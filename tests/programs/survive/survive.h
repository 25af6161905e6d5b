/*
 * Helpers of the survival programs: shared data that two threads work on before something bad
 * happens.
 */
#ifndef SURVIVE_H
#define SURVIVE_H

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;
static long shared_count;

static inline void shared_add(long n)
{
	pthread_mutex_lock(&shared_lock);
	shared_count += n;
	pthread_mutex_unlock(&shared_lock);
}

static inline void say(const char *s)
{
	if (write(1, s, strlen(s)) < 0)
		_exit(99);
}

static inline pthread_t start(void *(*f)(void *), void *arg)
{
	pthread_t t;
	int r = pthread_create(&t, NULL, f, arg);

	if (r) {
		fprintf(stderr, "pthread_create: %s\n", strerror(r));
		exit(99);
	}
	return t;
}

/* Does this thread of the process sleep in the kernel? */
static inline int asleep(pid_t tid)
{
	char path[64], line[256] = "";
	const char *state;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)tid);
	f = fopen(path, "r");
	if (!f || !fgets(line, sizeof(line), f))
		_exit(99);
	fclose(f);
	state = strrchr(line, ')');
	return state && state[2] == 'S';
}

#endif
