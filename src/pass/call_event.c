/*
 * Calls and executions of functions that the option `calls` names: CALL and RETURN around each call
 * of such a function in the module, EXEC_BEGIN and EXEC_END in the body of each that the module
 * defines.
 *
 * They are inserted at the start of the pipeline, so that inlining cannot lose them: as calls of
 * frt_h_point that have, instead of a site, the index of an entry of `names`. At the end of the
 * pipeline, when their final position is known, the index becomes a site. The optimiser must assume
 * that such a call may read and write anything, so accesses stay on their side of it.
 *
 * A function matches by its source name, with namespaces and classes, or by its linkage name.
 * Not seen: the callee of an indirect call (counted; EXEC_* in the callee shows it); functions that
 * the compiler expands itself (memcpy and the like); coroutines. There is no RETURN if a call does
 * not come back, nor after a must-tail call. An exception causes EXEC_END only if the function has
 * something to clean up.
 */
#include "args.h"
#include "base/assert.h"
#include "func.h"
#include "site.h"
#include <string.h>

#define HOOK "frt_h_point"

/* The process compiles one module, so one table for the process is enough. */
static FR_VEC(char *) names;

/* ---- names ---- */

/* "int ns::f<int>(char) const" becomes "ns::f<int>". In place. */
static char *bare(char *s)
{
	char *end = s + strlen(s), *start = s;
	int depth = 0;

	while (end > s && end[-1] != ')')
		end--;
	while (end > s && !(*--end == '(' && !--depth))
		depth += *end == ')';
	if (end > s)
		*end = 0;
	for (char *p = s; *p; p++) {
		depth += (*p == '<' || *p == '(') - (*p == '>' || *p == ')');
		if (!strncmp(p, "operator", 8))
			break;
		if (*p == ' ' && !depth)
			start = p + 1;
	}
	return start;
}

/* The called function, or the target of an alias. */
static LLVMValueRef function_of(LLVMValueRef callee)
{
	if (LLVMIsAGlobalAlias(callee))
		callee = LLVMAliasGetAliasee(callee);
	return LLVMIsAFunction(callee) ? callee : NULL;
}

void fr_point_name(struct fr_pass_unit *u, LLVMValueRef callee, struct fr_buf *b)
{
	LLVMValueRef fn = function_of(callee);
	fr_md sp = fn ? LLVMGetSubprogram(fn) : NULL;
	size_t n;
	const char *linkage = LLVMGetValueName2(callee, &n);

	if (sp) {
		fr_di_qualified(u->ctx, sp, b);
	} else {
		char *plain = fr_plain_name(linkage);

		fr_buf_puts(b, plain ? bare(plain) : linkage);
		free(plain);
	}
}

/* True if an option names the function or alias; its name goes to b. */
static bool named(struct fr_pass_unit *u, LLVMValueRef callee, struct fr_buf *b)
{
	const char *linkage;
	size_t n;

	if (!LLVMIsAFunction(callee) && !LLVMIsAGlobalAlias(callee))
		return false;
	linkage = LLVMGetValueName2(callee, &n);
	if (!strncmp(linkage, "frt_", 4) || !strncmp(linkage, "llvm.", 5))
		return false;
	fr_point_name(u, callee, b);
	return fr_pass_opt_calls(&u->opt, b->s, linkage);
}

/* ---- insertion ---- */

static LLVMValueRef hook_of(struct fr_pass_unit *u, LLVMTypeRef *type)
{
	LLVMTypeRef params[] = {u->i32, u->i32, u->ptr, u->i32};
	LLVMValueRef f = LLVMGetNamedFunction(u->mod, HOOK);

	*type = LLVMFunctionType(u->tvoid, params, 4, true);
	return f ? f : LLVMAddFunction(u->mod, HOOK, *type);
}

/* A constant table that describes the arguments. */
static LLVMValueRef table_of(struct fr_pass_unit *u, const struct fr_args *a)
{
	LLVMValueRef v[FR_CALL_ARGS], table;

	if (!a->kept)
		return LLVMConstPointerNull(u->ptr);
	for (unsigned i = 0; i < a->kept; i++)
		v[i] = fr_i32(u, a->v[i].size | (unsigned)a->v[i].kind << 8);
	table = LLVMAddGlobal(u->mod, LLVMArrayType2(u->i32, a->kept), "frt_arguments");
	LLVMSetInitializer(table, LLVMConstArray2(u->i32, v, a->kept));
	LLVMSetGlobalConstant(table, true);
	LLVMSetLinkage(table, LLVMPrivateLinkage);
	LLVMSetUnnamedAddress(table, LLVMGlobalUnnamedAddr);
	return table;
}

