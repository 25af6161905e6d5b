/*
 * Two threads take two locks in opposite orders. While a thread holds one, it reads a level and
 * marks it; the level, and so the number of marks, is another one where the threads meet.
 * order: creation
 */
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int level, marks[8];

static void mark(void)
{
	int n;

	pthread_mutex_lock(&lock);
	n = level;
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < n; i++)
		__atomic_fetch_add(&marks[i], 1, __ATOMIC_RELAXED);
}

static void set(int n)
{
	pthread_mutex_lock(&lock);
	level = n;
	pthread_mutex_unlock(&lock);
}

static void *forth(void *p)
{
	set(2);
	pthread_mutex_lock(&left);
	mark();
	pthread_mutex_lock(&right);
	pthread_mutex_unlock(&right);
	pthread_mutex_unlock(&left);
	set(5);
	return p;
}

static void *back(void *p)
{
#ifdef FIXED
	pthread_mutex_lock(&left);
#endif
	pthread_mutex_lock(&right);
	mark();
#ifndef FIXED
	pthread_mutex_lock(&left);
#endif
	pthread_mutex_unlock(&left);
	pthread_mutex_unlock(&right);
	return p;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, forth, NULL);
	pthread_create(&b, NULL, back, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
