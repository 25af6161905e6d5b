#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static long count, sum;

static void *worker(void *arg)
{
	count = 7;
	return arg;
}

static void mode(tcflag_t off)
{
	static struct termios usual;
	struct termios now;

	if (off) {
		tcgetattr(0, &usual);
		now = usual;
		now.c_lflag &= ~off;
	} else {
		now = usual;
	}
	tcsetattr(0, TCSAFLUSH, &now); /* discards the typed input */
}

int main(void)
{
	pthread_t t;
	char line[100], key[8];
	ssize_t n;

	printf("name? ");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return 2;
	line[strcspn(line, "\n")] = 0;
	printf("hello %s\n", line);
	mode(ECHO); /* before it asks, so that it keeps the typed input */
	printf("password? ");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return 3;
	mode(0);
	printf("\n%zu letters\n", strlen(line) - 1);
	mode(ECHO | ICANON);
	for (int i = 0; i < 2; i++) {
		printf("key? ");
		fflush(stdout);
		n = read(0, key, sizeof(key));
		printf("%zd\n", n);
	}
	mode(0);
	pthread_create(&t, NULL, worker, NULL);
	sched_yield();
	sum += count;
	pthread_join(t, NULL);
	do {
		printf("more? ");
		fflush(stdout);
	} while (fgets(line, sizeof(line), stdin));
	printf("\n%ld\n", sum);
	return 0;
}
