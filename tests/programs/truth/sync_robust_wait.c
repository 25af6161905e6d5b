/*
 * The owner of a robust mutex ends, and so does main with another, while other threads wait for
 * them.
 */
#include "truth.h"

static pthread_mutex_t m, of_main;
static int x, y;

static void enter(pthread_mutex_t *l)
{
	int r = pthread_mutex_lock(l);

	if (r == EOWNERDEAD)
		r = pthread_mutex_consistent(l);
	assert(r == 0);
}

static void add(void)
{
	enter(&m);
	x++;
	pthread_mutex_unlock(&m);
}

static void *dies(void *unused)
{
	add();
	enter(&m);
	for (int i = 0; i < 8; i++)
		sched_yield(); /* lets the others come to the lock */
	x++;
	return unused;
}

static void *lives(void *unused)
{
	add();
	add();
	enter(&of_main);
	y++;
	pthread_mutex_unlock(&of_main);
	return unused;
}

int main(void)
{
	pthread_mutexattr_t a;
	pthread_t t[3];

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&m, &a);
	pthread_mutex_init(&of_main, &a);
	pthread_create(&t[0], NULL, dies, NULL);
	pthread_create(&t[1], NULL, lives, NULL);
	pthread_create(&t[2], NULL, lives, NULL);
	enter(&of_main);
	for (int i = 0; i < 8; i++)
		sched_yield();
	y++;
	pthread_exit(NULL);
}
