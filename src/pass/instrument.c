/* Instruments a module: selects the functions and runs the steps in order. */
#include "influence.h"
#include "base/assert.h"
#include "attribute_property.h"
#include "mark.h"
#include <llvm-c/Analysis.h>
#include <stdio.h>
#include <string.h>

/* Counts of fr_pass_start. */
static uint64_t carried[FR_PC_COUNT];

static void start(struct fr_pass_unit *u, LLVMModuleRef m)
{
	*u = (struct fr_pass_unit){
	    .mod = m, .ctx = LLVMGetModuleContext(m), .dl = LLVMGetModuleDataLayout(m)};
	u->b = LLVMCreateBuilderInContext(u->ctx);
	u->i8 = LLVMInt8TypeInContext(u->ctx);
	u->i32 = LLVMInt32TypeInContext(u->ctx);
	u->i64 = LLVMInt64TypeInContext(u->ctx);
	u->ptr = LLVMPointerTypeInContext(u->ctx, 0);
	u->tvoid = LLVMVoidTypeInContext(u->ctx);
	fr_pass_opt_read(&u->opt);
	u->sites = fr_unit_sites_new(m);
}

static void finish(struct fr_pass_unit *u)
{
	fr_unit_sites_free(u->sites);
	fr_pass_opt_free(&u->opt);
	LLVMDisposeBuilder(u->b);
}

static bool is_resolver(struct fr_pass_unit *u, LLVMValueRef fn)
{
	for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(u->mod); i; i = LLVMGetNextGlobalIFunc(i))
		if (LLVMGetGlobalIFuncResolver(i) == fn)
			return true;
	return false;
}

/* Leaves out functions that run where hooks cannot, or that asked to be left alone. */
static bool wants(struct fr_pass_unit *u, LLVMValueRef fn)
{
	static const char *const not_these[] = {"naked", "disable_sanitizer_instrumentation"};
	const char *name, *file, *section = LLVMGetSection(fn);
	size_t n;

	if (LLVMIsDeclaration(fn) || LLVMGetLinkage(fn) == LLVMAvailableExternallyLinkage)
		return false;
	name = LLVMGetValueName2(fn, &n);
	if (!strncmp(name, "frt_", 4))
		return false;
	if (fr_fn_attr(fn, "presplitcoroutine")) {
		u->count[FR_PC_coroutines]++;
		return false;
	}
	u->count[FR_PC_functions_skipped]++;
	for (size_t i = 0; i < fr_array_size(not_these); i++)
		if (fr_fn_attr(fn, not_these[i]))
			return false;
	if (LLVMGetFunctionCallConv(fn) == LLVMX86INTRCallConv || is_resolver(u, fn) ||
	    fr_define_early(fn))
		return false;
	if (section && !strncmp(section, ".preinit", 8))
		return false;
	const char *source = fr_site_function(u->sites, fn, &file);
	if (!fr_pass_opt_wants(&u->opt, source, name, file))
		return false;
	u->count[FR_PC_functions_skipped]--;
	return true;
}

static void release(struct fr_func *f)
{
	fr_vec_free(&f->access);
	fr_vec_free(&f->atomic);
	fr_vec_free(&f->memop);
	fr_vec_free(&f->call);
	fr_vec_free(&f->exit);
	fr_vec_free(&f->pad);
	fr_vec_free(&f->local);
	fr_vec_free(&f->left);
	fr_vec_free(&f->life_end);
	fr_map_free(&f->ends);
	fr_map_free(&f->escapes);
	fr_map_free(&f->names);
	fr_map_free(&f->small);
}

/* Is it a load of a number that is not used as an address? */
static bool reads_number(LLVMValueRef inst)
{
	if (!LLVMIsALoadInst(inst) || LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMPointerTypeKind)
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(inst); u; u = LLVMGetNextUse(u))
		if (LLVMIsAIntToPtrInst(LLVMGetUser(u)))
			return false;
	return true;
}

