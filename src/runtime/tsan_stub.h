/*
 * How a call of the program comes to a wrapper: as assembler text, for the stubs of interpose_*.c.
 *
 * Code of the pass tells before each call where it stands (frt_h_call). Code built with
 * -fsanitize=thread does not, so the stub does it for the wrapper, if there is such code in the
 * program (frt_tsan_seen): the only moment at which the return address is at hand. What was
 * announced is flushed before the wrapper does anything.
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

/*
 * Functions of the C++ library through which memory is allocated: calls of these are places in the
 * program too, those of malloc inside them are not. new and delete, for arrays, nothrow, aligned,
 * sized.
 */
#define FRT_TSAN_CXX(X)                                                                         \
	X(_Znwm)                                                                                \
	X(_Znam) X(_ZnwmRKSt9nothrow_t) X(_ZnamRKSt9nothrow_t) X(_ZnwmSt11align_val_t)          \
	    X(_ZnamSt11align_val_t) X(_ZnwmSt11align_val_tRKSt9nothrow_t)                       \
		X(_ZnamSt11align_val_tRKSt9nothrow_t) X(_ZdlPv) X(_ZdaPv) X(_ZdlPvm) X(_ZdaPvm) \
		    X(_ZdlPvSt11align_val_t) X(_ZdaPvSt11align_val_t) X(_ZdlPvmSt11align_val_t) \
			X(_ZdaPvmSt11align_val_t)

#endif
