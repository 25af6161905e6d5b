/*
 * Marks of reads that decide a failure (ConSeq, ASPLOS 2011): finds the branches one side of which
 * always ends in a call that fails, and follows their conditions back to the reads (mark_reads.c).
 *
 * A call fails if its function is one of `fails` below, does not return (pthread_exit and the like
 * apart), is named by the user (fails=), or always fails itself, which is computed for the
 * functions of the module. A block fails if it contains such a call, or all its successors fail, or
 * if main returns another constant than 0 from it: that is a call of exit.
 *
 * Not seen: failing calls through pointers; functions of other modules that always fail but are not
 * declared as such; conditions of loops that only end with a failure.
 */
#include "mark.h"
#include "base/assert.h"
#include "site.h"
#include <string.h>

#define ROUNDS 8   /* functions that fail because they call others that fail, and so on */
#define REGION 256 /* blocks between a branch and its failing calls */

/* ---- calls ---- */

static bool is_in(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(name, *list))
			return true;
	return false;
}

/* Does exit or the like report success? */
static bool exits_well(LLVMValueRef call, const char *name)
{
	static const char *const exits[] = {"exit", "_exit", "_Exit", "quick_exit", NULL};
	LLVMValueRef status;

	if (!is_in(name, exits) || !LLVMGetNumArgOperands(call))
		return false;
	status = LLVMGetOperand(call, 0);
	return LLVMIsAConstantInt(status) && !LLVMConstIntGetZExtValue(status);
}

static bool fails(const struct fr_marks *k, LLVMValueRef i)
{
	static const char *const failing[] = {
	    "abort", "__assert_fail", "__assert",    "__assert_perror_fail", "exit",	  "_exit",
	    "_Exit", "quick_exit",    "__cxa_throw", "_ZSt9terminatev",	     "llvm.trap", NULL};
	/* They end a thread, or go on elsewhere. */
	static const char *const harmless[] = {
	    "pthread_exit",
	    "thrd_exit",
	    "longjmp",
	    "_longjmp",
	    "siglongjmp",
	    "__longjmp_chk",
	    "_Unwind_Resume",
	    "__cxa_rethrow",
	    "__cxa_end_catch",
	    "pthread_testcancel",
	    "__pthread_unwind_next",
	    "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
	    NULL};
	LLVMValueRef fn;
	const char *name;

	if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i))
		return false;
	name = fr_callee_name(i, &fn);
	if (!name || is_in(name, harmless) || exits_well(i, name))
		return false;
	if (is_in(name, failing) || fr_map_get(&k->failing, (uintptr_t)fn))
		return true;
	if (k->u->opt.fails.n) {
		FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};

		fr_point_name(k->u, fn, &b);
		if (fr_pass_opt_fails(&k->u->opt, b.s, name))
			return true;
	}
	return LLVMIsDeclaration(fn) && !LLVMGetIntrinsicID(fn) && fr_call_attr(i, "noreturn");
}

static LLVMValueRef failing_call(const struct fr_marks *k, LLVMBasicBlockRef b)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
		if (fails(k, i))
			return i;
	return NULL;
}

/* ---- blocks ---- */

/* The failing blocks of a function: block -> its failing call, or 1 if its successors fail. */
struct region {
	const struct fr_marks *k;
	struct fr_map block;
};

/* If the block only forwards a constant of this edge to its own branch (as && does without
   optimisation): the successor that the branch then takes. Otherwise the block. */
static LLVMBasicBlockRef forwarded(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	LLVMValueRef phi = LLVMGetFirstInstruction(to), t = LLVMGetBasicBlockTerminator(to), c;

	fr_assert(phi && t);
	if (!LLVMIsAPHINode(phi) || !LLVMIsABranchInst(t) || !LLVMIsConditional(t) ||
	    LLVMGetCondition(t) != phi || LLVMGetNextInstruction(phi) != t)
		return to;
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		c = LLVMGetIncomingValue(phi, i);
		if (LLVMGetIncomingBlock(phi, i) == from && LLVMIsAConstantInt(c))
			return LLVMGetSuccessor(t, LLVMConstIntGetZExtValue(c) ? 0 : 1);
	}
	return to;
}

