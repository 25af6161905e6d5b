/* C11 threads: thrd_, mtx_, cnd_. */
#define _GNU_SOURCE
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t m, r;
static cnd_t c;
static int turn;

static int worker(void *arg)
{
	struct timespec past = {.tv_sec = 1};

	printf("try busy %d\n", mtx_trylock(&r) == thrd_busy);
	printf("timed out %d\n", mtx_timedlock(&r, &past) == thrd_timedout);
	mtx_lock(&m);
	turn = 1;
	cnd_broadcast(&c);
	while (turn != 2)
		cnd_wait(&c, &m);
	mtx_unlock(&m);
	if (arg)
		thrd_exit(7);
	return 6;
}

static int nothing(void *arg)
{
	(void)arg;
	return 0;
}

int main(void)
{
	struct timespec past = {.tv_sec = 1};
	thrd_t t, d;
	int status;

	mtx_init(&m, mtx_plain);
	mtx_init(&r, mtx_timed | mtx_recursive);
	cnd_init(&c);
	mtx_lock(&r);
	mtx_lock(&r);
	for (int i = 0; i < 2; i++) {
		mtx_lock(&m);
		turn = 0;
		thrd_create(&t, worker, i ? &m : NULL);
		while (turn != 1)
			cnd_wait(&c, &m);
		turn = 2;
		cnd_signal(&c);
		mtx_unlock(&m);
		thrd_join(t, &status);
		printf("status %d\n", status);
	}
	mtx_unlock(&r);
	mtx_unlock(&r);
	mtx_lock(&m);
	printf("wait timed out %d\n", cnd_timedwait(&c, &m, &past) == thrd_timedout);
	mtx_unlock(&m);
	thrd_create(&d, nothing, NULL);
	thrd_detach(d);
	cnd_destroy(&c);
	mtx_destroy(&m);
	mtx_destroy(&r);
	thrd_exit(0);
}
