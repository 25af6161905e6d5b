/* The handler reads what the program writes, field by field and as a whole. */
#include "interrupt.h"
#include <stdio.h>
#include <string.h>

static volatile struct {
	int x;
	short y;
	char z;
	double d;
} v;
static volatile int seen, odd;
static char text[64], copy[64];

static void on_alarm(int sig)
{
	(void)sig;
	seen++;
	odd += v.x != v.y;
	v.z = 0;
	memcpy(copy, text, sizeof(copy));
}

int main(void)
{
	every(ITIMER_REAL, SIGALRM, 80, on_alarm);
	for (int i = 0; seen < 40; i++) {
		v.x = i & 0xfff;
		v.y = (short)(i & 0xfff);
		v.z = 1;
		v.d = i;
		memset(text, i, sizeof(text));
	}
	never(ITIMER_REAL);
	printf("%d %d %g\n", seen, odd, v.d);
	return 0;
}
