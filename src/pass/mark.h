/*
 * Marks of reads: facts, for the generators, about a value that a function reads. They go into the
 * site table (format/site_table.h). The pass makes them before it inserts any hook.
 *
 * Pointers (mark_null.c): would a null that is read here reach a dereference?
 * Branches (mark.c, mark_reads.c): does the value decide a branch, one side of which always fails?
 */
#ifndef FR_PASS_MARK_H
#define FR_PASS_MARK_H

#include "flow.h"

#define FR_MARK_CALLS 4	 /* failing calls of one branch */
#define FR_MARK_TEST 200 /* length of a test */

/* A read that decides whether the program goes on to this call, which fails. */
struct fr_mark {
	LLVMValueRef read, call;
	char *test;    /* format/site_table.h */
	uint32_t site; /* 1 + the site of the read; 0: not recorded */
	size_t next;   /* 1 + the next mark of the read */
};

struct fr_marks {
	struct fr_pass_unit *u;
	struct fr_func *f; /* all functions to instrument, before hooks */
	size_t n;
	struct fr_map number;	     /* function -> its number in f + 1 */
	struct fr_value_flow **flow; /* by function; NULL: not needed so far */
	struct fr_map failing;	     /* functions of the module that always fail */
	FR_VEC(struct fr_mark) mark;
	struct fr_map of;    /* read -> its first mark + 1 */
	struct fr_map calls; /* failing call of a mark -> 1, then its site + 2 */
	struct fr_map bits;  /* read of a pointer -> FR_SITE_POINTER | ... */
};

/* Makes all marks of the functions. u->marks holds the result. */
void fr_marks_find(struct fr_pass_unit *u, struct fr_func *f, size_t n);
/* The bits of a read for its site. */
unsigned fr_mark_bits(const struct fr_pass_unit *u, LLVMValueRef read);
/* A read has this site. */
void fr_mark_read(struct fr_pass_unit *u, LLVMValueRef read, uint32_t site);
/* The read `kept` stands for the read `left_out` too. */
void fr_mark_join(struct fr_pass_unit *u, LLVMValueRef kept, LLVMValueRef left_out);
/* Is it the failing call of a mark, or does main return there with a failure that a mark names? */
bool fr_mark_has_call(const struct fr_pass_unit *u, LLVMValueRef call);
/* A call has this site. Returns whether it is the failing call of a mark. */
bool fr_mark_call(struct fr_pass_unit *u, LLVMValueRef call, uint32_t site);
/* After all functions: adds the marks to the site table. */
void fr_marks_finish(struct fr_pass_unit *u);
void fr_marks_free(struct fr_pass_unit *u);

/* The rest is for the files that make marks. */

/* Marks the reads that the value depends on. test: the values of `value` with which the program
   goes on to the calls; NULL: not known. */
void fr_mark_feed(struct fr_marks *k, struct fr_func *f, LLVMValueRef value, const char *test,
		  const LLVMValueRef *call, size_t ncalls);
/* Calls `each` for every condition that decides whether the function reaches one of these blocks.
   test: the values with which it does; NULL: not known. Returns false if it always does. */
typedef void (*fr_mark_decider)(void *ctx, LLVMValueRef cond, const char *test);
bool fr_mark_deciders(const struct fr_marks *k, LLVMValueRef fn, const LLVMBasicBlockRef *to,
		      size_t n, fr_mark_decider each, void *ctx);
void fr_mark_add(struct fr_marks *k, LLVMValueRef read, const char *test, LLVMValueRef call);
/* The function's number in k->f, or SIZE_MAX. */
size_t fr_mark_number(const struct fr_marks *k, LLVMValueRef fn);
const struct fr_value_flow *fr_mark_flow(struct fr_marks *k, size_t number);
/* The bits of a read: FR_SITE_POINTER, ...; 0: it reads no pointer. */
unsigned fr_mark_pointer(struct fr_marks *k, struct fr_func *f, LLVMValueRef read);

#endif
