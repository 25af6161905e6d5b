/*
 * The pass: what its files share. C over the LLVM-C interface; plugin.cpp alone is C++: it
 * registers the two entry points below and does two things that LLVM-C cannot.
 *
 * fr_pass_start, at the start of the pipeline, while the code has still the shape of the source:
 * inserts what is recorded of calls (point.c, args.c), and works out what each access is called
 * (access_name.c, path.c, c_record.c, ditype.c).
 *
 * fr_pass_instrument, at its end (instrument.c): moves loads out of loops (hoist.c), finds the
 * accesses that are recorded (access.c, local_escape.c, redundant.c), those that are recorded when
 * their loop is left (loop.c, cfg.c, affine.c, iv.c, alias.c, tile.c, loop_order.c), inserts hooks
 * (hook.c, size.c, atomic.c, memop.c, call.c, frame.c, stride.c, branch.c and flow.c), makes the
 * site table (site.c, lookup.c), links the bitcode of the hooks and inlines it (link.c).
 */
#ifndef FR_PASS_PASS_H
#define FR_PASS_PASS_H

#include "base/mem.h"
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm/Config/llvm-config.h>
#include <stdbool.h>
#include <stdint.h>

#if LLVM_VERSION_MAJOR < 16
#error "LLVM 16 or later is needed: opaque pointers only"
#endif

/* ---- options: the environment's FORERUN_PASS, "key=value:..." (pass_opt.c) ---- */

struct fr_pass_opt {
	bool ranges;		   /* loops over memory become one event */
	bool tiles;		   /* ... also of arrays that every iteration touches */
	bool nests;		   /* ... of two loops, when the outer one is left */
	bool redundant;		   /* a read that repeats one of its block is left out */
	bool locals;		   /* locals that do not escape are left out */
	bool branches;		   /* branches that depend on what is recorded have hooks */
	bool verify;		   /* check the module after the pass */
	bool verbose;		   /* print counters */
	unsigned inlined;	   /* hooks of a function that has all of them inlined (size.c) */
	FR_VEC(char *) only, skip; /* globs of functions or files */
	FR_VEC(char *) calls;	   /* globs of functions whose calls are recorded */
};
void fr_pass_opt_read(struct fr_pass_opt *ret);
void fr_pass_opt_free(struct fr_pass_opt *o);
/* Do only= and skip= let this function through? */
bool fr_pass_opt_wants(const struct fr_pass_opt *o, const char *function, const char *linkage,
		       const char *file);
/* Does calls= name this function? */
bool fr_pass_opt_calls(const struct fr_pass_opt *o, const char *function, const char *linkage);

/* ---- counters: whatever was left out or not understood ---- */

#define FR_PASS_COUNTERS(X)                                                               \
	X(functions, "functions instrumented")                                            \
	X(functions_large, "of these, large ones: hooks inlined in small loops only")     \
	X(functions_skipped, "functions left alone")                                      \
	X(coroutines, "functions left alone: coroutines before splitting")                \
	X(reads, "reads with a hook")                                                     \
	X(writes, "writes with a hook")                                                   \
	X(atomics, "atomic operations with a hook")                                       \
	X(ranges, "memory intrinsics with a hook")                                        \
	X(strided, "accesses recorded when their loop is left")                           \
	X(strides, "loop events for them")                                                \
	X(nests, "nests of two loops among them")                                         \
	X(redundant, "reads left out: repeated in their block")                           \
	X(local, "accesses left out: locals that do not escape")                          \
	X(constant, "accesses left out: constants")                                       \
	X(branches, "branches with a hook, or loops that have one before them")           \
	X(branches_free, "branches without: they depend on nothing that is recorded")     \
	X(points, "calls, returns, beginnings and ends of functions that calls= names")   \
	X(points_indirect, "indirect calls, at which calls= does not see what is called") \
	X(libc, "calls of libc functions redirected")                                     \
	X(named, "accesses with a name")                                                  \
	X(unnamed, "accesses without a name")                                             \
	X(unplaced, "accesses whose place in the source is a guess")                      \
	X(unknown_space, "accesses not recorded: another address space")                  \
	X(unknown_intrinsic, "memory intrinsics not understood")                          \
	X(unknown_asm, "inline assembly, whose accesses are not seen")                    \
	X(unknown_type, "accesses not recorded: type without a fixed size")               \
	X(unknown_va_arg, "va_arg instructions, whose accesses are not seen")             \
	X(unknown_libatomic, "calls into libatomic, whose accesses are not seen")

enum fr_pass_counter {
#define FR_X(n, s) FR_PC_##n,
	FR_PASS_COUNTERS(FR_X)
#undef FR_X
	    FR_PC_COUNT
};

/* ---- hooks (hook.c): names, and parameter types as v void, p pointer, l i64, i i32 ---- */

