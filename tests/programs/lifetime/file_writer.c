/*
 * A thread writes a log while another closes it; without a lock.
 * The twin closes it after the join.
 *
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <stdio.h>

static FILE *logfile;

static void *writer(void *arg)
{
	for (int i = 0; i < 3; i++) {
			fprintf(logfile, "line %d\n", i);
	}
	return arg;
}

static void *closer(void *arg)
{
#ifndef FIXED
	fclose(logfile);
#endif
	return arg;
}

int main(void)
{
	pthread_t a, b;

	logfile = fopen("/dev/null", "w");
	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, closer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
#ifdef FIXED
	fclose(logfile);
#endif
	return 0;
}
