/* A housekeeping thread sleeps for an hour between its rounds; main returns. */
#include "truth.h"

static void *housekeeping(void *unused)
{
	for (;;) {
		tick();
		sleep(3600);
	}
	return unused;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&u, NULL, truth_looker, NULL);
	pthread_create(&t, NULL, housekeeping, NULL);
	pthread_join(u, NULL);
	tick();
	return 0;
}