static bool edge_fails(const struct region *r, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	return fr_map_get(&r->block, (uintptr_t)to) ||
	       fr_map_get(&r->block, (uintptr_t)forwarded(from, to));
}

/* The number of successors, without the one for exceptions. */
static unsigned successors(LLVMValueRef t)
{
	return !t ? 0 : LLVMIsAInvokeInst(t) ? 1 : LLVMGetNumSuccessors(t);
}

static bool all_fail(const struct region *r, LLVMBasicBlockRef b)
{
	LLVMValueRef t = LLVMGetBasicBlockTerminator(b);
	unsigned n = successors(t);

	for (unsigned i = 0; i < n; i++)
		if (!edge_fails(r, b, LLVMGetSuccessor(t, i)))
			return false;
	return n;
}

/* Adds the blocks whose successors all fail. */
static void spread(struct region *r, LLVMValueRef fn)
{
	for (bool more = true; more;) {
		more = false;
		for (LLVMBasicBlockRef b = LLVMGetLastBasicBlock(fn); b;
		     b = LLVMGetPreviousBasicBlock(b))
			if (!fr_map_get(&r->block, (uintptr_t)b) && all_fail(r, b)) {
				*fr_map_put(&r->block, (uintptr_t)b) = 1;
				more = true;
			}
	}
}

/* Does the edge from the block carry a status that reports a failure: as an incoming value of a
   phi or, without optimisation, as a value in the variable that the next block loads? */
static bool carries_failure(LLVMValueRef status, LLVMBasicBlockRef from)
{
	LLVMValueRef v = NULL;

	if (LLVMIsAPHINode(status)) {
		for (unsigned i = 0; i < LLVMCountIncoming(status) && !v; i++)
			if (LLVMGetIncomingBlock(status, i) == from)
				v = LLVMGetIncomingValue(status, i);
	} else if (LLVMIsALoadInst(status) && LLVMIsAAllocaInst(LLVMGetOperand(status, 0))) {
		for (LLVMValueRef i = LLVMGetFirstInstruction(from); i;
		     i = LLVMGetNextInstruction(i))
			if (LLVMIsAStoreInst(i) &&
			    LLVMGetOperand(i, 1) == LLVMGetOperand(status, 0))
				v = LLVMGetOperand(i, 0);
	}
	return v && LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v);
}

/* Finds the blocks from which main returns a failure. The last instruction stands for the call. */
static bool find_returns(struct region *r, LLVMValueRef fn)
{
	bool any = false;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(b), end, status;

		if (successors(last) != 1 || !LLVMGetNumSuccessors(last))
			continue;
		end = LLVMGetBasicBlockTerminator(LLVMGetSuccessor(last, 0));
		if (!LLVMIsAReturnInst(end) || !LLVMGetNumOperands(end))
			continue;
		status = LLVMGetOperand(end, 0);
		if (!LLVMIsAInstruction(status) ||
		    LLVMGetInstructionParent(status) != LLVMGetInstructionParent(end) ||
		    !carries_failure(status, b))
			continue;
		*fr_map_put(&r->block, (uintptr_t)b) = (uintptr_t)last;
		any = true;
	}
	return any;
}

/* Finds the failing blocks. Returns false if there are none. */
static bool find_region(struct region *r, LLVMValueRef fn)
{
	bool any = !strcmp(LLVMGetValueName(fn), "main") && find_returns(r, fn);

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef call = failing_call(r->k, b);

		if (call)
			*fr_map_put(&r->block, (uintptr_t)b) = (uintptr_t)call;
		any |= call != NULL;
	}
	if (any)
		spread(r, fn);
	return any;
}

