/*
 * Code that records a loop when it is left: each exit edge gets its own block, which computes how
 * often each access was executed, and the first address.
 *
 * loop.c determines for each access at which exits it was executed in the last, partial iteration.
 */
#include "stride.h"
#include "base/assert.h"
#include "format/hook_abi.h"

static bool counts(const struct fr_iv *iv)
{
	return !iv->narrow && !iv->by && iv->step && iv->step < INT32_MAX && iv->step > -INT32_MAX;
}

/* A new variable in the header: 0 on entry, plus one. */
static LLVMValueRef own_counter(struct fr_stride_plan *p)
{
	struct fr_pass_unit *u = p->f->u;
	LLVMBasicBlockRef header = p->ivs->cfg->block[p->ivs->loop->header];
	LLVMValueRef first = LLVMGetFirstInstruction(header), at = first, phi, next;
	LLVMBasicBlockRef latch = p->ivs->cfg->block[p->ivs->loop->latch];

	fr_assert(LLVMIsAPHINode(first)); /* the loop has an induction variable */
	LLVMPositionBuilderBefore(u->b, first);
	LLVMSetCurrentDebugLocation2(u->b, NULL);
	phi = LLVMBuildPhi(u->b, u->i64, "");
	while (LLVMIsAPHINode(at))
		at = LLVMGetNextInstruction(at);
	fr_before(u, at);
	next = LLVMBuildAdd(u->b, phi, fr_i64(u, 1), "");
	/* One entry for each edge, like any other phi of the header. */
	for (unsigned i = 0; i < LLVMCountIncoming(first); i++) {
		LLVMBasicBlockRef from = LLVMGetIncomingBlock(first, i);
		LLVMValueRef v = from == latch ? next : fr_i64(u, 0);

		LLVMAddIncoming(phi, &v, &from, 1);
	}
	return next;
}

struct fr_counter fr_stride_counter(struct fr_stride_plan *p)
{
	FR_VEC_FOREACH (iv, &p->ivs->iv)
		if (counts(iv))
			return (struct fr_counter){.iv = iv};
	return (struct fr_counter){.own = own_counter(p)};
}

LLVMValueRef fr_stride_divide(struct fr_pass_unit *u, LLVMValueRef n, uint64_t step)
{
	fr_assert(step && LLVMTypeOf(n) == u->i64);
	if (!(step & (step - 1)))
		return LLVMBuildLShr(u->b, n, fr_i64(u, (uint64_t)__builtin_ctzll(step)), "");
	return LLVMBuildUDiv(u->b, n, fr_i64(u, step), "");
}

LLVMValueRef fr_stride_visits(struct fr_stride_plan *p, const struct fr_counter *c, unsigned from)
{
	struct fr_pass_unit *u = p->f->u;
	const struct fr_iv *iv = c->iv;
	LLVMValueRef now, n;
	uint64_t step;
	bool ahead;

	fr_assert(!c->own == !!c->iv);
	if (c->own)
		return c->own;
	/* The variable's next value is live anyway; its current one would
	   have to be kept for this. */
	ahead =
	    LLVMIsAInstruction(iv->next) &&
	    fr_cfg_dominates(p->ivs->cfg,
			     fr_cfg_number(p->ivs->cfg, LLVMGetInstructionParent(iv->next)), from);
	now = fr_as_i64(u, ahead ? iv->next : iv->phi);
	n = iv->step > 0 ? LLVMBuildSub(u->b, now, fr_as_i64(u, iv->start), "")
			 : LLVMBuildSub(u->b, fr_as_i64(u, iv->start), now, "");
	step = (uint64_t)(iv->step > 0 ? iv->step : -iv->step);
	n = fr_stride_divide(u, n, step);
	return ahead ? n : LLVMBuildAdd(u->b, n, fr_i64(u, 1), "");
}

