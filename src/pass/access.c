/*
 * Plain loads and stores: finds those that could touch shared memory, and inserts their hooks.
 *
 * Left out: locals that do not escape (local_escape.c), constants, counters of coverage and
 * profiling, other address spaces (counted). Everything else is recorded, thread-local variables
 * too.
 */
#include "func.h"
#include "base/assert.h"
#include "access_origin.h"
#include <string.h>

#define WORDS_MAX 4 /* of a copy that is recorded word by word */

static bool escapes(struct fr_func *f, LLVMValueRef local)
{
	uint64_t *slot = fr_map_put(&f->escapes, (uintptr_t)local);

	fr_assert(*slot <= 2);
	if (!*slot)
		*slot = fr_escapes(local) ? 2 : 1;
	return *slot == 2;
}

static void add_access(struct fr_func *f, LLVMValueRef i, bool write)
{
	struct fr_access a = {
	    .inst = i, .write = write, .vol = LLVMGetVolatile(i), .align = LLVMGetAlignment(i)};

	fr_assert(write ? LLVMIsAStoreInst(i) : LLVMIsALoadInst(i));
	a.ptr = LLVMGetOperand(i, write ? 1 : 0);
	a.type = LLVMTypeOf(write ? LLVMGetOperand(i, 0) : i);
	a.size = fr_store_size(f->u, a.type);
	if (!a.size) {
		f->u->count[FR_PC_unknown_type]++;
		return;
	}
	if (fr_func_shared(f, a.ptr, &a.local))
		fr_vec_push(&f->access, a);
}

static unsigned arg_align(LLVMValueRef call, unsigned arg)
{
	LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(
	    call, arg + 1, LLVMGetEnumAttributeKindForName("align", 5));

	return a ? (unsigned)LLVMGetEnumAttributeValue(a) : 1;
}

/* A copy reads its source, then writes; both are accesses of the one instruction. */
static void add_memop(struct fr_func *f, LLVMValueRef i, uint64_t size)
{
	fr_assert(size && size == fr_memop_fixed(i));
	for (unsigned write = strncmp(fr_intrinsic(i), "memset", 6) ? 0 : 1; write < 2; write++) {
		struct fr_access a = {.inst = i, .write = write, .range = true, .size = size};

		a.ptr = LLVMGetOperand(i, write ? 0 : 1);
		a.align = arg_align(i, write ? 0 : 1);
		if (fr_func_shared(f, a.ptr, &a.local))
			fr_vec_push(&f->access, a);
	}
}

static void add_call(struct fr_func *f, LLVMValueRef i)
{
	LLVMValueRef callee = LLVMGetCalledValue(i);
	const char *name = fr_intrinsic(i);

	if (callee && LLVMIsAInlineAsm(callee)) {
		/* Empty assembly is only a compiler barrier. */
		size_t n = 1;
#if LLVM_VERSION_MAJOR >= 18
		LLVMGetInlineAsmAsmString(callee, &n);
#endif
		f->u->count[FR_PC_unknown_asm] += n > 0;
	} else if (name && fr_starts(name, "lifetime.end")) {
		fr_vec_push(&f->life_end, i);
	} else if (!name || !strcmp(name, "trap")) {
		fr_vec_push(&f->call, i);
	} else if (fr_memop_fixed(i)) {
		add_memop(f, i, fr_memop_fixed(i));
	} else if (fr_memop_known(name)) {
		fr_vec_push(&f->memop, i);
	} else if (fr_may_write(i)) {
		f->u->count[FR_PC_unknown_intrinsic]++;
	}
}

static void add(struct fr_func *f, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
	case LLVMStore:
		if (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
			fr_vec_push(&f->atomic, i);
		else
			add_access(f, i, LLVMGetInstructionOpcode(i) == LLVMStore);
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
	case LLVMFence:
		fr_vec_push(&f->atomic, i);
		break;
	case LLVMCall:
	case LLVMInvoke:
		add_call(f, i);
		break;
	case LLVMCallBr:
		f->u->count[FR_PC_unknown_asm]++;
		break;
	case LLVMVAArg:
		f->u->count[FR_PC_unknown_va_arg]++;
		break;
	case LLVMRet:
	case LLVMResume:
		fr_vec_push(&f->exit, i);
		break;
	case LLVMLandingPad:
		fr_vec_push(&f->pad, i);
		break;
	case LLVMCatchSwitch:
	case LLVMCleanupPad:
	case LLVMCatchPad:
		f->funclets = true;
		break;
	case LLVMAlloca:
		fr_vec_push(&f->local, i);
		break;
	default:
		break;
	}
}

void fr_func_collect(struct fr_func *f)
{
	fr_assert(!f->access.n && !f->local.n && !f->depth); /* once, before any hook */
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->fn); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			add(f, i);
	/* Decide all of them now: after hooks are inserted, everything seems to escape. */
	for (size_t i = 0; i < f->local.n; i++)
		escapes(f, f->local.v[i]);
}
static bool is_byval(LLVMValueRef v)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
	LLVMValueRef fn;

	if (!LLVMIsAArgument(v))
		return false;
	fn = LLVMGetParamParent(v);
	for (unsigned i = 0; i < LLVMCountParams(fn); i++)
		if (LLVMGetParam(fn, i) == v)
			return LLVMGetEnumAttributeAtIndex(fn, i + 1, kind);
	return false;
}

