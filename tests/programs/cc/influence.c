/*
 * What each read influences (tests/compile/influence.t). A comment `NAME -> ...` is about the reads
 * of NAME on its line, at all levels of optimisation, or at those in brackets. Bits: FIXED is not
 * mentioned. `f() -> ...`: the function.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int flag, x, y, z, res, arr[10];
unsigned bits_a;
struct st {
	int hits, total;
	unsigned low : 3, high : 5;
	struct st *next;
} *stats, st0;
atomic_int aflag, word, turn;
atomic_flag aft;
volatile int vflag;
pthread_mutex_t m;
char text[64], other[64], *title;
struct { long a[20]; } big1, big2;
int (*handler)(int);

/* jPredictor, figure 1 */
void yield_if(void)
{
	if (!flag) /* flag -> CALLED sched_yield */
		sched_yield();
	res = 1;
}

void yield_while(void)
{
	while (!atomic_load(&aflag)) /* aflag WAITS -> BRANCH */
		sched_yield();
	res = 2;
}

/* figure 2 */
void figure2(void)
{
	if (x == 0) { /* x -> ?x ?y */
		x = 1;
		y = 0;
	}
}

void counters(void)
{
	res++;		     /* res -> =res */
	stats->hits++;	     /* stats->hits -> =stats->hits~ [0]; stats -> USED:address */
	bits_a |= 4;	     /* bits_a -> =bits_a */
	atomic_fetch_add(&turn, 1); /* turn -> nothing */
}

void check_then_act(void)
{
	if (x > 0) /* x -> ?x ?z [0] */
		x = z = x - 1; /* x -> =x =z [0] */
}

/* the store is elsewhere, just after the read */
void near(struct st *a, struct st *b)
{
	b->total = a->hits + 1; /* a->hits -> =b->total+1 */
}

int far(struct st *a, struct st **b)
{
	int v = a->hits; /* a->hits -> USED:stored */
	sched_yield();
	(*b)->total = v; /* *b -> USED:address */
	return 0;
}

int index_of(void)
{
	return arr[x & 7]; /* x -> USED:address; arr[] -> RESULT index_of */
}

int chase(void)
{
	int n = 0;
	for (struct st *p = stats; p; p = p->next) /* stats -> BRANCH [0]; p->next -> BRANCH [0] */
		n++;
	return n;
}

__attribute__((noinline)) int twice(int a)
{
	return 2 * a;
}

__attribute__((noinline)) int read_z(void)
{
	return z; /* z -> =res RESULT read_z RESULT twice PARAM:twice:0 */
}

void calls(void)
{
	res = twice(read_z());
}

__attribute__((noinline)) int fact(int n)
{
	return n > 1 ? n * fact(n - 1) * (int)sizeof(text) : 1; /* fact() -> BRANCH [0] */
}

__attribute__((noinline)) int even(int n);
__attribute__((noinline)) int odd(int n)
{
	return n ? even(n - 1) : 0; /* odd() -> BRANCH [0]; even() -> BRANCH [0] */
}
__attribute__((noinline)) int even(int n)
{
	return n ? odd(n - 1) : 1;
}

__attribute__((noinline)) int taken(int n)
{
	return n + y; /* y -> RESULT taken USED:returned */
}

void pointers(void)
{
	handler = taken;
	res = handler(x); /* handler -> USED:argument [0]; x -> USED:argument [0] */
	if (y)		  /* y -> BRANCH [0] */
		handler(1);
}

void choose(void)
{
	switch (x) { /* x -> ?y ?z [0] */
	case 1:
		y = 1;
		break;
	case 2:
		z = 2;
		break;
	}
	res = flag ? 3 : 4; /* flag -> =res */
}

int early(void)
{
	if (flag) /* flag -> RESULT early ?res */
		return 1;
	res = 5;
	return 0;
}

int nested(void)
{
	int s = 0, n = x; /* x -> RESULT nested [01] */
	for (int i = 0; i < n; i++)
		for (int j = 0; j < 10; j++)
			s += i ^ j;
	return s;
}

void until(void)
{
	int s = 0;
	for (int i = 0; i < 100; i += z) /* z -> BRANCH [0] */
		s += 1;
	res = s;
}

void copies(void)
{
	big1 = big2;		       /* big2 -> =big1 */
	memcpy(text, other, sizeof(text)); /* other -> =text */
	memcpy(text, other, (size_t)x);    /* x -> USED:argument [123]; other -> everything [0123] */
}

void fields(void)
{
	st0.low = st0.high; /* st0.low -> =st0.low */
}

void spin_lock(void)
{
	int e = 0;
	while (!atomic_compare_exchange_weak(&word, &e, 1)) /* word WAITS -> BRANCH */
		e = 0;
}

void tas_lock(void)
{
	while (atomic_flag_test_and_set(&aft)) /* aft._Value WAITS -> BRANCH */
		usleep(1);
}

void ticket(int mine)
{
	while (atomic_load(&turn) != mine) /* turn WAITS -> BRANCH */
		__asm__ volatile("pause");
}

void volatile_wait(void)
{
	while (!vflag) /* vflag WAITS -> BRANCH */
		;
}

/* not waiting loops: the old value decides the next one; something is written; the count is used */
void increment(void)
{
	int old = atomic_load_explicit(&word, memory_order_relaxed);
	while (!atomic_compare_exchange_weak(&word, &old, old + 1)) /* word -> BRANCH */
		;
}

void busy(void)
{
	while (!atomic_load(&aflag)) /* aflag -> BRANCH */
		res++;
}

int count(void)
{
	int n = 0;
	while (!atomic_load(&aflag)) /* aflag -> BRANCH */
		n++;
	return n;
}

int divide(void)
{
	return 100 / x; /* x -> USED:other */
}

void print(void)
{
	if (x) /* x -> CALLED:puts */
		puts("x");
	printf("%d\n", y); /* y -> PARAM:printf:1... */
	printf("(%s)\n", title); /* title -> USED:argument */
}

void locked(void)
{
	if (x) { /* x -> CALLED:pthread_mutex_lock CALLED:pthread_mutex_unlock ?y */
		pthread_mutex_lock(&m);
		y++; /* y -> =y */
		pthread_mutex_unlock(&m);
	}
}

void failing(void)
{
	if (x < 0) /* x -> BRANCH */
		abort();
}

void through(int *p)
{
	if (flag) /* flag -> BRANCH */
		*p = 1;
}

void unused(void)
{
	(void)*(volatile int *)&x; /* x -> nothing */
}

void passed(void (*f)(int *))
{
	int local = x; /* x -> =local+1 */
	f(&local);
}