LLVMBasicBlockRef fr_stride_split(struct fr_stride_plan *p, const struct fr_exit *e)
{
	struct fr_pass_unit *u = p->f->u;
	LLVMBasicBlockRef from = p->ivs->cfg->block[e->from];
	LLVMValueRef term = LLVMGetBasicBlockTerminator(from), i;
	LLVMBasicBlockRef b = LLVMInsertBasicBlockInContext(u->ctx, e->to, "");

	fr_assert(LLVMGetSuccessor(term, e->edge) == e->to);
	LLVMPositionBuilderAtEnd(u->b, b);
	LLVMSetCurrentDebugLocation2(u->b, LLVMInstructionGetDebugLoc(term));
	LLVMBuildBr(u->b, e->to);
	LLVMSetSuccessor(term, e->edge, b);
	for (i = LLVMGetFirstInstruction(e->to); i && LLVMIsAPHINode(i);
	     i = LLVMGetNextInstruction(i))
		fr_plugin_phi_from(i, from, b);
	fr_vec_push(&p->f->left, ((struct fr_left){LLVMGetBasicBlockTerminator(b),
						   p->ivs->cfg->block[p->ivs->loop->header]}));
	return b;
}

struct event {
	LLVMValueRef base, count, stride, elem, site;
};

LLVMValueRef fr_stride_count(struct fr_pass_unit *u, LLVMValueRef visits, bool last,
			     const struct fr_guard *g)
{
	LLVMValueRef n = last ? visits : LLVMBuildSub(u->b, visits, fr_i64(u, 1), "");

	fr_assert(g->n <= FR_GUARDS);
	for (unsigned i = 0; i < g->n; i++) {
		/* The loop may have been left before it ever branched on the condition. */
		LLVMValueRef c = LLVMBuildFreeze(u->b, g->cond[i], ""), zero = fr_i64(u, 0);

		n = LLVMBuildSelect(u->b, c, g->sense[i] ? n : zero, g->sense[i] ? zero : n, "");
	}
	return n;
}

static struct event event_of(struct fr_stride_plan *p, const struct fr_stride *s, LLVMValueRef full,
			     unsigned exit)
{
	struct fr_pass_unit *u = p->f->u;
	LLVMValueRef n = fr_stride_count(u, full, s->last >> exit & 1, &s->guard);

	fr_assert(s->times && s->elem && exit < p->exits.n);
	if (s->times > 1)
		n = LLVMBuildMul(u->b, n, fr_i64(u, s->times), "");
	return (struct event){
	    .base = LLVMBuildIntToPtr(u->b, fr_sum_first(p->ivs, &s->sum), u->ptr, ""),
	    .count = n,
	    .stride = s->constant ? fr_i64(u, (uint64_t)s->stride) : fr_sum_growth(p->ivs, &s->sum),
	    .elem = fr_i32(u, s->elem),
	    .site = fr_site_value(u, s->first->site),
	};
}

#define FIELDS 9

static LLVMTypeRef entry_type(struct fr_pass_unit *u)
{
	LLVMTypeRef f[FIELDS] = {u->ptr, u->i64, u->i64, u->i32, u->i32,
				 u->i32, u->i32, u->i32, u->i32};

	_Static_assert(sizeof(struct frt_stride) == 48,
		       "struct frt_stride is written here field by field");
	return LLVMStructTypeInContext(u->ctx, f, FIELDS, false);
}

LLVMValueRef fr_stride_array(struct fr_func *f, LLVMTypeRef t, size_t n)
{
	LLVMPositionBuilderBefore(f->u->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f->fn)));
	LLVMSetCurrentDebugLocation2(f->u->b, NULL);
	return LLVMBuildAlloca(f->u->b, LLVMArrayType2(t, n), "");
}

void fr_stride_fill(struct fr_pass_unit *u, LLVMTypeRef t, LLVMValueRef array, size_t k,
		    LLVMValueRef *fields)
{
	for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++) {
		LLVMValueRef at[] = {fr_i32(u, k), fr_i32(u, i)};

		LLVMBuildStore(u->b, fields[i], LLVMBuildGEP2(u->b, t, array, at, 2, ""));
	}
}

