/* See livelock.h. */
#include "process/livelock.h"
#include "base/assert.h"
#include "base/debug.h"
#include "base/mem.h"
#include "base/term.h"
#include "format/signal_wakes.h"
#include "process/hang_watch.h"
#include "process/task.h"
#include "process/thread_copy.h"
#include "trace/pool_reader.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* A try stops the program and copies it. So a program that computes for a while is not tried at
   all, and one that computes for long is tried a few times. */
#define LAST_NS UINT64_C(60000000000) /* longest time between two tries, which doubles each time */
#define SHARE 20		      /* a try takes at most this part of the time */
#define BUDGET_FIRST 32000	      /* instructions */
#define BUDGET_MAX 256000
#define THREADS 64 /* with more threads, nothing is tried */

/* ---- from outside ---- */

static uint64_t field(const char *text, const char *key, int base)
{
	const char *p = strstr(text, key);

	return p ? strtoull(p + strlen(key), NULL, base) : 0;
}

/* Lists the threads that have not ended. Returns their number, 0 = too many, or /proc does not
   tell. */
static size_t list_threads(int pid, uint32_t tid[THREADS])
{
	char path[64];
	struct dirent *e;
	size_t n = 0;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	d = opendir(path);
	while (d && (e = readdir(d))) {
		uint32_t id = (uint32_t)strtoul(e->d_name, NULL, 10);
		char state = id ? fr_task_state(pid, id) : 'X';

		if (state == 'Z' || state == 'X' || !state)
			continue;
		if (n == THREADS) {
			n = 0;
			break;
		}
		tid[n++] = id;
	}
	if (d)
		closedir(d);
	return n;
}

/* May anybody outside end a wait, or does the program forbid to look? */
static bool has_outside(int pid, uint32_t tid)
{
	char text[FR_TASK_TEXT];
	uint64_t tracer;

	fr_task_file(pid, tid, "status", text);
	tracer = field(text, "\nTracerPid:", 10);
	if (!*text || fr_signal_wakes(field(text, "\nSigCgt:", 16)) ||
	    field(text, "\nSeccomp:", 10) || (tracer && tracer != (uint64_t)getpid()) ||
	    field(text, "\nPPid:", 10) != (uint64_t)getpid())
		return true;
	return *fr_task_file(pid, tid, "children", text) != 0;
}

/* Does it look as if the threads polled? Each is known and sleeps, or runs; one runs. */
static bool looks_so(struct fr_pool *pool, int pid)
{
	uint32_t tid[THREADS];
	size_t n = list_threads(pid, tid), runs = 0;

	for (size_t i = 0; i < n; i++) {
		char state = fr_task_state(pid, tid[i]);
		struct fr_task_call c;
		int r = state == 'S' ? fr_task_call(pid, tid[i], &c) : 0;

		if ((state != 'S' && state != 'R') || r < 0 || !fr_hang_watch_knows(pool, tid[i]) ||
		    has_outside(pid, tid[i]))
			return false;
		runs += !r || !fr_hang_watch_sleeps(pid, tid[i], &c);
	}
	return runs > 0;
}

/* ---- stopped ---- */

/* Stops the threads. Returns the number of threads that are stopped or could not be. */
static bool stop_threads(const uint32_t *tid, size_t n, size_t *ret)
{
	bool ok = true;

	for (*ret = 0; *ret < n; ++*ret)
		if (ptrace(PTRACE_SEIZE, tid[*ret], NULL,
			   PTRACE_O_TRACEFORK | PTRACE_O_TRACESYSGOOD) < 0 ||
		    ptrace(PTRACE_INTERRUPT, tid[*ret], NULL, NULL) < 0) {
			ok = false;
			break;
		}
	return ok;
}

/* Has the program ended? Then its status belongs to the recorder's main loop. */
static bool has_ended(int pid)
{
	siginfo_t info = {0};

	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WSTOPPED | WNOWAIT | __WALL) < 0)
		if (errno != EINTR)
			return true;
	return info.si_code == CLD_EXITED || info.si_code == CLD_KILLED ||
	       info.si_code == CLD_DUMPED;
}

/* Waits for the stops. False: one has ended, or has got a signal, which `sig` keeps for it. */
static bool wait_stops(int pid, const uint32_t *tid, size_t n, int sig[THREADS])
{
	bool ok = true;

	for (size_t i = 0; i < n; i++) {
		int status = 0;

		sig[i] = 0;
		if ((int)tid[i] == pid && has_ended(pid)) {
			ok = false;
			continue;
		}
		while (waitpid((pid_t)tid[i], &status, __WALL) < 0 && errno == EINTR)
			;
		if (!WIFSTOPPED(status)) {
			ok = false;
		} else if (status >> 16 != PTRACE_EVENT_STOP) {
			sig[i] = WSTOPSIG(status);
			ok = false;
		}
	}
	return ok;
}

/* Reads the program's memory maps. False: a process may share its memory, or a copy would not have
   the same memory. */
