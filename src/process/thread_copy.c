/*
 * See thread_copy.h.
 *
 * The copy is made by a clone call that the thread executes while everything else is stopped. It is
 * a child of the recorder, not of the program (CLONE_PARENT). Its pool becomes a private mapping,
 * so that a hook in which the thread was stopped writes nothing that the recorder reads.
 *
 * A page that the copy has written is its own; all others it shares with the stopped program
 * (/proc/PID/pagemap, bit 56). So the written pages are the only difference between the memory of
 * the copy now and that of the program, and two states are compared by written pages alone.
 */
#include "process/thread_copy.h"
#include "base/assert.h"
#include "base/hash.h"
#include "base/mem.h"
#include <string.h>

#if defined(__x86_64__)
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096
#define PAGES_MAX 256		/* written pages of a copy that are compared */
#define MEMORY_MAX (8ULL << 30) /* bytes that a program may write: a look reads 8 for each page */
#define RED_ZONE 128
#define XSTATE 16384
#define CALLS_RESTART 512 /* results of calls that the kernel repeats: -512 to -516 */
#define STACK_BELOW (256 << 10)

typedef struct user_regs_struct regs_t;

/* ---- the threads of the program ---- */

static bool peek(pid_t pid, uint64_t at, void *to, size_t n)
{
	struct iovec here = {to, n}, there = {(void *)(uintptr_t)at, n};

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)n;
}

static bool poke(pid_t pid, uint64_t at, const void *from, size_t n)
{
	struct iovec here = {(void *)(uintptr_t)from, n}, there = {(void *)(uintptr_t)at, n};

	return process_vm_writev(pid, &here, 1, &there, 1, 0) == (ssize_t)n;
}

/* Does the kernel repeat the system call in which the thread was stopped? */
static bool repeats_call(const regs_t *r)
{
	int64_t result = (int64_t)r->rax;

	return (int64_t)r->orig_rax >= 0 && result <= -CALLS_RESTART && result >= -516;
}

/* Does only the passing of time end this call? */
static bool only_sleeps(uint64_t nr, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3)
{
	switch (nr) {
	case SYS_nanosleep:
		return true;
	case SYS_clock_nanosleep:
		return a1 == 0; /* not until a point in time */
	case SYS_poll:
		return a1 == 0 && (int)a2 >= 0;
	case SYS_ppoll:
		return a1 == 0 && a2;
	case SYS_select:
	case SYS_pselect6:
		return a0 == 0 && !a1 && !a2 && !a3;
	default:
		return false;
	}
}

enum fr_stands fr_stopped_stands(pid_t tid, uint64_t *ret)
{
	uint32_t word;
	regs_t r;

	if (ptrace(PTRACE_GETREGS, tid, NULL, &r) < 0)
		return FR_STANDS_OTHER;
	if (!repeats_call(&r) || only_sleeps(r.orig_rax, r.rdi, r.rsi, r.rdx, r.r10))
		return FR_STANDS_RUNS;
	/* A word that has changed meanwhile lets the thread continue. */
	if (r.orig_rax != SYS_futex || r.r10 || !peek(tid, r.rdi, &word, sizeof(word)) ||
	    word != (uint32_t)r.rdx)
		return FR_STANDS_OTHER;
	*ret = r.rdi;
	switch (r.rsi & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return FR_STANDS_ASLEEP;
	default:
		return FR_STANDS_OTHER;
	}
}

/* ---- making the copy ---- */

/* Waits for a stop of the thread. Returns its status, -1 = it has ended. */
static int stopped(pid_t tid)
{
	int status;

	while (waitpid(tid, &status, __WALL) != tid)
		if (errno != EINTR)
			return -1;
	return WIFSTOPPED(status) ? status : -1;
}

static regs_t call_regs(const struct fr_stopped *p, const regs_t *r, uint64_t nr, uint64_t a0,
			uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4)
{
	regs_t c = *r;

	c.rip = p->call;
	c.rax = nr;
	c.orig_rax = UINT64_MAX;
	c.rdi = a0;
	c.rsi = a1;
	c.rdx = a2;
	c.r10 = a3;
	c.r8 = a4;
	c.r9 = 0;
	return c;
}

/* Lets the copy execute one system call. */
static int64_t call(const struct fr_stopped *p, pid_t copy, const regs_t *r, uint64_t nr,
		    uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4)
{
	regs_t c = call_regs(p, r, nr, a0, a1, a2, a3, a4);

	if (ptrace(PTRACE_SETREGS, copy, NULL, &c) < 0 ||
	    ptrace(PTRACE_SINGLESTEP, copy, NULL, NULL) < 0 || stopped(copy) < 0 ||
	    ptrace(PTRACE_GETREGS, copy, NULL, &c) < 0)
		return -EIO;
	return (int64_t)c.rax;
}

