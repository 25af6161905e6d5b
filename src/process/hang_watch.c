/* See hang_watch.h. Trusts nothing that the program wrote into the pool. */
#include "process/hang_watch.h"
#include "base/assert.h"
#include "base/hash.h"
#include "base/mem.h"
#include "format/signal_wakes.h"
#include "process/own_pipe.h"
#include "process/task.h"
#include "trace/pool_reader.h"
#include <dirent.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <stdatomic.h>
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

/* Does the thread wait for data from a pipe? */
static bool reads_pipe(int pid, const struct fr_task_call *c, char name[FR_PIPE_NAME])
{
	return (c->number == SYS_read || c->number == SYS_readv) &&
	       fr_pipe_name(pid, (int)c->arg[0], name);
}

/* Sleeps the thread until another one wakes it, or writes to a pipe? Adds its switches to *state.
   `own`: the pipe must be the program's own. */
static bool sleeps(int pid, uint32_t tid, bool own, uint64_t *state)
{
	char name[FR_PIPE_NAME];
	char text[FR_TASK_TEXT], letter = fr_task_state(pid, tid);
	struct fr_task_call call;
	uint64_t switches;

	fr_assert(pid > 0 && *state);
	if (letter == 'Z' || letter == 'X') /* it has ended */
		return true;
	if (letter != 'S')
		return false;
	fr_task_file(pid, tid, "status", text);
	switches = number_after(text, "\nvoluntary_ctxt_switches:", 10) +
		   number_after(text, "\nnonvoluntary_ctxt_switches:", 10);
	if (fr_signal_wakes(number_after(text, "\nSigCgt:", 16)))
		return false;
	*state = fr_hash_mix(*state, switches ^ (uint64_t)tid << 40);
	if (fr_task_call(pid, tid, &call) <= 0)
		return false;
	return waits_for_thread(pid, tid, &call) ||
	       (reads_pipe(pid, &call, name) && (!own || fr_pipe_is_own(pid, name)));
}

static bool is_known(struct fr_pool *pool, uint32_t tid)
{
	const struct fr_pool_thread *t = fr_pool_threads(pool);

	for (uint32_t i = 0, n = fr_pool_thread_count(pool); i < n; i++)
		if (t[i].os_tid == tid)
			return true;
	return false;
}

/* Returns a number for the state in which all threads sleep, 0 = one of them does not. `own`: the
   pipes from which they read are the program's own. */
static uint64_t all_asleep(struct fr_pool *pool, bool own)
{
	int pid = atomic_load(&pool->pid);
	uint64_t state = 1;
	char path[64];
	struct dirent *e;
	bool yes = true;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	d = pid > 0 ? opendir(path) : NULL;
	while (d && yes && (e = readdir(d))) {
		uint32_t tid = (uint32_t)strtoul(e->d_name, NULL, 10);

		yes = e->d_name[0] == '.' || (is_known(pool, tid) && sleeps(pid, tid, own, &state));
	}
	if (d)
		closedir(d);
	return d && yes && state != 1 ? state | 1 : 0;
}

bool fr_hang_watch_check(struct fr_hang_watch *w, struct fr_pool *pool)
{
	uint64_t before = w->state;

	w->state = atomic_load(&pool->state) == FR_POOL_ATTACHED && !atomic_load(&pool->exited)
		       ? all_asleep(pool, false)
		       : 0;
	if (!w->state || w->state != before || w->state == w->shares)
		return false;
	/* To look at the pipes of every process takes long, so it is done once for each state. */
	if (all_asleep(pool, true) == w->state)
		return true;
	w->shares = w->state;
	return false;
}
