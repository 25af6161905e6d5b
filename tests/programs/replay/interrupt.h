/* The programs interrupt_*.c: a timer's signal interrupts the program at any instruction, again and again. Each program
   goes on until its handler has run often enough, and its path depends on what the handler wrote. */
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

static inline void every(int which, int sig, int us, void (*handler)(int))
{
	struct itimerval v = {{0, us}, {0, us}};

	signal(sig, handler);
	setitimer(which, &v, NULL);
}

static inline void never(int which)
{
	struct itimerval v = {{0, 0}, {0, 0}};

	setitimer(which, &v, NULL);
}
