/*
 * Records programs that gcc or clang built with -fsanitize=thread instead of the pass.
 *
 * Such code calls the entry points of ThreadSanitizer's interface. tsan_abi.c (accesses, functions,
 * memory functions), tsan_atomic.c and tsan_annotate.c define them. They use the same thread state,
 * filter and emitter as the hooks of the pass (core/rt.h). The interface differs in four ways:
 *
 * Sites:       a hook has no site number, so its program counter is the site (tsan_site.c).
 * Announced:   these hooks come before the access. The value of a read can be read at once. A write
 *              is only *announced* (t->announced_addr) and counted. It is written with the value in
 *              memory at the thread's next hook, synchronisation or end (frt_flush_announced,
 *              tsan_announced.c).
 * Held reads:  gcc announces `*p = *q` as the write and then the read, and only then copies. So a
 *              read that closely follows an announced write, while the memory of the write has not
 *              changed, is held until the value of the write is known.
 * Frames:      the interface has no hook for longjmp. Each frame of such code remembers the stack
 *              pointer at its entry. A frame below the stack pointer of a later hook is over.
 *              Frames of the pass (function sites below FR_SITE_PC_FIRST) are left alone.
 *
 * Calls of libc come to the wrappers through tsan_thunk.c, which records the call site first
 * (tsan_stub.h: the stubs do the same). tsan_fast.h is the part of the hooks that runs for every
 * access.
 * Losses are counted: lost_sites (too many program counters), lost_late (memory unmapped before the
 * value of an announced write was read).
 */
#ifndef FRT_TSAN_H
#define FRT_TSAN_H

#include "runtime/core/rt.h"

struct frt_announced {
	uint64_t hook;	    /* of the write */
	uint64_t before[2]; /* sample of the memory when the write was announced */
	uintptr_t pc;
	uint32_t depth;	 /* of the call stack */
	bool may_vanish; /* its memory may be unmapped */
	/* the held read; r_site_size is 0 if there is none */
	const void *r_addr;
	uint64_t r_site_size, r_hook;
	uint64_t r_sample[2];
};

struct frt_tsan {
	struct frt_announced announced;
	uint64_t clock; /* time-stamp counter when a write that may vanish was last flushed */
	uint32_t ignore_reads, ignore_writes;
	/* frames below this depth are on another stack: stack pointers do not apply */
	uint32_t floor;
	struct {
		uintptr_t sp;  /* frame address of its func_entry */
		uintptr_t ret; /* return address of the function */
		uintptr_t pc;  /* an address in the function, at its start */
	} frame[FRT_FRAMES];
};

/* Flags of announced_site_size and r_site_size, beside site << 32 | size. */
#define FRT_ANNOUNCED_RANGE (UINT64_C(1) << 63)
#define FRT_ANNOUNCED_VOLATILE (UINT64_C(1) << 62)
_Static_assert((uint64_t)FR_SITE_MAX << 32 < FRT_ANNOUNCED_VOLATILE, "flags above the site");
#define FRT_ANNOUNCED_SITE(x) ((uint32_t)((x) >> 32) & FR_SITE_MAX)
#define FRT_ANNOUNCED_SIZE(x) ((uint32_t)(x))

/* ---- tsan_site.c: program counters as sites ---- */

/* Entry of the table: site : 24 (high) | distance from its slot : 5 | pc : 24 high, 3 low bits. The
   slot determines the bits between. */
#define FRT_PC_BITS 21
#define FRT_PC_LOW 3 /* low bits of a pc that do not determine its slot */
#define FRT_PC_KEY(far, pc)                                                                       \
	((uint32_t)((far) << 27 | ((pc) >> (FRT_PC_BITS + FRT_PC_LOW) & 0xffffff) << FRT_PC_LOW | \
		    ((pc) & ((1u << FRT_PC_LOW) - 1))))
extern _Atomic(uint64_t) *_Atomic frt_pc_table;

