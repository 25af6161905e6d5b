/*
 * Affine addresses. A header phi to which the loop adds a constant or an invariant is an induction
 * variable. A value that is made of induction variables and invariants by adding and scaling is a
 * sum.
 *
 * Arithmetic of 64 bits wraps like the machine's, so sums hold modulo 2^64. A narrower value is
 * followed through an extension only if the operation is marked not to overflow: if it did
 * overflow, the address would be poison and the access undefined.
 */
#include "affine.h"
#include "base/assert.h"
#include <string.h>

#define DEPTH_MAX 16

static bool sum(struct fr_ivs *x, LLVMValueRef v, struct fr_sum *s, unsigned depth);

/* Defined outside the loop. Such a value dominates the header if the loop uses it. */
bool fr_invariant(const struct fr_ivs *x, LLVMValueRef v)
{
	unsigned b;

	if (!LLVMIsAInstruction(v))
		return true;
	b = fr_cfg_number(x->cfg, LLVMGetInstructionParent(v));
	return b != UINT32_MAX && !fr_loop_has(x->loop, b);
}

bool fr_header_phi(const struct fr_ivs *x, LLVMValueRef v)
{
	return LLVMIsAPHINode(v) && LLVMGetInstructionParent(v) == x->cfg->block[x->loop->header];
}

unsigned fr_width(const struct fr_ivs *x, LLVMValueRef v)
{
	LLVMTypeRef t = LLVMTypeOf(v);

	if (t == x->u->ptr)
		return 64;
	return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
}

static bool put(struct fr_sum *s, struct fr_term t)
{
	fr_assert(t.v && s->n <= FR_TERMS);
	if (!t.coef)
		return true;
	for (unsigned i = 0; i < s->n; i++)
		if (s->t[i].v == t.v && s->t[i].mul == t.mul && s->t[i].ext == t.ext &&
		    s->t[i].mul_ext == t.mul_ext) {
			s->t[i].coef = (int64_t)((uint64_t)s->t[i].coef + (uint64_t)t.coef);
			return true;
		}
	if (s->n == FR_TERMS)
		return false;
	s->t[s->n++] = t;
	return true;
}

static int64_t times(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a * (uint64_t)b);
}

bool fr_sum_add(struct fr_sum *s, const struct fr_sum *o, int64_t scale)
{
	fr_assert(s != o);
	s->c = (int64_t)((uint64_t)s->c + (uint64_t)times(o->c, scale));
	for (unsigned i = 0; i < o->n; i++) {
		struct fr_term t = o->t[i];

		t.coef = times(t.coef, scale);
		if (!put(s, t))
			return false;
	}
	return true;
}

bool fr_constant(LLVMValueRef v, int64_t *ret)
{
	if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
		return false;
	*ret = LLVMConstIntGetSExtValue(v);
	return true;
}

static bool leaf(struct fr_sum *s, LLVMValueRef v, enum fr_ext ext)
{
	return put(s, (struct fr_term){.v = v, .ext = ext, .coef = 1});
}

/* a * m, m invariant: each term takes the factor. */
static bool multiply(struct fr_sum *s, const struct fr_sum *a, LLVMValueRef m, enum fr_ext ext)
{
	for (unsigned i = 0; i < a->n; i++) {
		struct fr_term t = a->t[i];

		if (t.mul)
			return false;
		t.mul = m;
		t.mul_ext = ext;
		if (!put(s, t))
			return false;
	}
	return put(s, (struct fr_term){.v = m, .ext = ext, .coef = a->c});
}

static bool disjoint(LLVMValueRef v)
{
#if LLVM_VERSION_MAJOR >= 18
	return LLVMGetIsDisjoint(v);
#else
	(void)v;
	return false;
#endif
}

static bool no_wrap(LLVMValueRef v, enum fr_ext ext)
{
	return ext == FR_EXT_SIGN ? LLVMGetNSW(v) : LLVMGetNUW(v);
}

