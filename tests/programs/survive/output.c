/*
 * Two threads print N MiB to standard output, and a little less to standard error, in whole lines,
 * in turn.
 */
#include "survive.h"

static long lines, next_line;

static void *worker(void *arg)
{
	for (;;) {
		char line[128];
		long n;

		pthread_mutex_lock(&shared_lock);
		n = next_line++;
		if (n < lines) {
			memset(line, 'a' + n % 26, 127);
			line[127] = '\n';
			snprintf(line, 20, "%ld", n);
			fwrite(line, 1, 128, stdout);
			if (n % 8 == 0)
				fwrite(line, 1, 128, stderr);
		}
		pthread_mutex_unlock(&shared_lock);
		if (n >= lines)
			break;
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	lines = (argc > 1 ? atol(argv[1]) : 1) * 8192;
	t = start(worker, NULL);
	worker(NULL);
	pthread_join(t, NULL);
	return 0;
}