/* At the builder's position. */
static void point(struct fr_pass_unit *u, unsigned kind, unsigned aux, uint64_t name,
		  struct fr_args *a)
{
	static const char *const attributes[] = {"nomerge", "nounwind"};
	LLVMValueRef v[4 + FR_CALL_ARGS], call;
	LLVMTypeRef type;

	fr_assert(name < names.n && kind < 256);
	fr_args_build(u, a);
	fr_assert(a->kept <= FR_CALL_ARGS);
	v[0] = fr_i32(u, name);
	v[1] = fr_i32(u, kind | (aux < 255 ? aux : 255) << 8);
	v[2] = table_of(u, a);
	v[3] = fr_i32(u, a->kept);
	for (unsigned i = 0; i < a->kept; i++)
		v[4 + i] = a->v[i].value;
	call = hook_of(u, &type);
	call = LLVMBuildCall2(u->b, type, call, v, 4 + a->kept, "");
	for (size_t i = 0; i < fr_array_size(attributes); i++)
		LLVMAddCallSiteAttribute(
		    call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
		    LLVMCreateEnumAttribute(
			u->ctx,
			LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i])), 0));
	u->count[FR_PC_points]++;
}

static uint64_t remember(const char *name)
{
	fr_vec_push(&names, fr_xstrdup(name));
	return names.n - 1;
}

/* Inserts a block between an invoke and its normal destination. */
static LLVMBasicBlockRef behind_invoke(struct fr_pass_unit *u, LLVMValueRef invoke)
{
	LLVMBasicBlockRef to = LLVMGetNormalDest(invoke), from = LLVMGetInstructionParent(invoke);
	LLVMBasicBlockRef b = LLVMInsertBasicBlockInContext(u->ctx, to, "");
	LLVMValueRef i;

	fr_assert(LLVMIsAInvokeInst(invoke));
	LLVMPositionBuilderAtEnd(u->b, b);
	LLVMSetCurrentDebugLocation2(u->b, LLVMInstructionGetDebugLoc(invoke));
	LLVMBuildBr(u->b, to);
	for (i = LLVMGetFirstInstruction(to); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
		fr_plugin_phi_from(i, from, b);
	LLVMSetNormalDest(invoke, b);
	return b;
}

static void around_call(struct fr_pass_unit *u, LLVMValueRef call, const char *name)
{
	LLVMValueRef fn = function_of(LLVMGetCalledValue(call)), result = NULL;
	fr_md sp = fn ? LLVMGetSubprogram(fn) : NULL;
	bool invoke = LLVMIsAInvokeInst(call);
	uint64_t id = remember(name);
	struct fr_args a;

	fr_args_of_call(u, call, sp, &a);
	fr_before(u, call);
	point(u, FR_EV_CALL, a.n, id, &a);
	if (!invoke && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail)
		return;
	if (LLVMTypeOf(call) != u->tvoid)
		result = call;
	fr_args_of_result(u, result, sp, &a);
	if (invoke) {
		LLVMPositionBuilderBefore(u->b,
					  LLVMGetBasicBlockTerminator(behind_invoke(u, call)));
		LLVMSetCurrentDebugLocation2(u->b, LLVMInstructionGetDebugLoc(call));
	} else {
		fr_after(u, call);
	}
	point(u, FR_EV_RETURN, 0, id, &a);
}

static LLVMValueRef tail_call_of(LLVMValueRef ret)
{
	LLVMValueRef p = LLVMGetPreviousInstruction(ret);

	if (p && LLVMIsABitCastInst(p))
		p = LLVMGetPreviousInstruction(p);
	return p && LLVMIsACallInst(p) && LLVMGetTailCallKind(p) == LLVMTailCallKindMustTail ? p
											     : NULL;
}

static void at_exit(struct fr_pass_unit *u, LLVMValueRef i, fr_md sp, uint64_t id)
{
	bool ret = LLVMIsAReturnInst(i);
	LLVMValueRef tail = ret ? tail_call_of(i) : NULL, value = NULL;
	struct fr_args a = {0};

	if (ret && !tail) {
		value = LLVMGetNumOperands(i) ? LLVMGetOperand(i, 0) : NULL;
		fr_args_of_result(u, value, sp, &a);
	}
	fr_before(u, tail ? tail : i);
	point(u, FR_EV_EXEC_END, !ret ? FR_CALL_UNWOUND : tail ? FR_CALL_TAIL : 0, id, &a);
}

static void in_body(struct fr_pass_unit *u, LLVMValueRef fn, const char *name)
{
	fr_md sp = LLVMGetSubprogram(fn);
	uint64_t id = remember(name);
	struct fr_args a;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef t = LLVMGetBasicBlockTerminator(b);

		if (t && (LLVMIsAReturnInst(t) || LLVMIsAResumeInst(t)))
			at_exit(u, t, sp, id);
	}
	fr_at_entry(u, fn);
	fr_args_of_function(u, fn, &a);
	point(u, FR_EV_EXEC_BEGIN, a.n, id, &a);
}

