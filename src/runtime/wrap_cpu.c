/*
 * Processors. A controlled program runs on one of them, because handing over to a thread on the
 * same processor is several times faster; but it must see those that it saw when it was recorded.
 * libc counts processors for one thing, how many arenas malloc may have, so that is settled first.
 * Some versions of it count those of the machine, some those of the mask; the mask that the program
 * was recorded with is not known, and it may run again under another (taskset): those of the
 * machine, which most programs have all of.
 */
#include "ctl.h"
#include "input.h"
#include "wrap.h"
#include <malloc.h>
#include <string.h>
#include <sys/sysinfo.h>

#define ARENAS_PER_CPU 8 /* glibc's own rule for 64 bits */

/* Not in a static program that brings its own malloc. */
extern __typeof__(mallopt) mallopt __attribute__((weak));

static cpu_set_t before;
static bool pinned;

void frt_cpu_pin(unsigned cpu)
{
	cpu_set_t one;

	if (REAL(sched_getaffinity)(0, sizeof(before), &before) < 0)
		return;
	if (mallopt)
		mallopt(M_ARENA_MAX, ARENAS_PER_CPU * get_nprocs());
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	pinned = REAL(sched_setaffinity)(0, sizeof(one), &one) == 0;
}

static bool as_before(size_t size, cpu_set_t *ret)
{
	if (!pinned || !frt_controlled() || size < sizeof(before))
		return false;
	memset(ret, 0, size);
	*ret = before;
	return true;
}

int frt_wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *ret)
{
	return as_before(size, ret) ? 0
				    : REAL(sched_getaffinity)(frt_input_real_id(pid), size, ret);
}

int frt_wrap_pthread_getaffinity_np(pthread_t t, size_t size, cpu_set_t *ret)
{
	return as_before(size, ret) ? 0 : REAL(pthread_getaffinity_np)(t, size, ret);
}

/* What the program chooses itself holds, and is one processor of those at most. */
int frt_wrap_sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	if (!pinned || !frt_controlled())
		return REAL(sched_setaffinity)(frt_input_real_id(pid), size, set);
	return 0;
}

int frt_wrap_pthread_setaffinity_np(pthread_t t, size_t size, const cpu_set_t *set)
{
	if (!pinned || !frt_controlled())
		return REAL(pthread_setaffinity_np)(t, size, set);
	return 0;
}
