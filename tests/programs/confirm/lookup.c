/*
 * Counts words of standard input: one thread reads lines, the other one counts, and says so by a
 * named semaphore. The reader prints the sum after the last line without waiting for the last
 * count.
 *
 * stdin: to be\nor not to be\nthat is the question\n
 * expect: data-race words write@count read@sum
 * harm: output
 * order: creation
 */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINES 3

static sem_t *full, *done;
static char line[80];
static int words;

static void *count(void *arg)
{
	for (int i = 0; i < LINES; i++) {
		int n = 0;

		sem_wait(full);
		for (char *p = line; *p; p++)
			n += *p == ' ' || *p == '\n';
		words += n; /* @count */
		sem_post(done);
	}
	return arg;
}

static sem_t *named(const char *what)
{
	char name[64];
	sem_t *s;

	snprintf(name, sizeof(name), "/forerun-test-%s-%d", what, (int)getpid());
	s = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
	sem_unlink(name);
	return s;
}

int main(void)
{
	pthread_t t;

	full = named("full");
	done = named("done");
	pthread_create(&t, NULL, count, NULL);
	for (int i = 0; i < LINES && fgets(line, sizeof(line), stdin); i++) {
		sem_post(full);
#ifdef FIXED
		sem_wait(done);
#else
		if (i < LINES - 1)
			sem_wait(done);
#endif
	}
	usleep(100000);
	printf("%d words\n", words); /* @sum */
	pthread_join(t, NULL);
	return 0;
}