/* Finds the functions of the module that always fail. */
static void find_failing(struct fr_marks *k)
{
	bool more = true;

	for (unsigned round = 0; more && round < ROUNDS; round++) {
		more = false;
		for (LLVMValueRef fn = LLVMGetFirstFunction(k->u->mod); fn;
		     fn = LLVMGetNextFunction(fn)) {
			struct region r = {.k = k};

			if (LLVMIsDeclaration(fn) || fr_map_get(&k->failing, (uintptr_t)fn))
				continue;
			if (find_region(&r, fn) &&
			    fr_map_get(&r.block, (uintptr_t)LLVMGetEntryBasicBlock(fn))) {
				*fr_map_put(&k->failing, (uintptr_t)fn) = 1;
				more = true;
			}
			fr_map_free(&r.block);
		}
	}
}

/* ---- branches ---- */

/* Finds the calls in which this side fails. */
static size_t calls_of(const struct region *r, LLVMBasicBlockRef from, LLVMBasicBlockRef to,
		       LLVMValueRef *call)
{
	FR_VEC(LLVMBasicBlockRef) todo = {0};
	struct fr_map seen = {0};
	size_t n = 0;

	if (!fr_map_get(&r->block, (uintptr_t)to))
		to = forwarded(from, to);
	fr_vec_push(&todo, to);
	for (size_t i = 0; i < todo.n && i < REGION && n < FR_MARK_CALLS; i++) {
		LLVMBasicBlockRef b = todo.v[i];
		const uint64_t *fails = fr_map_get(&r->block, (uintptr_t)b);
		LLVMValueRef t = LLVMGetBasicBlockTerminator(b);

		if (fails && *fails > 1) {
			call[n++] = (LLVMValueRef)(uintptr_t)*fails;
			continue;
		}
		for (unsigned s = 0; s < successors(t); s++) {
			uint64_t *slot = fr_map_put(&seen, (uintptr_t)LLVMGetSuccessor(t, s));

			if (!*slot)
				fr_vec_push(&todo, LLVMGetSuccessor(t, s));
			*slot = 1;
		}
	}
	fr_vec_free(&todo);
	fr_map_free(&seen);
	return n;
}

/* A branch of which some sides fail. */
struct decision {
	LLVMValueRef cond;
	struct fr_buf test;	/* the values of cond that take a failing side; empty: not known */
	LLVMBasicBlockRef side; /* a failing side */
};

static bool two_sides(const struct region *r, LLVMValueRef t, struct decision *d)
{
	LLVMBasicBlockRef b = LLVMGetInstructionParent(t);
	bool yes = edge_fails(r, b, LLVMGetSuccessor(t, 0));

	if (yes == edge_fails(r, b, LLVMGetSuccessor(t, 1)))
		return false;
	d->cond = LLVMGetCondition(t);
	d->side = LLVMGetSuccessor(t, yes ? 0 : 1);
	fr_buf_puts(&d->test, yes ? "t1" : "^1");
	return true;
}

/* The default is the first successor. */
static bool many_sides(const struct region *r, LLVMValueRef t, struct decision *d)
{
	LLVMBasicBlockRef b = LLVMGetInstructionParent(t), other = LLVMGetSwitchDefaultDest(t);
	bool otherwise = edge_fails(r, b, other);

	d->cond = LLVMGetOperand(t, 0);
	d->side = otherwise ? other : NULL;
	/* The cases with the other outcome than the default. */
	for (unsigned i = 1; i < LLVMGetNumSuccessors(t); i++) {
		LLVMValueRef v = LLVMGetOperand(t, 2 * i);
		bool here = edge_fails(r, b, LLVMGetSuccessor(t, i));

		if (here && !d->side)
			d->side = LLVMGetSuccessor(t, i);
		if (here != otherwise && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64)
			fr_buf_printf(&d->test, "%so%llx", d->test.n ? " " : "",
				      LLVMConstIntGetZExtValue(v));
	}
	if (!d->test.n)
		return false;
	if (otherwise)
		fr_buf_puts(&d->test, " ^1");
	if (d->test.n >= FR_MARK_TEST)
		d->test.n = 0;
	return true;
}

