/* A thread reads from a pipe to which no thread writes any more; main returns. */
#include "truth.h"

static int p[2];

static void *reader(void *unused)
{
	char c;

	tick();
	while (read(p[0], &c, 1) == 1)
		tick();
	return unused;
}

int main(void)
{
	pthread_t t, u;

	assert(pipe(p) == 0);
	pthread_create(&u, NULL, truth_looker, NULL);
	pthread_create(&t, NULL, reader, NULL);
	assert(write(p[1], "abc", 3) == 3);
	pthread_join(u, NULL);
	return 0;
}
