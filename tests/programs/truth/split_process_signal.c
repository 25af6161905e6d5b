/* A signal to the whole process: some thread's handler runs, and the count grows by one. */
#include "truth.h"
#include <stdatomic.h>

static atomic_int count;

static void on_signal(int sig)
{
	(void)sig;
	atomic_fetch_add(&count, 1);
}

static void *work(void *unused)
{
	for (int i = 0; i < 2; i++) {
		int before = atomic_load(&count);

		tick();
		assert(kill(getpid(), SIGUSR1) == 0);
		while (atomic_load(&count) == before)
			usleep(300);
		assert(atomic_load(&count) == before + 1);
	}
	return unused;
}

int main(void)
{
	struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	sigaction(SIGUSR1, &sa, NULL);
	beside_look(work);
	return count != 2;
}
