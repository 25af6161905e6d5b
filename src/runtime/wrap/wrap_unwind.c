/*
 * Calls that may be left by unwinding: cancellation, pthread_exit, a C++ exception.
 *
 * The frame of frt_unwind_call has its own personality routine, which the unwinder calls when it
 * passes: no landing pad, no setjmp, nothing from libgcc. The routine finds the guard in the
 * thread's list of guards. Unwinding goes from the innermost frame outwards, and so does the list.
 *
 * Everything that the unwinder passed before it came to a guard is over: signal handlers, wrappers
 * and, where cancellation is asynchronous, the emitter. So the thread's state is reset to that of
 * the beginning of the guarded call.
 *
 * Guards that longjmp left stay in the list until the next guard of the thread, which lies above
 * them on the stack, drops them.
 * Not handled: longjmp out of a guarded call inside another one, followed by an exception through
 * the outer one: the inner guard is then taken for the outer.
 */
#include "runtime/core/emit.h"
#include "wrap.h"

/* Constants of the unwinder (unwind.h needs a library that a C program may lack). */
#define CLEANUP_PHASE 2
#define CONTINUE_UNWIND 8

long frt_unwind_call(struct frt_guard *g, long (*fn)(struct frt_guard *));
int frt_unwind_personality(int version, int actions, uint64_t class, void *exception,
			   void *context);

#if defined(__x86_64__)
__asm__(".text\n.globl frt_unwind_call\n.hidden frt_unwind_call\n.type frt_unwind_call,@function\n"
	"frt_unwind_call:\n"
	".cfi_startproc\n"
	".cfi_personality 0x9b, DW.ref.frt_unwind_personality\n"
	"subq $8, %rsp\n"
	".cfi_adjust_cfa_offset 8\n"
	"call *%rsi\n"
	"addq $8, %rsp\n"
	".cfi_adjust_cfa_offset -8\n"
	"ret\n"
	".cfi_endproc\n"
	".size frt_unwind_call, .-frt_unwind_call\n"
	".section .data.rel.local.DW.ref.frt_unwind_personality,\"awG\",@progbits,"
	"DW.ref.frt_unwind_personality,comdat\n"
	".hidden DW.ref.frt_unwind_personality\n.weak DW.ref.frt_unwind_personality\n"
	".balign 8\n.type DW.ref.frt_unwind_personality,@object\n"
	".size DW.ref.frt_unwind_personality, 8\n"
	"DW.ref.frt_unwind_personality:\n.quad frt_unwind_personality\n"
	".text\n");
#else
/* Other machines: a call that is unwound leaves no event. */
long frt_unwind_call(struct frt_guard *g, long (*fn)(struct frt_guard *))
{
	return fn(g);
}
#endif

int frt_unwind_personality(int version, int actions, uint64_t class, void *exception, void *context)
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

	frt_assert(g->unwound);
	/* a handler may run on another stack, where addresses are not comparable */
	if (!l->signals)
		while (l->guards && (uintptr_t)l->guards <= (uintptr_t)g)
			l->guards = l->guards->outer;
	g->outer = l->guards;
	g->signals = l->signals;
	g->in_wrapper = t->in_wrapper;
	g->busy = t->busy;
	l->guards = g;
	r = frt_unwind_call(g, fn);
	l->guards = g->outer;
	return r;
}
