/*
 * Ticket locks of the program, taken in opposite orders.
 * order: creation
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

struct ticket {
	atomic_uint next, serving;
};

static struct ticket a, b;
static int x;

static void lock(struct ticket *t)
{
	unsigned mine = t->next++;

	while (t->serving != mine) /* @fails */
		sched_yield();
}

static void unlock(struct ticket *t)
{
	t->serving++;
}

static void use(struct ticket *first, struct ticket *second)
{
	lock(first);
	lock(second);
	x++;
	unlock(second);
	unlock(first);
}

static void *one(void *arg)
{
	use(&a, &b);
	return arg;
}

static void *two(void *arg)
{
#ifdef FIXED
	use(&a, &b);
#else
	use(&b, &a);
#endif
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, 0, one, 0);
	pthread_create(&u, 0, two, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
