/* One thread waits for a signal. Another thread waits on a condition until the signal has come. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sigset_t set;
static int done;

static void *hears(void *arg)
{
	int sig = 0;

	sigwait(&set, &sig);
	if (sig == SIGUSR1)
		done |= 2;
	return arg;
}

static void *waits(void *arg)
{
	pthread_mutex_lock(&m);
	while (!(done & 1))
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&t, NULL, hears, NULL);
	pthread_create(&u, NULL, waits, NULL);
	pthread_kill(t, SIGUSR1);
	pthread_join(t, NULL);
	pthread_mutex_lock(&m);
	done |= 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_join(u, NULL);
	printf("%d\n", done);
	return 0;
}
