/*
 * Each runner passes a baton on, but only if it has received one; the judge looks at the last baton
 * and does not care. The race on `score` needs a schedule in which one of these reads differs. If a
 * runner receives nothing, it does not pass on, and the program leaves the schedule. Only the
 * judge's read may differ.
 *
 * HOPS: number of runners (1). FIXED: a lock protects the score. COUNT: everybody counts what
 * happens in six counters, which decide nothing.
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>

#ifndef HOPS
#define HOPS 1
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int baton[HOPS + 1], score, seen;

static void count(void)
{
#ifdef COUNT
	static int a, b, c, d, e, f;

	a++;
	b++;
	c++;
	d++;
	e++;
	f++;
#endif
}

static void set_score(int v)
{
#ifdef FIXED
	pthread_mutex_lock(&lock);
#endif
	score = v;
#ifdef FIXED
	pthread_mutex_unlock(&lock);
#endif
}

static void pass(int to)
{
	pthread_mutex_lock(&lock);
	baton[to] = 1;
	count();
	pthread_mutex_unlock(&lock);
}

static int receive(int from)
{
	int got;

	pthread_mutex_lock(&lock);
	got = baton[from];
	count();
	pthread_mutex_unlock(&lock);
	return got;
}

static void *starter(void *arg)
{
	set_score(1);
	pass(0);
	return arg;
}

static void *runner(void *arg)
{
	int n = (int)(long)arg;

	if (receive(n))
		pass(n + 1);
	return NULL;
}

static void *judge(void *arg)
{
	seen = receive(HOPS);
	set_score(2);
	return arg;
}

int main(void)
{
	pthread_t t[HOPS + 2];

	pthread_create(&t[0], NULL, starter, NULL);
	for (long i = 0; i < HOPS; i++)
		pthread_create(&t[i + 1], NULL, runner, (void *)i);
	pthread_create(&t[HOPS + 1], NULL, judge, NULL);
	for (int i = 0; i < HOPS + 2; i++)
		pthread_join(t[i], NULL);
	printf("done\n");
	return 0;
}