/* Lets the stopped thread execute the clone call. `r` are its registers. Returns the copy. */
static pid_t clone_thread(const struct fr_stopped *p, pid_t tid, const regs_t *r)
{
	regs_t c = call_regs(p, r, SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0), back = *r;
	unsigned long copy = 0;
	int status = 0;

	if (ptrace(PTRACE_SETREGS, tid, NULL, &c) < 0)
		return -1;
	/* enters the call, makes the copy, leaves the call */
	for (int calls = 0; calls < 2 && status >= 0;) {
		if (ptrace(PTRACE_SYSCALL, tid, NULL, NULL) < 0)
			return -1;
		status = stopped(tid);
		if (status >= 0 && status >> 8 == (SIGTRAP | PTRACE_EVENT_FORK << 8))
			ptrace(PTRACE_GETEVENTMSG, tid, NULL, &copy);
		else if (status >= 0 && WSTOPSIG(status) == (SIGTRAP | 0x80))
			calls++;
	}
	/* Outside a stop for a signal, the kernel does not repeat the call by itself. */
	if (repeats_call(r)) {
		back.rip -= 2;
		back.rax = (int64_t)r->rax == -516 ? SYS_restart_syscall : r->orig_rax;
		back.orig_rax = UINT64_MAX;
	}
	ptrace(PTRACE_SETREGS, tid, NULL, &back);
	if (copy && stopped((pid_t)copy) < 0)
		copy = 0;
	return copy ? (pid_t)copy : -1;
}

/* Separates the copy from the program and turns recording off in it. `r`: its registers. */
static bool prepare(const struct fr_stopped *p, pid_t copy, regs_t *r)
{
	uint64_t null = 0, name = (r->rsp - RED_ZONE - PAGE) & ~UINT64_C(15);
	size_t n = strlen(p->pool) + 1;
	int64_t fd;

	if (n > PAGE || ptrace(PTRACE_SETOPTIONS, copy, NULL, PTRACE_O_EXITKILL) < 0 ||
	    !poke(copy, name, p->pool, n))
		return false;
	fd = call(p, copy, r, SYS_open, name, O_RDONLY, 0, 0, 0);
	if (fd < 0 || fd >= 1 << 30)
		return false;
	if (call(p, copy, r, SYS_mmap, p->pool_at, p->pool_end - p->pool_at, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, (uint64_t)fd) != (int64_t)p->pool_at ||
	    !poke(copy, r->fs_base + (uint64_t)p->self, &null, sizeof(null)))
		return false;
	if (repeats_call(r)) /* its sleep is over */
		r->rax = 0;
	r->orig_rax = UINT64_MAX;
	return ptrace(PTRACE_SETREGS, copy, NULL, r) == 0;
}

/* ---- the state of the copy ---- */

struct page {
	uint64_t at;
	uint8_t byte[PAGE];
};

struct state {
	regs_t r;
	uint8_t x[XSTATE];
	size_t nx;
	struct page *page; /* those that the copy had written */
	size_t npages;
};

struct copy {
	const struct fr_stopped *p;
	pid_t pid;
	struct state was;
	uint64_t at[PAGES_MAX]; /* written pages now */
	size_t n;
	uint64_t low, high; /* of the stack pointer */
};

/* Adds the written pages of a mapping. */
static bool add_written(struct copy *c, int fd, uint64_t lo, uint64_t hi)
{
	uint64_t entry[512];

	for (uint64_t at = lo; at < hi;) {
		size_t want = fr_min((size_t)((hi - at) / PAGE), fr_array_size(entry));
		ssize_t got = pread(fd, entry, want * 8, (off_t)(at / PAGE * 8));

		if (got <= 0 || got % 8)
			return false;
		for (ssize_t i = 0; i < got / 8; i++, at += PAGE) {
			bool present = entry[i] >> 63, swapped = entry[i] >> 62 & 1,
			     own = entry[i] >> 56 & 1;

			if (!swapped && !(present && own))
				continue;
			if (c->n == PAGES_MAX)
				return false;
			c->at[c->n++] = at;
		}
	}
	return true;
}

/* Finds the pages that the copy has written. */
static bool find_written(struct copy *c)
{
	char path[64], line[512], mode[8];
	uint64_t lo, hi, sum = 0;
	bool ok = true;
	FILE *f;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)c->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)c->pid);
	f = fopen(path, "re");
	c->n = 0;
	ok = fd >= 0 && f;
	while (ok && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s", &lo, &hi, mode) != 3 ||
		    mode[1] != 'w' || (lo >= c->p->pool_at && hi <= c->p->pool_end))
			continue;
		sum += hi - lo;
		ok = sum <= MEMORY_MAX && add_written(c, fd, lo, hi);
	}
	if (f)
		fclose(f);
	if (fd >= 0)
		close(fd);
	return ok;
}

