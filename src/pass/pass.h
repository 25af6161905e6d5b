/*
 * The compiler pass: inserts the hooks (format/hook_abi.h) that record the program's actions.
 *
 * clang loads it as a plug-in (`forerun cc` passes -fpass-plugin). The code is C over the LLVM-C
 * interface. Only plugin.cpp, which registers the two passes and does three things that LLVM-C
 * cannot, and deny.cpp are C++. Both passes work on one module (struct fr_pass_unit).
 *
 * fr_pass_start runs at the start of the pipeline, while the code still has the shape of the
 * source:
 *  1. inserts the hooks of calls that the user named (call_event.c, args.c);
 *  2. forbids the optimiser to invent accesses (speculate.c, deny.cpp);
 *  3. attaches to each access its name in the source (access_name.c, path.c, c_record.c, ditype.c,
 *     sync_name.c) and its origin (access_origin.c).
 *
 * fr_pass_instrument runs at the end of the pipeline (instrument.c). For each function (func.h):
 *  1. moves loads out of nested loops (hoist.c);
 *  2. finds the accesses to record (access.c, local_escape.c, redundant.c);
 *  3. records those of suitable loops when the loop is left (loop.c, nest.c, tile.c, loop_order.c
 *     and stride.c, with cfg.c, affine.c, iv.c and alias.c);
 *  4. inserts the hooks of branches (branch.c, flow.c);
 *  5. inserts the other hooks (hook.c, size.c, frame.c, call.c, std_node.c, atomic.c, memop.c,
 *     cpu_input.c).
 * Between the steps 2 and 3, it marks reads of all functions (mark.c, mark_reads.c, mark_null.c),
 * and makes the graph of influence (influence.h; within a function influence_flow.c,
 * influence_control.c, influence_loop.c, influence_wait.c and postdom.c; influence_reduce.c joins
 * the functions in influence_unit.h, and influence_table.c writes the result). Then it makes the
 * site table (site.c, access_name_find.c; attribute_property.c adds clang's thread-safety
 * attributes), marks the program's own libc functions (own_libc_name.c), links the bitcode of the
 * inlined hooks and inlines it (link.c, runtime/core/hooks.c). pass_opt.c reads the options of the
 * pass, and plugin.h declares what the C++ files share.
 *
 * Result:  the module calls the hooks, and a constructor registers its site table with the runtime
 *          (frt_register_unit in runtime/core/init.c).
 * Failure: the pass accepts any module. It counts everything that it leaves out or does not
 *          understand (FR_PASS_COUNTERS). It ends the compiler only if it cannot read or link the
 *          hooks, or if the option verify finds that it broke the module.
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
#include <string.h>

#if LLVM_VERSION_MAJOR < 16
#error "LLVM 16 or later is needed: opaque pointers only"
#endif

/* ---- options: FORERUN_PASS of the environment, "key=value:..." (pass_opt.c) ---- */

struct fr_pass_opt {
	bool ranges;	  /* the accesses of a loop become one event */
	bool tiles;	  /* also those to arrays that every iteration touches */
	bool nests;	  /* also those of two nested loops, when the outer one is left */
	bool redundant;	  /* leave out a read that repeats one of its block */
	bool locals;	  /* leave out locals that do not escape */
	bool branches;	  /* insert hooks at branches that depend on recorded reads */
	bool influence;	  /* write the graph of influence */
	bool verify;	  /* check the module after the pass */
	bool verbose;	  /* print counters */
	unsigned inlined; /* inline all hooks in functions with at most this many (size.c) */
	FR_VEC(char *) only, skip; /* globs of functions or files */
	FR_VEC(char *) calls;	   /* globs of functions whose calls are recorded */
	FR_VEC(char *) fails;	   /* globs of functions whose calls are failures */
};
void fr_pass_opt_read(struct fr_pass_opt *ret);
void fr_pass_opt_free(struct fr_pass_opt *o);
/* True if only= and skip= select this function. */
bool fr_pass_opt_wants(const struct fr_pass_opt *o, const char *function, const char *linkage,
		       const char *file);
