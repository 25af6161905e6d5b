/* See hang_watch.h. Trusts nothing that the program wrote into the pool. */
#include "process/hang_watch.h"
#include "base/hash.h"
#include "base/mem.h"
#include "format/signal_wakes.h"
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

#define TEXT 4096

/* Reads the beginning of a file of /proc; "" if there is none. */
static const char *read_text(char to[TEXT], const char *fmt, int pid, const char *tid)
{
	char path[96];
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), fmt, pid, tid);
	f = fopen(path, "re");
	n = f ? fread(to, 1, TEXT - 1, f) : 0;
	if (f)
		fclose(f);
	to[n] = 0;
	return to;
}

static uint64_t number_after(const char *text, const char *key, int base)
{
	const char *p = strstr(text, key);

	return p ? strtoull(p + strlen(key), NULL, base) : 0;
}

/* Is the address in memory that another process may share? */
static bool is_shared(int pid, uint64_t addr)
{
	char path[64], line[512], mode[8];
	uint64_t lo, hi;
	bool shared = true;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
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

/* Does the system call wait until a thread of this process ends it? `text`: number and arguments. */
static bool waits_for_thread(int pid, const char *text)
{
	unsigned long nr = strtoul(text, NULL, 10);
	uint64_t addr, op, value, timeout;

	if (text[0] < '0' || text[0] > '9' || nr != SYS_futex ||
	    sscanf(text, "%*u 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64, &addr, &op,
		   &value, &timeout) != 4 ||
	    timeout)
		return false;
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_LOCK_PI:
	case FUTEX_WAIT_REQUEUE_PI:
		return op & FUTEX_PRIVATE_FLAG || !is_shared(pid, addr);
	default:
		return false;
	}
}

/* Sleeps the thread until another one wakes it? Adds its switches to *state. */
static bool sleeps(int pid, const char *tid, uint64_t *state)
{
	char text[TEXT];
	const char *p = strrchr(read_text(text, "/proc/%d/task/%s/stat", pid, tid), ')');
	uint64_t switches;

	if (!p || p[1] != ' ')
		return false;
	if (p[2] == 'Z' || p[2] == 'X') /* it has ended */
		return true;
	if (p[2] != 'S')
		return false;
	read_text(text, "/proc/%d/task/%s/status", pid, tid);
	switches = number_after(text, "\nvoluntary_ctxt_switches:", 10) +
		   number_after(text, "\nnonvoluntary_ctxt_switches:", 10);
	if (fr_signal_wakes(number_after(text, "\nSigCgt:", 16)))
		return false;
	*state = fr_hash_mix(*state, switches ^ strtoull(tid, NULL, 10) << 40);
	return waits_for_thread(pid, read_text(text, "/proc/%d/task/%s/syscall", pid, tid));
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
static uint64_t all_asleep(struct fr_pool *pool)
{
	int pid = atomic_load(&pool->pid);
	uint64_t state = 1;
	char path[64];
	struct dirent *e;
	bool yes = true;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	d = pid > 0 ? opendir(path) : NULL;
	while (d && yes && (e = readdir(d)))
		if (e->d_name[0] != '.')
			yes = is_known(pool, (uint32_t)strtoul(e->d_name, NULL, 10)) &&
			      sleeps(pid, e->d_name, &state);
	if (d)
		closedir(d);
	return d && yes && state != 1 ? state | 1 : 0;
}

bool fr_hang_watch_look(struct fr_hang_watch *w, struct fr_pool *pool)
{
	uint64_t before = w->state;

	w->state = atomic_load(&pool->state) == FR_POOL_ATTACHED && !atomic_load(&pool->exited)
		       ? all_asleep(pool)
		       : 0;
	return w->state && w->state == before;
}
