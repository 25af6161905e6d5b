/* A loop polls a flag that the handler sets: the number of rounds tells where the handler came. */
#include "interrupt.h"
#include <stdio.h>

static volatile sig_atomic_t flag;
static volatile long work[64];

static void on_alarm(int sig)
{
	(void)sig;
	flag = 1;
}

int main(void)
{
	unsigned long rounds = 0;

	for (int i = 0; i < 50; i++) {
		flag = 0;
		every(ITIMER_REAL, SIGALRM, 50 + 7 * i, on_alarm);
		while (!flag)
			work[rounds++ % 64]++;
		never(ITIMER_REAL);
	}
	printf("%lu rounds\n", rounds);
	return 0;
}
