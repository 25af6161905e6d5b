/* pthread_kill() and sigwait() pass a record. */
#include "truth.h"

static int value;
static sigset_t set;
static pthread_t waiter;

static void *wait_for_it(void *unused)
{
	int sig;

	assert(sigwait(&set, &sig) == 0 && sig == SIGUSR2);
	assert(value == 5);
	value++;
	return unused;
}

int main(void)
{
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&waiter, NULL, wait_for_it, NULL);
	value = 5;
	pthread_kill(waiter, SIGUSR2);
	pthread_join(waiter, NULL);
	return value != 6;
}
