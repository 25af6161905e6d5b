/*
 * A thread reads a file while another closes it; each call is under the lock.
 * The twin looks whether the file is still open.
 *
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *logfile;
static int closed;
static char line[100];

static void *writer(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock);
#ifdef FIXED
		if (!closed)
#endif
			fgets(line, sizeof(line), logfile);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *closer(void *arg)
{
	pthread_mutex_lock(&lock);
	closed = 1;
	fclose(logfile);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	logfile = fopen("/proc/self/status", "r");
	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, closer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