/* True if calls= names this function. */
bool fr_pass_opt_calls(const struct fr_pass_opt *o, const char *function, const char *linkage);

/* True if fails= names this function. */
bool fr_pass_opt_fails(const struct fr_pass_opt *o, const char *function, const char *linkage);

/* ---- counters: everything that was left out or not understood ---- */

#define FR_PASS_COUNTERS(X)                                                            \
	X(functions, "functions instrumented")                                         \
	X(functions_large, "large ones among them: hooks inlined only in small loops") \
	X(functions_skipped, "functions not instrumented")                             \
	X(coroutines, "functions not instrumented: coroutines before splitting")       \
	X(reads, "reads with a hook")                                                  \
	X(writes, "writes with a hook")                                                \
	X(atomics, "atomic operations with a hook")                                    \
	X(ranges, "memory intrinsics with a hook")                                     \
	X(strided, "accesses recorded at the end of their loop")                       \
	X(strides, "loop events for these accesses")                                   \
	X(nests, "nests of two loops among these")                                     \
	X(redundant, "reads left out: repeated in their basic block")                  \
	X(local, "accesses left out: locals that do not escape")                       \
	X(constant, "accesses left out: constant globals")                             \
	X(branches, "branches with a hook, or with one before their loop")             \
	X(branches_free, "branches without a hook: they depend on nothing recorded")   \
	X(decides, "marks: a read decides a branch to a call that fails")              \
	X(branches_harmless, "influence: branches that influence only their region")   \
	X(branches_matter, "influence: branches that may influence everything")        \
	X(loops_end, "influence: loops in regions that end in any case")               \
	X(waits, "influence: reads and attempts of waiting loops")                     \
	X(uninfluenced, "influence: functions without a graph, because of their size") \
	X(nodes, "influence: nodes")                                                   \
	X(influences, "influence: influences")                                         \
	X(machine, "instructions whose results differ from run to run, with a hook")   \
	X(points, "calls, returns, beginnings and ends of functions named by calls=")  \
	X(points_indirect, "indirect calls, whose function calls= does not see")       \
	X(libc, "calls of libc functions redirected")                                  \
	X(named, "accesses with a name")                                               \
	X(unnamed, "accesses without a name")                                          \
	X(unplaced, "accesses whose source position is guessed")                       \
	X(unknown_space, "accesses not recorded: another address space")               \
	X(unknown_intrinsic, "memory intrinsics of an unknown form")                   \
	X(unknown_asm, "inline assembly, whose accesses are not seen")                 \
	X(unknown_machine, "instructions whose results differ, without a hook")        \
	X(unknown_type, "accesses not recorded: type without a fixed size")            \
	X(unknown_va_arg, "va_arg instructions, whose accesses are not seen")          \
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
	X(TREE_INSERT, "frt_h_tree_insert", "vippp")    \
	X(TREE_ERASE, "frt_h_tree_erase", "vpp")        \
	X(TREE_STEP, "frt_h_tree_step", "vpi")          \
	X(LIST_HOOK, "frt_h_list_hook", "vpp")          \
	X(LIST_UNHOOK, "frt_h_list_unhook", "vp")       \
	X(LIST_TRANSFER, "frt_h_list_transfer", "vppp") \
	X(FAILS, "frt_h_fails", "vi")                   \
	X(MACHINE, "frt_h_machine", "lli")              \
	X(REGISTER, "frt_register_unit", "vppii")

enum fr_pass_hook {
#define FR_X(n, s, t) FR_H_##n,
	FR_PASS_HOOKS(FR_X)
#undef FR_X
	    FR_H_COUNT
};

/* ---- a module being instrumented ---- */

struct fr_unit_sites;
struct fr_marks;
struct fr_influence;

