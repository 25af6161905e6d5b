/*
 * Accesses of -fsanitize=thread code: announced writes and held reads, see tsan.h.
 *
 * Window:    between a hook and its access another thread may write the same memory. The value of a
 *            read may then be the older one, that of a write the other thread's. Without a data
 *            race there is no such thread: writes are flushed before each release that the runtime
 *            sees.
 * Gone:      between an announced write and the next hook, another thread may unmap the memory, if
 *            it was notified in a way that the runtime does not see (a pipe). So the memory of a
 *            write that has waited for long is probed first; lost_late counts the writes whose
 *            memory was gone.
 * Order:     nothing is written between an announcement and its flush, so the hooks ascend in the
 *            file.
 */
#include "tsan_fast.h"
#include "format/hook_abi.h"
#include "runtime/core/rt_assert.h"
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LONG_AGO (UINT64_C(1) << 15) /* cycles: about 10 microseconds */
#define NEAR_PC 64		     /* bytes of code between the two hooks of one copy */
#define NEAR_SP 16384
#define PAGE 4096

/* The program's own image, which is never unmapped. */
extern const char image_start[] __asm__("__executable_start") __attribute__((weak));
extern const char image_end[] __asm__("_end") __attribute__((weak));

static uint64_t cycles(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __builtin_ia32_rdtsc() | 1;
#elif defined(__aarch64__)
	uint64_t v;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(v));
	return v << 5 | 1;
#else
	return 1;
#endif
}

static bool may_vanish(const void *addr, uintptr_t sp)
{
	return !((const char *)addr >= image_start && (const char *)addr < image_end) &&
	       (uintptr_t)addr - sp >= NEAR_SP;
}

/* True if all of [addr, addr + size) can be read. The kernel reads the set before it rejects the
   invalid operation. */
static __attribute__((noinline)) bool readable(struct frt_thread *t, const void *addr,
					       uint64_t size)
{
	uintptr_t p = (uintptr_t)addr & ~UINT64_C(7), end = (uintptr_t)addr + size;
	int saved = errno;
	bool ok = true;

	t->in_wrapper++; /* not the program's call */
	for (; ok && p < end; p = (p & -(uintptr_t)PAGE) + PAGE)
		ok = syscall(SYS_rt_sigprocmask, -1, p, NULL, 8) >= 0 || errno != EFAULT;
	t->in_wrapper--;
	errno = saved;
	return ok;
}

/* More than one granule: the hooks of the pass count the hook themselves. */
void frt_announced_wide(struct frt_thread *t, const void *addr, uint64_t access, bool write,
			const uint64_t sample[2])
{
	uint32_t site = FRT_ANNOUNCED_SITE(access), size = FRT_ANNOUNCED_SIZE(access);

	frt_assert(t->hook); /* its hook is counted */
	t->hook--;
	if (size == 16)
		(write ? frt_h_write16 : frt_h_read16)(addr, sample[0], sample[1], site);
	else
		(write ? frt_h_write_u : frt_h_read_u)(addr, sample[0], site, size);
}

static void put_at(struct frt_thread *t, uint64_t hook, const void *addr, uint64_t access,
		   bool write, const uint64_t sample[2])
{
	uint64_t now = t->hook;

	frt_assert(hook && hook <= now);
	if (access & FRT_ANNOUNCED_RANGE) {
		t->hook = hook - 1; /* frt_range counts */
		frt_range(t, write, addr, FRT_ANNOUNCED_SIZE(access), FRT_ANNOUNCED_SITE(access));
	} else {
		t->hook = hook;
		frt_announced_put(t, addr, access, write, sample);
	}
	/* A signal handler may have counted in between. */
	t->hook = now + (t->hook - hook);
}

static __attribute__((noinline)) void put_held(struct frt_thread *t, const struct frt_announced *l,
					       const void *addr, uint64_t access,
					       const uint64_t sample[2])
{
	/* A copy reads first. */
	bool copy = sample[0] == l->r_sample[0] && sample[1] == l->r_sample[1];

	frt_assert(l->r_site_size && l->hook < l->r_hook);
	if (!copy)
		put_at(t, l->hook, addr, access, true, sample);
	put_at(t, copy ? l->hook : l->r_hook, l->r_addr, l->r_site_size, false, l->r_sample);
	if (copy)
		put_at(t, l->r_hook, addr, access, true, sample);
}

/* True if the memory still exists. Probes only if the write may have waited for long. */
static bool still_there(struct frt_thread *t, const void *addr, uint64_t access)
{
	uint64_t now = cycles(), age = now - t->tsan->clock;

	t->tsan->clock = now;
	if (frt_likely(age <= LONG_AGO) || readable(t, addr, FRT_ANNOUNCED_SIZE(access)))
		return true;
	frt_count(FR_RTC_lost_late, 1);
	return false;
}

/* The rare cases: a held read, a range, hooks of the pass in between. */
static __attribute__((noinline)) void flush_slow(struct frt_thread *t, const void *addr,
						 uint64_t access, const struct frt_announced *l)
{
	uint32_t depth = t->depth;
	uint64_t sample[2];

	frt_assert(addr && FRT_ANNOUNCED_SIZE(access) && !t->announced_addr);
	frt_announced_sample(addr, FRT_ANNOUNCED_SIZE(access), sample);
	/* The function that announced the write may have called one of the pass since. */
	if (l->depth < depth)
		t->depth = l->depth;
	if (l->r_site_size)
		put_held(t, l, addr, access, sample);
	else
		put_at(t, l->hook, addr, access, true, sample);
	t->depth = depth;
}

