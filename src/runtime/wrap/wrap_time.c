/*
 * Clocks. A query that fails is not recorded: it fails in the same way every time. Seconds,
 * microseconds and ticks are recorded as nanoseconds, so that a clock is the same whichever
 * function asks.
 */
#include "runtime/core/rt_input.h"
#include "runtime/core/sanitizer.h"
#include "wrap.h"
#include <sys/time.h>
#include <sys/resource.h>
#include <sys/times.h>

#define SECOND UINT64_C(1000000000)
#define CLOCK_TICKS 15 /* of times(): not a clock of the kernel; it starts at its own time */

static struct timespec to_timespec(uint64_t ns)
{
	int64_t s = (int64_t)ns / (int64_t)SECOND, rest = (int64_t)ns % (int64_t)SECOND;

	if (rest < 0) {
		s--;
		rest += (int64_t)SECOND;
	}
	return (struct timespec){.tv_sec = s, .tv_nsec = rest};
}

static unsigned kind_of(clockid_t clock)
{
	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
		return FR_INPUT_TIME;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_BOOTTIME:
	case CLOCK_TAI:
		return FR_INPUT_CLOCK;
	default:
		/* Below zero: the CPU time of some process or thread. */
		return clock < 0 || clock == CLOCK_PROCESS_CPUTIME_ID ||
			       clock == CLOCK_THREAD_CPUTIME_ID
			   ? FR_INPUT_CPU
			   : FR_INPUT_CLOCK;
	}
}

static void record_timespec(struct frt_thread *t, clockid_t clock, struct timespec *ts)
{
	uint64_t ns = frt_from_timespec(ts), answer = frt_input_clock(t, kind_of(clock), clock, ns);

	if (answer != ns)
		*ts = to_timespec(answer);
}

int frt_wrap_clock_gettime(clockid_t clock, struct timespec *ts)
{
	int r = REAL(clock_gettime)(clock, ts);
	struct frt_thread *t = frt_asking();

	if (t && r == 0 && !frt_sanitizer_asks())
		record_timespec(t, clock, ts);
	return r;
}

int frt_wrap_timespec_get(struct timespec *ts, int base)
{
	int r = REAL(timespec_get)(ts, base);
	struct frt_thread *t = frt_asking();

	if (t && r == TIME_UTC)
		record_timespec(t, CLOCK_REALTIME, ts);
	return r;
}

time_t frt_wrap_time(time_t *ret)
{
	time_t now = REAL(time)(NULL);
	struct frt_thread *t = frt_asking();

	if (t)
		now = to_timespec(frt_input_clock(t, FR_INPUT_TIME, CLOCK_REALTIME_COARSE,
						  (uint64_t)now * SECOND))
			  .tv_sec;
	if (ret)
		*ret = now;
	return now;
}

int frt_wrap_gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
	int r = REAL(gettimeofday)(tv, zone);
	struct frt_thread *t = frt_asking();
	uint64_t ns, answer;

	if (!t || r || !tv)
		return r;
	ns = (uint64_t)tv->tv_sec * SECOND + (uint64_t)tv->tv_usec * 1000;
	answer = frt_input_clock(t, FR_INPUT_TIME, CLOCK_REALTIME, ns);
	if (answer != ns) {
		struct timespec ts = to_timespec(answer);

		*tv = (struct timeval){.tv_sec = ts.tv_sec, .tv_usec = ts.tv_nsec / 1000};
	}
	return r;
}

clock_t frt_wrap_clock(void)
{
	clock_t used = REAL(clock)();
	struct frt_thread *t = frt_asking();

	if (!t || used == -1)
		return used;
	return (clock_t)(frt_input_clock(t, FR_INPUT_CPU, CLOCK_PROCESS_CPUTIME_ID,
					 (uint64_t)used * (SECOND / CLOCKS_PER_SEC)) /
			 (SECOND / CLOCKS_PER_SEC));
}

/* Five answers, in the order of the structure, the result last. */
clock_t frt_wrap_times(struct tms *ret)
{
	clock_t now = REAL(times)(ret);
	struct frt_thread *t = frt_asking();
	uint64_t tick = SECOND / (uint64_t)sysconf(_SC_CLK_TCK);

	if (!t || now == -1)
		return now;
	if (ret) {
		clock_t *used[] = {&ret->tms_utime, &ret->tms_stime, &ret->tms_cutime,
				   &ret->tms_cstime};

		for (unsigned i = 0; i < sizeof(used) / sizeof(*used); i++)
			*used[i] =
			    (clock_t)(frt_input_clock(t, FR_INPUT_CPU, CLOCK_PROCESS_CPUTIME_ID,
						      (uint64_t)*used[i] * tick) /
				      tick);
	}
	return (clock_t)(frt_input_clock(t, FR_INPUT_CLOCK, CLOCK_TICKS, (uint64_t)now * tick) /
			 tick);
}

static void usage_time(struct frt_thread *t, clockid_t clock, struct timeval *tv)
{
	uint64_t ns = (uint64_t)tv->tv_sec * SECOND + (uint64_t)tv->tv_usec * 1000;
	struct timespec ts = to_timespec(frt_input_clock(t, FR_INPUT_CPU, clock, ns));

	*tv = (struct timeval){.tv_sec = ts.tv_sec, .tv_usec = ts.tv_nsec / 1000};
}

/* Sixteen answers, in the order of the structure: two times, then counters. */
int frt_wrap_getrusage(__rusage_who_t who, struct rusage *ret)
{
	int r = REAL(getrusage)(who, ret);
	struct frt_thread *t = frt_asking();
	clockid_t clock = who == RUSAGE_THREAD ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID;

	if (!t || r || !ret)
		return r;
	long *count[] = {&ret->ru_maxrss,  &ret->ru_ixrss,  &ret->ru_idrss,  &ret->ru_isrss,
			 &ret->ru_minflt,  &ret->ru_majflt, &ret->ru_nswap,  &ret->ru_inblock,
			 &ret->ru_oublock, &ret->ru_msgsnd, &ret->ru_msgrcv, &ret->ru_nsignals,
			 &ret->ru_nvcsw,   &ret->ru_nivcsw};
	_Static_assert(sizeof(count) / sizeof(*count) == FRT_INPUT_COUNTS, "one each");

	usage_time(t, clock, &ret->ru_utime);
	usage_time(t, clock, &ret->ru_stime);
	for (unsigned i = 0; i < FRT_INPUT_COUNTS; i++)
		*count[i] = frt_input_count(t, who, i, *count[i]);
	return r;
}
