/*
 * A function being instrumented: what was found in it, and what is done to it.
 */
#ifndef FR_PASS_FUNC_H
#define FR_PASS_FUNC_H

#include "pass.h"
#include "site.h"

/* A plain load or store, or one side of a copy or fill of fixed size (range). */
struct fr_access {
	LLVMValueRef inst, ptr;
	LLVMTypeRef type;
	uint64_t size;
	unsigned align;
	bool write, vol, range;
	bool local; /* to an escaping local */
	bool done;  /* no hook of its own: left out, or recorded when its loop is left */
	LLVMBasicBlockRef loop; /* ... that loop's header */
	uint32_t site;
};

/* The end of a block in which accesses of a loop are recorded. */
struct fr_left {
	LLVMValueRef term;
	LLVMBasicBlockRef header;
};

struct fr_func {
	struct fr_pass_unit *u;
	LLVMValueRef fn;
	FR_VEC(struct fr_access) access;
	FR_VEC(LLVMValueRef) atomic, memop, call, exit, pad, local; /* local: static allocas */
	FR_VEC(struct fr_left) left;
	struct fr_map escapes; /* alloca or byval argument -> 1 no, 2 yes */
	struct fr_map names;   /* address -> access with a name + 1 (lookup.c) */
	LLVMValueRef depth;    /* what frt_h_enter returned */
	bool large;	       /* hooks are inlined in small loops only */
	struct fr_map small;   /* blocks of those */
	bool funclets;	       /* exceptions as on Windows: not handled */
};

/* access.c: fills the lists of f. */
void fr_func_collect(struct fr_func *f);
/* Could another thread see this address? Counts why not. */
bool fr_func_shared(struct fr_func *f, LLVMValueRef ptr, bool *ret_local);
/* Inserts the hook of an access. */
void fr_access_hook(struct fr_func *f, const struct fr_access *a);
uint32_t fr_access_site(struct fr_func *f, LLVMValueRef inst, LLVMValueRef ptr, unsigned access,
			unsigned which);

/* local_escape.c: may the address of the local leave the function? `visit` may be NULL. */
bool fr_escapes(LLVMValueRef local);
/* The alloca, byval argument or global that an address is in, or the address itself. */
LLVMValueRef fr_underlying(LLVMValueRef ptr);

/* redundant.c: marks reads that repeat one of their block. */
void fr_redundant(struct fr_func *f);
/* Do two addresses always hold the same value where both are defined? Structural. */
bool fr_same_address(LLVMValueRef a, LLVMValueRef b);
/* May the instruction write memory, synchronise, or hide such a thing? */
bool fr_may_write(LLVMValueRef inst);

/* size.c: whether the function is too large to have every hook inlined, and where it has. */
void fr_size_up(struct fr_func *f);
/* Hooks next to this instruction: sets how they are inserted. */
void fr_size_choose(struct fr_func *f, LLVMValueRef inst);

/* hoist.c: moves guarded loads out of nests of loops. Before anything is collected. */
void fr_hoist(struct fr_func *f);

/* loop.c: finds loops whose accesses are recorded when the loop is left; inserts those hooks. */
void fr_loops(struct fr_func *f);

/* branch.c: hooks of branches that depend on what is recorded. After loop.c, before all other
 * hooks.
 */
void fr_branches(struct fr_func *f);

/* atomic.c, memop.c, call.c: one instruction of the list. */
void fr_atomic_hook(struct fr_func *f, LLVMValueRef inst);
void fr_memop_hook(struct fr_func *f, LLVMValueRef call);
bool fr_memop_known(const char *intrinsic);
/* A copy or fill of fixed size, not volatile: its size, else 0. */
uint64_t fr_memop_fixed(LLVMValueRef call);
bool fr_memop_checked(struct fr_func *f, LLVMValueRef call, const char *name);
void fr_call_hook(struct fr_func *f, LLVMValueRef call);

/* frame.c: entry, exits, landing pads. */
void fr_frame_hooks(struct fr_func *f);

/* lookup.c: name and type of what an access touches, "" if not known. which: 0, or 1 for the source
   of a copy. The strings live until the next call. */
void fr_lookup_name(struct fr_func *f, LLVMValueRef inst, LLVMValueRef ptr, unsigned which,
		    const char **name, const char **type);

/* point.c: calls that the option calls names, in functions that are wanted, and their sites. */
bool fr_points_insert(struct fr_pass_unit *u, bool (*wants)(struct fr_pass_unit *, LLVMValueRef));
void fr_points_finish(struct fr_pass_unit *u);

/* link.c: after all functions. */
void fr_link_attributes(struct fr_pass_unit *u);
/*
 * define.c. mark: true if the module defines a function that forerun stands in for elsewhere.
 * early: a function that libc may call before there are threads; it is not instrumented.
 * redirects: may calls of it be sent to the runtime?
 * choose: what a call of `name` goes to, decided when the program is linked.
 */
bool fr_define_early(LLVMValueRef fn);
bool fr_define_redirects(LLVMValueRef callee);
bool fr_define_mark(struct fr_pass_unit *u);
LLVMValueRef fr_define_choose(struct fr_pass_unit *u, const char *name, LLVMValueRef programs,
			      LLVMValueRef runtimes);
void fr_link_register(struct fr_pass_unit *u);
bool fr_link_hooks(struct fr_pass_unit *u);

#endif
