/*
 * Code size. An inlined hook takes about 200 bytes and five blocks. Thousands of them make a
 * function several times slower to compile and larger than any cache. A function with more than a
 * few hooks has them inlined only in its small loops without calls, where they pay; elsewhere they
 * are calls that keep the caller's registers.
 */
#include "cfg.h"
#include "func.h"

#define LOOP_MAX 16 /* accesses of a loop whose hooks are inlined */

struct sizer {
	struct fr_func *f;
	struct fr_cfg cfg;
	struct fr_map accesses; /* block -> number of accesses */
};

/* Does the block call a function? The call then costs more than the calls of hooks. */
static bool calls(LLVMBasicBlockRef block)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
		if (LLVMIsACallInst(i) && !LLVMIsAIntrinsicInst(i) &&
		    !LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
			return true;
	return false;
}

static void one_loop(void *ctx, struct fr_loop_cfg *l)
{
	struct sizer *s = ctx;
	uint64_t n = 0, *k;

	for (size_t i = 0; i < l->body.n; i++) {
		k = fr_map_get(&s->accesses, (uintptr_t)s->cfg.block[l->body.v[i]]);
		n += k ? *k : 0;
		if (calls(s->cfg.block[l->body.v[i]]))
			return;
	}
	if (n > LOOP_MAX || !s->f->u->opt.inlined || fr_fn_attr(s->f->fn, "optnone"))
		return;
	for (size_t i = 0; i < l->body.n; i++)
		*fr_map_put(&s->f->small, (uintptr_t)s->cfg.block[l->body.v[i]]) = 1;
}

void fr_size_up(struct fr_func *f)
{
	struct sizer s = {.f = f};
	size_t hooks = f->call.n + f->exit.n + f->pad.n;

	FR_VEC_FOREACH (a, &f->access)
		if (!a->done && !a->range && a->size <= 8) {
			hooks++;
			++*fr_map_put(&s.accesses, (uintptr_t)LLVMGetInstructionParent(a->inst));
		}
	/* Inlining does not make unoptimised code faster, only larger. */
	f->large = hooks > f->u->opt.inlined || fr_fn_attr(f->fn, "optnone");
	if (f->large) {
		f->u->count[FR_PC_functions_large]++;
		fr_cfg_build(&s.cfg, f->fn);
		fr_cfg_loops(&s.cfg, one_loop, &s);
		fr_cfg_free(&s.cfg);
	}
	fr_map_free(&s.accesses);
}

void fr_size_choose(struct fr_func *f, LLVMValueRef inst)
{
	f->u->apart =
	    f->large && !(inst && fr_map_get(&f->small, (uintptr_t)LLVMGetInstructionParent(inst)));
}
