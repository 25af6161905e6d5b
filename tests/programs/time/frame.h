/*
 * The frame of the programs in this folder. A program takes the name of a case as its argument.
 *
 * look() splits its reads of a counter over two lock regions, which is legal: the counter only
 * grows. forerun re-executes that split, and everything else that the program does happens in such
 * a re-execution. A correct case must not be blamed for any of it.
 */
#ifndef FRAME_H
#define FRAME_H

#undef NDEBUG
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t frame_lock = PTHREAD_MUTEX_INITIALIZER;
static int frame_count;

static void tick(void)
{
	pthread_mutex_lock(&frame_lock);
	frame_count++;
	pthread_mutex_unlock(&frame_lock);
}

static void *look(void *arg)
{
	int first, second;

	pthread_mutex_lock(&frame_lock);
	first = frame_count;
	pthread_mutex_unlock(&frame_lock);
	pthread_mutex_lock(&frame_lock);
	second = frame_count;
	pthread_mutex_unlock(&frame_lock);
	assert(second >= first);
	return arg;
}

__attribute__((unused)) static struct timespec in_ms(clockid_t clock, long ms)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	ts.tv_nsec += ms % 1000 * 1000000;
	ts.tv_sec += ms / 1000 + ts.tv_nsec / 1000000000;
	ts.tv_nsec %= 1000000000;
	return ts;
}

struct frame_case {
	const char *name;
	void (*run)(void); /* in a thread of its own, beside look() */
};

static void *frame_run(void *arg)
{
	tick();
	((const struct frame_case *)arg)->run();
	tick();
	return NULL;
}

/* Before the threads of the case exist, or NULL. */
static int frame_main(const struct frame_case *cases, int argc, char **argv, void (*before)(void))
{
	pthread_t a, b;

	for (; argc == 2 && cases->name; cases++)
		if (!strcmp(cases->name, argv[1])) {
			if (before)
				before();
			pthread_create(&b, NULL, look, NULL);
			pthread_create(&a, NULL, frame_run, (void *)cases);
			pthread_join(a, NULL);
			pthread_join(b, NULL);
			return 0;
		}
	return 2;
}

#endif
