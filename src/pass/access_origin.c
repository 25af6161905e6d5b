/* Source locations of optimised accesses: see access_origin.h. */
#include "access_origin.h"
#include "base/assert.h"
#include "base/hash.h"
#include "format/site_table.h"
#include "func.h"
#include <stdio.h>
#include <string.h>

#define DOMAIN "forerun"
#define SCOPE DOMAIN ".%u"
#define CALL_MD "forerun.call"

/* An access of the source. */
struct origin {
	fr_md scope; /* scope of its location */
	unsigned line, column;
	unsigned access;
};

/* The process compiles one module, so one table for the process is enough. */
static struct {
	FR_VEC(struct origin) all;
	struct fr_map at; /* hash of a source location -> its access bits */
} table;

static unsigned kind_of(LLVMContextRef c)
{
	return LLVMGetMDKindIDInContext(c, "alias.scope", 11);
}

static uint64_t position(fr_md scope, unsigned line, unsigned column)
{
	return fr_mix(fr_mix((uintptr_t)scope, line), column) >> 1;
}

/* True if the source has an access of this kind here. */
static bool known(fr_md loc, unsigned access)
{
	uint64_t *bits;

	if (!loc || !LLVMDILocationGetLine(loc))
		return false;
	bits =
	    fr_map_get(&table.at, position(LLVMDILocationGetScope(loc), LLVMDILocationGetLine(loc),
					   LLVMDILocationGetColumn(loc)));
	return bits && (*bits & access) == access;
}

static bool has_line(fr_md loc)
{
	return loc && LLVMDILocationGetLine(loc);
}

/* The nearest location in the block, backwards first, of an access of the source (for access 0: of
   any instruction with a line), else NULL. */
static fr_md nearest(LLVMValueRef inst, unsigned access)
{
	for (unsigned back = 2; back-- > 0;)
		for (LLVMValueRef i = inst; i;
		     i = back ? LLVMGetPreviousInstruction(i) : LLVMGetNextInstruction(i)) {
			fr_md loc = LLVMInstructionGetDebugLoc(i);

			if (access ? known(loc, access) : has_line(loc))
				return loc;
		}
	return NULL;
}

/* ---- at the start of the pipeline ---- */

/* Appends the access's own scope to those that it has. */
static void attach(LLVMContextRef c, LLVMValueRef inst, uint64_t number)
{
	LLVMValueRef old = LLVMGetMetadata(inst, kind_of(c));
	fr_md domain, scope[2], list;
	FR_VEC(fr_md) all = {0};
	char name[32];

	fr_assert(number < table.all.n);
	snprintf(name, sizeof(name), SCOPE, (unsigned)number);
	scope[0] = LLVMMDStringInContext2(c, DOMAIN, strlen(DOMAIN));
	domain = LLVMMDNodeInContext2(c, scope, 1);
	scope[0] = LLVMMDStringInContext2(c, name, strlen(name));
	scope[1] = domain;
	for (unsigned i = 0; old && i < fr_md_nops(c, LLVMValueAsMetadata(old)); i++)
		fr_vec_push(&all, fr_md_op(c, LLVMValueAsMetadata(old), i));
	fr_vec_push(&all, LLVMMDNodeInContext2(c, scope, 2));
	list = LLVMMDNodeInContext2(c, all.v, all.n);
	LLVMSetMetadata(inst, kind_of(c), LLVMMetadataAsValue(c, list));
	fr_vec_free(&all);
}

/* Adds the location of an instruction to the table; false if it has none. */
static bool add(LLVMValueRef inst, unsigned access)
{
	fr_md loc = LLVMInstructionGetDebugLoc(inst);
	struct origin o = {.access = access};

	/* Accesses that clang itself makes have line 0 from the start. */
	if (!has_line(loc))
		loc = nearest(inst, 0);
	if (!loc)
		return false;
	o.scope = LLVMDILocationGetScope(loc);
	o.line = LLVMDILocationGetLine(loc);
	o.column = LLVMDILocationGetColumn(loc);
	fr_vec_push(&table.all, o);
	*fr_map_put(&table.at, position(o.scope, o.line, o.column)) |= access;
	return true;
}

void fr_origin_mark(LLVMContextRef c, LLVMValueRef inst, unsigned access)
{
	if (add(inst, access))
		attach(c, inst, table.all.n - 1);
}

void fr_origin_mark_call(LLVMContextRef c, LLVMValueRef call)
{
	static const char nomerge[] = "nomerge";
	char number[16];
	fr_md text;

	LLVMAddCallSiteAttribute(
	    call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	    LLVMCreateEnumAttribute(c, LLVMGetEnumAttributeKindForName(nomerge, strlen(nomerge)),
				    0));
	if (!add(call, 0))
		return;
	snprintf(number, sizeof(number), "%u", (unsigned)table.all.n - 1);
	text = LLVMMDStringInContext2(c, number, strlen(number));
	LLVMSetMetadata(call, LLVMGetMDKindIDInContext(c, CALL_MD, strlen(CALL_MD)),
			LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, &text, 1)));
}

