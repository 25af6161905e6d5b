/*
 * The last of two workers writes to a socketpair, and main waits for that byte. If both count down
 * at the same time, no worker is the last, and nothing outside can send the byte. FIXED: they
 * count under a lock that they keep.
 *
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int left = 2, ends[2];

static void *work(void *arg)
{
	int now;

	pthread_mutex_lock(&m);
	now = left - 1;
#ifndef FIXED
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
#endif
	left = now;
	pthread_mutex_unlock(&m);
	if (!now)
		send(ends[1], "x", 1, 0);
	return arg;
}

int main(void)
{
	pthread_t a, b;
	char c = 0;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return 1;
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	recv(ends[0], &c, 1, 0);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%c\n", c);
	return 0;
}