static bool read_maps(struct fr_stopped *p, const char *path)
{
	char name[64], line[1024], mode[8], flag[8];
	uint64_t lo, hi;
	bool ok = true;
	FILE *f;
	int at;

	snprintf(name, sizeof(name), "/proc/%d/smaps", (int)p->pid);
	f = fopen(name, "re");
	while (f && ok && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "VmFlags: %7s", flag) == 1) {
			ok = !strstr(line, " wf") && !strstr(line, " dc");
			continue;
		}
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %*s %*s %*s %n", &lo, &hi, mode,
			   &at) != 3 ||
		    strlen(mode) != 4)
			continue;
		line[strcspn(line, "\n")] = 0;
		if (!strcmp(line + at, path)) {
			p->pool_at = p->pool_at ? p->pool_at : lo;
			p->pool_end = hi;
		} else if (!strcmp(line + at, "[vdso]")) {
			p->vdso = lo;
			p->vdso_end = hi;
		} else if (mode[3] != 'p') {
			ok = false;
		}
	}
	if (f)
		fclose(f);
	return f && ok && p->pool_at && p->vdso;
}

/* Finds a system call instruction. */
static bool find_call(struct fr_stopped *p)
{
	size_t n = p->vdso_end - p->vdso;
	FR_CLEANUP(fr_freep) uint8_t *code = fr_xmalloc(n);
	struct iovec here = {code, n}, there = {(void *)(uintptr_t)p->vdso, n};

	if (process_vm_readv(p->pid, &here, 1, &there, 1, 0) != (ssize_t)n)
		return false;
	for (size_t i = 0; i + 1 < n && !p->call; i++)
		if (code[i] == 0x0f && code[i + 1] == 0x05)
			p->call = p->vdso + i;
	return p->call != 0;
}

/* All threads are stopped. Does each that can run poll for ever? */
static bool all_poll(struct fr_stopped *p, const uint32_t *tid, size_t n, uint32_t budget)
{
	uint32_t runs[THREADS];
	size_t nruns = 0;

	fr_assert(n <= THREADS && THREADS <= FR_COPY_WAITERS);
	for (size_t i = 0; i < n; i++) {
		uint64_t futex;

		switch (fr_stopped_stands((pid_t)tid[i], &futex)) {
		case FR_STANDS_ASLEEP:
			p->waiter[p->nwaiters++] = futex;
			break;
		case FR_STANDS_RUNS:
			runs[nruns++] = tid[i];
			break;
		case FR_STANDS_OTHER:
			return false;
		}
	}
	p->alone = nruns == 1;
	for (size_t i = 0; i < nruns; i++)
		if (!fr_stopped_repeats(p, (pid_t)runs[i], budget))
			return false;
	return nruns > 0;
}

static bool try(struct fr_pool *pool, const char *path, int pid, uint32_t budget)
{
	struct fr_stopped p = {.pid = pid, .pool = path, .self = atomic_load(&pool->self)};
	uint32_t tid[THREADS], again[THREADS];
	size_t n = list_threads(pid, tid), held;
	int sig[THREADS];
	bool ok = n && stop_threads(tid, n, &held), yes = false;

	if (!n)
		return false;
	p.pid = (pid_t)tid[0]; /* the main thread may have ended, and then has no memory */
	ok = wait_stops(pid, tid, held, sig) && ok;
	if (ok && list_threads(pid, again) == n && !memcmp(tid, again, n * sizeof(*tid)) &&
	    !has_outside(pid, tid[0]) && read_maps(&p, path) && find_call(&p))
		yes = all_poll(&p, tid, n, budget);
	for (size_t i = 0; i < held; i++)
		ptrace(PTRACE_DETACH, tid[i], NULL, (void *)(intptr_t)sig[i]);
	return yes;
}

bool fr_livelock_check(struct fr_livelock *l, struct fr_pool *pool, const char *path, uint64_t now)
{
	int pid = atomic_load(&pool->pid);
	uint64_t took;
	bool yes;

	if (!l->first || atomic_load(&pool->state) != FR_POOL_ATTACHED ||
	    atomic_load(&pool->exited) || !atomic_load(&pool->self) || pid <= 0 ||
	    !looks_so(pool, pid)) {
		l->since = 0;
		return false;
	}
	if (!l->since) {
		l->since = now;
		l->pause = l->pause ? l->pause : l->first;
		l->next = fr_max(l->next, now + l->first);
		l->budget = BUDGET_FIRST;
	}
	if (now < l->next)
		return false;
	yes = try(pool, path, pid, l->budget);
	took = fr_now_ns() - now;
	fr_debug(FR_DEBUG_RECORD, "%" PRIu32 " instructions of copies in %" PRIu64 " us: %s",
		 l->budget, took / 1000, yes ? "they repeat" : "no state repeats");
	l->pause = fr_min(2 * l->pause, LAST_NS);
	l->next = now + fr_max(l->pause, SHARE * took);
	l->budget = fr_min(2 * l->budget, (uint32_t)BUDGET_MAX);
	return yes;
}
