/*
 * A write that faults, is let through by a handler, and happens then: as garbage collectors do it.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

int *page, faults;

static void fault(int sig)
{
	faults += sig; /* HANDLER */
	mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

int main(void)
{
	struct sigaction s = {.sa_handler = fault};

	page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaction(SIGSEGV, &s, NULL);
	*page = 5; /* WRITE */
	printf("%d %d\n", *page, faults);
	return 0;
}
