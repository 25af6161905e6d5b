/* A signal of the thread itself arrives between two lock regions. */
#include "truth.h"

static volatile sig_atomic_t got;

static void on_signal(int sig)
{
	got = sig;
}

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		tick();
		got = 0;
		raise(SIGUSR1);
		assert(got == SIGUSR1);
	}
	return unused;
}

int main(void)
{
	signal(SIGUSR1, on_signal);
	return beside_look(work);
}
