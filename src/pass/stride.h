/*
 * The events that are recorded when a loop is left, in an order that keeps the order of any two
 * accesses to the same memory.
 */
#ifndef FR_PASS_STRIDE_H
#define FR_PASS_STRIDE_H

#include "affine.h"
#include "func.h"

struct fr_exit {
	unsigned from; /* block in the loop */
	unsigned edge; /* successor number of its terminator */
	LLVMBasicBlockRef to;
};

/* Conditions that do not change in the loop, all of which must hold. */
#define FR_GUARDS 8
struct fr_guard {
	unsigned n;
	LLVMValueRef cond[FR_GUARDS];
	bool sense[FR_GUARDS];
};

/* One event: accesses of one site that cover `elem` bytes from `sum` on in each iteration. With
   stride 0 every iteration touches the same bytes; such an event needs the runtime. */
struct fr_stride {
	struct fr_sum sum;
	struct fr_access *first; /* in the body */
	unsigned block;		 /* block of all these accesses */
	struct fr_guard guard;
	unsigned last;	/* bit k: executed in the iteration that exit k leaves */
	unsigned times; /* executions in each iteration, `stride` apart */
	uint64_t elem;
	int64_t stride; /* if constant: distance from one to the next */
	bool constant;
	bool write;
	unsigned cls; /* accesses of one class have the same stride */
};

/* An access of an event, in the order of the body. */
struct fr_part {
	size_t in;   /* the event */
	int64_t off; /* from the event's first byte */
	uint64_t size;
};

struct fr_stride_plan {
	struct fr_func *f;
	struct fr_ivs *ivs;
	FR_VEC(struct fr_exit) exits;
	FR_VEC(struct fr_stride) out; /* in order; with runtime_order, in the order of the body */
	bool runtime_order;
	FR_VEC(struct fr_part) parts; /* with runtime_order: all accesses */
};

/* Inserts the code at each exit. */
void fr_stride_emit(struct fr_stride_plan *p);

/* Parts of fr_stride_emit, for nest.c. The counter of iterations: */
struct fr_counter {
	const struct fr_iv *iv;
	LLVMValueRef own; /* counts visits of the header, this one included */
};
struct fr_counter fr_stride_counter(struct fr_stride_plan *p);
/* Visits of the header so far, this iteration's included, at an exit from block `from`. */
LLVMValueRef fr_stride_visits(struct fr_stride_plan *p, const struct fr_counter *c, unsigned from);
/* Inserts a block on the exit's edge. */
LLVMBasicBlockRef fr_stride_split(struct fr_stride_plan *p, const struct fr_exit *e);
/* Executions of a block: all visits, or all but the last; 0 if the guard does not hold. */
LLVMValueRef fr_stride_count(struct fr_pass_unit *u, LLVMValueRef visits, bool last,
			     const struct fr_guard *g);
/* n / step; the division is exact. */
LLVMValueRef fr_stride_divide(struct fr_pass_unit *u, LLVMValueRef n, uint64_t step);
LLVMValueRef fr_stride_parts(struct fr_stride_plan *p); /* the constant table of parts */
/* Makes an array of n structs at the function's entry, and fills one of them. */
LLVMValueRef fr_stride_array(struct fr_func *f, LLVMTypeRef t, size_t n);
void fr_stride_fill(struct fr_pass_unit *u, LLVMTypeRef t, LLVMValueRef array, size_t k,
		    LLVMValueRef *fields);

#endif
