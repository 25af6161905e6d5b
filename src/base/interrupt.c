/* Signal handlers for interruptions. */
#include "base/interrupt.h"
#include "base/mem.h"
#include <sys/wait.h>

volatile sig_atomic_t fr_interrupted;
_Atomic bool fr_interrupt_stop;

/* Did a child of this process send it? */
static bool is_of_child(const siginfo_t *info)
{
	siginfo_t any;

	return info->si_code <= 0 && info->si_pid > 0 &&
	       waitid(P_PID, (id_t)info->si_pid, &any, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

static void on_interrupt(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (is_of_child(info))
		return;
	fr_interrupted = sig;
	fr_interrupt_stop = true;
	signal(sig, SIG_DFL); /* the second one takes its default action */
}

static void on_other(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (is_of_child(info))
		return;
	signal(sig, SIG_DFL);
	raise(sig);
}

static void handle(int sig, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction a = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags}, old;

	if (sigaction(sig, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(sig, &a, NULL);
}

void fr_interrupt_catch(void)
{
	static const int sigs[] = {SIGINT, SIGTERM, SIGHUP};

	for (size_t i = 0; i < fr_array_size(sigs); i++)
		handle(sigs[i], on_interrupt, 0);
}

void fr_interrupt_shield(void)
{
	static const int sigs[] = {SIGUSR1,   SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF,
				   SIGSTKFLT, SIGIO,   SIGPWR,	SIGQUIT};

	for (size_t i = 0; i < fr_array_size(sigs); i++)
		handle(sigs[i], on_other, SA_RESTART);
	for (int sig = SIGRTMIN; sig <= SIGRTMAX; sig++)
		handle(sig, on_other, SA_RESTART);
}
