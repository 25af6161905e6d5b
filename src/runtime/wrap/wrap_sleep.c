/*
 * Sleeping and yielding. A recording does not need them. Under a schedule no thread sleeps: virtual
 * time passes, and other threads run first. A handler ends a sleep early.
 */
#include "runtime/control/ctl.h"
#include "runtime/core/rt_input.h"
#include "runtime/core/sanitizer.h"
#include "wrap.h"

#define SECOND UINT64_C(1000000000)

enum frt_slept frt_sleep(uint64_t ns, uint64_t *left)
{
	struct frt_thread *t = frt_asking();
	uint64_t until;
	bool whole;

	if (!frt_controlled() || !t)
		return FRT_SLEPT_NOT;
	pthread_testcancel();
	until = frt_ctl_until(CLOCK_MONOTONIC, &(struct timespec){0}) + ns;
	whole = frt_ctl_sleep(t, until);
	pthread_testcancel();
	*left = whole ? 0 : frt_ctl_left(until);
	return whole ? FRT_SLEPT : FRT_SLEPT_INTR;
}

static bool valid(const struct timespec *ts)
{
	return ts && ts->tv_sec >= 0 && ts->tv_nsec >= 0 && (uint64_t)ts->tv_nsec < SECOND;
}

static uint64_t length(const struct timespec *ts)
{
	return (uint64_t)ts->tv_sec * SECOND + (uint64_t)ts->tv_nsec;
}

/* For the calls with a relative time. */
static enum frt_slept sleep_for(const struct timespec *want, struct timespec *left)
{
	uint64_t rest = 0;
	enum frt_slept r = valid(want) ? frt_sleep(length(want), &rest) : FRT_SLEPT_NOT;

	if (r == FRT_SLEPT_INTR && left)
		*left = (struct timespec){(time_t)(rest / SECOND), (long)(rest % SECOND)};
	return r;
}

unsigned frt_wrap_sleep(unsigned s)
{
	uint64_t left;

	return frt_sleep(s * SECOND, &left) ? (unsigned)((left + SECOND / 2) / SECOND)
					    : REAL(sleep)(s);
}

static int interrupted(enum frt_slept r)
{
	if (r == FRT_SLEPT)
		return 0;
	errno = EINTR;
	return -1;
}

int frt_wrap_usleep(useconds_t us)
{
	uint64_t left;
	enum frt_slept r = frt_sleep(us * UINT64_C(1000), &left);

	return r ? interrupted(r) : REAL(usleep)(us);
}

int frt_wrap_nanosleep(const struct timespec *want, struct timespec *left)
{
	enum frt_slept r = frt_controlled() ? sleep_for(want, left) : FRT_SLEPT_NOT;

	return r ? interrupted(r) : REAL(nanosleep)(want, left);
}

int frt_wrap_thrd_sleep(const struct timespec *want, struct timespec *left)
{
	enum frt_slept r = frt_controlled() ? sleep_for(want, left) : FRT_SLEPT_NOT;

	if (r)
		return r == FRT_SLEPT ? 0 : -1;
	return REAL(thrd_sleep)(want, left);
}

int frt_wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *want,
			     struct timespec *left)
{
	if (frt_controlled() && valid(want) && clock != CLOCK_PROCESS_CPUTIME_ID &&
	    clock != CLOCK_THREAD_CPUTIME_ID && clock >= 0 && clock <= CLOCK_TAI) {
		enum frt_slept r;
		uint64_t rest;

		if (flags & TIMER_ABSTIME) {
			uint64_t ns = length(want), now = frt_ctl_now(clock);

			r = frt_sleep(ns > now ? ns - now : 0, &rest);
		} else {
			r = sleep_for(want, left);
		}
		if (r)
			return r == FRT_SLEPT ? 0 : EINTR;
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
