/*
 * Atomic operations: order, value read, value written, success of a compare-exchange. The value
 * that a read-modify-write wrote is computed here, because the instruction does not return it.
 */
#include "format/event.h"
#include "base/assert.h"
#include "influence.h"
#include "mark.h"

/* LLVM's order as the number of C11. */
static unsigned c11(LLVMAtomicOrdering o)
{
	switch (o) {
	case LLVMAtomicOrderingAcquire:
		return 2;
	case LLVMAtomicOrderingRelease:
		return 3;
	case LLVMAtomicOrderingAcquireRelease:
		return 4;
	case LLVMAtomicOrderingSequentiallyConsistent:
		return 5;
	default:
		return 0;
	}
}

static LLVMValueRef value_of(struct fr_pass_unit *u, LLVMValueRef v, uint64_t size)
{
	LLVMValueRef hi = NULL, lo = fr_value64(u, v, size, &hi);

	fr_assert(!lo || size < 16 || hi);
	return lo && size == 16 ? LLVMBuildXor(u->b, lo, hi, "") : lo;
}

static LLVMValueRef pick(struct fr_pass_unit *u, LLVMIntPredicate p, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildSelect(u->b, LLVMBuildICmp(u->b, p, a, b, ""), a, b, "");
}

static LLVMValueRef pick_float(struct fr_pass_unit *u, LLVMRealPredicate p, LLVMValueRef a,
			       LLVMValueRef b)
{
	LLVMValueRef take = LLVMBuildFCmp(u->b, p, a, b, "");
	LLVMValueRef nan = LLVMBuildFCmp(u->b, LLVMRealUNO, b, b, "");

	return LLVMBuildSelect(u->b, LLVMBuildOr(u->b, take, nan, ""), a, b, "");
}

/* The value that the operation wrote, from the value that it read. */
static LLVMValueRef result(struct fr_pass_unit *u, LLVMAtomicRMWBinOp op, LLVMValueRef old,
			   LLVMValueRef v, enum fr_rmw *ret)
{
	LLVMTypeRef t = LLVMTypeOf(old);
	LLVMValueRef x;

	fr_assert(LLVMTypeOf(v) == t);
	*ret = FR_RMW_OTHER;
	switch (op) {
	case LLVMAtomicRMWBinOpXchg:
		*ret = FR_RMW_XCHG;
		return v;
	case LLVMAtomicRMWBinOpAdd:
		*ret = FR_RMW_ADD;
		return LLVMBuildAdd(u->b, old, v, "");
	case LLVMAtomicRMWBinOpSub:
		*ret = FR_RMW_SUB;
		return LLVMBuildSub(u->b, old, v, "");
	case LLVMAtomicRMWBinOpAnd:
		*ret = FR_RMW_AND;
		return LLVMBuildAnd(u->b, old, v, "");
	case LLVMAtomicRMWBinOpNand:
		*ret = FR_RMW_NAND;
		return LLVMBuildNot(u->b, LLVMBuildAnd(u->b, old, v, ""), "");
	case LLVMAtomicRMWBinOpOr:
		*ret = FR_RMW_OR;
		return LLVMBuildOr(u->b, old, v, "");
	case LLVMAtomicRMWBinOpXor:
		*ret = FR_RMW_XOR;
		return LLVMBuildXor(u->b, old, v, "");
	case LLVMAtomicRMWBinOpMax:
		return pick(u, LLVMIntSGT, old, v);
	case LLVMAtomicRMWBinOpMin:
		return pick(u, LLVMIntSLT, old, v);
	case LLVMAtomicRMWBinOpUMax:
		return pick(u, LLVMIntUGT, old, v);
	case LLVMAtomicRMWBinOpUMin:
		return pick(u, LLVMIntULT, old, v);
	case LLVMAtomicRMWBinOpFAdd:
		return LLVMBuildFAdd(u->b, old, v, "");
	case LLVMAtomicRMWBinOpFSub:
		return LLVMBuildFSub(u->b, old, v, "");
	case LLVMAtomicRMWBinOpFMax:
		return pick_float(u, LLVMRealOGT, old, v);
	case LLVMAtomicRMWBinOpFMin:
		return pick_float(u, LLVMRealOLT, old, v);
	case LLVMAtomicRMWBinOpUIncWrap:
		x = LLVMBuildAdd(u->b, old, LLVMConstInt(t, 1, false), "");
		return LLVMBuildSelect(u->b, LLVMBuildICmp(u->b, LLVMIntUGE, old, v, ""),
				       LLVMConstNull(t), x, "");
	case LLVMAtomicRMWBinOpUDecWrap:
		x = LLVMBuildSub(u->b, old, LLVMConstInt(t, 1, false), "");
		return LLVMBuildSelect(u->b,
				       LLVMBuildOr(u->b, LLVMBuildIsNull(u->b, old, ""),
						   LLVMBuildICmp(u->b, LLVMIntUGT, old, v, ""), ""),
				       v, x, "");
	default:
		return v;
	}
}