/* ---- at the end of the pipeline ---- */

static fr_md subprogram(LLVMContextRef c, fr_md scope)
{
	for (unsigned i = 0; scope && i < 1000; i++) {
		if (fr_md_is(scope, LLVMDISubprogramMetadataKind))
			return scope;
		scope = fr_di_scope(c, scope);
	}
	return NULL;
}

/* Where the code of that function was inlined, according to other instructions of the function. */
static fr_md inlined_at(LLVMContextRef c, LLVMValueRef fn, fr_md sp)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			fr_md loc = LLVMInstructionGetDebugLoc(i);

			if (loc && subprogram(c, LLVMDILocationGetScope(loc)) == sp)
				return LLVMDILocationGetInlinedAt(loc);
		}
	return NULL;
}

static fr_md location(LLVMContextRef c, LLVMValueRef inst, const struct origin *o)
{
	LLVMValueRef fn = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
	fr_md own = LLVMInstructionGetDebugLoc(inst), sp = subprogram(c, o->scope), at = NULL;

	if (own && subprogram(c, LLVMDILocationGetScope(own)) == sp)
		at = LLVMDILocationGetInlinedAt(own);
	else if (LLVMGetSubprogram(fn) != sp)
		at = inlined_at(c, fn, sp);
	return LLVMDIBuilderCreateDebugLocation(c, o->line, o->column, o->scope, at);
}

/* The merged access that fits best: of this kind, and in the function of the location. */
static const struct origin *best(LLVMContextRef c, LLVMValueRef inst, unsigned access)
{
	LLVMValueRef v = LLVMGetMetadata(inst, kind_of(c));
	fr_md list = v ? LLVMValueAsMetadata(v) : NULL, own = LLVMInstructionGetDebugLoc(inst);
	fr_md sp = own ? subprogram(c, LLVMDILocationGetScope(own)) : NULL;
	const struct origin *found = NULL;
	unsigned n = list ? fr_md_nops(c, list) : 0, score = 0, number;

	for (unsigned i = 0; i < n; i++) {
		const struct origin *o;
		unsigned s = 1;

		if (sscanf(fr_md_str(c, fr_md_op(c, list, i), 0), SCOPE, &number) != 1 ||
		    number >= table.all.n)
			continue;
		o = &table.all.v[number];
		if ((o->access & access) != access)
			continue;
		s += subprogram(c, o->scope) == sp;
		if (own && s == 2 && o->line == LLVMDILocationGetLine(own))
			s++;
		if (s > score) {
			found = o;
			score = s;
		}
	}
	return found;
}

/* The location of another access of the same address, if it is known. */
static fr_md of_same_address(LLVMValueRef inst, unsigned access)
{
	LLVMValueRef fn = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst)), ptr = NULL;

	if (LLVMIsALoadInst(inst) || LLVMIsAStoreInst(inst))
		ptr = LLVMGetOperand(inst, LLVMIsAStoreInst(inst) ? 1 : 0);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); ptr && b;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			bool store = LLVMIsAStoreInst(i);

			if ((store || LLVMIsALoadInst(i)) &&
			    fr_same_address(LLVMGetOperand(i, store ? 1 : 0), ptr) &&
			    known(LLVMInstructionGetDebugLoc(i), access))
				return LLVMInstructionGetDebugLoc(i);
		}
	return NULL;
}

bool fr_origin_sure(LLVMContextRef c, LLVMValueRef inst, unsigned access)
{
	access &= FR_SITE_READ | FR_SITE_WRITE;
	return !table.all.n || known(LLVMInstructionGetDebugLoc(inst), access) ||
	       best(c, inst, access);
}

fr_md fr_origin_loc(LLVMContextRef c, LLVMValueRef inst, unsigned access)
{
	fr_md own = LLVMInstructionGetDebugLoc(inst), loc;
	const struct origin *o;

	access &= FR_SITE_READ | FR_SITE_WRITE;
	if (!table.all.n || known(own, access))
		return own;
	o = best(c, inst, access);
	if (o)
		return location(c, inst, o);
	loc = of_same_address(inst, access);
	if (!loc)
		loc = nearest(inst, access);
	if (!loc && !has_line(own))
		loc = nearest(inst, 0);
	return loc ? loc : own;
}

fr_md fr_origin_call_loc(LLVMContextRef c, LLVMValueRef call)
{
	fr_md own = LLVMInstructionGetDebugLoc(call), loc;
	LLVMValueRef v =
	    LLVMGetMetadata(call, LLVMGetMDKindIDInContext(c, CALL_MD, strlen(CALL_MD)));
	unsigned number;

	if (has_line(own))
		return own;
	if (v && sscanf(fr_md_str(c, LLVMValueAsMetadata(v), 0), "%u", &number) == 1 &&
	    number < table.all.n)
		return location(c, call, &table.all.v[number]);
	loc = nearest(call, 0);
	return loc ? loc : own;
}
