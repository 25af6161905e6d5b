/*
 * Calls functions of own_names.c, and functions of libc that would use one of them if they looked
 * for it by name, in two threads one after the other, with everything in between that the runtime
 * itself needs such functions for. Prints results and how often each was called.
 */
#define _GNU_SOURCE
#include "own_names.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char text[64] = "forty-two";
static long numbers[5] = {3, 1, 4, 1, 5};
static volatile sig_atomic_t caught;
static int shared;

static int compare(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

static void handler(int sig)
{
	caught += sig;
	shared++;
}

static void *work(void *p)
{
	char to[64] = "", num[] = "12x";
	const char *volatile s = text;
	struct timespec now;
	int fd[2];
	char *end;

	strncat(to, s, 5);
	printf("strncat %s\n", to);
	strcpy(to, s);
	strcat(to, "!");
	printf("strcpy, strcat %s\n", to);
	snprintf(to, sizeof(to), "%s:%.*s:%d", s, 3, s, shared);
	printf("snprintf %s\n", to);
	printf("strlen %zu strnlen %zu\n", strlen(s), strnlen(s, 4));
	printf("strcmp %d strcasecmp %d\n", strcmp(s, to), strcasecmp(s, "FORTY-TWO"));
	printf("memcmp %d\n", memcmp(s, "forts", (size_t)shared + 5));
	memset(to, 'x', (size_t)shared + 7);
	memmove(to + 1, to, (size_t)shared + 20);
	printf("memset %.7s\n", to);
	qsort(numbers, 5, sizeof(numbers[0]), compare);
	printf("qsort %ld %ld\n", numbers[0], numbers[4]);
	printf("strtol %ld %s\n", strtol(num, &end, 10), end);
	printf("atoi %d\n", atoi(num));
	printf("getpid %d\n", getpid());
	clock_gettime(CLOCK_REALTIME, &now);
	printf("kill %d\n", kill(0, 0));
	if (pipe(fd) == 0) {
		printf("write %zd\n", write(fd[1], s, 6));
		printf("read %zd\n", read(fd[0], to, 6));
		close(fd[0]);
		close(fd[1]);
	}
	raise(SIGUSR1);
	shared++;
	free(malloc((size_t)shared * 100));
	return p;
}

int main(void)
{
	struct sigaction act = {.sa_handler = handler};
	pthread_t t;
	int fd;

	sigaction(SIGUSR1, &act, NULL);
	for (int i = 0; i < 2; i++) {
		pthread_create(&t, NULL, work, NULL);
		pthread_join(t, NULL);
	}
	fd = open("/dev/null", O_RDONLY);
	printf("open %d\n", fd >= 0);
	printf("caught %d shared %d\n", (int)(caught / SIGUSR1), shared);
	own_print();
	return 7;
}
