/* A function being instrumented: its accesses and calls, and the steps that instrument it. */
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
	bool local;    /* to an escaping local */
	bool done;     /* no hook of its own: left out, or recorded when its loop is left */
	size_t stands; /* done by redundant.c: 1 + the access that stands for it */
	LLVMBasicBlockRef loop; /* header of that loop */
	uint32_t site;
};

/* The end of a block that records the accesses of a loop. */
struct fr_left {
	LLVMValueRef term;
	LLVMBasicBlockRef header;
};

struct fr_func {
	struct fr_pass_unit *u;
	LLVMValueRef fn;
	FR_VEC(struct fr_access) access;
	FR_VEC(LLVMValueRef) atomic, memop, call, exit, pad, local; /* local: static allocas */
	FR_VEC(LLVMValueRef) life_end; /* calls that end the lives of locals */
	struct fr_map ends;	       /* allocas with such an end */
	FR_VEC(struct fr_left) left;
	struct fr_map escapes; /* alloca or byval argument -> 1 no, 2 yes */
	struct fr_map names;   /* address -> named access + 1 (access_name_find.c) */
	LLVMValueRef depth;    /* result of frt_h_enter */
	bool large;	       /* inline hooks in small loops only */
	struct fr_map small;   /* blocks of those loops */
	bool empty;	       /* nothing to instrument */
	bool funclets;	       /* Windows exceptions: not handled */
};

/* access.c: fills the lists of f. */
void fr_func_collect(struct fr_func *f);
/* True if another thread could see this address. Counts the reason if not. */
bool fr_func_shared(struct fr_func *f, LLVMValueRef ptr, bool *ret_local);
/* Inserts the hook of an access. */
void fr_access_hook(struct fr_func *f, const struct fr_access *a);
uint32_t fr_access_site(struct fr_func *f, LLVMValueRef inst, LLVMValueRef ptr, unsigned access,
			unsigned which);

/* local_escape.c: true if the address of the local may leave the function. */
bool fr_escapes(LLVMValueRef local);
/* The alloca, byval argument or global that contains the address, or the address itself. */
LLVMValueRef fr_underlying(LLVMValueRef ptr);

/* std_node.c: records what a function of libstdc++ does to the nodes of a container. */
void fr_std_node_hook(struct fr_pass_unit *u, LLVMValueRef call, LLVMValueRef callee,
		      const char *name);

/* frame.c: true if the call ends the life of a local that escapes. */
bool fr_ends_local(struct fr_func *f, LLVMValueRef call);

/* redundant.c: marks reads that repeat one of their block. */
void fr_redundant(struct fr_func *f);
/* True if two addresses are always equal where both are defined. Compares their structure. */
bool fr_same_address(LLVMValueRef a, LLVMValueRef b);
/* True if the instruction may write memory, synchronise, or hide such an operation. */
bool fr_may_write(LLVMValueRef inst);

/* size.c: decides whether the function is too large to inline every
   hook, and where it still does. */
void fr_size_up(struct fr_func *f);
/* Selects how hooks next to this instruction are inserted. */
void fr_size_choose(struct fr_func *f, LLVMValueRef inst);

/* hoist.c: moves guarded loads out of nested loops. Call it before fr_func_collect. */
void fr_hoist(struct fr_func *f);

/* loop.c: finds loops whose accesses are recorded when the loop is left; inserts those hooks. */
void fr_loops(struct fr_func *f);

/* branch.c: inserts hooks at branches that depend on recorded reads. Call it after fr_loops and
   before all other hooks. */
void fr_branches(struct fr_func *f);

/* atomic.c, memop.c, call.c: instrument one instruction of the list. */
void fr_atomic_hook(struct fr_func *f, LLVMValueRef inst);
void fr_memop_hook(struct fr_func *f, LLVMValueRef call);
bool fr_memop_known(const char *intrinsic);
/* The size of a copy or fill if it is fixed and not volatile, else 0. */
uint64_t fr_memop_fixed(LLVMValueRef call);
/* Does it fill memory with zeros? */
bool fr_memop_zeroes(LLVMValueRef call);
bool fr_memop_checked(struct fr_func *f, LLVMValueRef call, const char *name);
void fr_call_hook(struct fr_func *f, LLVMValueRef call);
/* Marks the places where main returns with a failure. */
void fr_return_hooks(struct fr_func *f);

/* cpu_input.c: hooks of the instructions that read the processor's clock or random numbers. Call it
   after all other hooks of the function. True if there are any. */
bool fr_machine_hooks(struct fr_pass_unit *u, LLVMValueRef fn);

/* frame.c: entry, exits, landing pads. */
void fr_frame_hooks(struct fr_func *f);

/* access_name_find.c: name and type of the accessed object, "" if not known. which: 0, or 1 for the
   source of a copy. The strings live until the next call. */
void fr_lookup_name(struct fr_func *f, LLVMValueRef inst, LLVMValueRef ptr, unsigned which,
		    const char **name, const char **type);

/* call_event.c: hooks of calls that the option `calls` names, in wanted functions, and their
   sites. */
bool fr_points_insert(struct fr_pass_unit *u, bool (*wants)(struct fr_pass_unit *, LLVMValueRef));
void fr_points_finish(struct fr_pass_unit *u);
/* Appends the source name of a function or alias, as the options name it. */
void fr_point_name(struct fr_pass_unit *u, LLVMValueRef callee, struct fr_buf *b);

/* link.c: after all functions. */
void fr_link_attributes(struct fr_pass_unit *u);
/*
 * own_libc_name.c. mark: true if the module defines a function that forerun replaces elsewhere.
 * early: true for a function that libc may call before there are threads; it is not instrumented.
 * redirects: true if calls of it may go to the runtime. choose: the target of a call of `name`,
 * decided at link time.
 */
bool fr_define_early(LLVMValueRef fn);
bool fr_define_redirects(LLVMValueRef callee);
bool fr_define_mark(struct fr_pass_unit *u);
LLVMValueRef fr_define_choose(struct fr_pass_unit *u, const char *name, LLVMValueRef programs,
			      LLVMValueRef runtimes);
void fr_link_register(struct fr_pass_unit *u);
bool fr_link_hooks(struct fr_pass_unit *u);

#endif
