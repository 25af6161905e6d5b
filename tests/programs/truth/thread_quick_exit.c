/* quick_exit() and _exit() from a worker while main waits. */
#include "truth.h"

static void at_quick(void)
{
	tick();
}

static void *work(void *unused)
{
	tick();
	quick_exit(0);
	return unused;
}

int main(void)
{
	pthread_t t;

	at_quick_exit(at_quick);
	pthread_create(&t, NULL, work, NULL);
	assert(look());
	pthread_join(t, NULL);
	return 1;
}