static inline uint64_t frt_pc_entry(uint64_t pc, unsigned far)
{
	return ((pc >> FRT_PC_LOW) + (pc >> (FRT_PC_BITS + FRT_PC_LOW)) * 0x9e3779b1u + far) &
	       ((1u << FRT_PC_BITS) - 1);
}

uint32_t frt_pc_site_slow(struct frt_thread *t, uint64_t pc, bool function);

static inline uint32_t frt_pc_number(struct frt_thread *t, uintptr_t ret, bool function)
{
	_Atomic(uint64_t) *tab =
	    __atomic_load_n((_Atomic(uint64_t) **)&frt_pc_table, __ATOMIC_RELAXED);
	uint64_t pc = (uint64_t)ret - 1, e;

	if (frt_likely(tab)) {
		e = __atomic_load_n((uint64_t *)&tab[frt_pc_entry(pc, 0)], __ATOMIC_RELAXED);
		if (frt_likely((uint32_t)e == FRT_PC_KEY(0, pc) && e))
			return (uint32_t)(e >> 32);
	}
	return frt_pc_site_slow(t, pc, function);
}

/* The site of an instruction that ends at `ret` (a return address). 0 when there are too many. */
static inline uint32_t frt_pc_site(struct frt_thread *t, uintptr_t ret)
{
	return frt_pc_number(t, ret, false);
}

/* The site of the function that starts with a call that returns to `ret`. */
static inline uint32_t frt_pc_function(struct frt_thread *t, uintptr_t ret)
{
	return frt_pc_number(t, ret, true);
}

/* ---- tsan_announced.c ---- */

/* Announces a write. `access`: site << 32 | size and flags. `sp`: the stack pointer of the hook. */
void frt_announced_write(struct frt_thread *t, const void *addr, uint64_t access, uintptr_t pc,
			 uintptr_t sp);
/* A read, after its value was read into sample[0] (and [1] above 8 bytes). */
void frt_announced_read(struct frt_thread *t, const void *addr, uint64_t access, uintptr_t pc,
			const uint64_t sample[2]);
/* Samples the first 8 bytes and, above 8, the last 8; below 8 all bytes. */
static inline void frt_announced_sample(const void *addr, uint64_t size, uint64_t sample[2])
{
	typedef uint64_t __attribute__((may_alias, aligned(1))) u64;
	typedef uint32_t __attribute__((may_alias, aligned(1))) u32;
	const uint8_t *p = addr;

	sample[0] = sample[1] = 0;
	if (size == 4) {
		sample[0] = *(const u32 *)p;
	} else if (size >= 8) {
		sample[0] = *(const u64 *)p;
		if (size > 8)
			sample[1] = *(const u64 *)(p + size - 8);
	} else {
		for (unsigned i = 0; i < size; i++)
			sample[0] |= (uint64_t)p[i] << 8 * i;
	}
}

/* Brackets a signal handler, before SIGNAL_BEGIN and after SIGNAL_END. A write that was
   announced when the signal came may not have happened yet, and may even have raised it:
   it is set aside meanwhile. */
struct frt_aside {
	struct frt_announced announced;
	const void *announced_addr;
	uint64_t announced_site_size, hook;
	uint32_t floor, depth;
};
void frt_announced_aside(struct frt_thread *t, struct frt_aside *a);
void frt_announced_back(struct frt_thread *t, const struct frt_aside *a);

/* ---- tsan_abi.c ---- */

/* Drops frames that are over, judged by the stack pointer of a hook (its frame address). */
void frt_tsan_settle(struct frt_thread *t, uintptr_t sp);
/*
 * A function with a hook, or a wrapped one, is called. If the topmost frame belongs to such code,
 * finds where its function made the call that led here, perhaps through code without hooks. A call
 * leaves its return address at a stack slot that the hooks' own frames determine, unless the stack
 * pointer has moved (alloca). In that case the call site is the start of the function.
 */
void frt_tsan_called(struct frt_thread *t);

/* ---- tsan_thunk.c ---- */

/* The program contains code built with -fsanitize=thread. */
extern uint8_t frt_tsan_seen __attribute__((visibility("hidden")));

#endif
