/* Two threads wait for a semaphore that only an interval timer's handler posts. */
#include "truth.h"
#include <semaphore.h>
#include <sys/time.h>

static sem_t s;

static void on_alarm(int sig)
{
	(void)sig;
	sem_post(&s);
}

static void down(void)
{
	while (sem_wait(&s) != 0)
		assert(errno == EINTR);
}

static void *work(void *unused)
{
	tick();
	down();
	tick();
	return unused;
}

static void *watch(void *unused)
{
	assert(look());
	down();
	assert(look());
	return unused;
}

int main(void)
{
	struct sigaction sa = {.sa_handler = on_alarm};
	struct itimerval it = {{0, 3000}, {0, 3000}};

	sem_init(&s, 0, 0);
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &it, NULL);
	return both(watch, work, NULL);
}
