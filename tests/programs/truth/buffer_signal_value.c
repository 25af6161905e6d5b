/* sigqueue() with a pointer: the waiter reads what the sender wrote before. */
#include "truth.h"

static sigset_t set;
static int data[2];

static void *sender(void *unused)
{
	data[0] = 8;
	data[1] = 9;
	assert(sigqueue(getpid(), SIGRTMIN + 3, (union sigval){.sival_ptr = data}) == 0);
	return unused;
}

static void *waiter(void *unused)
{
	siginfo_t si;
	int *p;

	while (sigwaitinfo(&set, &si) < 0)
		assert(errno == EINTR);
	p = si.si_value.sival_ptr;
	assert(p[0] + p[1] == 17);
	p[0] = 0;
	return unused;
}

int main(void)
{
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 3);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	both(waiter, sender, NULL);
	return data[0];
}