void frt_flush_announced(struct frt_thread *t)
{
	const struct frt_announced *l = &t->tsan->announced;
	const void *addr = t->announced_addr;
	uint64_t access = t->announced_site_size, sample[2];
	bool simple = l->hook == t->hook && !(access & FRT_ANNOUNCED_RANGE) && l->depth == t->depth;
	bool may_vanish = l->may_vanish;

	/* Once this write is taken, a signal handler may announce its own. */
	if (frt_unlikely(!simple || l->r_site_size)) {
		struct frt_announced copy = *l;

		t->announced_addr = NULL;
		atomic_signal_fence(memory_order_seq_cst);
		if (!may_vanish || still_there(t, addr, access))
			flush_slow(t, addr, access, &copy);
		return;
	}
	t->announced_addr = NULL;
	atomic_signal_fence(memory_order_seq_cst);
	if (may_vanish && !still_there(t, addr, access))
		return;
	frt_announced_sample(addr, FRT_ANNOUNCED_SIZE(access), sample);
	frt_announced_put(t, addr, access, true, sample);
}

void frt_announced_write(struct frt_thread *t, const void *addr, uint64_t access, uintptr_t pc,
			 uintptr_t sp)
{
	struct frt_announced *l = &t->tsan->announced;

	if (t->announced_addr)
		frt_flush_announced(t);
	/* If the access will fault, this read faults first, before anything has changed. */
	frt_announced_sample(addr, FRT_ANNOUNCED_SIZE(access), l->before);
	frt_announced_count(t);
	l->hook = t->hook;
	l->may_vanish = may_vanish(addr, sp);
	l->pc = pc;
	l->depth = t->depth;
	l->r_site_size = 0;
	t->announced_site_size = access;
	atomic_signal_fence(memory_order_seq_cst);
	t->announced_addr = addr;
}

/* If this may be the second hook of a copy, holds the read and returns true. */
static __attribute__((noinline)) bool hold(struct frt_thread *t, const void *addr, uint64_t access,
					   uintptr_t pc, const uint64_t sample[2])
{
	const uint64_t shape = FRT_ANNOUNCED_RANGE | UINT32_MAX;
	struct frt_announced *l = &t->tsan->announced;
	uint64_t now[2];

	if (l->r_site_size || (access & shape) != (t->announced_site_size & shape) || pc == l->pc ||
	    l->hook != t->hook)
		return false;
	frt_announced_sample(t->announced_addr, FRT_ANNOUNCED_SIZE(access), now);
	if (now[0] != l->before[0] || now[1] != l->before[1])
		return false; /* the memory has been written: not a copy */
	frt_announced_count(t);
	frt_assert(t->hook > l->hook);
	l->r_hook = t->hook;
	l->r_addr = addr;
	l->r_sample[0] = sample[0];
	l->r_sample[1] = sample[1];
	l->r_site_size = access;
	return true;
}

void frt_announced_read(struct frt_thread *t, const void *addr, uint64_t access, uintptr_t pc,
			const uint64_t sample[2])
{
	if (t->announced_addr) {
		if (pc - t->tsan->announced.pc <= NEAR_PC && hold(t, addr, access, pc, sample))
			return;
		frt_flush_announced(t);
	}
	frt_announced_count(t);
	if (access & FRT_ANNOUNCED_RANGE)
		put_at(t, t->hook, addr, access, false, sample);
	else
		frt_announced_put(t, addr, access, false, sample);
}

void frt_announced_aside(struct frt_thread *t, struct frt_aside *a)
{
	struct frt_tsan *s = t->tsan;
	uintptr_t here = (uintptr_t)__builtin_frame_address(0), top;

	/* The signal may have come in the middle of an announcement. */
	a->announced = s->announced;
	a->announced_addr = t->announced_addr;
	a->announced_site_size = t->announced_site_size;
	a->hook = t->hook;
	t->announced_addr = NULL;
	a->depth = t->depth;
	a->floor = s->floor;
	top = t->depth && t->depth <= FRT_FRAMES ? s->frame[t->depth - 1].sp : here;
	if (here > top || top - here > 8 << 20)
		s->floor = t->depth;
}

void frt_announced_back(struct frt_thread *t, const struct frt_aside *a)
{
	struct frt_tsan *s = t->tsan;

	if (t->announced_addr)
		frt_flush_announced(t);
	s->floor = a->floor;
	if (t->depth != a->depth) {
		t->depth = a->depth;
		if (t->synced > a->depth)
			t->synced = a->depth;
	}
	s->announced = a->announced;
	t->announced_site_size = a->announced_site_size;
	/* The handler's hooks came in between: the announced access gets a new hook. */
	if (a->announced_addr)
		frt_announced_count(t);
	if (a->announced_addr || a->announced.hook == a->hook)
		s->announced.hook = t->hook;
	if (a->announced_addr && a->announced.r_site_size) {
		frt_announced_count(t);
		s->announced.r_hook = t->hook;
	}
	atomic_signal_fence(memory_order_seq_cst);
	t->announced_addr = a->announced_addr;
}
