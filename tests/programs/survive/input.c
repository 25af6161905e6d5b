/*
 * Two threads read standard input to its end, under a lock; prints how much and a sum. With an
 * argument: reads only that many bytes.
 */
#include "survive.h"

static long bytes, limit = -1;
static unsigned long sum;

static void *worker(void *arg)
{
	for (;;) {
		char buf[1000];
		size_t want = sizeof(buf);
		ssize_t n;

		pthread_mutex_lock(&shared_lock);
		if (limit >= 0 && limit - bytes < (long)want)
			want = (size_t)(limit - bytes);
		n = want ? read(0, buf, want) : 0;
		for (ssize_t i = 0; i < n; i++)
			sum = sum * 31 + (unsigned char)buf[i];
		if (n > 0)
			bytes += n;
		pthread_mutex_unlock(&shared_lock);
		if (n <= 0)
			break;
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (argc > 1)
		limit = atol(argv[1]);
	t = start(worker, NULL);
	worker(NULL);
	pthread_join(t, NULL);
	printf("%ld bytes, sum %lx\n", bytes, sum);
	return 0;
}
