/* A fault handler makes pages accessible. */
#include "truth.h"
#include <sys/mman.h>

static char *area;
static size_t pg;
static _Atomic int faults;

static void h(int n, siginfo_t *i, void *c)
{
	char *p = (char *)((uintptr_t)i->si_addr & ~(pg - 1));

	if (p < area || p >= area + 4 * pg)
		_exit(9);
	mprotect(p, pg, PROT_READ | PROT_WRITE);
	faults++;
}

static void *work(void *a)
{
	long k = (long)a;

	tick();
	for (int i = 0; i < 2; i++) {
		area[(2 * k + i) * pg + 5] = k + 1;
	}
	tick();
	return 0;
}

int main(void)
{
	pg = sysconf(_SC_PAGESIZE);
	area = mmap(0, 4 * pg, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct sigaction sa = {.sa_sigaction = h, .sa_flags = SA_SIGINFO};
	sigaction(SIGSEGV, &sa, 0);
	pthread_t l, t[2];
	pthread_create(&l, 0, truth_looker, 0);
	for (long i = 0; i < 2; i++)
		pthread_create(t + i, 0, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	pthread_join(l, 0);
	printf("%d faults\n", faults);
	return area[5] + area[3 * pg + 5] != 3 || faults != 4;
}
