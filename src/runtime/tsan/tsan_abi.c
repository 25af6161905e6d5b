/*
 * The entry points of -fsanitize=thread (gcc 12, clang 19): accesses, functions, memory functions.
 *
 * These hooks come before the access; tsan.h describes the consequences for values, and the frames.
 * Sites are program counters (tsan_site.c). Hooks do nothing when recording is off.
 * Not handled: frames on stacks between which the program switches by itself (swapcontext).
 */
#include "tsan_fast.h"
#include "format/hook_abi.h"
#include "runtime/core/mapped.h"
#include <stddef.h>
#include <string.h>

#define RET ((uintptr_t)__builtin_return_address(0))
#define SP ((uintptr_t)__builtin_frame_address(0))
#define HOT static inline __attribute__((always_inline))

/* Drops the frames that lie below the stack pointer, down to one that returns to `ret`. */
static __attribute__((noinline)) bool drop_frames(struct frt_thread *t, uintptr_t sp, uintptr_t ret)
{
	struct frt_tsan *s = t->tsan;
	uint32_t d = t->depth;
	bool found = false;

	if (t->announced_addr)
		frt_flush_announced(t);
	while (!found && d > s->floor && d <= FRT_FRAMES && s->frame[d - 1].sp < sp &&
	       t->stack[d - 1].func >= FR_SITE_PC_FIRST)
		found = s->frame[--d].ret == ret;
	t->depth = d;
	if (t->synced > d)
		t->synced = d;
	return found;
}

HOT bool frames_over(const struct frt_thread *t, uintptr_t sp)
{
	uint32_t top = t->depth - 1;

	return frt_unlikely(top < FRT_FRAMES && t->tsan->frame[top].sp < sp);
}

/* ---- functions ---- */

void __tsan_init(void)
{
	frt_tsan_seen = 1; /* the runtime itself starts before this */
}

void __tsan_func_entry(void *call_pc)
{
	struct frt_thread *t = frt_self;
	uintptr_t sp = SP;
	struct frt_frame *f;
	uint32_t d;

	if (!t)
		return;
	if (t->announced_addr)
		frt_flush_announced(t);
	if (frames_over(t, sp + 1))
		drop_frames(t, sp + 1, 0);
	frt_tsan_called(t);
	d = t->depth;
	f = frt_frame_at(t, d);
	/* Its call site is known only when it calls a function with a hook. */
	f->func = f->call = frt_pc_function(t, RET);
	if (d < FRT_FRAMES) {
		t->tsan->frame[d].sp = sp;
		t->tsan->frame[d].ret = (uintptr_t)call_pc;
		t->tsan->frame[d].pc = RET;
	}
	t->depth = d + 1;
}

void __tsan_func_exit(void)
{
	struct frt_thread *t = frt_self;
	struct frt_frame *f;

	if (!t)
		return;
	if (t->announced_addr)
		frt_flush_announced(t);
	/* The end of a function may jump here, when its frame is already gone. */
	if (!(frames_over(t, SP) && drop_frames(t, SP, RET)) && t->depth) {
		t->depth--;
		if (t->synced > t->depth)
			t->synced = t->depth;
	}
	/* A signal handler on its own stack may have been left by longjmp. */
	if (frt_unlikely(t->tsan->floor > t->depth))
		t->tsan->floor = t->depth;
	/* The caller's next call may have no hook; it must not get this call's site. */
	if (t->depth) {
		f = frt_frame_at(t, t->depth - 1);
		if (f->func >= FR_SITE_PC_FIRST)
			f->call = f->func;
	}
}

void frt_tsan_settle(struct frt_thread *t, uintptr_t sp)
{
	if (frames_over(t, sp))
		drop_frames(t, sp, 0);
}

#define ARGS_MAX 64    /* bytes of arguments that a call may have on the stack */
#define CODE_MAX 65536 /* bytes of code in a function */

void frt_tsan_called(struct frt_thread *t)
{
	uint32_t top = t->depth - 1;
	uintptr_t slot, start, ret, k;

	if (top >= FRT_FRAMES || t->stack[top].func < FR_SITE_PC_FIRST)
		return;
	slot = t->tsan->frame[top].sp + sizeof(void *);
	start = t->tsan->frame[top].pc;
	for (k = 0; k <= ARGS_MAX; k += sizeof(void *)) {
		ret = *(const uintptr_t *)(slot - k);
		if (ret - start < CODE_MAX) {
			t->stack[top].call = frt_pc_site(t, ret);
			return;
		}
	}
	t->stack[top].call = t->stack[top].func;
}

/* ---- accesses ---- */

HOT void on_read(const void *addr, uint64_t size, uint64_t flags, uintptr_t ret, uintptr_t sp)
{
	struct frt_thread *t = frt_self;
	uint64_t sample[2], access;

	if (!t || frt_unlikely(t->tsan->ignore_reads))
		return;
	/* If the access will fault, this read faults first, before anything has changed. */
	frt_announced_sample(addr, size, sample);
	if (frames_over(t, sp))
		drop_frames(t, sp, 0);
	access = (uint64_t)frt_pc_site(t, ret) << 32 | size | flags;
	if (frt_unlikely(t->announced_addr || flags & FRT_ANNOUNCED_RANGE)) {
		frt_announced_read(t, addr, access, ret, sample);
		return;
	}
	frt_announced_count(t);
	frt_announced_put(t, addr, access, false, sample);
}

