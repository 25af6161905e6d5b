/* See hang_watch.h. Trusts nothing that the program wrote into the pool. */
#include "process/hang_watch.h"
#include "base/assert.h"
#include "base/hash.h"
#include "base/mem.h"
#include "format/signal_wakes.h"
#include "process/own_object.h"
#include "process/task.h"
#include "trace/pool_reader.h"
#include <dirent.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t number_after(const char *text, const char *key, int base)
{
	const char *p = strstr(text, key);

	return p ? strtoull(p + strlen(key), NULL, base) : 0;
}

/* Is the address in memory that another process may share? A main thread that has ended has no
   maps, so those of the waiting thread count. */
static bool is_shared(int pid, uint32_t tid, uint64_t addr)
{
	char path[80], line[512], mode[8];
	uint64_t lo, hi;
	bool shared = true;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%" PRIu32 "/maps", pid, tid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s", &lo, &hi, mode) == 3 &&
		    addr >= lo && addr < hi) {
			shared = mode[3] != 'p';
			break;
		}
	if (f)
		fclose(f);
	return shared;
}

/* Does the system call wait until a thread of this process ends it? */
static bool waits_for_thread(int pid, uint32_t tid, const struct fr_task_call *c)
{
	uint64_t addr = c->arg[0], op = c->arg[1], timeout = c->arg[3];

	if (c->number != SYS_futex || timeout)
		return false;
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_LOCK_PI:
	case FUTEX_WAIT_REQUEUE_PI:
		return op & FUTEX_PRIVATE_FLAG || !is_shared(pid, tid, addr);
	default:
		return false;
	}
}

/* ---- descriptors ---- */

#define POLLED 64 /* descriptors of one call */

/* Can the program alone use the object? Without `own`: perhaps it can. */
static bool serves_itself(int pid, int fd, bool own)
{
	return own ? fr_object_is_own(pid, fd) : fr_object_may_be_own(pid, fd);
}

static bool polls_own(int pid, const struct fr_task_call *c, bool own)
{
	struct pollfd fds[POLLED];
	bool any = false;

	if (!c->arg[1] || c->arg[1] > POLLED ||
	    !fr_task_memory(pid, c->arg[0], fds, c->arg[1] * sizeof(*fds)))
		return false;
	for (uint64_t i = 0; i < c->arg[1]; i++) {
		if (fds[i].fd >= 0 && !serves_itself(pid, fds[i].fd, own))
			return false;
		any |= fds[i].fd >= 0;
	}
	return any;
}

/* Does the thread wait without a timeout for objects of the kernel that the program alone uses? */
static bool waits_for_object(int pid, const struct fr_task_call *c, bool own)
{
	switch (c->number) {
	case SYS_sendto:
		if (c->arg[4]) /* to a socket that need not be the peer */
			return false;
		break;
	case SYS_read:
	case SYS_readv:
	case SYS_write:
	case SYS_writev:
	case SYS_recvfrom:
	case SYS_recvmsg:
		break;
	case SYS_poll:
		return (int)c->arg[2] < 0 && polls_own(pid, c, own);
	case SYS_ppoll:
		return !c->arg[2] && polls_own(pid, c, own);
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
		if ((int)c->arg[3] >= 0)
			return false;
		break;
	case SYS_epoll_pwait2:
		if (c->arg[3])
			return false;
		break;
	default:
		return false;
	}
	return serves_itself(pid, (int)c->arg[0], own);
}

/* ---- cycles of mutexes and joins ---- */

/* A thread that sleeps. */
struct sleeper {
	uint32_t tid, needs; /* the thread that it waits for, 0: not known */
};

/* How libc lays out a mutex. A join waits for the word with the thread's number. */
enum { WORD, OWNER = 2, WORDS };
#define CONTENDED 2
_Static_assert(offsetof(pthread_mutex_t, __data.__lock) == WORD * sizeof(uint32_t) &&
		   offsetof(pthread_mutex_t, __data.__owner) == OWNER * sizeof(uint32_t),
	       "the layout in this libc");

/* The thread that must unlock the mutex, or must end, so that the wait ends. 0: not known. */
static uint32_t needed(int pid, const struct fr_task_call *c)
{
	uint32_t op = (uint32_t)c->arg[1], value = (uint32_t)c->arg[2], m[WORDS];

	if (c->number != SYS_futex || !fr_task_memory(pid, c->arg[0], m, sizeof(m)))
		return 0;
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_LOCK_PI:
		return m[WORD] & FUTEX_TID_MASK;
	case FUTEX_WAIT_BITSET: /* pthread_join */
		return !(op & FUTEX_PRIVATE_FLAG) && m[WORD] == value ? value : 0;
	case FUTEX_WAIT:
		if (m[WORD] != value || (value != CONTENDED && !(value & FUTEX_WAITERS)))
			return 0;
		return m[OWNER];
	default:
		return 0;
	}
}