static void rmw(struct fr_func *f, LLVMValueRef i, LLVMValueRef ptr, uint64_t size, unsigned aux,
		uint32_t site)
{
	struct fr_pass_unit *u = f->u;
	enum fr_rmw op;
	LLVMValueRef new = result(u, LLVMGetAtomicRMWBinOp(i), i, LLVMGetOperand(i, 1), &op);

	fr_hook(u, FR_H_ATOMIC_RMW,
		(LLVMValueRef[]){ptr, value_of(u, i, size), value_of(u, new, size), fr_i32(u, aux),
				 fr_i32(u, op), fr_site_value(u, site)});
}

static void cas(struct fr_func *f, LLVMValueRef i, LLVMValueRef ptr, uint64_t size, unsigned aux,
		uint32_t site)
{
	struct fr_pass_unit *u = f->u;
	LLVMValueRef old = LLVMBuildExtractValue(u->b, i, 0, "");
	LLVMValueRef ok = LLVMBuildExtractValue(u->b, i, 1, "");
	LLVMValueRef a =
	    LLVMBuildSelect(u->b, ok, fr_i32(u, aux | FR_ATOMIC_OK), fr_i32(u, aux), "");

	fr_hook(u, FR_H_ATOMIC_CAS,
		(LLVMValueRef[]){
		    ptr, value_of(u, old, size), value_of(u, LLVMGetOperand(i, 2), size), a,
		    fr_i32(u, c11(LLVMGetCmpXchgFailureOrdering(i))), fr_site_value(u, site)});
}

static void fence(struct fr_func *f, LLVMValueRef i)
{
	unsigned aux =
	    c11(LLVMGetOrdering(i)) << 3 | (LLVMIsAtomicSingleThread(i) ? FR_FENCE_SIGNAL : 0);
	struct fr_site_desc d = {.fn = f->fn,
				 .loc = LLVMInstructionGetDebugLoc(i),
				 .kind = FR_SITE_ACCESS,
				 .access = FR_SITE_ATOMIC,
				 .name = "fence"};

	fr_after(f->u, i);
	fr_hook(
	    f->u, FR_H_FENCE,
	    (LLVMValueRef[]){fr_i32(f->u, aux), fr_site_value(f->u, fr_site_add(f->u->sites, &d))});
	f->u->count[FR_PC_atomics]++;
}

void fr_atomic_hook(struct fr_func *f, LLVMValueRef i)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(i);
	struct fr_pass_unit *u = f->u;
	unsigned access = FR_SITE_ATOMIC, aux;
	LLVMValueRef ptr, value;
	uint64_t size;
	uint32_t site;
	bool local;

	if (op == LLVMFence) {
		fence(f, i);
		return;
	}
	fr_assert(op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg ||
		  LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic);
	ptr = LLVMGetOperand(i, op == LLVMStore ? 1 : 0);
	value = op == LLVMLoad ? i : LLVMGetOperand(i, op == LLVMStore ? 0 : 1);
	size = fr_store_size(u, LLVMTypeOf(value));
	if (!size || size > 16 || (size & (size - 1))) {
		u->count[FR_PC_unknown_type]++;
		return;
	}
	if (!fr_func_shared(f, ptr, &local))
		return;
	access |= op == LLVMLoad    ? FR_SITE_READ
		  : op == LLVMStore ? FR_SITE_WRITE
				    : FR_SITE_READ | FR_SITE_WRITE;
	access |= op == LLVMAtomicCmpXchg ? FR_SITE_CAS : 0;
	access |= (LLVMGetVolatile(i) ? FR_SITE_VOLATILE : 0) | (local ? FR_SITE_LOCAL : 0);
	access |= fr_mark_bits(u, i);
	site = fr_access_site(f, i, ptr, access, 0);
	fr_mark_read(u, i, site);
	fr_influence_site(u, i, site);
	aux = (unsigned)__builtin_ctzll(size) |
	      c11(op == LLVMAtomicCmpXchg ? LLVMGetCmpXchgSuccessOrdering(i) : LLVMGetOrdering(i))
		  << 3;
	fr_after(u, i);
	if (op == LLVMAtomicRMW)
		rmw(f, i, ptr, size, aux, site);
	else if (op == LLVMAtomicCmpXchg)
		cas(f, i, ptr, size, aux, site);
	else
		fr_hook(u, op == LLVMLoad ? FR_H_ATOMIC_LOAD : FR_H_ATOMIC_STORE,
			(LLVMValueRef[]){ptr, value_of(u, value, size), fr_i32(u, aux),
					 fr_site_value(u, site)});
	u->count[FR_PC_atomics]++;
}