static void in_function(struct fr_pass_unit *u, LLVMValueRef fn)
{
	FR_VEC(LLVMValueRef) calls = {0};
	struct fr_buf b = {0};

	for (LLVMBasicBlockRef x = LLVMGetFirstBasicBlock(fn); x; x = LLVMGetNextBasicBlock(x))
		for (LLVMValueRef i = LLVMGetFirstInstruction(x); i; i = LLVMGetNextInstruction(i))
			if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i))
				fr_vec_push(&calls, i);
	FR_VEC_FOREACH (c, &calls) {
		LLVMValueRef callee = LLVMGetCalledValue(*c);

		if (LLVMIsAInstruction(callee) || LLVMIsAArgument(callee))
			u->count[FR_PC_points_indirect]++;
		fr_buf_free(&b);
		if (named(u, callee, &b))
			around_call(u, *c, b.s);
	}
	fr_buf_free(&b);
	if (named(u, fn, &b))
		in_body(u, fn, b.s);
	fr_buf_free(&b);
	fr_vec_free(&calls);
}

bool fr_points_insert(struct fr_pass_unit *u, bool (*wants)(struct fr_pass_unit *, LLVMValueRef))
{
	FR_VEC(LLVMValueRef) fns = {0};

	for (LLVMValueRef f = LLVMGetFirstFunction(u->mod); f; f = LLVMGetNextFunction(f))
		if (wants(u, f))
			fr_vec_push(&fns, f);
	FR_VEC_FOREACH (f, &fns)
		in_function(u, *f);
	fr_vec_free(&fns);
	if (u->count[FR_PC_points])
		fr_link_attributes(u);
	return u->count[FR_PC_points];
}

/* ---- at the end of the pipeline ---- */

/* Notes which functions were asked for, so that a reader can tell a function that was never called
   from one whose calls were not instrumented (fr_occurrences_missing). */
static void note_globs(struct fr_pass_unit *u)
{
	for (size_t i = 0; fr_unit_sites_count(u->sites) && i < u->opt.calls.n; i++)
		fr_site_add(u->sites, &(struct fr_site_desc){.kind = FR_SITE_EXEC,
							     .name = u->opt.calls.v[i]});
}

void fr_points_finish(struct fr_pass_unit *u)
{
	LLVMValueRef hook = LLVMGetNamedFunction(u->mod, HOOK);
	FR_VEC(LLVMValueRef) calls = {0};

	note_globs(u);
	if (!hook)
		return;
	for (LLVMUseRef x = LLVMGetFirstUse(hook); x; x = LLVMGetNextUse(x))
		if (LLVMIsACallInst(LLVMGetUser(x)))
			fr_vec_push(&calls, LLVMGetUser(x));
	FR_VEC_FOREACH (c, &calls) {
		uint64_t kind = LLVMConstIntGetZExtValue(LLVMGetOperand(*c, 1)) & 0xff;
		uint64_t id = LLVMConstIntGetZExtValue(LLVMGetOperand(*c, 0));
		struct fr_site_desc d = {
		    .fn = LLVMGetBasicBlockParent(LLVMGetInstructionParent(*c)),
		    .loc = LLVMInstructionGetDebugLoc(*c),
		    .kind =
			kind == FR_EV_CALL || kind == FR_EV_RETURN ? FR_SITE_CALL : FR_SITE_EXEC,
		    .name = id < names.n ? names.v[id] : ""};

		fr_before(u, *c);
		LLVMSetOperand(*c, 0, fr_site_value(u, fr_site_add(u->sites, &d)));
	}
	fr_vec_free(&calls);
}
