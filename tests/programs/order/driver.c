/*
 * A driver: a thread enters if the driver is not stopping, and increments the number of threads
 * inside. Another thread stops the driver when that number is zero. The check and the increment are
 * two lock regions. The twin does both in one.
 *
 * order: 0,2
 */
#include <assert.h>
#include <stdbool.h>
#include <threads.h>

static mtx_t lock;
bool stopping, stopped;
int pending = 1;

static bool enter(void)
{
	bool s;

	mtx_lock(&lock);
	s = stopping;
#ifndef FIXED
	mtx_unlock(&lock);
	if (s)
		return false;
	mtx_lock(&lock);
#endif
	if (!s)
		pending++;
	mtx_unlock(&lock);
	return !s;
}

static void leave(void)
{
	mtx_lock(&lock);
	if (!--pending)
		stopped = true;
	mtx_unlock(&lock);
}

static int work(void *arg)
{
	if (!enter())
		return 0;
	mtx_lock(&lock);
	assert(!stopped); /* @fails */
	mtx_unlock(&lock);
	leave();
	return arg != NULL;
}

static int stop(void *arg)
{
	mtx_lock(&lock);
	stopping = true;
	mtx_unlock(&lock);
	leave();
	return arg != NULL;
}

int main(void)
{
	thrd_t a, b;

	mtx_init(&lock, mtx_plain);
	thrd_create(&a, work, NULL);
	thrd_create(&b, stop, NULL);
	thrd_join(a, NULL);
	thrd_join(b, NULL);
	return 0;
}
