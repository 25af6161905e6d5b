/*
 * Intrinsics that touch memory. Copies and fills become ranges. A masked access becomes one range
 * for each lane, of size zero where the mask is off, so that only real accesses are recorded.
 */
#include "func.h"
#include "base/assert.h"
#include <string.h>

#define LANES_MAX 64

bool fr_memop_known(const char *name)
{
	return fr_starts(name, "memcpy.p") || fr_starts(name, "memmove.p") ||
	       fr_starts(name, "memset.p") || fr_starts(name, "memcpy.inline.") ||
	       fr_starts(name, "memset.inline.") || fr_starts(name, "masked.load.") ||
	       fr_starts(name, "masked.store.") || fr_starts(name, "masked.gather.") ||
	       fr_starts(name, "masked.scatter.");
}

uint64_t fr_memop_fixed(LLVMValueRef call)
{
	const char *name = fr_intrinsic(call);
	LLVMValueRef n, vol;

	if (!name || !fr_memop_known(name) || fr_starts(name, "masked."))
		return 0;
	n = LLVMGetOperand(call, 2);
	vol = LLVMGetOperand(call, 3);
	if (!LLVMIsAConstantInt(n) || !LLVMIsAConstantInt(vol) || LLVMConstIntGetZExtValue(vol))
		return 0;
	return LLVMConstIntGetZExtValue(n);
}

bool fr_memop_zeroes(LLVMValueRef call)
{
	const char *name = fr_intrinsic(call);

	return name && fr_starts(name, "memset") && LLVMIsNull(LLVMGetOperand(call, 1));
}

static void range(struct fr_func *f, LLVMValueRef call, LLVMValueRef ptr, LLVMValueRef n,
		  bool write, unsigned which)
{
	struct fr_pass_unit *u = f->u;
	uint32_t site;
	bool local;

	fr_assert(LLVMGetTypeKind(LLVMTypeOf(n)) == LLVMIntegerTypeKind && which < 2);
	if (LLVMIsAConstantInt(n) && !LLVMConstIntGetZExtValue(n))
		return;
	if (!fr_func_shared(f, ptr, &local))
		return;
	site = fr_access_site(f, call, ptr,
			      FR_SITE_RANGE | (write ? FR_SITE_WRITE : FR_SITE_READ) |
				  (local ? FR_SITE_LOCAL : 0) |
				  (fr_memop_zeroes(call) ? FR_SITE_ZEROES : 0),
			      which);
	fr_after(u, call);
	if (LLVMTypeOf(n) != u->i64)
		n = LLVMBuildZExt(u->b, n, u->i64, "");
	fr_hook(u, write ? FR_H_RANGE_WRITE : FR_H_RANGE_READ,
		(LLVMValueRef[]){ptr, n, fr_site_value(u, site)});
	u->count[FR_PC_ranges]++;
}

/* ptr: one address for all lanes, or a vector of them. */
static void masked(struct fr_func *f, LLVMValueRef call, LLVMValueRef ptr, LLVMValueRef mask,
		   LLVMTypeRef type, bool write)
{
	struct fr_pass_unit *u = f->u;
	bool vector = LLVMGetTypeKind(LLVMTypeOf(ptr)) == LLVMVectorTypeKind, local = false;
	LLVMTypeRef elem;
	LLVMValueRef site;
	uint64_t size;
	unsigned n;

	fr_assert(LLVMIsACallInst(call) && mask);
	if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetVectorSize(type) > LANES_MAX) {
		u->count[FR_PC_unknown_intrinsic]++;
		return;
	}
	elem = LLVMGetElementType(type);
	n = LLVMGetVectorSize(type);
	size = fr_store_size(u, elem);
	if (!vector && !fr_func_shared(f, ptr, &local))
		return;
	fr_after(u, call);
	site =
	    fr_site_value(u, fr_access_site(f, call, ptr,
					    FR_SITE_RANGE | (write ? FR_SITE_WRITE : FR_SITE_READ) |
						(local ? FR_SITE_LOCAL : 0),
					    0));
	for (unsigned i = 0; i < n; i++) {
		LLVMValueRef k = fr_i32(u, i), on, at;

		on = LLVMBuildExtractElement(u->b, mask, k, "");
		if (LLVMIsAConstantInt(on) && !LLVMConstIntGetZExtValue(on))
			continue;
		at = vector ? LLVMBuildExtractElement(u->b, ptr, k, "")
			    : LLVMBuildGEP2(u->b, u->i8, ptr, (LLVMValueRef[]){fr_i64(u, i * size)},
					    1, "");
		fr_hook(
		    u, write ? FR_H_RANGE_WRITE : FR_H_RANGE_READ,
		    (LLVMValueRef[]){
			at, LLVMBuildSelect(u->b, on, fr_i64(u, size), fr_i64(u, 0), ""), site});
	}
	u->count[FR_PC_ranges]++;
}

/* The checked forms of copies and fills (_FORTIFY_SOURCE): (dst, src or byte, n, size of dst). */
bool fr_memop_checked(struct fr_func *f, LLVMValueRef call, const char *name)
{
	bool fill = !strcmp(name, "__memset_chk");

	if (!fill && strcmp(name, "__memcpy_chk") && strcmp(name, "__memmove_chk") &&
	    strcmp(name, "__mempcpy_chk"))
		return false;
	if (!LLVMIsACallInst(call) || LLVMGetNumArgOperands(call) != 4)
		return false;
	range(f, call, LLVMGetOperand(call, 0), LLVMGetOperand(call, 2), true, 0);
	if (!fill)
		range(f, call, LLVMGetOperand(call, 1), LLVMGetOperand(call, 2), false, 1);
	return true;
}

void fr_memop_hook(struct fr_func *f, LLVMValueRef call)
{
	const char *name = fr_intrinsic(call);
	LLVMValueRef a[4] = {NULL};

	fr_assert(name && fr_memop_known(name));
	for (unsigned i = 0; i < 4 && i < LLVMGetNumArgOperands(call); i++)
		a[i] = LLVMGetOperand(call, i);
	if (fr_starts(name, "masked.load"))
		masked(f, call, a[0], a[2], LLVMTypeOf(call), false);
	else if (fr_starts(name, "masked.store"))
		masked(f, call, a[1], a[3], LLVMTypeOf(a[0]), true);
	else if (fr_starts(name, "masked.gather"))
		masked(f, call, a[0], a[2], LLVMTypeOf(call), false);
	else if (fr_starts(name, "masked.scatter"))
		masked(f, call, a[1], a[3], LLVMTypeOf(a[0]), true);
	else {
		/* Each hook is inserted right after the call, so the read,
		   inserted last, comes first. */
		range(f, call, a[0], a[2], true, 0);
		if (!fr_starts(name, "memset"))
			range(f, call, a[1], a[2], false, 1);
	}
}
