/*
 * Sleeping and yielding: nothing that a recording needs to know.
 */
#include "wrap.h"

unsigned frt_wrap_sleep(unsigned s)
{
	return REAL(sleep)(s);
}

int frt_wrap_usleep(useconds_t us)
{
	return REAL(usleep)(us);
}

int frt_wrap_nanosleep(const struct timespec *want, struct timespec *left)
{
	return REAL(nanosleep)(want, left);
}

int frt_wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *want,
			     struct timespec *left)
{
	return REAL(clock_nanosleep)(clock, flags, want, left);
}

int frt_wrap_thrd_sleep(const struct timespec *want, struct timespec *left)
{
	return REAL(thrd_sleep)(want, left);
}

int frt_wrap_sched_yield(void)
{
	return REAL(sched_yield)();
}

void frt_wrap_thrd_yield(void)
{
	REAL(thrd_yield)();
}