/* Does the access write only zeros, and does its event not tell? */
static bool zeroes(const struct fr_access *a)
{
	if (!a->write || a->size <= 8)
		return false;
	return a->range ? fr_memop_zeroes(a->inst) : LLVMIsNull(LLVMGetOperand(a->inst, 0));
}

static uint32_t site_of(struct fr_func *f, const struct fr_access *a)
{
	unsigned flags = (a->write ? FR_SITE_WRITE : FR_SITE_READ) |
			 (a->vol ? FR_SITE_VOLATILE : 0) | (a->range ? FR_SITE_RANGE : 0) |
			 (a->local ? FR_SITE_LOCAL : 0) | (zeroes(a) ? FR_SITE_ZEROES : 0) |
			 (!a->range && reads_number(a->inst) ? FR_SITE_NUMBER : 0) |
			 (a->range ? 0 : fr_mark_bits(f->u, a->inst));
	uint32_t site;

	fr_assert(!a->range || !(flags & FR_SITE_POINTER));
	if (flags & FR_SITE_POINTER)
		flags &= ~(unsigned)FR_SITE_NUMBER;
	site = fr_access_site(f, a->inst, a->ptr, flags, a->range && !a->write);
	if (!a->done && !a->write && !a->range)
		fr_mark_read(f->u, a->inst, site);
	return site;
}

static void collect(struct fr_pass_unit *u, LLVMValueRef fn, struct fr_func *ret)
{
	*ret = (struct fr_func){.u = u, .fn = fn};
	if (u->opt.ranges && u->opt.nests)
		fr_hoist(ret);
	fr_func_collect(ret);
	u->count[FR_PC_functions_skipped] += ret->funclets;
	ret->empty =
	    ret->funclets || (!ret->access.n && !ret->atomic.n && !ret->memop.n && !ret->call.n);
}

static void instrument(struct fr_pass_unit *u, struct fr_func *f)
{
	uint32_t first = fr_unit_sites_count(u->sites);

	u->count[FR_PC_functions]++;
	if (u->opt.redundant)
		fr_redundant(f);
	FR_VEC_FOREACH (a, &f->access)
		a->site = site_of(f, a);
	if (u->opt.ranges)
		fr_loops(f);
	fr_influence_settle(f);
	if (u->opt.branches)
		fr_branches(f);
	fr_size_up(f);
	fr_size_choose(f, NULL);
	fr_frame_hooks(f);
	FR_VEC_FOREACH (i, &f->call)
		fr_call_hook(f, *i);
	fr_return_hooks(f);
	FR_VEC_FOREACH (i, &f->atomic)
		fr_atomic_hook(f, *i);
	FR_VEC_FOREACH (i, &f->memop)
		fr_memop_hook(f, *i);
	/* Backwards: of two hooks of one instruction, the one inserted last comes first. */
	for (size_t i = f->access.n; i-- > 0;)
		if (!f->access.v[i].done) {
			fr_size_choose(f, f->access.v[i].inst);
			fr_access_hook(f, &f->access.v[i]);
		}
	u->apart = false;
	fr_influence_sites(u, f->fn, first, fr_unit_sites_count(u->sites));
}

static void instrument_all(struct fr_pass_unit *u, const LLVMValueRef *fn, size_t n)
{
	struct fr_func *f = fr_xcalloc(n + 1, sizeof(*f));

	for (size_t i = 0; i < n; i++)
		collect(u, fn[i], &f[i]);
	fr_marks_find(u, f, n);
	fr_influence_find(u, f, n);
	for (size_t i = 0; i < n; i++) {
		if (!f[i].empty)
			instrument(u, &f[i]);
		release(&f[i]);
	}
	fr_marks_finish(u);
	fr_marks_free(u);
	fr_influence_finish(u);
	fr_influence_free(u);
	free(f);
}

