/* Addresses in a loop as sums of coefficient times value, plus a constant, modulo 2^64. */
#ifndef FR_PASS_AFFINE_H
#define FR_PASS_AFFINE_H

#include "cfg.h"

enum fr_ext { FR_EXT_NONE, FR_EXT_SIGN, FR_EXT_ZERO };

/* coef * ext(v) * mul; mul (invariant) may be NULL. v: invariant, or a phi of the header. */
struct fr_term {
	LLVMValueRef v, mul;
	enum fr_ext ext, mul_ext;
	int64_t coef;
};

#define FR_TERMS 6
struct fr_sum {
	unsigned n;
	struct fr_term t[FR_TERMS];
	int64_t c;
};

/* An induction variable: phi = start, then next = phi + step. */
struct fr_iv {
	LLVMValueRef phi, start, next;
	LLVMValueRef by; /* step if it is not constant, else NULL */
	int64_t step;
	uint64_t step_zero;    /* the constant step, zero-extended */
	bool narrow, nsw, nuw; /* narrow: less than 64 bits */
};

struct fr_ivs {
	struct fr_pass_unit *u;
	struct fr_cfg *cfg;
	struct fr_loop_cfg *loop;
	FR_VEC(struct fr_iv) iv;
};

/* True if the value is the same in every iteration. */
bool fr_invariant(const struct fr_ivs *x, LLVMValueRef v);
void fr_ivs_find(struct fr_ivs *x);
/* The constant step after an extension. */
int64_t fr_iv_step(const struct fr_iv *iv, enum fr_ext ext);

/* Helpers of affine.c and iv.c. */
bool fr_header_phi(const struct fr_ivs *x, LLVMValueRef v);
unsigned fr_width(const struct fr_ivs *x, LLVMValueRef v); /* bits; 0: not a number or pointer */
bool fr_constant(LLVMValueRef v, int64_t *ret);
/* s += o * scale; false if there are too many terms. */
bool fr_sum_add(struct fr_sum *s, const struct fr_sum *o, int64_t scale);
/* True if all header phis in the sum are induction variables that can be scaled this way. */
bool fr_sum_valid(struct fr_ivs *x, const struct fr_sum *s);
/* Like fr_sum_of, but accepts any phi of the header. */
bool fr_sum_raw(struct fr_ivs *x, LLVMValueRef v, struct fr_sum *ret);
const struct fr_iv *fr_iv_of(const struct fr_ivs *x, LLVMValueRef phi);

/* The address as a sum of invariants and induction variables, or false. */
bool fr_sum_of(struct fr_ivs *x, LLVMValueRef address, struct fr_sum *ret);
/* True if the terms are equal: two such sums always differ by their constants alone. */
bool fr_sum_alike(const struct fr_sum *a, const struct fr_sum *b);
/* The growth of the sum in each iteration, if that is a constant. */
bool fr_sum_stride(struct fr_ivs *x, const struct fr_sum *s, int64_t *ret);

/* At the builder's position: the sum in the first iteration, and its growth, as i64. */
LLVMValueRef fr_sum_first(struct fr_ivs *x, const struct fr_sum *s);
LLVMValueRef fr_sum_growth(struct fr_ivs *x, const struct fr_sum *s);

#endif
