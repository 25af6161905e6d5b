/* Prints, reads, works and prints again; the recorder may be killed after the first line. */
#include "survive.h"

#define ROUNDS 300000

static void *worker(void *arg)
{
	for (int i = 0; i < ROUNDS; i++)
		shared_add(1);
	return arg;
}

int main(void)
{
	char line[64] = "";
	pthread_t t;

	shared_add(1);
	printf("before %d\n", getpid());
	fflush(stdout);
	fprintf(stderr, "error before\n");
	if (!fgets(line, sizeof(line), stdin))
		return 1;
	/* More than fits into the buffers that the recorder had made. */
	t = start(worker, NULL);
	worker(NULL);
	pthread_join(t, NULL);
	for (int i = 0; i < 8000; i++)
		printf("after %d\n", i);
	printf("counted %ld, read %s", shared_count, line);
	fprintf(stderr, "error after\n");
	return 7;
}
