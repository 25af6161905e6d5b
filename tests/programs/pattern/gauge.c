/*
 * A gauge: one thread sets the level and counts the change, another shows the level, a third counts
 * a reset. Without a lock, reader and writers access the level at the same time, and one count may
 * be lost. FIXED adds the lock; ATOMIC makes the accesses atomic. With either, no two accesses are
 * simultaneous, although all orders of the three remain possible.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#ifdef FIXED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define ENTER() pthread_mutex_lock(&lock)
#define LEAVE() pthread_mutex_unlock(&lock)
#else
#define ENTER() ((void)0)
#define LEAVE() ((void)0)
#endif

#ifdef ATOMIC
static _Atomic int level, changes;
#else
static int level, changes;
#endif
static int shown;

static void *set(void *arg)
{
	(void)arg;
	ENTER();
	level = 4; /* @set */
	changes++; /* @count */
	LEAVE();
	return NULL;
}

static void *show(void *arg)
{
	(void)arg;
	ENTER();
	shown = level; /* @show */
	LEAVE();
	return NULL;
}

static void *reset(void *arg)
{
	(void)arg;
	ENTER();
	changes++; /* @reset */
	LEAVE();
	return NULL;
}

int main(void)
{
	void *(*const work[])(void *) = {set, show, reset};
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(changes == 2);
	return 0;
}