/* ---- all threads ---- */

/* One sample of the program. `own`: the objects for which its threads wait must be its own. */
struct sample {
	int pid;
	bool own, handlers;
	uint64_t state;
	FR_VEC(struct sleeper) sleeper;
};

static const struct sleeper *sleeper(const struct sample *l, uint32_t tid)
{
	for (size_t i = 0; i < l->sleeper.n; i++)
		if (tid && l->sleeper.v[i].tid == tid)
			return &l->sleeper.v[i];
	return NULL;
}

/* Does each thread wait for a thread of a cycle? */
static bool all_in_cycles(const struct sample *l)
{
	for (size_t i = 0; i < l->sleeper.n; i++) {
		const struct sleeper *s = &l->sleeper.v[i];

		for (size_t k = 0; s && k < l->sleeper.n; k++)
			s = sleeper(l, s->needs);
		if (!s)
			return false;
	}
	return true;
}

/* Are there timers of the program that may send a signal? */
static bool has_timers(int pid)
{
	char text[FR_TASK_TEXT], path[64];
	FILE *f;
	bool has;

	snprintf(path, sizeof(path), "/proc/%d/timers", pid);
	f = fopen(path, "re");
	has = !f || fgets(text, sizeof(text), f);
	if (f)
		fclose(f);
	return has;
}

/* Sleeps the thread until another one wakes it? Adds its switches to the state. */
static bool sleeps(struct sample *l, uint32_t tid)
{
	char text[FR_TASK_TEXT], letter = fr_task_state(l->pid, tid);
	struct fr_task_call call;
	uint64_t switches, caught;

	fr_assert(l->pid > 0 && l->state);
	if (letter == 'Z' || letter == 'X') /* it has ended */
		return true;
	if (letter != 'S')
		return false;
	fr_task_file(l->pid, tid, "status", text);
	switches = number_after(text, "\nvoluntary_ctxt_switches:", 10) +
		   number_after(text, "\nnonvoluntary_ctxt_switches:", 10);
	caught = number_after(text, "\nSigCgt:", 16);
	if (fr_signal_wakes(caught)) {
		if (fr_signal_alarms(caught))
			return false;
		l->handlers = true;
	}
	l->state = fr_hash_mix(l->state, switches ^ (uint64_t)tid << 40);
	if (fr_task_call(l->pid, tid, &call) <= 0)
		return false;
	fr_vec_push(&l->sleeper, (struct sleeper){.tid = tid, .needs = needed(l->pid, &call)});
	return waits_for_thread(l->pid, tid, &call) || waits_for_object(l->pid, &call, l->own);
}

static bool is_known(struct fr_pool *pool, uint32_t tid)
{
	const struct fr_pool_thread *t = fr_pool_threads(pool);

	for (uint32_t i = 0, n = fr_pool_thread_count(pool); i < n; i++)
		if (t[i].os_tid == tid)
			return true;
	return false;
}

/* Returns a number for the state in which all threads sleep, 0 = one of them does not. */
static uint64_t all_asleep(struct fr_pool *pool, bool own)
{
	struct sample l = {.pid = atomic_load(&pool->pid), .own = own, .state = 1};
	char path[64];
	struct dirent *e;
	bool yes = true;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/task", l.pid);
	d = l.pid > 0 ? opendir(path) : NULL;
	while (d && yes && (e = readdir(d))) {
		uint32_t tid = (uint32_t)strtoul(e->d_name, NULL, 10);

		yes = e->d_name[0] == '.' || (is_known(pool, tid) && sleeps(&l, tid));
	}
	if (d)
		closedir(d);
	yes = yes && (!l.handlers || (all_in_cycles(&l) && !has_timers(l.pid)));
	fr_vec_free(&l.sleeper);
	return d && yes && l.state != 1 ? l.state | 1 : 0;
}

bool fr_hang_watch_check(struct fr_hang_watch *w, struct fr_pool *pool)
{
	uint64_t before = w->state;

	fr_assert((!w->state || w->state & 1) && (!w->shares || w->shares & 1)); /* 0: no state */
	w->state = atomic_load(&pool->state) == FR_POOL_ATTACHED && !atomic_load(&pool->exited)
		       ? all_asleep(pool, false)
		       : 0;
	if (!w->state || w->state != before || w->state == w->shares)
		return false;
	/* Reading the descriptors of every process takes long, so once for each state. */
	if (all_asleep(pool, true) == w->state)
		return true;
	w->shares = w->state;
	return false;
}
