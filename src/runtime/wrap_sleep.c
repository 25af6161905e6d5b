/*
 * Sleeping and yielding. A recording needs to know nothing of it. Under a schedule nobody sleeps:
 * virtual time passes, and others go first.
 * Not handled: a signal does not end a sleep early under a schedule.
 */
#include "ctl.h"
#include "input.h"
#include "sanitizer.h"
#include "wrap.h"

#define SECOND UINT64_C(1000000000)

bool frt_sleep(uint64_t ns)
{
	struct frt_thread *t = frt_asking();

	if (!frt_controlled() || !t)
		return false;
	pthread_testcancel();
	frt_ctl_sleep(t, ns);
	pthread_testcancel();
	return true;
}

static bool valid(const struct timespec *ts)
{
	return ts && ts->tv_sec >= 0 && ts->tv_nsec >= 0 && (uint64_t)ts->tv_nsec < SECOND;
}

static uint64_t length(const struct timespec *ts)
{
	return (uint64_t)ts->tv_sec * SECOND + (uint64_t)ts->tv_nsec;
}

unsigned frt_wrap_sleep(unsigned s)
{
	return frt_sleep(s * SECOND) ? 0 : REAL(sleep)(s);
}

int frt_wrap_usleep(useconds_t us)
{
	return frt_sleep(us * UINT64_C(1000)) ? 0 : REAL(usleep)(us);
}

int frt_wrap_nanosleep(const struct timespec *want, struct timespec *left)
{
	if (frt_controlled() && valid(want) && frt_sleep(length(want)))
		return 0;
	return REAL(nanosleep)(want, left);
}

int frt_wrap_thrd_sleep(const struct timespec *want, struct timespec *left)
{
	if (frt_controlled() && valid(want) && frt_sleep(length(want)))
		return 0;
	return REAL(thrd_sleep)(want, left);
}

int frt_wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *want,
			     struct timespec *left)
{
	if (frt_controlled() && valid(want) && clock != CLOCK_PROCESS_CPUTIME_ID &&
	    clock != CLOCK_THREAD_CPUTIME_ID && clock >= 0 && clock <= CLOCK_TAI) {
		uint64_t ns = length(want), now;

		if (flags & TIMER_ABSTIME) {
			now = frt_ctl_now(clock);
			ns = ns > now ? ns - now : 0;
		}
		if (frt_sleep(ns))
			return 0;
	}
	return REAL(clock_nanosleep)(clock, flags, want, left);
}

int frt_wrap_sched_yield(void)
{
	struct frt_thread *t = frt_asking();

	if (frt_controlled() && t && !frt_sanitizer_asks()) {
		frt_ctl_yield(t);
		return 0;
	}
	return REAL(sched_yield)();
}

void frt_wrap_thrd_yield(void)
{
	struct frt_thread *t = frt_asking();

	if (frt_controlled() && t)
		frt_ctl_yield(t);
	else
		REAL(thrd_yield)();
}
