/* Induction variables, and code for sums of them. See affine.h. */
#include "affine.h"
#include "base/assert.h"

const struct fr_iv *fr_iv_of(const struct fr_ivs *x, LLVMValueRef phi)
{
	FR_VEC_FOREACH (iv, &x->iv)
		if (iv->phi == phi)
			return iv;
	return NULL;
}

/* next = phi + constant, perhaps in several steps, each marked not to overflow. */
static bool narrow_step(LLVMValueRef next, struct fr_iv *iv)
{
	fr_assert(iv->narrow && !iv->step);
	iv->nsw = iv->nuw = true;
	for (unsigned i = 0; i < 8 && next != iv->phi; i++) {
		int64_t k;

		if (!LLVMIsABinaryOperator(next) || LLVMGetInstructionOpcode(next) != LLVMAdd ||
		    !fr_constant(LLVMGetOperand(next, 1), &k))
			return false;
		iv->nsw &= LLVMGetNSW(next);
		iv->nuw &= LLVMGetNUW(next);
		iv->step += k;
		iv->step_zero += LLVMConstIntGetZExtValue(LLVMGetOperand(next, 1));
		next = LLVMGetOperand(next, 0);
	}
	return next == iv->phi;
}

static bool wide_step(struct fr_ivs *x, LLVMValueRef next, struct fr_iv *iv)
{
	struct fr_sum s = {0};
	unsigned self = UINT32_MAX;

	if (!fr_sum_raw(x, next, &s))
		return false;
	for (unsigned i = 0; i < s.n; i++)
		if (s.t[i].v == iv->phi && s.t[i].coef == 1 && !s.t[i].mul)
			self = i;
		else if (fr_header_phi(x, s.t[i].v))
			return false;
	if (self == UINT32_MAX || s.n > 2)
		return false;
	fr_assert(!iv->narrow && self < s.n);
	iv->step = s.c;
	if (s.n == 2) {
		struct fr_term *by = &s.t[!self];

		if (s.c || by->coef != 1 || by->mul || by->ext || LLVMTypeOf(by->v) != x->u->i64)
			return false;
		iv->by = by->v;
	}
	return true;
}

/* The value of the phi on entry, the same from every entry block, and its value from the latch. */
static bool incoming(struct fr_ivs *x, LLVMValueRef phi, LLVMValueRef *start, LLVMValueRef *next)
{
	*start = *next = NULL;
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		LLVMValueRef v = LLVMGetIncomingValue(phi, i);
		LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);

		if (from == x->cfg->block[x->loop->latch])
			*next = v;
		else if (!*start || *start == v)
			*start = v;
		else
			return false;
	}
	return *start && *next;
}

void fr_ivs_find(struct fr_ivs *x)
{
	LLVMValueRef i = LLVMGetFirstInstruction(x->cfg->block[x->loop->header]);

	fr_assert(!x->iv.n);
	for (; i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
		struct fr_iv iv = {.phi = i};
		unsigned w = fr_width(x, i);

		if (!w || w > 64 || !incoming(x, i, &iv.start, &iv.next))
			continue;
		iv.narrow = w < 64;
		if (iv.narrow ? narrow_step(iv.next, &iv) : wide_step(x, iv.next, &iv))
			fr_vec_push(&x->iv, iv);
	}
}

int64_t fr_iv_step(const struct fr_iv *iv, enum fr_ext ext)
{
	fr_assert(!iv->by);
	return ext == FR_EXT_ZERO ? (int64_t)iv->step_zero : iv->step;
}

/* ---- code ---- */

static LLVMValueRef extend(struct fr_ivs *x, LLVMValueRef v, enum fr_ext ext)
{
	LLVMBuilderRef b = x->u->b;

	if (LLVMTypeOf(v) == x->u->ptr)
		return LLVMBuildPtrToInt(b, v, x->u->i64, "");
	fr_assert(ext != FR_EXT_NONE || LLVMTypeOf(v) == x->u->i64);
	if (ext == FR_EXT_SIGN)
		return LLVMBuildSExt(b, v, x->u->i64, "");
	return ext == FR_EXT_ZERO ? LLVMBuildZExt(b, v, x->u->i64, "") : v;
}

static LLVMValueRef term_code(struct fr_ivs *x, const struct fr_term *t, LLVMValueRef v)
{
	LLVMBuilderRef b = x->u->b;

	if (t->mul)
		v = LLVMBuildMul(b, v, extend(x, t->mul, t->mul_ext), "");
	return t->coef == 1 ? v : LLVMBuildMul(b, v, fr_i64(x->u, (uint64_t)t->coef), "");
}

LLVMValueRef fr_sum_first(struct fr_ivs *x, const struct fr_sum *s)
{
	LLVMValueRef r = fr_i64(x->u, (uint64_t)s->c);

	for (unsigned i = 0; i < s->n; i++) {
		const struct fr_iv *iv =
		    fr_header_phi(x, s->t[i].v) ? fr_iv_of(x, s->t[i].v) : NULL;
		LLVMValueRef v = extend(x, iv ? iv->start : s->t[i].v, s->t[i].ext);

		r = LLVMBuildAdd(x->u->b, r, term_code(x, &s->t[i], v), "");
	}
	return r;
}

LLVMValueRef fr_sum_growth(struct fr_ivs *x, const struct fr_sum *s)
{
	LLVMValueRef r = fr_i64(x->u, 0);

	for (unsigned i = 0; i < s->n; i++) {
		const struct fr_iv *iv =
		    fr_header_phi(x, s->t[i].v) ? fr_iv_of(x, s->t[i].v) : NULL;
		LLVMValueRef v;

		if (!iv)
			continue;
		v = iv->by ? iv->by : fr_i64(x->u, (uint64_t)fr_iv_step(iv, s->t[i].ext));
		r = LLVMBuildAdd(x->u->b, r, term_code(x, &s->t[i], v), "");
	}
	return r;
}
