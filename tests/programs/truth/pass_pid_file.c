/* Another process learns from a file that the program is ready, and answers with a signal. */
#include "truth.h"
#include <stdatomic.h>

static int ready;

static void *starts(void *unused)
{
	FILE *f;

	tick();
	ready = 1;
	f = fopen("ready.tmp", "w");
	assert(f && fprintf(f, "%d\n", (int)getpid()) > 0 && fclose(f) == 0);
	return unused;
}

static void *serves(void *unused)
{
	sigset_t s;

	sigemptyset(&s);
	sigaddset(&s, SIGTERM);
	assert(sigwaitinfo(&s, NULL) == SIGTERM);
	assert(ready == 1);
	assert(look());
	return unused;
}

int main(void)
{
	sigset_t s;

	sigemptyset(&s);
	sigaddset(&s, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &s, NULL);
	unlink("ready.tmp");
	assert(system("(i=0; while [ ! -s ready.tmp ] && [ $i -lt 500 ]; do sleep 0.02; i=$((i+1)); done; "
		      "kill -TERM \"$(cat ready.tmp)\") >/dev/null 2>&1 &") == 0);
	both(starts, serves, NULL);
	unlink("ready.tmp");
	return 0;
}
