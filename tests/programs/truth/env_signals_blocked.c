/* All signals are blocked in all threads. */
#include "truth.h"

static void *work(void *unused)
{
	tick();
	usleep(500);
	tick();
	return unused;
}

int main(void)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	return beside_look(work);
}
