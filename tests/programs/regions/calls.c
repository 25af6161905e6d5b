/*
 * Functions that lock, access and unlock. A caller calls two of them and relies on both together.
 *   COUNTER  set(get() + 1): an update is lost
 *   RING     takes a ball from one end and puts it at the other: if two threads do, the order
 *            changes
 *   PAIR     two fields of an object, each with its own call: a reader sees half of an update
 *   FIELDS   the same with atomic fields, and no lock at all
 *   TWICE    one function called twice: two independent operations
 * variants: -DCOUNTER -DRING -DPAIR -DFIELDS
 * FIXED: a lock around all.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, all = PTHREAD_MUTEX_INITIALIZER;

static void enter(void)
{
#ifdef FIXED
	pthread_mutex_lock(&all);
#endif
}

static void leave(void)
{
#ifdef FIXED
	pthread_mutex_unlock(&all);
#endif
}

#if defined(COUNTER) || defined(TWICE)
static int counter;

static NOINLINE int get(void)
{
	int n;

	pthread_mutex_lock(&m);
	n = counter;
	pthread_mutex_unlock(&m);
	return n;
}

#ifdef COUNTER
static NOINLINE void set(int n)
{
	pthread_mutex_lock(&m);
	counter = n;
	pthread_mutex_unlock(&m);
}

static void *work(void *arg)
{
	enter();
	int n = get();
	set(n + 1);
	leave();
	return arg;
}
#else
static NOINLINE void add(int n)
{
	pthread_mutex_lock(&m);
	counter += n;
	pthread_mutex_unlock(&m);
}

static void *work(void *arg)
{
	enter();
	leave();
	add(2);
	add(-1);
	return arg;
}
#endif
#define other work

static void check(void)
{
	assert(get() == 2);
}
#elif defined(RING)
static int ring[8] = {1, 2, 3}, head = 3, tail;

static NOINLINE int take(void)
{
	int ball;

	pthread_mutex_lock(&m);
	ball = ring[tail++ % 8];
	pthread_mutex_unlock(&m);
	return ball;
}

static NOINLINE void put(int ball)
{
	pthread_mutex_lock(&m);
	ring[head++ % 8] = ball;
	pthread_mutex_unlock(&m);
}

static void *work(void *arg)
{
	enter();
	int ball = take();
	put(ball);
	leave();
	return arg;
}
#define other work

static void check(void)
{
	assert(take() == 3 && take() == 1 && take() == 2);
}
#elif defined(PAIR)
static struct pair {
	int x, y;
} *p;
static int bad;

static NOINLINE void set_x(int n)
{
	pthread_mutex_lock(&m);
	p->x = n;
	pthread_mutex_unlock(&m);
}

static NOINLINE void set_y(int n)
{
	pthread_mutex_lock(&m);
	p->y = n;
	pthread_mutex_unlock(&m);
}

static void *work(void *arg)
{
	enter();
	set_x(1);
	set_y(1);
	leave();
	return arg;
}

static void *other(void *arg)
{
	int x, y;

	enter();
	pthread_mutex_lock(&m);
	x = p->x;
	y = p->y;
	pthread_mutex_unlock(&m);
	leave();
	bad = x != y;
	return arg;
}

static void check(void)
{
	assert(!bad);
}
#else
static struct pair {
	atomic_int x, y;
} *p;
static int bad;

static void *work(void *arg)
{
	enter();
	atomic_store(&p->x, 1);
	atomic_store(&p->y, 1);
	leave();
	return arg;
}

static void *other(void *arg)
{
	int x, y;

	enter();
	x = atomic_load(&p->x);
	y = atomic_load(&p->y);
	leave();
	bad = x != y;
	return arg;
}

static void check(void)
{
	assert(!bad);
}
#endif

int main(void)
{
	pthread_t t[2];

#if defined(PAIR) || defined(FIELDS)
	p = calloc(1, sizeof(*p));
#endif
	pthread_create(&t[0], NULL, work, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	check();
	return 0;
}
