/* A thread reads lines from standard input while another one works. */
/* stdin: one\ntwo\nthree\n */
#include "truth.h"

static int lines;

static void *reader(void *unused)
{
	char *line = NULL;
	size_t n = 0;

	while (getline(&line, &n, stdin) > 0) {
		pthread_mutex_lock(&truth_lock);
		lines++;
		pthread_mutex_unlock(&truth_lock);
		tick();
	}
	free(line);
	return unused;
}

int main(void)
{
	both(truth_looker, reader, NULL);
	return lines != 3;
}
