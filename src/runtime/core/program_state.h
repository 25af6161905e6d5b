/*
 * The program's state at a hook: its registers and its stack. ctl_poll.c compares it from one round
 * of a loop to the next.
 *
 * frt_keep_state() comes first in a function that is a hook and has no state of its own, so that
 * the callee-saved registers still are the program's.
 */
#ifndef FRT_PROGRAM_STATE_H
#define FRT_PROGRAM_STATE_H

#include "rt.h"

#define FRT_REGS 5

struct frt_program_state {
	uint64_t reg[FRT_REGS]; /* callee-saved, without the frame pointer */
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
			frt_state.frame = __builtin_frame_address(0);                             \
		}                                                                                 \
	} while (0)
#else
#define frt_keep_state() ((void)0)
#endif

#endif
