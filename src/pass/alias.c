/*
 * Proves that two accesses do not alias, by one of: different objects that are identified; alias
 * classes of the source's types (!tbaa); scopes from the vectoriser and `restrict` (!alias.scope,
 * !noalias).
 */
#include "alias.h"
#include "ditype.h"
#include "func.h"
#include <string.h>

static fr_md metadata(struct fr_pass_unit *u, LLVMValueRef inst, const char *kind)
{
	LLVMValueRef v =
	    LLVMGetMetadata(inst, LLVMGetMDKindIDInContext(u->ctx, kind, (unsigned)strlen(kind)));

	return v ? LLVMValueAsMetadata(v) : NULL;
}

/* An object that no other pointer can reach, because its address is its own. */
static bool identified(LLVMValueRef v)
{
	unsigned noalias = LLVMGetEnumAttributeKindForName("noalias", 7);

	if (LLVMIsAAllocaInst(v) || LLVMIsAGlobalVariable(v))
		return true;
	if (LLVMIsACallInst(v) || LLVMIsAInvokeInst(v)) {
		LLVMValueRef fn;

		fr_callee_name(v, &fn);
		return LLVMGetCallSiteEnumAttribute(v, LLVMAttributeReturnIndex, noalias) ||
		       (fn && LLVMGetEnumAttributeAtIndex(fn, LLVMAttributeReturnIndex, noalias));
	}
	if (LLVMIsAArgument(v)) {
		LLVMValueRef fn = LLVMGetParamParent(v);

		for (unsigned i = 0; i < LLVMCountParams(fn); i++)
			if (LLVMGetParam(fn, i) == v)
				return LLVMGetEnumAttributeAtIndex(fn, i + 1, noalias);
	}
	return false;
}

/* True if type node `up` is `t` or above it. */
static bool above(struct fr_pass_unit *u, fr_md up, fr_md t)
{
	for (unsigned i = 0; t && i < 64; i++) {
		if (t == up)
			return true;
		t = fr_md_op(u->ctx, t, 1);
		if (!t || fr_md_is(t, LLVMConstantAsMetadataMetadataKind))
			return false;
	}
	return !!t;
}

/* Scalar types of which neither is above the other. Tags are !{base, access, offset}. */
static bool types_differ(struct fr_pass_unit *u, LLVMValueRef a, LLVMValueRef b)
{
	fr_md x = metadata(u, a, "tbaa"), y = metadata(u, b, "tbaa");

	if (!x || !y)
		return false;
	x = fr_md_op(u->ctx, x, 1);
	y = fr_md_op(u->ctx, y, 1);
	return x && y && fr_md_nops(u->ctx, x) && fr_md_nops(u->ctx, y) && !above(u, x, y) &&
	       !above(u, y, x);
}

static bool contains(struct fr_pass_unit *u, fr_md list, fr_md what)
{
	unsigned n = fr_md_nops(u->ctx, list);

	for (unsigned i = 0; i < n; i++)
		if (fr_md_op(u->ctx, list, i) == what)
			return true;
	return false;
}

/* True if b has a noalias mark for each scope of a. */
static bool scopes_exclude(struct fr_pass_unit *u, LLVMValueRef a, LLVMValueRef b)
{
	fr_md in = metadata(u, a, "alias.scope"), out = metadata(u, b, "noalias");
	unsigned n = in ? fr_md_nops(u->ctx, in) : 0;

	if (!n || !out)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (!contains(u, out, fr_md_op(u->ctx, in, i)))
			return false;
	return true;
}

bool fr_never_alias(struct fr_pass_unit *u, LLVMValueRef inst_a, LLVMValueRef ptr_a,
		    LLVMValueRef inst_b, LLVMValueRef ptr_b)
{
	LLVMValueRef a = fr_underlying(ptr_a), b = fr_underlying(ptr_b);

	if (a != b && identified(a) && identified(b))
		return true;
	return types_differ(u, inst_a, inst_b) || scopes_exclude(u, inst_a, inst_b) ||
	       scopes_exclude(u, inst_b, inst_a);
}
