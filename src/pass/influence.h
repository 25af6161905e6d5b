/*
 * The graph of influence (format/site_table.h): for slices, the effects of each value that the
 * program reads. The pass makes it before it inserts any hook, function by function; sites become
 * known while it inserts the hooks.
 *
 * For each function, struct fr_inf has a node for each value, tracked local, block and access:
 *   influence_flow.c     data flow: registers, locals whose address stays in the function, stores,
 *                        calls
 *   influence_control.c  branches: harmless ones decide about the blocks of their region
 *   influence_loop.c     loops that end whatever the program reads
 *   influence_reduce.c   keeps the nodes that the table needs
 * influence.c joins the graphs of the functions and turns instructions into sites. influence_wait.c
 * finds waiting loops.
 *
 * Everything that is not understood becomes USED or BRANCH, so that the reads that lead there
 * matter always. Not handled, and so always in that class: masked, strided and variable-size
 * ranges; copies of unknown size; arguments by value in memory; values stored through pointers,
 * unless they were read at the same address or just before; locals whose address is passed on;
 * values in exceptions; indirect calls; inline assembly; loops whose end is not obvious.
 * Not seen: callers that find a function by its name at run time (dlsym), or that were compiled
 * without the pass. The graph assumes that they do not use its result.
 */
#ifndef FR_PASS_INFLUENCE_H
#define FR_PASS_INFLUENCE_H

#include "func.h"
#include "postdom.h"

/* ---- the unit ---- */

/* Call it before any hook is inserted. */
void fr_influence_find(struct fr_pass_unit *u, struct fr_func *f, size_t n);
/* After fr_loops: the sites of the function's plain accesses, and which accesses have a hook. */
void fr_influence_settle(struct fr_func *f);
/* The site of an atomic operation, call or branch. */
void fr_influence_site(struct fr_pass_unit *u, LLVMValueRef inst, uint32_t site);
/* The function has the sites first ... end - 1. */
void fr_influence_sites(struct fr_pass_unit *u, LLVMValueRef fn, uint32_t first, uint32_t end);
/* Writes the graph into the site table. */
void fr_influence_finish(struct fr_pass_unit *u);
void fr_influence_free(struct fr_pass_unit *u);

/* ---- a node of the unit ---- */

struct fr_inf_out {
	uint8_t kind; /* enum fr_node_kind */
	uint16_t arg;
	uintptr_t
	    ref; /* VALUE: access key; EXECUTE: block or function; BRANCH, USED: instruction or 0;
			  PARAM, RESULT, CALLED: function; JOIN: a number */
};
/* The number of the node, which is added if it is new. */
uint32_t fr_inf_out(struct fr_pass_unit *u, struct fr_inf_out x);
/* The kind of a node. */
unsigned fr_inf_kind(const struct fr_pass_unit *u, uint32_t out);
/* A new JOIN. */
uint32_t fr_inf_join(struct fr_pass_unit *u);
/* Adds an influence; where: format/site_table.h. Returns its number. */
size_t fr_inf_edge(struct fr_pass_unit *u, uint32_t from, uint32_t to, unsigned where);
/* This influence is of a read on a write in its block: settle finds the distance. */
void fr_inf_near(struct fr_pass_unit *u, LLVMValueRef fn, size_t edge, LLVMValueRef read,
		 LLVMValueRef write);
/* The accesses and calls of a block: access keys. */
void fr_inf_block(struct fr_pass_unit *u, LLVMBasicBlockRef b, const uintptr_t *key, size_t n);
/* A read of a waiting loop. */
void fr_inf_waits(struct fr_pass_unit *u, LLVMValueRef read);

/* An access: the instruction, and which side of a copy. */
static inline uintptr_t fr_inf_key(LLVMValueRef inst, bool write)
{
	return (uintptr_t)inst | (write && LLVMIsACallInst(inst) ? 1 : 0);
}

/* ---- a function ---- */

struct fr_inf_node {
	uint32_t out; /* node of the unit, or FR_INF_INNER */
};
#define FR_INF_INNER UINT32_MAX

struct fr_inf_edge {
	uint32_t from, to;
	uint8_t where;
	LLVMValueRef read, write; /* `where` is not known yet: the write may be near */
};

struct fr_inf {
	struct fr_pass_unit *u;
	struct fr_func *f;
	struct fr_cfg cfg;
	struct fr_postdom post;
	FR_VEC(struct fr_inf_node) node;
	FR_VEC(struct fr_inf_edge) edge;
	struct fr_map id;	/* value, or local | 1 for its contents -> node + 1 */
	struct fr_map outs;	/* node of the unit -> node + 1 */
	struct fr_map recorded; /* access key -> 1 */
	struct fr_map tracked;	/* alloca -> 1 no, 2 yes */
	uint32_t *execute;	/* by block: node, or FR_INF_INNER if nothing needs it */
	LLVMValueRef *bad;	/* by block: an instruction that is not harmless, or NULL */
};

/* Nodes: of a value (of an access, its VALUE), of the contents of a tracked local, of the unit. */
uint32_t fr_inf_value(struct fr_inf *g, LLVMValueRef v);
uint32_t fr_inf_contents(struct fr_inf *g, LLVMValueRef local);
uint32_t fr_inf_node(struct fr_inf *g, unsigned kind, uintptr_t ref, unsigned arg);
void fr_inf_add(struct fr_inf *g, uint32_t from, uint32_t to);
/* The value, if it is one that can carry an influence, gets to the node. */
void fr_inf_flow(struct fr_inf *g, LLVMValueRef v, uint32_t to);

/* influence_flow.c: all instructions. */
void fr_inf_data(struct fr_inf *g);
/* The local that contains the address, if all accesses to it are known; else NULL. */
LLVMValueRef fr_inf_local(struct fr_inf *g, LLVMValueRef ptr);
/* Is the address a constant of the linker? */
bool fr_inf_fixed(LLVMValueRef ptr);
/* Of a load of a local: the value that was stored before it in its block, or NULL. */
LLVMValueRef fr_inf_forwarded(struct fr_inf *g, LLVMValueRef load);
/* Assembly that does nothing but order or wait. */
bool fr_inf_idle_asm(LLVMValueRef call);

/* influence_control.c: all branches, and whether the function is executed. */
void fr_inf_control(struct fr_inf *g);

/* influence_loop.c: does the loop of this header always end? */
bool fr_inf_ends(struct fr_inf *g, unsigned header);

/* influence_reduce.c: puts the function's graph into the unit's. */
void fr_inf_reduce(struct fr_inf *g);

/* influence_wait.c */
void fr_inf_wait(struct fr_inf *g);

#endif
