/*
 * Instructions whose results differ from run to run: the time-stamp counter (rdtsc, rdtscp), random
 * numbers (rdrand, rdseed) and the processor's number (rdpid), as intrinsics or as inline assembly.
 * frt_h_machine records each result, and under a schedule replaces it by the recorded one.
 *
 * Why not trap: prctl(PR_SET_TSC) makes rdtsc a signal. The kernel's vDSO uses rdtsc for every
 * clock, so that a program that blocks all signals dies when it next reads the time. rdrand has no
 * trap. Not handled: assembly that stores a result in memory itself (counted), files of assembly,
 * libraries that forerun cc did not compile.
 */
#include "format/hook_abi.h"
#include "func.h"
#include <ctype.h>
#include <string.h>

#define MAX_RESULTS 8

/* What an instruction returns. */
enum cpu_source {
	NONE,
	COUNTER,
	OTHER,
};

static enum cpu_source source_of(const char *name)
{
	if (!strncmp(name, "rdtsc", 5) || !strcmp(name, "readcyclecounter"))
		return COUNTER;
	if (!strncmp(name, "rdrand", 6) || !strncmp(name, "rdseed", 6) ||
	    !strncmp(name, "rdpid", 5))
		return OTHER;
	return NONE;
}

/* Of assembly: the first such mnemonic in its text. */
static enum cpu_source source_in(const char *text, size_t n)
{
	for (size_t i = 0; i < n;) {
		char word[16];
		size_t len = 0;
		enum cpu_source s;

		while (i < n && !isalpha((unsigned char)text[i]))
			i++;
		for (; i < n && isalnum((unsigned char)text[i]); i++)
			if (len < sizeof(word) - 1)
				word[len++] = text[i];
		word[len] = 0;
		s = source_of(word);
		if (s)
			return s;
	}
	return NONE;
}

/* In `ret_pair`: the first two results are the halves of the counter. */
static enum cpu_source source_of_call(LLVMValueRef call, bool *ret_pair)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	const char *name = fr_intrinsic(call);

	*ret_pair = false;
	if (name)
		return source_of(strncmp(name, "x86.", 4) ? name : name + 4);
#if LLVM_VERSION_MAJOR >= 18
	if (callee && LLVMIsAInlineAsm(callee)) {
		size_t n, bound;
		const char *text = LLVMGetInlineAsmAsmString(callee, &n);
		const char *bounds = LLVMGetInlineAsmConstraintString(callee, &bound);
		static const char halves[] = "={ax},={dx}";

		/* A shift puts the halves together. */
		*ret_pair = bound >= sizeof(halves) - 1 &&
			    !memcmp(bounds, halves, sizeof(halves) - 1) &&
			    !memmem(text, n, "sh", 2);
		return source_in(text, n);
	}
#endif
	return NONE;
}

static LLVMValueRef hook(struct fr_pass_unit *u, LLVMValueRef v, unsigned what)
{
	LLVMTypeRef type = LLVMTypeOf(v);

	v = fr_hook(u, FR_H_MACHINE,
		    (LLVMValueRef[]){LLVMBuildZExtOrBitCast(u->b, v, u->i64, ""), fr_i32(u, what)});
	return LLVMBuildTruncOrBitCast(u->b, v, type, "");
}

static bool is_number(LLVMTypeRef t)
{
	return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) <= 64;
}

static void halves(struct fr_pass_unit *u, LLVMValueRef *lo, LLVMValueRef *hi)
{
	LLVMTypeRef tlo = LLVMTypeOf(*lo), thi = LLVMTypeOf(*hi);
	LLVMValueRef shift = fr_i64(u, 32), v;

	v = LLVMBuildShl(u->b, LLVMBuildZExtOrBitCast(u->b, *hi, u->i64, ""), shift, "");
	v = LLVMBuildOr(u->b, v, LLVMBuildZExtOrBitCast(u->b, *lo, u->i64, ""), "");
	v = hook(u, v, FRT_MACHINE_COUNTER);
	*hi = LLVMBuildTruncOrBitCast(u->b, LLVMBuildLShr(u->b, v, shift, ""), thi, "");
	v = LLVMBuildAnd(u->b, v, fr_i64(u, UINT32_MAX), "");
	*lo = LLVMBuildTruncOrBitCast(u->b, v, tlo, "");
}

/* The result of the call with all its numbers replaced. */
static LLVMValueRef replaced(struct fr_pass_unit *u, LLVMValueRef call, enum cpu_source s,
			     bool pair)
{
	LLVMTypeRef type = LLVMTypeOf(call);
	LLVMValueRef part[MAX_RESULTS], r = call;
	unsigned n;

	if (is_number(type))
		return hook(u, call,
			    s == COUNTER && LLVMGetIntTypeWidth(type) == 64
				? FRT_MACHINE_COUNTER
				: (unsigned)LLVMGetIntTypeWidth(type) / 8);
	if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
		return NULL;
	n = LLVMCountStructElementTypes(type);
	for (unsigned i = 0; i < n && i < MAX_RESULTS; i++) {
		part[i] = LLVMBuildExtractValue(u->b, call, i, "");
		if (!is_number(LLVMTypeOf(part[i])))
			return NULL;
	}
	if (n > MAX_RESULTS)
		return NULL;
	pair = pair && s == COUNTER && n > 1 && LLVMGetIntTypeWidth(LLVMTypeOf(part[0])) >= 32 &&
	       LLVMGetIntTypeWidth(LLVMTypeOf(part[1])) >= 32;
	if (pair)
		halves(u, &part[0], &part[1]);
	for (unsigned i = pair ? 2 : 0; i < n; i++) {
		unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(part[i]));

		part[i] =
		    hook(u, part[i],
			 s == COUNTER && !i && bits == 64 ? FRT_MACHINE_COUNTER : (bits + 7) / 8);
	}
	for (unsigned i = 0; i < n; i++)
		r = LLVMBuildInsertValue(u->b, r, part[i], i, "");
	return r;
}

static void machine_hook(struct fr_pass_unit *u, LLVMValueRef call)
{
	FR_VEC(LLVMValueRef) users = {0};
	LLVMValueRef r;
	enum cpu_source s;
	bool pair;

	s = source_of_call(call, &pair);
	if (!s)
		return;
	for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use))
		fr_vec_push(&users, LLVMGetUser(use));
	fr_after(u, call);
	r = replaced(u, call, s, pair);
	u->count[r ? FR_PC_machine : FR_PC_unknown_machine]++;
	FR_VEC_FOREACH (user, &users)
		for (unsigned i = 0; r && i < (unsigned)LLVMGetNumOperands(*user); i++)
			if (LLVMGetOperand(*user, i) == call)
				LLVMSetOperand(*user, i, r);
	fr_vec_free(&users);
}

bool fr_machine_hooks(struct fr_pass_unit *u, LLVMValueRef fn)
{
	uint64_t was = u->count[FR_PC_machine];

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
			next = LLVMGetNextInstruction(i);
			if (LLVMIsACallInst(i))
				machine_hook(u, i);
		}
	return u->count[FR_PC_machine] > was;
}
