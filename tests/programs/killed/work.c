#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile long x;
static long a[4096];
static unsigned seed = 1;
static void *f(void *p)
{
	for (long i = 0; i < (long)p; i++) {
		pthread_mutex_lock(&m);
		seed = seed * 1103515245u + 12345u;
		a[(seed >> 8) % 4096] += seed;
		x++;
		pthread_mutex_unlock(&m);
	}
	return 0;
}
static void on(int sig) { if (write(1, "caught\n", 7) < 0) abort(); }
int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1000;
	const char *how = argc > 2 ? argv[2] : "";
	pthread_t t[2];

	alarm(300); /* whatever happens to the test */
	setvbuf(stdout, 0, _IOLBF, 0);
	if (!strcmp(how, "ignore"))
		signal(SIGTERM, on);
	if (*how)
		puts("ready");
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, f, (void *)n);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	if (!strcmp(how, "wait") || !strcmp(how, "ignore"))
		for (;;)
			pause();
	if (!strcmp(how, "segv"))
		raise(SIGSEGV);
	printf("%ld\n", x);
	return 0;
}
