#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char block[30000];

int main(void)
{
	unsigned full = 0, part = 0;

	fcntl(1, F_SETFL, O_NONBLOCK);
	memset(block, 'x', sizeof(block));
	for (size_t at = 0; at < 40 * sizeof(block);) {
		size_t n = sizeof(block) - at % sizeof(block);
		ssize_t r = write(1, block, n);

		if (r < 0 && errno == EAGAIN) {
			pthread_mutex_lock(&m), pthread_mutex_unlock(&m);
			full++;
			poll(&(struct pollfd){.fd = 1, .events = POLLOUT}, 1, -1);
			continue;
		}
		if (r < 0)
			return 1;
		part += (size_t)r < n;
		at += (size_t)r;
	}
	fprintf(stderr, "full %d partly %d\n", full > 0, part > 0);
	return 0;
}