/* ext(v), v of less than 64 bits. */
static bool narrow(struct fr_ivs *x, LLVMValueRef v, enum fr_ext ext, struct fr_sum *s,
		   unsigned depth)
{
	struct fr_sum a = {0}, b = {0};
	const struct fr_iv *iv;
	LLVMValueRef r;
	int64_t k;

	fr_assert(ext != FR_EXT_NONE);
	if (depth > DEPTH_MAX || fr_width(x, v) > 63 || !fr_width(x, v))
		return false;
	if (LLVMIsAConstantInt(v)) {
		s->c = ext == FR_EXT_SIGN ? LLVMConstIntGetSExtValue(v)
					  : (int64_t)LLVMConstIntGetZExtValue(v);
		return true;
	}
	if (fr_invariant(x, v))
		return leaf(s, v, ext);
	if (fr_header_phi(x, v)) {
		iv = fr_iv_of(x, v);
		return iv && (ext == FR_EXT_SIGN ? iv->nsw : iv->nuw) && leaf(s, v, ext);
	}
	if (!LLVMIsABinaryOperator(v))
		return false;
	r = LLVMGetOperand(v, 1);
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMOr:
		b.c = -1;
		return disjoint(v) && fr_constant(r, &b.c) && b.c >= 0 &&
		       narrow(x, LLVMGetOperand(v, 0), ext, &a, depth + 1) &&
		       fr_sum_add(s, &a, 1) && fr_sum_add(s, &b, 1);
	case LLVMAdd:
	case LLVMSub:
		k = LLVMGetInstructionOpcode(v) == LLVMAdd ? 1 : -1;
		return no_wrap(v, ext) && narrow(x, LLVMGetOperand(v, 0), ext, &a, depth + 1) &&
		       narrow(x, r, ext, &b, depth + 1) && fr_sum_add(s, &a, 1) &&
		       fr_sum_add(s, &b, k);
	case LLVMMul:
		return no_wrap(v, ext) && fr_constant(r, &k) && k >= 0 &&
		       narrow(x, LLVMGetOperand(v, 0), ext, &a, depth + 1) && fr_sum_add(s, &a, k);
	case LLVMShl:
		return no_wrap(v, ext) && fr_constant(r, &k) && k >= 0 && k < 32 &&
		       narrow(x, LLVMGetOperand(v, 0), ext, &a, depth + 1) &&
		       fr_sum_add(s, &a, INT64_C(1) << k);
	default:
		return false;
	}
}

static bool index_sum(struct fr_ivs *x, LLVMValueRef v, struct fr_sum *s, unsigned depth)
{
	unsigned w = fr_width(x, v);

	return w == 64 ? sum(x, v, s, depth) : w && w < 64 && narrow(x, v, FR_EXT_SIGN, s, depth);
}

static bool gep(struct fr_ivs *x, LLVMValueRef g, struct fr_sum *s, unsigned depth)
{
	LLVMTypeRef t = LLVMGetGEPSourceElementType(g);
	int n = LLVMGetNumOperands(g);
	struct fr_sum base = {0};

	fr_assert(LLVMIsAGetElementPtrInst(g));
	if (!sum(x, LLVMGetOperand(g, 0), &base, depth + 1) || !fr_sum_add(s, &base, 1))
		return false;
	for (int i = 1; i < n; i++) {
		LLVMValueRef index = LLVMGetOperand(g, (unsigned)i);
		struct fr_sum a = {0};

		if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
			unsigned k = (unsigned)LLVMConstIntGetZExtValue(index);

			s->c = (int64_t)((uint64_t)s->c + LLVMOffsetOfElement(x->u->dl, t, k));
			t = LLVMStructGetTypeAtIndex(t, k);
			continue;
		}
		if (i > 1)
			t = LLVMGetElementType(t);
		if (!fr_store_size(x->u, t) || !index_sum(x, index, &a, depth + 1) ||
		    !fr_sum_add(s, &a, (int64_t)LLVMABISizeOfType(x->u->dl, t)))
			return false;
	}
	return true;
}

static bool binary(struct fr_ivs *x, LLVMValueRef v, struct fr_sum *s, unsigned depth)
{
	LLVMValueRef l = LLVMGetOperand(v, 0), r = LLVMGetOperand(v, 1);
	struct fr_sum a = {0}, b = {0};
	int64_t k;

	fr_assert(LLVMIsABinaryOperator(v));
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMOr:
		if (!disjoint(v))
			return false;
		/* fall through */
	case LLVMAdd:
	case LLVMSub:
		k = LLVMGetInstructionOpcode(v) == LLVMSub ? -1 : 1;
		return sum(x, l, &a, depth + 1) && sum(x, r, &b, depth + 1) &&
		       fr_sum_add(s, &a, 1) && fr_sum_add(s, &b, k);
	case LLVMShl:
		return fr_constant(r, &k) && k >= 0 && k < 63 && sum(x, l, &a, depth + 1) &&
		       fr_sum_add(s, &a, INT64_C(1) << k);
	case LLVMMul:
		if (fr_constant(r, &k))
			return sum(x, l, &a, depth + 1) && fr_sum_add(s, &a, k);
		if (!fr_invariant(x, r)) {
			LLVMValueRef swap = l;

			l = r;
			r = swap;
		}
		return fr_invariant(x, r) && sum(x, l, &a, depth + 1) &&
		       multiply(s, &a, r, FR_EXT_NONE);
	default:
		return false;
	}
}

