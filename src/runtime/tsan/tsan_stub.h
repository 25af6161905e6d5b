/*
 * How a call of the program reaches a wrapper: assembler text for the stubs of interpose_*.c.
 *
 * Code of the pass reports its call site before each call (frt_h_call). Code built with
 * -fsanitize=thread does not, so the stub does it before the wrapper, if the program contains such
 * code (frt_tsan_seen). Only there the return address is available. The stub also flushes announced
 * writes before the wrapper does anything.
 */
#ifndef FRT_TSAN_STUB_H
#define FRT_TSAN_STUB_H

#if defined(__x86_64__)
#define FRT_STUB_JUMP(target)                                            \
	"cmpb $0, frt_tsan_seen(%rip)\n\tjne 1f\n\tjmp " target "@PLT\n" \
	"1:\tlea " target "(%rip), %r11\n\tjmp frt_tsan_thunk\n"
#elif defined(__aarch64__)
#define FRT_STUB_JUMP(target) "b " target "\n"
#else
#error "no jump known for this machine"
#endif

#endif
