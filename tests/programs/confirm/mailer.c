/*
 * A mailer whose exit status depends on a result that is looked at before it is sure to be there.
 * With C11 threads: mutexes (one of them timed, one tried in vain), conditions, call_once,
 * thread-specific storage.
 *
 * expect: data-race delivered write@deliver read@check
 * harm: exit exit status 2, but 0 in the recorded run
 * order: creation
 */
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static once_flag once = ONCE_FLAG_INIT;
static mtx_t m, out;
static cnd_t more;
static tss_t buffer;
static int queued, delivered, status, busy;

static void setup(void)
{
	mtx_init(&m, mtx_plain);
	mtx_init(&out, mtx_timed);
	cnd_init(&more);
	tss_create(&buffer, free);
}

static int deliver(void *arg)
{
	struct timespec past = {0, 0};

	(void)arg;
	call_once(&once, setup);
	tss_set(buffer, malloc(80));
	mtx_lock(&m);
	while (!queued)
		cnd_wait(&more, &m);
	busy += mtx_trylock(&out) == thrd_busy;
	busy += mtx_timedlock(&out, &past) == thrd_timedout;
#ifdef FIXED
	delivered = queued;
#endif
	mtx_unlock(&m);
#ifndef FIXED
	delivered = queued; /* @deliver */
#endif
	return 0;
}

static int check(void *arg)
{
	struct timespec ms = {0, 100000000};

	(void)arg;
	mtx_lock(&m);
	queued = 3;
	cnd_signal(&more);
	mtx_unlock(&m);
	thrd_sleep(&ms, NULL);
#ifdef FIXED
	mtx_lock(&m);
#endif
	status = delivered == 3 ? 0 : 2; /* @check */
#ifdef FIXED
	mtx_unlock(&m);
#endif
	return 0;
}

int main(void)
{
	thrd_t t1, t2;

	call_once(&once, setup);
	mtx_lock(&out);
	thrd_create(&t1, deliver, NULL);
	thrd_create(&t2, check, NULL);
	thrd_join(t1, NULL);
	thrd_join(t2, NULL);
	mtx_unlock(&out);
	return busy == 2 ? status : 9;
}
