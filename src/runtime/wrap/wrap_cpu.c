/*
 * Processors. A controlled program runs on one of them, because handing over to a thread on the
 * same processor is several times faster. But the program must see the processors of the recorded
 * run.
 *
 * libc counts processors for one purpose, the number of malloc's arenas, so that number is set
 * first. Some versions count the machine's processors, some those of the mask. The mask of the
 * recorded run is not known, and the program may run again under another one (taskset). So the
 * number of the machine's processors is used: most programs may run on all of them.
 *
 * A mask that the program chooses itself takes effect. That costs speed, not order: the controller
 * lets one thread run at a time, on whatever processor.
 * Not handled: a mask in a thread's attributes that names only the one processor that is used here.
 */
#include "runtime/control/ctl_turn.h"
#include "runtime/core/rt_input.h"
#include "wrap.h"
#include <malloc.h>
#include <string.h>
#include <sys/sysinfo.h>

#define ARENAS_PER_CPU 8 /* glibc's own rule for 64 bits */

static cpu_set_t before;
static bool pinned;

void frt_cpu_pin(unsigned cpu)
{
	cpu_set_t one;

	if (sched_getaffinity(0, sizeof(before), &before) < 0)
		return;
	mallopt(M_ARENA_MAX, ARENAS_PER_CPU * get_nprocs());
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	pinned = sched_setaffinity(0, sizeof(one), &one) == 0;
}

/* Threads, by id - 1, whose mask the program chose. Such a mask is in force: the thread really runs
   there, so that everything that reports its processor agrees. */
static bool chosen[FR_POOL_MAX_THREADS];

/* A thread of the program by its kernel id, 0: the caller. NULL: not a known thread. */
static struct frt_thread *thread_of(pid_t tid)
{
	if (!tid)
		return frt_self;
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (frt_ctl_threads[i].t && frt_ctl_threads[i].t->os_tid == (uint32_t)tid)
			return frt_ctl_threads[i].t;
	return NULL;
}

static struct frt_thread *thread_of_handle(pthread_t handle)
{
	uint32_t id;

	if (pthread_equal(handle, pthread_self()))
		return frt_self;
	id = frt_handle_find(handle);
	return id ? frt_ctl_threads[id - 1].t : NULL;
}

void frt_cpu_inherit(const struct frt_thread *parent, const struct frt_thread *child)
{
	chosen[child->id - 1] = chosen[parent->id - 1];
}

/* After the real call wrote `size` bytes: replaces them by the mask that the
   program has without forerun. */
static void as_before(const struct frt_thread *t, size_t size, cpu_set_t *ret)
{
	unsigned char *to = (unsigned char *)ret;
	const unsigned char *from = (const unsigned char *)&before;

	if (!pinned || !frt_controlled() || !t || chosen[t->id - 1])
		return;
	for (size_t i = 0; i < size; i++)
		to[i] = i < sizeof(before) ? from[i] : 0;
}

static void choose(const struct frt_thread *t, int r)
{
	if (pinned && frt_controlled() && t && r == 0)
		chosen[t->id - 1] = true;
}

int frt_wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *ret)
{
	pid_t tid = frt_input_real_id(pid);
	int r = REAL(sched_getaffinity)(tid, size, ret);

	if (!r && frt_controlled())
		as_before(thread_of(tid), size, ret);
	return r;
}

long frt_cpu_syscall(long number, pid_t pid, size_t size, void *set)
{
	pid_t tid = frt_input_real_id(pid);
	long r = REAL(syscall)(number, (long)tid, size, set);

	if (frt_controlled() && number == SYS_sched_setaffinity)
		choose(thread_of(tid), (int)r);
	else if (frt_controlled() && r > 0)
		as_before(thread_of(tid), (size_t)r, set);
	return r;
}

int frt_wrap_pthread_getaffinity_np(pthread_t t, size_t size, cpu_set_t *ret)
{
	int r = REAL(pthread_getaffinity_np)(t, size, ret);

	if (!r && frt_controlled())
		as_before(thread_of_handle(t), size, ret);
	return r;
}

int frt_wrap_sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	pid_t tid = frt_input_real_id(pid);
	int r = REAL(sched_setaffinity)(tid, size, set);

	if (frt_controlled())
		choose(thread_of(tid), r);
	return r;
}

int frt_wrap_pthread_setaffinity_np(pthread_t t, size_t size, const cpu_set_t *set)
{
	int r = REAL(pthread_setaffinity_np)(t, size, set);

	if (frt_controlled())
		choose(thread_of_handle(t), r);
	return r;
}
