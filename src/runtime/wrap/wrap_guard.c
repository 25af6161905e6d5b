/*
 * Calls that may be left by unwinding: cancellation, pthread_exit, a C++ exception.
 *
 * The frame of guard_call has a personality routine of its own, which the unwinder asks when it
 * passes: no landing pad, no setjmp, nothing from libgcc. It finds the guard through the thread's
 * list of guards; unwinding goes from the innermost outwards, and so does the list.
 * What the unwinding passed before it came to a guard is over: signal handlers, wrappers and, where
 * cancellation is asynchronous, the emitter. So the thread's state is set back to what it was when
 * the guarded call began.
 * Guards that were left by longjmp stay in the list until the next guard of the thread, which lies
 * above them on the stack, drops them.
 * Not handled: longjmp out of a guarded call that is inside another one, followed by an exception
 * through the outer one: the inner one is then taken for it.
 */
#include "runtime/core/emit.h"
#include "wrap.h"

/* As the unwinder has them (unwind.h wants a library that a C program may lack). */
#define CLEANUP_PHASE 2
#define CONTINUE_UNWIND 8

long frt_guard_call(struct frt_guard *g, long (*fn)(struct frt_guard *));
int frt_guard_personality(int version, int actions, uint64_t class, void *exception, void *context);

#if defined(__x86_64__)
__asm__(".text\n.globl frt_guard_call\n.hidden frt_guard_call\n.type frt_guard_call,@function\n"
	"frt_guard_call:\n"
	".cfi_startproc\n"
	".cfi_personality 0x9b, DW.ref.frt_guard_personality\n"
	"subq $8, %rsp\n"
	".cfi_adjust_cfa_offset 8\n"
	"call *%rsi\n"
	"addq $8, %rsp\n"
	".cfi_adjust_cfa_offset -8\n"
	"ret\n"
	".cfi_endproc\n"
	".size frt_guard_call, .-frt_guard_call\n"
	".section .data.rel.local.DW.ref.frt_guard_personality,\"awG\",@progbits,"
	"DW.ref.frt_guard_personality,comdat\n"
	".hidden DW.ref.frt_guard_personality\n.weak DW.ref.frt_guard_personality\n"
	".balign 8\n.type DW.ref.frt_guard_personality,@object\n"
	".size DW.ref.frt_guard_personality, 8\n"
	"DW.ref.frt_guard_personality:\n.quad frt_guard_personality\n"
	".text\n");
#else
/* Other machines: a call that is unwound leaves no event. */
long frt_guard_call(struct frt_guard *g, long (*fn)(struct frt_guard *))
{
	return fn(g);
}
#endif

int frt_guard_personality(int version, int actions, uint64_t class, void *exception, void *context)
{
	struct frt_thread *t = frt_self;

	(void)version;
	(void)class;
	(void)exception;
	(void)context;
	if ((actions & CLEANUP_PHASE) && t) {
		struct frt_life *l = frt_life(t);
		struct frt_guard *g = l->guards;

		if (g) {
			l->guards = g->outer;
			l->signals = g->signals;
			t->in_wrapper = g->in_wrapper;
			if (!g->busy)
				frt_emit_heal(t);
			g->unwound(g);
		}
	}
	return CONTINUE_UNWIND;
}

long frt_guarded(struct frt_thread *t, struct frt_guard *g, long (*fn)(struct frt_guard *))
{
	struct frt_life *l = frt_life(t);
	long r;

	if (!l->signals) /* a handler may run on another stack, where addresses say nothing */
		while (l->guards && (uintptr_t)l->guards <= (uintptr_t)g)
			l->guards = l->guards->outer;
	g->outer = l->guards;
	g->signals = l->signals;
	g->in_wrapper = t->in_wrapper;
	g->busy = t->busy;
	l->guards = g;
	r = frt_guard_call(g, fn);
	l->guards = g->outer;
	return r;
}
