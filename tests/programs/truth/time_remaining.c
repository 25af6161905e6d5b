/* The remaining time of getitimer() and alarm() shrinks by the time slept. */
#include "truth.h"
#include <sys/time.h>

static void h(int n)
{
}

static void *work(void *unused)
{
	tick();
	struct itimerval it = {{0, 0}, {5, 0}}, g;
	assert(!setitimer(ITIMER_REAL, &it, 0));
	usleep(2000);
	getitimer(ITIMER_REAL, &g);
	assert(g.it_value.tv_sec * 1000000 + g.it_value.tv_usec <= 4999000 &&
	       g.it_value.tv_sec >= 1);
	tick();
	unsigned left = alarm(0);
	assert(left >= 1 && left <= 5);
	assert(alarm(30) == 0);
	sleep(1);
	left = alarm(0);
	assert(left <= 30 && left >= 15);
	tick();
	return unused;
}

int main(void)
{
	signal(SIGALRM, h);
	return beside_look(work);
}
