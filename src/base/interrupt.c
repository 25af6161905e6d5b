/* Signal handlers for interruptions. */
#include "base/interrupt.h"
#include "base/mem.h"

volatile sig_atomic_t fr_interrupted;
_Atomic bool fr_interrupt_stop;

static void on_interrupt(int sig)
{
	fr_interrupted = sig;
	fr_interrupt_stop = true;
}

void fr_interrupt_catch(void)
{
	static const int sigs[] = {SIGINT, SIGTERM, SIGHUP};

	for (size_t i = 0; i < fr_array_size(sigs); i++) {
		/* SA_RESETHAND: the second signal takes its default action. */
		struct sigaction a = {.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND}, old;

		sigaction(sigs[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(sigs[i], &a, NULL);
	}
}