HOT void on_write(const void *addr, uint64_t size, uint64_t flags, uintptr_t ret, uintptr_t sp)
{
	struct frt_thread *t = frt_self;

	if (!t || frt_unlikely(t->tsan->ignore_writes))
		return;
	if (frames_over(t, sp))
		drop_frames(t, sp, 0);
	frt_announced_write(t, addr, (uint64_t)frt_pc_site(t, ret) << 32 | size | flags, ret, sp);
}

#define DEFINE(name, size, flags)                     \
	void __tsan_##name##read##size(void *addr)    \
	{                                             \
		on_read(addr, size, flags, RET, SP);  \
	}                                             \
	void __tsan_##name##write##size(void *addr)   \
	{                                             \
		on_write(addr, size, flags, RET, SP); \
	}
#define DEFINE_BOTH(name, size)                          \
	void __tsan_##name##read_write##size(void *addr) \
	{                                                \
		on_read(addr, size, 0, RET, SP);         \
		on_write(addr, size, 0, RET, SP);        \
	}
#define DEFINE_PC(size)                                     \
	void __tsan_read##size##_pc(void *addr, void *pc)   \
	{                                                   \
		on_read(addr, size, 0, (uintptr_t)pc, SP);  \
	}                                                   \
	void __tsan_write##size##_pc(void *addr, void *pc)  \
	{                                                   \
		on_write(addr, size, 0, (uintptr_t)pc, SP); \
	}
#define DEFINE_ALL(size)                                          \
	DEFINE(, size, 0)                                         \
	DEFINE(unaligned_, size, 0)                               \
	DEFINE(volatile_, size, FRT_ANNOUNCED_VOLATILE)           \
	DEFINE(unaligned_volatile_, size, FRT_ANNOUNCED_VOLATILE) \
	DEFINE_BOTH(, size)                                       \
	DEFINE_BOTH(unaligned_, size)                             \
	DEFINE_PC(size)
DEFINE_ALL(1)
DEFINE_ALL(2)
DEFINE_ALL(4)
DEFINE_ALL(8)
DEFINE_ALL(16)

/* Virtual table pointers. */
void __tsan_vptr_read(void **vptr)
{
	on_read(vptr, sizeof(*vptr), 0, RET, SP);
}

void __tsan_vptr_update(void **vptr, void *value)
{
	(void)value; /* will be in memory like the value of any other write */
	on_write(vptr, sizeof(*vptr), 0, RET, SP);
}

/* ---- ranges ---- */

HOT void on_range(const void *addr, uint64_t n, bool write, uintptr_t ret, uintptr_t sp)
{
	if (!n)
		return;
	/* gcc has no other hook for unaligned scalars. */
	if (n <= 8 && !(n & (n - 1))) {
		if (write)
			on_write(addr, n, 0, ret, sp);
		else
			on_read(addr, n, 0, ret, sp);
		return;
	}
	if (frt_unlikely(n > FRT_HUGE_RANGE))
		n = frt_mapped(addr, n);
	for (; n; n -= n < UINT32_MAX ? n : UINT32_MAX, addr = (const char *)addr + UINT32_MAX) {
		uint64_t part = n < UINT32_MAX ? n : UINT32_MAX;

		if (write)
			on_write(addr, part, FRT_ANNOUNCED_RANGE, ret, sp);
		else
			on_read(addr, part, FRT_ANNOUNCED_RANGE, ret, sp);
	}
}

void __tsan_read_range(void *addr, unsigned long n)
{
	on_range(addr, n, false, RET, SP);
}

void __tsan_write_range(void *addr, unsigned long n)
{
	on_range(addr, n, true, RET, SP);
}

void __tsan_read_range_pc(void *addr, unsigned long n, void *pc)
{
	on_range(addr, n, false, (uintptr_t)pc, SP);
}

void __tsan_write_range_pc(void *addr, unsigned long n, void *pc)
{
	on_range(addr, n, true, (uintptr_t)pc, SP);
}

/* ---- memory functions: these make the copy, so both sides are known afterwards ---- */

HOT void on_copy(const void *dst, const void *src, unsigned long n, uintptr_t ret, uintptr_t sp)
{
	struct frt_thread *t = frt_self;
	uint32_t site;

	if (!t)
		return;
	if (frames_over(t, sp))
		drop_frames(t, sp, 0);
	site = frt_pc_site(t, ret);
	if (src && !t->tsan->ignore_reads)
		frt_range(t, false, src, n, site);
	if (!t->tsan->ignore_writes)
		frt_range(t, true, dst, n, site);
}

/* Reads the value of an announced write before the copy changes it. */
HOT void before_copy(const void *dst, unsigned long n)
{
	struct frt_thread *t = frt_self;

	if (!t || !t->announced_addr)
		return;
	/* gcc announces the copy of a large struct and then calls memcpy,
	   whose event is more exact. */
	if (t->announced_addr == dst && t->announced_site_size & FRT_ANNOUNCED_RANGE &&
	    FRT_ANNOUNCED_SIZE(t->announced_site_size) == n)
		t->announced_addr = NULL;
	else
		frt_flush_announced(t);
}

void *__tsan_memcpy(void *dst, const void *src, unsigned long n)
{
	before_copy(dst, n);
	memcpy(dst, src, n);
	on_copy(dst, src, n, RET, SP);
	return dst;
}

void *__tsan_memmove(void *dst, const void *src, unsigned long n)
{
	before_copy(dst, n);
	memmove(dst, src, n);
	on_copy(dst, src, n, RET, SP);
	return dst;
}

void *__tsan_memset(void *dst, int c, unsigned long n)
{
	before_copy(dst, n);
	memset(dst, c, n);
	on_copy(dst, NULL, n, RET, SP);
	return dst;
}
