/*
 * C11 threads: a bounded queue with conditions, thread-specific counts and call_once; prints the
 * threads that put and took.
 */
#include "truth.h"
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t mine;
static int item[2], n, put, took, waits, ended;

static void end(void *p)
{
	mtx_lock(&lock);
	ended += *(int *)p;
	mtx_unlock(&lock);
	free(p);
}

static void begin(void)
{
	assert(mtx_init(&lock, mtx_plain) == thrd_success);
	assert(cnd_init(&changed) == thrd_success);
	assert(tss_create(&mine, end) == thrd_success);
}

static int producer(void *unused)
{
	int *count = calloc(1, sizeof(*count));

	(void)unused;
	call_once(&once, begin);
	tss_set(mine, count);
	for (int i = 0; i < 4; i++) {
		mtx_lock(&lock);
		while (n == 2) {
			waits++;
			cnd_wait(&changed, &lock);
		}
		item[n++] = i;
		put++;
		++*(int *)tss_get(mine);
		cnd_broadcast(&changed);
		mtx_unlock(&lock);
	}
	return 0;
}

static int consumer(void *unused)
{
	(void)unused;
	call_once(&once, begin);
	for (int i = 0; i < 4; i++) {
		mtx_lock(&lock);
		while (!n) {
			waits++;
			cnd_wait(&changed, &lock);
		}
		n--;
		took++;
		cnd_broadcast(&changed);
		mtx_unlock(&lock);
		thrd_yield();
	}
	return 0;
}

int main(void)
{
	thrd_t a, b;
	int r = 1;

	thrd_create(&a, producer, NULL);
	thrd_create(&b, consumer, NULL);
	thrd_join(a, &r);
	thrd_join(b, NULL);
	printf("%d waits, %d ended\n", waits, ended);
	return r || put != 4 || took != 4 || n || ended != 4;
}