static void print_counters(const struct fr_pass_unit *u)
{
	static const char *const text[] = {
#define FR_X(n, s) s,
		FR_PASS_COUNTERS(FR_X)
#undef FR_X
	};
	size_t n;
	const char *name = LLVMGetSourceFileName(u->mod, &n);

	fprintf(stderr, "forerun pass: %s: %u sites\n", name, fr_unit_sites_count(u->sites));
	for (size_t i = 0; i < FR_PC_COUNT; i++)
		if (u->count[i])
			fprintf(stderr, "forerun pass: %10llu %s\n",
				(unsigned long long)u->count[i], text[i]);
}

static void verify(LLVMModuleRef m)
{
	char *msg = NULL;
	size_t n;

	if (LLVMVerifyModule(m, LLVMReturnStatusAction, &msg)) {
		fprintf(stderr, "forerun: the pass broke '%s':\n%s\n", LLVMGetSourceFileName(m, &n),
			msg);
		exit(1);
	}
	LLVMDisposeMessage(msg);
}

/* Functions that fails= names stay functions of their own: a call of them is the failure, not an
   action inside them. */
static bool keep_failing(struct fr_pass_unit *u)
{
	static const char name[] = "noinline", other[] = "alwaysinline";
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
	bool changed = false;

	for (LLVMValueRef f = LLVMGetFirstFunction(u->mod); f && u->opt.fails.n;
	     f = LLVMGetNextFunction(f)) {
		FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
		size_t n;

		fr_point_name(u, f, &b);
		if (LLVMIsDeclaration(f) ||
		    !fr_pass_opt_fails(&u->opt, b.s, LLVMGetValueName2(f, &n)))
			continue;
		LLVMRemoveEnumAttributeAtIndex(
		    f, at, LLVMGetEnumAttributeKindForName(other, strlen(other)));
		LLVMAddAttributeAtIndex(
		    f, at,
		    LLVMCreateEnumAttribute(
			u->ctx, LLVMGetEnumAttributeKindForName(name, strlen(name)), 0));
		changed = true;
	}
	return changed;
}

bool fr_pass_start(LLVMModuleRef m)
{
	bool changed = false;
	struct fr_pass_unit u;

	if (!LLVMGetNamedGlobal(m, "frt_unit_sites")) {
		changed = fr_plugin_tell_apart(m);
		start(&u, m);
		fr_guard_globals(&u);
		changed |= u.opt.calls.n && fr_points_insert(&u, wants);
		carried[FR_PC_points] = u.count[FR_PC_points];
		carried[FR_PC_points_indirect] = u.count[FR_PC_points_indirect];
		changed |= keep_failing(&u);
		finish(&u);
	}
	changed |= fr_speculation_forbid(m);
	changed |= fr_pass_name(m);
	return fr_guard_strip(m) || changed;
}

bool fr_pass_instrument(LLVMModuleRef m)
{
	FR_VEC(LLVMValueRef) fns = {0};
	struct fr_pass_unit u;
	bool changed = false;

	if (LLVMGetNamedGlobal(m, "frt_unit_sites"))
		return false; /* bitcode that this pass has already instrumented */
	start(&u, m);
	for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
		if (wants(&u, f))
			fr_vec_push(&fns, f);
	instrument_all(&u, fns.v, fns.n);
	FR_VEC_FOREACH (f, &fns)
		changed |= fr_machine_hooks(&u, *f);
	fr_vec_free(&fns);
	fr_points_finish(&u);
	fr_guard_finish(&u);
	for (size_t i = 0; i < FR_PC_COUNT; i++)
		u.count[i] += carried[i];
	changed |= fr_define_mark(&u);
	if (fr_unit_sites_count(u.sites) > 0) {
		changed = true;
		fr_link_register(&u);
		if (!fr_link_hooks(&u))
			exit(1);
		fr_link_attributes(&u);
	}
	if (u.opt.verbose)
		print_counters(&u);
	if (u.opt.verify)
		verify(m);
	finish(&u);
	return changed;
}