static bool is_constant(LLVMValueRef global)
{
	const char *name, *section = LLVMGetSection(global);
	size_t n;

	if (LLVMIsGlobalConstant(global))
		return true;
	name = LLVMGetValueName2(global, &n);
	if (!strncmp(name, "__llvm_", 7) || !strncmp(name, "__prof", 6))
		return true;
	return section && !strncmp(section, "__llvm_", 7);
}

bool fr_func_shared(struct fr_func *f, LLVMValueRef ptr, bool *ret_local)
{
	struct fr_pass_unit *u = f->u;
	LLVMTypeRef t = LLVMTypeOf(ptr);
	LLVMValueRef base;

	*ret_local = false;
	if (LLVMGetTypeKind(t) != LLVMPointerTypeKind || LLVMGetPointerAddressSpace(t)) {
		u->count[FR_PC_unknown_space]++;
		return false;
	}
	base = fr_underlying(ptr);
	if (LLVMIsAGlobalVariable(base) && is_constant(base)) {
		u->count[FR_PC_constant]++;
		return false;
	}
	if (LLVMIsAAllocaInst(base) || is_byval(base)) {
		if (u->opt.locals && !escapes(f, base)) {
			u->count[FR_PC_local]++;
			return false;
		}
		*ret_local = true;
	}
	return true;
}

uint32_t fr_access_site(struct fr_func *f, LLVMValueRef inst, LLVMValueRef ptr, unsigned access,
			unsigned which)
{
	struct fr_site_desc d = {
	    .fn = f->fn,
	    .loc = fr_origin_loc(f->u->ctx, inst, access),
	    .kind = FR_SITE_ACCESS,
	    .access = (uint16_t)access,
	};

	fr_lookup_name(f, inst, ptr, which, &d.name, &d.type);
	f->u->count[*d.name ? FR_PC_named : FR_PC_unnamed]++;
	f->u->count[FR_PC_unplaced] += !fr_origin_sure(f->u->ctx, inst, access);
	return fr_site_add(f->u->sites, &d);
}

static enum fr_pass_hook sized(uint64_t size, bool write)
{
	static const enum fr_pass_hook h[2][4] = {
	    {FR_H_READ1, FR_H_READ2, FR_H_READ4, FR_H_READ8},
	    {FR_H_WRITE1, FR_H_WRITE2, FR_H_WRITE4, FR_H_WRITE8}};

	fr_assert(size && size <= 8 && !(size & (size - 1)));
	return h[write][__builtin_ctzll(size)];
}

/* Records a small copy or fill as accesses of whole words. Their values come from
   the memory that it wrote. */
static bool words_hook(struct fr_func *f, const struct fr_access *a)
{
	struct fr_pass_unit *u = f->u;
	uint64_t word = a->align < 8 ? a->align : 8;
	LLVMTypeRef type = LLVMIntTypeInContext(u->ctx, (unsigned)word * 8);
	LLVMValueRef empty = LLVMMetadataAsValue(u->ctx, LLVMMDNodeInContext2(u->ctx, NULL, 0));

	fr_assert(a->range && word && !(word & (word - 1)));
	if (a->size % word || a->size / word > WORDS_MAX)
		return false;
	for (uint64_t at = 0; at < a->size; at += word) {
		LLVMValueRef off[] = {fr_i64(u, at)}, v, hi;

		v = LLVMBuildLoad2(
		    u->b, type, LLVMBuildGEP2(u->b, u->i8, LLVMGetOperand(a->inst, 0), off, 1, ""),
		    "");
		LLVMSetAlignment(v, 1);
		LLVMSetMetadata(v, LLVMGetMDKindIDInContext(u->ctx, "nosanitize", 10), empty);
		fr_hook(u, sized(word, a->write),
			(LLVMValueRef[]){LLVMBuildGEP2(u->b, u->i8, a->ptr, off, 1, ""),
					 fr_value64(u, v, word, &hi), fr_site_value(u, a->site)});
	}
	return true;
}

void fr_access_hook(struct fr_func *f, const struct fr_access *a)
{
	struct fr_pass_unit *u = f->u;
	LLVMValueRef value = a->write ? LLVMGetOperand(a->inst, 0) : a->inst;
	LLVMValueRef hi = NULL, lo, site;

	fr_assert(a->size && !a->done);
	u->count[a->range ? FR_PC_ranges : a->write ? FR_PC_writes : FR_PC_reads]++;
	fr_after(u, a->inst);
	if (a->range && words_hook(f, a))
		return;
	lo = a->range ? NULL : fr_value64(u, value, a->size, &hi);
	site = fr_site_value(u, a->site);
	if (!lo)
		fr_hook(u, a->write ? FR_H_RANGE_WRITE : FR_H_RANGE_READ,
			(LLVMValueRef[]){a->ptr, fr_i64(u, a->size), site});
	else if (a->size == 16)
		fr_hook(u, a->write ? FR_H_WRITE16 : FR_H_READ16,
			(LLVMValueRef[]){a->ptr, lo, hi, site});
	else if (a->align < a->size)
		fr_hook(u, a->write ? FR_H_WRITE_U : FR_H_READ_U,
			(LLVMValueRef[]){a->ptr, lo, site, fr_i32(u, a->size)});
	else
		fr_hook(u, sized(a->size, a->write), (LLVMValueRef[]){a->ptr, lo, site});
}
