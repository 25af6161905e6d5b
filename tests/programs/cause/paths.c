/*
 * The recorded run loses an update between two regions, and fails. Without the violation, the
 * second thread takes another path: it writes a longer line to the log; TWICE: it frees nothing;
 * STALE: it finds no block to write to. FIXED: one region. UNRELATED: main fails in every order.
 *
 * order: 0,1,2,1
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count = 1, log_length;
static char *block;

__attribute__((noinline)) static void write_line(int n)
{
	for (; n; n /= 10)
		__atomic_fetch_add(&log_length, 1, __ATOMIC_RELAXED);
}

/* The first thread lets the other one run between its regions. */
static void *work(void *first)
{
	pthread_mutex_lock(&m);
	int n = count;
	char *p = block;
#ifndef FIXED
	pthread_mutex_unlock(&m);
	if (first)
		sched_yield();
	pthread_mutex_lock(&m);
#endif
#if defined TWICE
	if (p) {
		block = NULL;
		free(p);
	}
#elif defined STALE
	if (p && first) {
		*p = 1;
	} else if (p) {
		block = NULL;
		free(p);
	}
#else
	write_line(n);
	count = n + 50;
#endif
	pthread_mutex_unlock(&m);
	return first;
}

int main(void)
{
	pthread_t t, u;

	block = malloc(3000);
	pthread_create(&t, NULL, work, &count);
	pthread_create(&u, NULL, work, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
#if defined UNRELATED
	abort();
#elif !defined TWICE && !defined STALE
	assert(count == 101);
#endif
	return 0;
}
