/*
 * The recorded run checks a pointer in one region, uses it in the next, and crashes there, with the
 * lock held. FIXED: one region. UNRELATED: main crashes in every order (pointer_main.h).
 *
 * order: 0,1,2,1
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *volatile p;

static void *use(void *arg)
{
	int sum = 0;

	pthread_mutex_lock(&m);
	if (p) {
#ifndef FIXED
		pthread_mutex_unlock(&m);
		sched_yield();
		pthread_mutex_lock(&m);
#endif
#ifdef UNRELATED
		if (p)
#endif
			sum = *p;
	}
	pthread_mutex_unlock(&m);
	return sum ? arg : NULL;
}

static void *clear(void *arg)
{
	pthread_mutex_lock(&m);
	p = NULL;
	pthread_mutex_unlock(&m);
	return arg;
}

#include "pointer_main.h"