/* Does this block end in a branch of which some sides fail, and others do not? */
static bool decides(const struct region *r, LLVMBasicBlockRef b, struct decision *d)
{
	LLVMValueRef t = LLVMGetBasicBlockTerminator(b);

	if (!t || fr_map_get(&r->block, (uintptr_t)b))
		return false;
	if (LLVMIsABranchInst(t) && LLVMIsConditional(t))
		return two_sides(r, t, d);
	return LLVMIsASwitchInst(t) && many_sides(r, t, d);
}

static void branches_of(struct fr_marks *k, struct fr_func *f)
{
	struct region r = {.k = k};

	if (find_region(&r, f->fn))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->fn); b;
		     b = LLVMGetNextBasicBlock(b)) {
			struct decision d = {0};
			LLVMValueRef call[FR_MARK_CALLS];

			if (decides(&r, b, &d))
				fr_mark_feed(k, f, d.cond, d.test.n ? d.test.s : NULL, call,
					     calls_of(&r, b, d.side, call));
			fr_buf_free(&d.test);
		}
	fr_map_free(&r.block);
}

bool fr_mark_deciders(const struct fr_marks *k, LLVMValueRef fn, const LLVMBasicBlockRef *to,
		      size_t n, fr_mark_decider each, void *ctx)
{
	struct region r = {.k = k};
	bool always;

	for (size_t i = 0; i < n; i++)
		*fr_map_put(&r.block, (uintptr_t)to[i]) = 1;
	spread(&r, fn);
	always = fr_map_get(&r.block, (uintptr_t)LLVMGetEntryBasicBlock(fn));
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b && !always;
	     b = LLVMGetNextBasicBlock(b)) {
		struct decision d = {0};

		if (decides(&r, b, &d))
			each(ctx, d.cond, d.test.n ? d.test.s : NULL);
		fr_buf_free(&d.test);
	}
	fr_map_free(&r.block);
	return !always;
}

/* ---- the marks of a unit ---- */

size_t fr_mark_number(const struct fr_marks *k, LLVMValueRef fn)
{
	const uint64_t *n = fr_map_get(&k->number, (uintptr_t)fn);

	return n ? (size_t)*n - 1 : SIZE_MAX;
}

const struct fr_value_flow *fr_mark_flow(struct fr_marks *k, size_t number)
{
	fr_assert(number < k->n);
	if (!k->flow[number]) {
		k->flow[number] = fr_xcalloc(1, sizeof(**k->flow));
		fr_depend_start(k->flow[number], &k->f[number]);
	}
	return k->flow[number];
}

void fr_mark_add(struct fr_marks *k, LLVMValueRef read, const char *test, LLVMValueRef call)
{
	uint64_t *first = fr_map_put(&k->of, (uintptr_t)read);

	for (size_t i = *first; i; i = k->mark.v[i - 1].next)
		if (k->mark.v[i - 1].call == call && !strcmp(k->mark.v[i - 1].test, test))
			return;
	fr_vec_push(
	    &k->mark,
	    ((struct fr_mark){
		.read = read, .call = call, .test = fr_xstrdup(test), .next = (size_t)*first}));
	*first = k->mark.n;
	*fr_map_put(&k->calls, (uintptr_t)call) = 1;
}