/* True for a value plus a constant. */
static bool offset(LLVMValueRef v)
{
	return LLVMIsABinaryOperator(v) && LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
	       (LLVMGetInstructionOpcode(v) == LLVMAdd ||
		(LLVMGetInstructionOpcode(v) == LLVMOr && disjoint(v)));
}

static bool sum(struct fr_ivs *x, LLVMValueRef v, struct fr_sum *s, unsigned depth)
{
	if (depth > DEPTH_MAX || fr_width(x, v) != 64)
		return false;
	if (fr_constant(v, &s->c))
		return true;
	if (fr_invariant(x, v)) {
		struct fr_sum parts = *s;

		/* Takes apart an address that was hoisted out of the loop: its
		   constants make sums alike. */
		if ((LLVMIsAGetElementPtrInst(v) && gep(x, v, &parts, depth)) ||
		    (offset(v) && binary(x, v, &parts, depth))) {
			*s = parts;
			return true;
		}
		return leaf(s, v, FR_EXT_NONE);
	}
	if (fr_header_phi(x, v))
		return leaf(s, v, FR_EXT_NONE);
	if (LLVMIsAGetElementPtrInst(v))
		return gep(x, v, s, depth);
	if (LLVMIsASExtInst(v))
		return narrow(x, LLVMGetOperand(v, 0), FR_EXT_SIGN, s, depth + 1);
	if (LLVMIsAZExtInst(v))
		return narrow(x, LLVMGetOperand(v, 0), FR_EXT_ZERO, s, depth + 1) ||
#if LLVM_VERSION_MAJOR >= 18
		       (LLVMGetNNeg(v) &&
			(*s = (struct fr_sum){0},
			 narrow(x, LLVMGetOperand(v, 0), FR_EXT_SIGN, s, depth + 1)));
#else
		       false;
#endif
	return LLVMIsABinaryOperator(v) && binary(x, v, s, depth);
}

/* ---- sums ---- */

bool fr_sum_raw(struct fr_ivs *x, LLVMValueRef v, struct fr_sum *ret)
{
	*ret = (struct fr_sum){0};
	return sum(x, v, ret, 0);
}

bool fr_sum_of(struct fr_ivs *x, LLVMValueRef address, struct fr_sum *ret)
{
	struct fr_sum s = {0};

	if (!sum(x, address, &s, 0) || !fr_sum_valid(x, &s))
		return false;
	*ret = s;
	return true;
}

bool fr_sum_valid(struct fr_ivs *x, const struct fr_sum *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		const struct fr_iv *iv;

		if (!fr_header_phi(x, s->t[i].v))
			continue;
		iv = fr_iv_of(x, s->t[i].v);
		if (!iv || (iv->by && s->t[i].mul))
			return false;
	}
	return true;
}

bool fr_sum_alike(const struct fr_sum *a, const struct fr_sum *b)
{
	struct fr_sum d = *a;

	if (!fr_sum_add(&d, b, -1))
		return false;
	for (unsigned i = 0; i < d.n; i++)
		if (d.t[i].coef)
			return false;
	return true;
}

bool fr_sum_stride(struct fr_ivs *x, const struct fr_sum *s, int64_t *ret)
{
	uint64_t stride = 0;

	for (unsigned i = 0; i < s->n; i++) {
		const struct fr_iv *iv =
		    fr_header_phi(x, s->t[i].v) ? fr_iv_of(x, s->t[i].v) : NULL;

		if (!iv)
			continue;
		if (iv->by || s->t[i].mul)
			return false;
		stride += (uint64_t)times(s->t[i].coef, fr_iv_step(iv, s->t[i].ext));
	}
	*ret = (int64_t)stride;
	return true;
}
