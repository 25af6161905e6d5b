#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static int end[2];
static long x, y;

static void *give(void *arg)
{
#ifdef ORDERED
	x = 1; /* @give */
#endif
	if (write(end[1], "x", 1) != 1)
		return arg;
#ifndef ORDERED
	x = 1; /* @give */
#endif
	return NULL;
}

static void *take(void *arg)
{
	char c;

	if (read(end[0], &c, 1) != 1)
		return arg;
	y = x; /* @take */
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	(void)argv;
	if (argc > 1 ? pipe(end) : socketpair(AF_UNIX, SOCK_STREAM, 0, end))
		return 2;
	pthread_create(&a, NULL, take, NULL);
	pthread_create(&b, NULL, give, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%ld\n", y);
	return 0;
}
