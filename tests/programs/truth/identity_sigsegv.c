/* A handler for SIGSEGV that leaves by siglongjmp(), as a memory probe does. */
#include "truth.h"
#include <setjmp.h>
#include <sys/mman.h>

static __thread sigjmp_buf env;

static void on_segv(int sig)
{
	siglongjmp(env, sig);
}

static int readable(volatile char *p)
{
	if (sigsetjmp(env, 1))
		return 0;
	(void)*p;
	return 1;
}

static void *work(void *unused)
{
	char *p = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	tick();
	assert(!readable(p));
	tick();
	mprotect(p, 4096, PROT_READ);
	assert(readable(p));
	munmap(p, 4096);
	return unused;
}

int main(void)
{
	struct sigaction sa = {.sa_handler = on_segv};

	sigaction(SIGSEGV, &sa, NULL);
	return beside_look(work);
}
