/*
 * Branches of one thread after reads of memory that another one writes. Every way of a branch calls
 * a function, so that no optimisation makes data flow of it. Prints nothing.
 */
#include <pthread.h>
#include <stdatomic.h>

int ready, mode, limit = 3, unused;
static atomic_int gate;
int sink;
static void left(int v);
static void right(int v);
void (*handler)(int) = left;

static __attribute__((noinline)) void left(int v)
{
	sink = v;
}
static __attribute__((noinline)) void right(int v)
{
	sink = -v;
}

/* A condition, both ways. */
static __attribute__((noinline)) void condition(void)
{
	if (ready == 1)
		left(1);
	else
		right(1);
	if (ready == 2)
		left(2);
	else
		right(2);
}

static __attribute__((noinline)) void choice(void)
{
	switch (mode) {
	case 1:
		left(3);
		break;
	case 5:
		right(3);
		left(3);
		break;
	case 17:
		left(4);
		left(3);
		break;
	case 99:
		right(4);
		break;
	default:
		left(5);
	}
}

/* On an argument, which may be a value that a caller has read. */
static __attribute__((noinline)) void given(int v)
{
	if (v > 2)
		left(6);
	else
		right(6);
}

/* Twice on the same. */
static __attribute__((noinline)) void again(int v)
{
	if (v > 2)
		left(10);
	if (v > 3)
		right(10);
}

/* On a call's result. */
static __attribute__((noinline)) int get(void)
{
	return ready;
}
static __attribute__((noinline)) void called(void)
{
	if (get())
		left(7);
	else
		right(7);
}

/* A bound from before the loop: one event, before it. */
static __attribute__((noinline)) void bounded(void)
{
	int n = limit;

	for (int i = 0; i < n; i++)
		left(i);
}

static __attribute__((noinline)) void atomically(void)
{
	if (atomic_load(&gate))
		left(8);
	else
		right(8);
}

static __attribute__((noinline)) void indirect(void)
{
	handler(9);
}

/* Nothing here depends on memory. */
static __attribute__((noinline)) void constant(void)
{
	volatile int *p = &unused;

	for (int i = 0; i < 4; i++)
		*p = i;
	for (int i = 0; i < 3; i++)
		if (i & 1)
			left(i);
		else
			right(i);
}

/* A search, which with optimisation is recorded when the loop is left. */
static int table[64];
static __attribute__((noinline)) void search(void)
{
	int i = 0;

	while (i < 64 && table[i] != 7)
		i++;
	left(i);
}

static void *run(void *arg)
{
	condition();
	choice();
	given(limit);
	again(limit);
	called();
	bounded();
	atomically();
	indirect();
	constant();
	search();
	return arg;
}

int main(void)
{
	pthread_t t;

	ready = 1;
	mode = 17;
	table[40] = 7;
	atomic_store(&gate, 1);
	pthread_create(&t, 0, run, 0);
	pthread_join(t, 0);
	return 0;
}