static void put_entry(struct fr_stride_plan *p, LLVMValueRef array, unsigned k,
		      const struct fr_stride *s, const struct event *e)
{
	struct fr_pass_unit *u = p->f->u;
	LLVMValueRef v[FIELDS] = {e->base,
				  e->count,
				  e->stride,
				  e->elem,
				  e->site,
				  fr_i32(u, s->write),
				  fr_i32(u, s->cls),
				  fr_i32(u, s->times),
				  fr_i32(u, s->constant && !s->stride)};

	fr_stride_fill(u, entry_type(u), array, k, v);
}

LLVMValueRef fr_stride_parts(struct fr_stride_plan *p)
{
	struct fr_pass_unit *u = p->f->u;
	LLVMTypeRef i16 = LLVMInt16TypeInContext(u->ctx), f[] = {i16, i16, u->i32};
	LLVMTypeRef t = LLVMStructTypeInContext(u->ctx, f, 3, false);
	LLVMValueRef *all = fr_xcalloc(p->parts.n, sizeof(*all)), table;

	_Static_assert(sizeof(struct frt_stride_part) == 8,
		       "struct frt_stride_part is written here");
	for (size_t i = 0; i < p->parts.n; i++) {
		LLVMValueRef v[] = {LLVMConstInt(i16, p->parts.v[i].in, false),
				    LLVMConstInt(i16, p->parts.v[i].size, false),
				    fr_i32(u, (uint64_t)p->parts.v[i].off)};

		fr_assert(p->parts.v[i].in < p->out.n && p->parts.v[i].size <= UINT16_MAX);
		all[i] = LLVMConstStructInContext(u->ctx, v, 3, false);
	}
	table = LLVMAddGlobal(u->mod, LLVMArrayType2(t, p->parts.n), "frt_parts");
	LLVMSetInitializer(table, LLVMConstArray2(t, all, p->parts.n));
	LLVMSetGlobalConstant(table, true);
	LLVMSetLinkage(table, LLVMPrivateLinkage);
	LLVMSetUnnamedAddress(table, LLVMGlobalUnnamedAddr);
	free(all);
	return table;
}

static void emit_exit(struct fr_stride_plan *p, const struct fr_counter *c, const struct fr_exit *e,
		      LLVMValueRef array, LLVMValueRef table)
{
	struct fr_pass_unit *u = p->f->u;
	LLVMValueRef term = LLVMGetBasicBlockTerminator(fr_stride_split(p, e));
	LLVMValueRef full;
	unsigned k = 0;

	fr_before(u, term);
	full = fr_stride_visits(p, c, e->from);
	FR_VEC_FOREACH (s, &p->out) {
		struct event ev;

		fr_before(u, term);
		if (LLVMInstructionGetDebugLoc(s->first->inst))
			LLVMSetCurrentDebugLocation2(u->b,
						     LLVMInstructionGetDebugLoc(s->first->inst));
		ev = event_of(p, s, full, (unsigned)(e - p->exits.v));
		if (array)
			put_entry(p, array, k++, s, &ev);
		else
			fr_hook(u, s->write ? FR_H_STRIDE_WRITE : FR_H_STRIDE_READ,
				(LLVMValueRef[]){ev.base, ev.count, ev.stride, ev.elem, ev.site});
	}
	if (array) {
		fr_before(u, term);
		fr_hook(u, FR_H_STRIDES,
			(LLVMValueRef[]){array, fr_i32(u, k), table, fr_i32(u, p->parts.n)});
	}
}

void fr_stride_emit(struct fr_stride_plan *p)
{
	struct fr_pass_unit *u = p->f->u;
	struct fr_counter c = fr_stride_counter(p);
	LLVMValueRef array = NULL, table = NULL;

	fr_assert(p->out.n && p->exits.n);
	if (p->runtime_order) {
		array = fr_stride_array(p->f, entry_type(u), p->out.n);
		table = fr_stride_parts(p);
	}
	FR_VEC_FOREACH (e, &p->exits)
		emit_exit(p, &c, e, array, table);
	u->count[FR_PC_strides] += p->out.n;
}
