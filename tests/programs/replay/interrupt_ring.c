/* The handler puts numbers into a ring, and the program takes them out. */
#include "interrupt.h"
#include <stdio.h>

static volatile sig_atomic_t head, ring[16];
static volatile unsigned long sum;

static void on_alarm(int sig)
{
	int k = head;

	ring[k % 16] = sig + k;
	head = k + 1;
}

int main(void)
{
	int seen = 0;

	every(ITIMER_REAL, SIGALRM, 100, on_alarm);
	while (seen < 40) {
		for (; seen < head; seen++)
			sum += (unsigned long)ring[seen % 16];
		sum++;
	}
	never(ITIMER_REAL);
	printf("%lu\n", sum);
	return 0;
}
