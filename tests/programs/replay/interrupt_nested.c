/* Two handlers interrupt the program and each other. All of them use atomic read-modify-writes. */
#include "interrupt.h"
#include <stdatomic.h>
#include <stdio.h>

static atomic_int both;
static volatile int a, b;
static volatile unsigned long sum;

static void on_alarm(int sig)
{
	int x = a;

	(void)sig;
	atomic_fetch_add(&both, 1);
	a = x + 1;
	for (int i = 0; i < 20; i++)
		sum += (unsigned long)a;
}

static void on_virtual(int sig)
{
	(void)sig;
	b = b + 1;
	sum += (unsigned long)atomic_fetch_add(&both, 1);
}

int main(void)
{
	every(ITIMER_REAL, SIGALRM, 90, on_alarm);
	every(ITIMER_VIRTUAL, SIGVTALRM, 130, on_virtual);
	while (atomic_load(&both) < 60)
		sum += (unsigned long)(atomic_fetch_sub(&both, 0) + b);
	never(ITIMER_REAL);
	never(ITIMER_VIRTUAL);
	printf("%lu\n", sum);
	return 0;
}
