/*
 * The frame of the correct programs in this folder. Each program is free of data races and
 * deadlocks, and every interleaving ends with exit status 0, so forerun must confirm nothing.
 *
 * tick() and look() split one counter over two lock regions. The split is legal, because the
 * counter only grows. forerun may re-execute such a split, and must not blame it for anything that
 * the program then meets elsewhere.
 */
#ifndef TRUTH_H
#define TRUTH_H

#undef NDEBUG /* the programs act inside assert() */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>

static pthread_mutex_t truth_lock = PTHREAD_MUTEX_INITIALIZER;
static int truth_count;

__attribute__((unused)) static void tick(void)
{
	pthread_mutex_lock(&truth_lock);
	truth_count++;
	pthread_mutex_unlock(&truth_lock);
}

__attribute__((unused)) static int look(void)
{
	int first, second;

	pthread_mutex_lock(&truth_lock);
	first = truth_count;
	pthread_mutex_unlock(&truth_lock);
	pthread_mutex_lock(&truth_lock);
	second = truth_count;
	pthread_mutex_unlock(&truth_lock);
	return second >= first;
}

__attribute__((unused)) static void *truth_looker(void *unused)
{
	(void)unused;
	assert(look());
	return NULL;
}

/* Runs two threads to their end. */
__attribute__((unused)) static int both(void *(*first)(void *), void *(*second)(void *), void *arg)
{
	pthread_t a, b;

	assert(pthread_create(&a, NULL, first, arg) == 0);
	assert(pthread_create(&b, NULL, second, arg) == 0);
	assert(pthread_join(b, NULL) == 0);
	assert(pthread_join(a, NULL) == 0);
	return 0;
}

/* Runs WORK, which ticks, beside a thread that looks. */
__attribute__((unused)) static int beside_look(void *(*work)(void *))
{
	return both(truth_looker, work, NULL);
}

#endif
