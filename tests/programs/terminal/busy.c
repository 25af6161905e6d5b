#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static long count, sum;

static void *worker(void *arg)
{
	count = 7;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	(void)argv;
	puts("busy? ");
	fflush(stdout);
	pthread_create(&t, NULL, worker, NULL);
	sleep(2);
	sum += count;
	pthread_join(t, NULL);
	if (argc > 1) { /* typed ahead, and asked for now */
		char line[100];

		printf("yes or no: ");
		fflush(stdout);
		if (fgets(line, sizeof(line), stdin))
			printf("you say %s", line);
	}
	puts(argc > 1 && sum != 7 ? "wrong" : "done");
	return 0;
}
