/*
 * The program's state at a hook: its registers and its stack. ctl_poll.c compares it from one round
 * of a loop to the next.
 *
 * frt_keep_state() comes first in a function that is a hook and has no state of its own, so that
 * the callee-saved registers still are the program's. A wrapped call has more to do: a few
 * instructions that the compiler does not touch come before it (FRT_STATE_FIRST).
 */
#ifndef FRT_PROGRAM_STATE_H
#define FRT_PROGRAM_STATE_H

#include "rt.h"
#include <stddef.h>

#define FRT_REGS 6

struct frt_program_state {
	uint64_t reg[FRT_REGS]; /* callee-saved; the last one, rbp, only in wrapped calls */
	const uint64_t *low;	/* the hook's frame begins: other registers of the program */
	const uint64_t *frame; /* the program's frame pointer and then its stack; NULL: not known */
};

extern bool frt_state_wanted __attribute__((visibility("hidden")));
extern struct frt_program_state frt_state __attribute__((visibility("hidden")));

#if defined(__x86_64__)
#define frt_keep_state()                                                                          \
	do {                                                                                      \
		if (frt_unlikely(frt_state_wanted)) {                                             \
			__asm__ volatile("movq %%rbx, %0\n\tmovq %%r12, %1\n\tmovq %%r13, %2\n\t" \
					 "movq %%r14, %3\n\tmovq %%r15, %4\n\tmovq %%rsp, %5"     \
					 : "=m"(frt_state.reg[0]), "=m"(frt_state.reg[1]),        \
					   "=m"(frt_state.reg[2]), "=m"(frt_state.reg[3]),        \
					   "=m"(frt_state.reg[4]), "=m"(frt_state.low));          \
			frt_state.reg[5] = 0;                                                     \
			frt_state.frame = __builtin_frame_address(0);                             \
		}                                                                                 \
	} while (0)

/* Defines `name`, which keeps the state and then continues as `rest`, with the same argument. */
#define FRT_STATE_FIRST(ret, name, rest, ...)                                                \
	__attribute__((used, visibility("hidden"))) ret rest(__VA_ARGS__);                   \
	__attribute__((naked)) ret name(__VA_ARGS__ __attribute__((unused)))                 \
	{                                                                                    \
		__asm__("cmpb $0, frt_state_wanted(%rip)\n\tje 1f\n\t"                       \
			"movq %rbx, frt_state(%rip)\n\tmovq %r12, frt_state+8(%rip)\n\t"     \
			"movq %r13, frt_state+16(%rip)\n\tmovq %r14, frt_state+24(%rip)\n\t" \
			"movq %r15, frt_state+32(%rip)\n\tmovq %rbp, frt_state+40(%rip)\n\t" \
			"movq %rsp, frt_state+48(%rip)\n\tmovq %rsp, frt_state+56(%rip)\n\t" \
			"1: jmp " #rest);                                                    \
	}
_Static_assert(offsetof(struct frt_program_state, low) == 48, "FRT_STATE_FIRST");
_Static_assert(offsetof(struct frt_program_state, frame) == 56, "FRT_STATE_FIRST");
#else
#define frt_keep_state() ((void)0)
#define FRT_STATE_FIRST(ret, name, rest, ...) \
	ret rest(__VA_ARGS__);                \
	__attribute__((alias(#rest))) ret name(__VA_ARGS__);
#endif

#endif