static bool read_x(pid_t pid, uint8_t x[XSTATE], size_t *ret)
{
	struct iovec v = {x, XSTATE};

	if (ptrace(PTRACE_GETREGSET, pid, (void *)(uintptr_t)NT_X86_XSTATE, &v) < 0)
		return false;
	*ret = v.iov_len;
	return true;
}

static bool keep_state(struct copy *c, const regs_t *r)
{
	struct state *s = &c->was;

	s->r = *r;
	if (!read_x(c->pid, s->x, &s->nx) || !find_written(c))
		return false;
	s->npages = c->n;
	for (size_t i = 0; i < c->n; i++) {
		s->page[i].at = c->at[i];
		if (!peek(c->pid, c->at[i], s->page[i].byte, PAGE))
			return false;
	}
	return true;
}

/* Returns the content of a page in the state that was kept, NULL = not known. */
static const uint8_t *page_was(const struct copy *c, uint64_t at, uint8_t room[PAGE])
{
	for (size_t i = 0; i < c->was.npages; i++)
		if (c->was.page[i].at == at)
			return c->was.page[i].byte;
	return peek(c->p->pid, at, room, PAGE) ? room : NULL;
}

/* Is the memory as in the state that was kept? Leaves out bytes of [lo, hi) and of the pointer at
   `self`. */
static bool same_memory(const struct copy *c, uint64_t lo, uint64_t hi, uint64_t self)
{
	uint8_t now[PAGE], room[PAGE];

	for (size_t i = 0; i < c->n; i++) {
		const uint8_t *was = page_was(c, c->at[i], room);

		if (!was || !peek(c->pid, c->at[i], now, PAGE))
			return false;
		for (uint64_t k = 0, at = c->at[i]; k < PAGE; k++, at++)
			if (now[k] != was[k] && (at < lo || at >= hi) && at - self >= 8)
				return false;
	}
	return true;
}

/* Is the state that was kept back? The registers are. */
static bool is_back(struct copy *c)
{
	uint8_t x[XSTATE];
	size_t n;

	return read_x(c->pid, x, &n) && n == c->was.nx && !memcmp(x, c->was.x, n) &&
	       find_written(c) && same_memory(c, 0, 0, 0);
}

