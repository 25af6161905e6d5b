/*
 * Signal handlers that touch shared data, delivered to any thread at any moment: inside accesses,
 * allocation, locking, and the recorder's own code. The handler takes no lock; it writes plain and
 * atomic variables.
 */
#include "survive.h"
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>

static volatile long handled_last; /* plain: written by handlers on all threads */
static atomic_long handled;
static volatile long work[4096];
static atomic_int stop;

static void on_signal(int sig, siginfo_t *info, void *context)
{
	int e = errno;

	(void)info;
	(void)context;
	handled_last = sig;
	atomic_fetch_add(&handled, 1);
	errno = e;
}

static void *worker(void *arg)
{
	long self = (long)arg, n = 0;

	while (!atomic_load(&stop)) {
		work[n++ % 4096] += self;
		if (n % 8 == 0)
			shared_add(0);
		if (n % 32 == 0)
			free(malloc((size_t)(n % 1000)));
	}
	return NULL;
}

int main(void)
{
	struct sigaction sa = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct itimerval every = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
	pthread_t t[3];

	sigaction(SIGALRM, &sa, NULL);
	sigaction(SIGUSR1, &sa, NULL);
	signal(SIGUSR2, SIG_IGN);
	for (long i = 0; i < 3; i++)
		t[i] = start(worker, (void *)i);
	setitimer(ITIMER_REAL, &every, NULL);
	for (int i = 0; i < 3000; i++) {
		pthread_kill(t[i % 3], i % 10 ? SIGUSR1 : SIGUSR2);
		if (i % 100 == 0)
			usleep(1000);
	}
	while (atomic_load(&handled) < 100)
		usleep(1000);
	setitimer(ITIMER_REAL, &never, NULL);
	atomic_store(&stop, 1);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	raise(SIGUSR1);
	printf("handled %s, last %s\n", atomic_load(&handled) >= 100 ? "enough" : "too few",
	       handled_last == SIGUSR1 ? "SIGUSR1" : "?");
	return 0;
}