void fr_marks_find(struct fr_pass_unit *u, struct fr_func *f, size_t n)
{
	struct fr_marks *k = u->marks = fr_xcalloc(1, sizeof(*k));

	k->u = u;
	k->f = f;
	k->n = n;
	k->flow = fr_xcalloc(n + 1, sizeof(*k->flow));
	for (size_t i = 0; i < n; i++)
		*fr_map_put(&k->number, (uintptr_t)f[i].fn) = i + 1;
	find_failing(k);
	for (size_t i = 0; i < n; i++) {
		branches_of(k, &f[i]);
		FR_VEC_FOREACH (a, &f[i].access)
			if (LLVMIsALoadInst(a->inst))
				*fr_map_put(&k->bits, (uintptr_t)a->inst) =
				    fr_mark_pointer(k, &f[i], a->inst);
		FR_VEC_FOREACH (x, &f[i].atomic)
			if (LLVMIsALoadInst(*x))
				*fr_map_put(&k->bits, (uintptr_t)*x) =
				    fr_mark_pointer(k, &f[i], *x);
	}
}

unsigned fr_mark_bits(const struct fr_pass_unit *u, LLVMValueRef read)
{
	const uint64_t *b = fr_map_get(&u->marks->bits, (uintptr_t)read);

	return b ? (unsigned)*b : 0;
}

void fr_mark_join(struct fr_pass_unit *u, LLVMValueRef kept, LLVMValueRef left_out)
{
	struct fr_marks *k = u->marks;
	const uint64_t *first = fr_map_get(&k->of, (uintptr_t)left_out);
	unsigned bits = fr_mark_bits(u, left_out);
	uint64_t *mine;

	for (size_t i = first ? (size_t)*first : 0; i; i = k->mark.v[i - 1].next) {
		FR_CLEANUP(fr_freep) char *test = fr_xstrdup(k->mark.v[i - 1].test);

		fr_mark_add(k, kept, test, k->mark.v[i - 1].call);
	}
	if (!(bits & FR_SITE_POINTER))
		return;
	mine = fr_map_put(&k->bits, (uintptr_t)kept);
	*mine |= bits & (FR_SITE_POINTER | FR_SITE_DEREFERENCED);
	if (!(bits & FR_SITE_CHECKED) || *mine & FR_SITE_DEREFERENCED)
		*mine &= ~(uint64_t)FR_SITE_CHECKED;
}

void fr_mark_read(struct fr_pass_unit *u, LLVMValueRef read, uint32_t site)
{
	struct fr_marks *k = u->marks;
	const uint64_t *first = fr_map_get(&k->of, (uintptr_t)read);

	for (size_t i = first ? (size_t)*first : 0; i; i = k->mark.v[i - 1].next)
		k->mark.v[i - 1].site = site + 1;
}

bool fr_mark_has_call(const struct fr_pass_unit *u, LLVMValueRef call)
{
	return fr_map_get(&u->marks->calls, (uintptr_t)call);
}

bool fr_mark_call(struct fr_pass_unit *u, LLVMValueRef call, uint32_t site)
{
	uint64_t *c = fr_map_get(&u->marks->calls, (uintptr_t)call);

	if (!c)
		return false;
	*c = (uint64_t)site + 2;
	return true;
}

void fr_marks_finish(struct fr_pass_unit *u)
{
	FR_VEC_FOREACH (x, &u->marks->mark) {
		const uint64_t *call = fr_map_get(&u->marks->calls, (uintptr_t)x->call);

		if (!x->site || !call || *call < 2)
			continue;
		fr_site_mark_add(u->sites, x->site - 1, (uint32_t)(*call - 2), x->test);
		u->count[FR_PC_decides]++;
	}
}

void fr_marks_free(struct fr_pass_unit *u)
{
	struct fr_marks *k = u->marks;

	for (size_t i = 0; i < k->n; i++)
		if (k->flow[i]) {
			fr_depend_free(k->flow[i]);
			free(k->flow[i]);
		}
	free(k->flow);
	FR_VEC_FOREACH (x, &k->mark)
		free(x->test);
	fr_vec_free(&k->mark);
	fr_map_free(&k->number);
	fr_map_free(&k->failing);
	fr_map_free(&k->of);
	fr_map_free(&k->calls);
	fr_map_free(&k->bits);
	free(k);
	u->marks = NULL;
}
