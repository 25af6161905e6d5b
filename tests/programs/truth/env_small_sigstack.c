/* A handler that counts, on the smallest alternate stack with a page to spare. */
#include "truth.h"

static volatile sig_atomic_t n;

static void on_signal(int sig)
{
	(void)sig;
	n++;
}

static void *work(void *unused)
{
	size_t size = (size_t)sysconf(_SC_MINSIGSTKSZ) + 4096;
	stack_t ss = {.ss_sp = malloc(size), .ss_size = size}, off = {.ss_flags = SS_DISABLE};
	struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};

	assert(sigaltstack(&ss, NULL) == 0 && sigaction(SIGUSR1, &sa, NULL) == 0);
	for (int i = 0; i < 3; i++) {
		tick();
		raise(SIGUSR1);
	}
	assert(n == 3);
	sigaltstack(&off, NULL);
	free(ss.ss_sp);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
