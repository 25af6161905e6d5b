/* A list's first element and its length, each with its own lock. No access races, and no region has
 * both. So `look` is a bug only for a user who says that the two belong together: it may see the
 * one without the other. With FIXED a lock is around both. Separate functions write `spare` and
 * `used`; in `apart` the two are different operations. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER, both = PTHREAD_MUTEX_INITIALIZER;
static long head, count, spare, used;
struct pair {
	long x, y;
} *p, *q;

static void enter(void)
{
#ifdef FIXED
	pthread_mutex_lock(&both);
#endif
}

static void leave(void)
{
#ifdef FIXED
	pthread_mutex_unlock(&both);
#endif
}

__attribute__((noinline)) static void set_spare(long n)
{
	pthread_mutex_lock(&first);
	spare = n;
	pthread_mutex_unlock(&first);
}

__attribute__((noinline)) static void set_used(long n)
{
	pthread_mutex_lock(&second);
	used = n;
	pthread_mutex_unlock(&second);
}

__attribute__((noinline)) static void put(long n)
{
	enter();
	pthread_mutex_lock(&first);
	head = n; /* @head */
	pthread_mutex_unlock(&first);
	pthread_mutex_lock(&second);
	count = n; /* @count */
	pthread_mutex_unlock(&second);
	leave();
}

static void *writer(void *arg)
{
	for (long i = 1; i < 4; i++)
		put(i);
	enter();
	set_spare(1);
	set_used(1);
	leave();
	enter();
	pthread_mutex_lock(&first);
	p->x = 1;
	pthread_mutex_unlock(&first);
	pthread_mutex_lock(&second);
	q->y = 1;
	pthread_mutex_unlock(&second);
	leave();
	return arg;
}

__attribute__((noinline)) static void look(void)
{
	long h, c, s, u, x, y;

	enter();
	pthread_mutex_lock(&first);
	h = head;
	s = spare;
	x = p->x;
	pthread_mutex_unlock(&first);
	pthread_mutex_lock(&second);
	c = count;
	u = used;
	y = q->y;
	pthread_mutex_unlock(&second);
	leave();
	if (h != c || s != u || x != y)
		abort();
}

int main(void)
{
	pthread_t t;

	p = calloc(1, sizeof(*p));
	q = calloc(1, sizeof(*q));
	pthread_create(&t, NULL, writer, NULL);
	look();
	pthread_join(t, NULL);
	puts("done");
	return 0;
}
