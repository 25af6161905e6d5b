/*
 * A handler of SIGUSR1 asks for a report; the worker that finds the request prints how far it is.
 */
#include "truth.h"
#include <stdatomic.h>

static atomic_int asked, answered, over;
static volatile sig_atomic_t handled;

static void ask(int sig)
{
	(void)sig;
	handled = 1;
	atomic_fetch_add(&asked, 1);
}

static void *work(void *unused)
{
	for (int i = 0; i < 6; i++) {
		int a = atomic_load(&asked), b = atomic_load(&answered);

		if (a > b && atomic_compare_exchange_strong(&answered, &b, a))
			printf("step %d, %d requests\n", i, a - b);
		sched_yield();
	}
	atomic_store(&over, 1);
	return unused;
}

int main(void)
{
	struct sigaction s = {.sa_handler = ask};
	pthread_t t;

	sigaction(SIGUSR1, &s, NULL);
	pthread_create(&t, NULL, work, NULL);
	for (int i = 0; i < 2 && !atomic_load(&over); i++)
		raise(SIGUSR1);
	pthread_join(t, NULL);
	printf("%d unanswered\n", asked - answered);
	return 0;
}
