/*
 * Stands between a call from code built with -fsanitize=thread and the wrapper: see tsan_stub.h. It
 * keeps all registers that can hold arguments. Such code also enters frt_libc_* here, through
 * frt_tsan_libc_NAME: a link by `forerun cc` redirects its calls of libc functions that the
 * interface has no hook for.
 */
#include "tsan.h"
#include "format/hook_abi.h"
#include "tsan_stub.h"

uint8_t frt_tsan_seen __attribute__((visibility("hidden")));

__attribute__((visibility("hidden"), used)) void frt_tsan_wrapped(uintptr_t sp)
{
	struct frt_thread *t = frt_self;

	/* The runtime's own calls have one of these set. */
	if (!t || t->busy || t->in_wrapper)
		return;
	if (t->announced_addr)
		frt_flush_announced(t);
	frt_tsan_settle(t, sp);
	frt_tsan_called(t);
}

#if defined(__x86_64__)
__asm__(".text\n"
	".globl frt_tsan_thunk\n.hidden frt_tsan_thunk\n.type frt_tsan_thunk,@function\n"
	"frt_tsan_thunk:\n"
	"\t.cfi_startproc\n"
	"\tpush %rbp\n"
	"\t.cfi_def_cfa_offset 16\n"
	"\t.cfi_offset %rbp, -16\n"
	"\tmov %rsp, %rbp\n"
	"\t.cfi_def_cfa_register %rbp\n"
	"\tpush %rdi\n\tpush %rsi\n\tpush %rdx\n\tpush %rcx\n"
	"\tpush %r8\n\tpush %r9\n\tpush %rax\n\tpush %r11\n"
	"\tsub $128, %rsp\n"
	"\tmovups %xmm0, (%rsp)\n\tmovups %xmm1, 16(%rsp)\n"
	"\tmovups %xmm2, 32(%rsp)\n\tmovups %xmm3, 48(%rsp)\n"
	"\tmovups %xmm4, 64(%rsp)\n\tmovups %xmm5, 80(%rsp)\n"
	"\tmovups %xmm6, 96(%rsp)\n\tmovups %xmm7, 112(%rsp)\n"
	"\tmov %rbp, %rdi\n" /* where the frame of a hook called from there would be */
	"\tcall frt_tsan_wrapped\n"
	"\tmovups (%rsp), %xmm0\n\tmovups 16(%rsp), %xmm1\n"
	"\tmovups 32(%rsp), %xmm2\n\tmovups 48(%rsp), %xmm3\n"
	"\tmovups 64(%rsp), %xmm4\n\tmovups 80(%rsp), %xmm5\n"
	"\tmovups 96(%rsp), %xmm6\n\tmovups 112(%rsp), %xmm7\n"
	"\tadd $128, %rsp\n"
	"\tpop %r11\n\tpop %rax\n\tpop %r9\n\tpop %r8\n"
	"\tpop %rcx\n\tpop %rdx\n\tpop %rsi\n\tpop %rdi\n"
	"\tpop %rbp\n"
	"\t.cfi_def_cfa %rsp, 8\n"
	"\tjmp *%r11\n"
	"\t.cfi_endproc\n"
	".size frt_tsan_thunk, .-frt_tsan_thunk\n");
#endif

#define FRT_X(n)                                                                             \
	__asm__(".text\n.globl frt_tsan_libc_" #n "\n.type frt_tsan_libc_" #n ",@function\n" \
		"frt_tsan_libc_" #n ":\n\t.cfi_startproc\n\t" FRT_STUB_JUMP(                 \
		    "frt_libc_" #n) "\t.cfi_endproc\n.size frt_tsan_libc_" #n                \
				    ", .-frt_tsan_libc_" #n "\n");
FRT_LIBC(FRT_X)
#undef FRT_X
