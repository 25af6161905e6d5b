/*
 * pthread_once: a winner and others; a routine that is cancelled and done again; nested; call_once.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <threads.h>

static pthread_once_t o = PTHREAD_ONCE_INIT, outer = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT,
		      cancelled = PTHREAD_ONCE_INIT;
static once_flag f = ONCE_FLAG_INIT;
static int done, tries;

static void routine(void)
{
	done++;
}

static void outer_routine(void)
{
	pthread_once(&inner, routine);
	done++;
}

static void cancelled_routine(void)
{
	if (tries++ == 0) {
		pthread_cancel(pthread_self());
		pthread_testcancel();
	}
	done++;
}

static void *go(void *arg)
{
	pthread_once(&o, routine);
	call_once(&f, routine);
	return arg;
}

static void *go_cancelled(void *arg)
{
	pthread_once(&cancelled, cancelled_routine);
	return arg;
}

int main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, go, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	pthread_once(&outer, outer_routine);
	pthread_create(&t[0], NULL, go_cancelled, NULL);
	pthread_join(t[0], NULL);
	pthread_once(&cancelled, cancelled_routine);
	printf("done %d tries %d\n", done, tries);
	return 0;
}
