/*
 * One thread writes more than a pipe holds, again and again. Each call waits until the other thread
 * has read enough. The output depends on the order of writes and reads.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int end[2];
static char big[300000];
static unsigned long order;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void happened(unsigned long what)
{
	pthread_mutex_lock(&m);
	order = order * 7 + what;
	pthread_mutex_unlock(&m);
}

static void *give(void *arg)
{
	for (int i = 0; i < 3; i++) {
		if (write(end[1], big, sizeof(big)) != sizeof(big))
			abort();
		happened(1);
	}
	close(end[1]);
	return arg;
}

static void *take(void *arg)
{
	static char buf[10000];
	ssize_t n;

	while ((n = read(end[0], buf, sizeof(buf))) > 0)
		happened((unsigned long)n);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	if (pipe(end))
		return 2;
	pthread_create(&a, NULL, take, NULL);
	pthread_create(&b, NULL, give, NULL);
	pthread_join(b, NULL);
	pthread_join(a, NULL);
	printf("%lu\n", order);
	return 0;
}