static bool same_regs(const regs_t *a, const regs_t *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* ---- executing the copy ---- */

/* Does the instruction read a clock, a random number or the number of the processor, or leave the
   program in a way that is not known? */
static bool is_input(const uint8_t *b)
{
	/* prefixes */
	while (*b == 0x66 || *b == 0x67 || *b == 0xf0 || *b == 0xf2 || *b == 0xf3 || *b == 0x2e ||
	       *b == 0x36 || *b == 0x3e || *b == 0x26 || *b == 0x64 || *b == 0x65 ||
	       (*b & 0xf0) == 0x40)
		b++;
	if (b[0] == 0xcd || b[0] == 0xcc || b[0] == 0xf1) /* int */
		return true;
	if ((b[0] & 0xfc) == 0xe4 || (b[0] & 0xfc) == 0xec) /* in, out */
		return true;
	if (b[0] == 0xc7 && b[1] == 0xf8) /* xbegin: an abort comes from outside */
		return true;
	if (b[0] != 0x0f)
		return false;
	switch (b[1]) {
	case 0x31: /* rdtsc */
	case 0x33: /* rdpmc */
	case 0x34: /* sysenter */
	case 0xa2: /* cpuid: may name the processor */
		return true;
	case 0x01: /* rdtscp, and others of the system; xgetbv and serialize are harmless */
		return b[2] != 0xd0 && b[2] != 0xe8;
	case 0xc7: /* rdrand, rdseed, rdpid; not cmpxchg8b */
		return b[2] >> 6 == 3;
	default:
		return false;
	}
}

static bool is_waited_for(const struct fr_stopped *p, uint64_t futex)
{
	for (size_t i = 0; i < p->nwaiters; i++)
		if (p->waiter[i] == futex)
			return true;
	return false;
}

/* The next instruction is a system call. False: it may have an effect or a result that differs. */
static bool pass_call(const struct fr_stopped *p, pid_t copy, regs_t *r)
{
	bool wake = r->rax == SYS_futex && (r->rsi & FUTEX_CMD_MASK) == FUTEX_WAKE &&
		    !is_waited_for(p, r->rdi);

	if (r->rax != SYS_sched_yield && !wake &&
	    !only_sleeps(r->rax, r->rdi, r->rsi, r->rdx, r->r10))
		return false;
	r->rip += 2;
	r->rax = 0;
	r->rcx = r->rip;
	r->r11 = r->eflags;
	return ptrace(PTRACE_SETREGS, copy, NULL, r) == 0;
}

/* Executes one instruction. False: not possible. */
static bool step(const struct fr_stopped *p, pid_t copy, regs_t *r)
{
	uint8_t b[24] = {0};
	int status;

	if (r->rip >= p->vdso && r->rip < p->vdso_end)
		return false;
	/* The next page may not exist. */
	if (!peek(copy, r->rip, b, 16) &&
	    !peek(copy, r->rip, b, fr_min((size_t)16, (size_t)(PAGE - r->rip % PAGE))))
		return false;
	if (b[0] == 0x0f && b[1] == 0x05)
		return pass_call(p, copy, r);
	if (is_input(b) || ptrace(PTRACE_SINGLESTEP, copy, NULL, NULL) < 0)
		return false;
	status = stopped(copy);
	if (status < 0 || status >> 8 != SIGTRAP || ptrace(PTRACE_GETREGS, copy, NULL, r) < 0)
		return false;
	r->orig_rax = UINT64_MAX;
	return true;
}

/* Brent's search for a cycle: compares with a state that is kept at steps 1, 2, 4, 8, ... Returns
   the number of instructions after which a state has come back, 0 = none has. */
static uint32_t find_cycle(struct copy *c, regs_t *r, uint32_t budget)
{
	c->low = c->high = r->rsp;
	for (uint32_t i = 1; i <= budget; i++) {
		if (((i & (i - 1)) == 0 && !keep_state(c, r)) || !step(c->p, c->pid, r))
			return 0;
		c->low = fr_min(c->low, (uint64_t)r->rsp);
		c->high = c->high > r->rsp ? c->high : r->rsp;
		if (same_regs(r, &c->was.r) && is_back(c))
			return i;
	}
	return 0;
}

/* Executes the same instructions again, in a second copy. Does the program see no other memory than
   now at any step? Stack frames of calls in the loop do not count. */
static bool disturbs_nobody(struct copy *c, regs_t *r, uint32_t steps)
{
	c->was.npages = 0;
	for (uint32_t i = 0; i < steps; i++)
		if (!step(c->p, c->pid, r) || !same_memory(c, c->low - STACK_BELOW, c->high,
							   r->fs_base + (uint64_t)c->p->self))
			return false;
	return true;
}

/* Makes a copy, which the caller ends. `was`: the thread's registers when it was stopped; *r: those
   of the copy. */
static bool make_copy(struct copy *c, pid_t tid, const regs_t *was, regs_t *r)
{
	*r = *was;
	c->pid = clone_thread(c->p, tid, was);
	return c->pid > 0 && prepare(c->p, c->pid, r);
}

static void end_copy(struct copy *c)
{
	if (c->pid <= 0)
		return;
	kill(c->pid, SIGKILL);
	while (waitpid(c->pid, NULL, __WALL) < 0 && errno == EINTR)
		;
	c->pid = 0;
}

bool fr_stopped_repeats(const struct fr_stopped *p, pid_t tid, uint32_t budget)
{
	struct copy c = {.p = p};
	cpu_set_t before, here;
	uint32_t steps = 0;
	regs_t was, r;

	fr_assert(p->pid > 0 && p->call);
	/* On one processor, a step takes a fifth of the time. The copy inherits nothing of this. */
	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	if (sched_getaffinity(0, sizeof(before), &before) < 0 ||
	    ptrace(PTRACE_GETREGS, tid, NULL, &was) < 0)
		return false;
	sched_setaffinity(0, sizeof(here), &here);
	c.was.page = fr_xcalloc(PAGES_MAX, sizeof(*c.was.page));
	if (make_copy(&c, tid, &was, &r)) {
		sched_setaffinity(c.pid, sizeof(here), &here);
		steps = find_cycle(&c, &r, budget);
	}
	end_copy(&c);
	if (steps && !p->alone) {
		bool quiet = make_copy(&c, tid, &was, &r) && disturbs_nobody(&c, &r, steps);

		steps = quiet ? steps : 0;
		end_copy(&c);
	}
	free(c.was.page);
	sched_setaffinity(0, sizeof(before), &before);
	return steps > 0;
}

#else

enum fr_stands fr_stopped_stands(pid_t tid, uint64_t *ret)
{
	(void)tid, (void)ret;
	return FR_STANDS_OTHER;
}

bool fr_stopped_repeats(const struct fr_stopped *p, pid_t tid, uint32_t budget)
{
	(void)p, (void)tid, (void)budget;
	return false;
}

#endif
