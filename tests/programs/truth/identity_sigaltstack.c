/* A handler on an alternate stack, with the signal blocked in between. */
#include "truth.h"

static volatile sig_atomic_t on_alt;
static char *stack;

static void on_signal(int sig)
{
	char here;

	(void)sig;
	on_alt = &here >= stack && &here < stack + 65536;
}

static void *work(void *unused)
{
	struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
	stack_t ss = {.ss_sp = stack, .ss_size = 65536};
	sigset_t s, pending;

	assert(sigaltstack(&ss, NULL) == 0);
	sigaction(SIGUSR2, &sa, NULL);
	sigemptyset(&s);
	sigaddset(&s, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &s, NULL);
	tick();
	pthread_kill(pthread_self(), SIGUSR2);
	sigpending(&pending);
	assert(sigismember(&pending, SIGUSR2) && !on_alt);
	pthread_sigmask(SIG_UNBLOCK, &s, NULL);
	assert(on_alt);
	tick();
	ss.ss_flags = SS_DISABLE;
	sigaltstack(&ss, NULL);
	return unused;
}

int main(void)
{
	stack = malloc(65536);
	beside_look(work);
	free(stack);
	return 0;
}
