/* In the recorded run, the reader has ended when the memory is freed. In other runs it has not. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int *shared, last;

static void *reader(void *arg)
{
	last = shared[0];
	return arg;
}

static void *owner(void *arg)
{
	free(shared);
	shared = NULL;
	return arg;
}

int main(void)
{
	pthread_t a, b;

	shared = malloc(16);
	shared[0] = 3;
	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, owner, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d\n", last);
	return 0;
}
