/*
 * A handler runs in two threads and sets a variable, which main reads at the end. FIXED: a
 * variable of the type that C has for this.
 *
 * order: creation
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

#ifdef FIXED
static volatile sig_atomic_t last;
#else
static long last;
#endif

static void note(int sig)
{
	last = sig;
}

static void *work(void *arg)
{
	pthread_kill(pthread_self(), SIGTERM);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	signal(SIGTERM, note);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%ld\n", (long)last);
	return 0;
}