struct fr_pass_unit {
	LLVMModuleRef mod;
	LLVMContextRef ctx;
	LLVMTargetDataRef dl;
	LLVMBuilderRef b;
	LLVMTypeRef i8, i32, i64, ptr, tvoid;
	struct fr_pass_opt opt;
	struct fr_unit_sites *sites;
	struct fr_marks *marks;		/* mark.h */
	struct fr_influence *influence; /* influence.h */
	LLVMValueRef base;		/* frt_unit_base; NULL until fr_site_base makes it */
	struct {
		LLVMValueRef fn;
		LLVMTypeRef type;
		/* a function of the unit that calls the hook, for where inlining is too much */
		LLVMValueRef apart;
	} hook[FR_H_COUNT];
	bool apart; /* insert calls of the `apart` functions now */
	uint64_t count[FR_PC_COUNT];
};

/* The two passes. Both accept any module and return true if they changed it. fr_pass_start inserts
   the hooks that must exist before inlining, then calls fr_pass_name. */
bool fr_pass_start(LLVMModuleRef m);
bool fr_pass_name(LLVMModuleRef m);
bool fr_pass_instrument(LLVMModuleRef m);

/* plugin.cpp: functions that LLVM-C lacks. */
void fr_plugin_drop_flags(LLVMModuleRef m); /* removes the module flags */
void fr_plugin_phi_from(LLVMValueRef phi, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
void fr_plugin_option(const char *name, const char *value); /* like -mllvm -name=value */

/* speculate.c: forbids the optimiser to invent accesses. Call it at the start of the pipeline. */
bool fr_speculation_forbid(LLVMModuleRef m);

/* ---- helpers for all files (hook.c) ---- */

/* Inserts a hook at the builder's position. Access hooks take a site last: fr_site_value. */
LLVMValueRef fr_hook(struct fr_pass_unit *u, enum fr_pass_hook h, LLVMValueRef *args);
/* Makes the bodies of the `apart` functions that were used. */
void fr_hook_apart_bodies(struct fr_pass_unit *u);
/* The variable that holds the unit's first site id. */
LLVMValueRef fr_site_base(struct fr_pass_unit *u);
/* The site id as a value at the builder's position. */
LLVMValueRef fr_site_value(struct fr_pass_unit *u, uint32_t site);
LLVMValueRef fr_i32(struct fr_pass_unit *u, uint64_t v);
LLVMValueRef fr_i64(struct fr_pass_unit *u, uint64_t v);
/* A number as it is; a pointer as i64, at the builder's position. */
LLVMValueRef fr_as_i64(struct fr_pass_unit *u, LLVMValueRef v);
/* Position the builder after / before an instruction, with its debug location or the function's. */
void fr_after(struct fr_pass_unit *u, LLVMValueRef inst);
void fr_before(struct fr_pass_unit *u, LLVMValueRef inst);
/* Positions the builder after the function's allocas, with the debug location of its line. */
void fr_at_entry(struct fr_pass_unit *u, LLVMValueRef fn);
/* The value of an access as i64, zero-extended, at the builder's position; for 16 bytes also hi. */
LLVMValueRef fr_value64(struct fr_pass_unit *u, LLVMValueRef v, uint64_t size, LLVMValueRef *hi);
/* Bytes that a load or store of the type touches; 0 if the size is not fixed. */
uint64_t fr_store_size(struct fr_pass_unit *u, LLVMTypeRef t);
/* Name of a function that is called directly, else NULL. */
const char *fr_callee_name(LLVMValueRef call, LLVMValueRef *ret_fn);
/* Name of a called intrinsic without "llvm.", else NULL. */
const char *fr_intrinsic(LLVMValueRef call);
/* Does the text s begin with `with`? */
static inline bool fr_starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}
/* The plain form of a C++ linkage name, as a new string; NULL: the name is no such name. */
char *fr_plain_name(const char *linkage);
/* True if the function (or the call, or its callee) has the enum attribute. */
bool fr_fn_attr(LLVMValueRef fn, const char *name);
bool fr_call_attr(LLVMValueRef call, const char *name);

#endif