#define FR_PASS_HOOKS(X)                                \
	X(READ1, "frt_h_read1", "vpli")                 \
	X(READ2, "frt_h_read2", "vpli")                 \
	X(READ4, "frt_h_read4", "vpli")                 \
	X(READ8, "frt_h_read8", "vpli")                 \
	X(WRITE1, "frt_h_write1", "vpli")               \
	X(WRITE2, "frt_h_write2", "vpli")               \
	X(WRITE4, "frt_h_write4", "vpli")               \
	X(WRITE8, "frt_h_write8", "vpli")               \
	X(ENTER, "frt_h_enter", "ii")                   \
	X(LEAVE, "frt_h_leave", "vi")                   \
	X(RESTORE, "frt_h_restore", "vi")               \
	X(CALL, "frt_h_call", "vii")                    \
	X(BRANCH, "frt_h_branch", "vili")               \
	X(READ16, "frt_h_read16", "vplli")              \
	X(WRITE16, "frt_h_write16", "vplli")            \
	X(READ_U, "frt_h_read_u", "vplii")              \
	X(WRITE_U, "frt_h_write_u", "vplii")            \
	X(RANGE_READ, "frt_h_range_read", "vpli")       \
	X(RANGE_WRITE, "frt_h_range_write", "vpli")     \
	X(STRIDE_READ, "frt_h_stride_read", "vpllii")   \
	X(STRIDE_WRITE, "frt_h_stride_write", "vpllii") \
	X(STRIDES, "frt_h_strides", "vpipi")            \
	X(NEST, "frt_h_nest", "vpiiipi")                \
	X(ATOMIC_LOAD, "frt_h_atomic_load", "vplii")    \
	X(ATOMIC_STORE, "frt_h_atomic_store", "vplii")  \
	X(ATOMIC_RMW, "frt_h_atomic_rmw", "vplliii")    \
	X(ATOMIC_CAS, "frt_h_atomic_cas", "vplliii")    \
	X(FENCE, "frt_h_fence", "vii")                  \
	X(STACK_FREE, "frt_h_stack_free", "vpli")       \
	X(REGISTER, "frt_register_unit", "vppii")

enum fr_pass_hook {
#define FR_X(n, s, t) FR_H_##n,
	FR_PASS_HOOKS(FR_X)
#undef FR_X
	    FR_H_COUNT
};

/* ---- a module being instrumented ---- */

struct fr_unit_sites;

struct fr_pass_unit {
	LLVMModuleRef mod;
	LLVMContextRef ctx;
	LLVMTargetDataRef dl;
	LLVMBuilderRef b;
	LLVMTypeRef i8, i32, i64, ptr, tvoid;
	struct fr_pass_opt opt;
	struct fr_unit_sites *sites;
	LLVMValueRef base; /* frt_unit_base, once it is there: fr_site_base */
	struct {
		LLVMValueRef fn;
		LLVMTypeRef type;
		LLVMValueRef apart; /* a function of the unit that calls it, for where inlining is
				       too much */
	} hook[FR_H_COUNT];
	bool apart; /* hooks that are inserted now are calls of those */
	uint64_t count[FR_PC_COUNT];
};

/* The two passes. Both tolerate any module, and return true if they changed it. The first one names
   accesses (fr_pass_name), after inserting what must be there before anything is inlined. */
bool fr_pass_start(LLVMModuleRef m);
bool fr_pass_name(LLVMModuleRef m);
bool fr_pass_instrument(LLVMModuleRef m);

/* plugin.cpp: what LLVM-C cannot do. */
void fr_plugin_drop_flags(LLVMModuleRef m); /* removes the module flags */
void fr_plugin_phi_from(LLVMValueRef phi, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
void fr_plugin_option(const char *name, const char *value); /* as -mllvm -name=value */

/* speculate.c: forbids the optimiser to invent accesses. At the start of the pipeline. */
bool fr_speculation_forbid(LLVMModuleRef m);

/* ---- small things used everywhere (hook.c) ---- */

/* A hook at the builder's place. The last argument of an access hook is a site: fr_site_value. */
LLVMValueRef fr_hook(struct fr_pass_unit *u, enum fr_pass_hook h, LLVMValueRef *args);
/* Bodies for the hooks that were inserted apart. */
void fr_hook_apart_bodies(struct fr_pass_unit *u);
/* The variable that holds the unit's first site id. */
LLVMValueRef fr_site_base(struct fr_pass_unit *u);
/* The site id as a value at the builder's place. */
LLVMValueRef fr_site_value(struct fr_pass_unit *u, uint32_t site);
LLVMValueRef fr_i32(struct fr_pass_unit *u, uint64_t v);
LLVMValueRef fr_i64(struct fr_pass_unit *u, uint64_t v);
/* Builder right behind / before an instruction, with its debug location or that of the function. */
void fr_after(struct fr_pass_unit *u, LLVMValueRef inst);
void fr_before(struct fr_pass_unit *u, LLVMValueRef inst);
/* An access's value as i64, zero-extended, at the builder's place; of 16 bytes: hi too. */
LLVMValueRef fr_value64(struct fr_pass_unit *u, LLVMValueRef v, uint64_t size, LLVMValueRef *hi);
/* Bytes that a load or store of the type touches; 0 if that is not fixed. */
uint64_t fr_store_size(struct fr_pass_unit *u, LLVMTypeRef t);
/* Name of a called function if it is called directly, else NULL. */
const char *fr_callee_name(LLVMValueRef call, LLVMValueRef *ret_fn);
/* Is the called function an intrinsic? Its name without "llvm.", else NULL. */
const char *fr_intrinsic(LLVMValueRef call);
/* Has the function (or, for a call, the call or its callee) the enum attribute? */
bool fr_fn_attr(LLVMValueRef fn, const char *name);
bool fr_call_attr(LLVMValueRef call, const char *name);

#endif
