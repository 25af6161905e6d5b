/*
 * Branches that depend on recorded reads: conditional branches, switches, computed gotos, and calls
 * through pointers. The hook comes before the branch. The runtime writes the branch if a read was
 * kept since the last branch that it wrote (runtime/core/rt_branch.h).
 *
 * A branch in a loop has its own hook only if the branch depends on a read (or call) of the loop
 * itself. If all of that comes from before the loop, one hook before the loop stands for all such
 * branches (FR_BRANCH_LOOP), because their outcome was determined by then. If the branch depends on
 * a read that is recorded when the loop is left (loop.c), a hook comes after that
 * (FR_BRANCH_RANGE).
 *
 * Invariant: between a kept read and an event that it may have decided there is a BRANCH.
 * Conservative, like flow.c. A loop with two entries is not treated as a loop and has a hook at
 * each branch. Selects are data flow and have no hook.
 */
#include "cfg.h"
#include "base/assert.h"
#include "flow.h"
#include "format/event.h"
#include "influence.h"

#define NONE UINT32_MAX

struct branch_nest {
	unsigned header, parent, depth;
	LLVMValueRef hoisted; /* a branch whose hook comes before the loop */
	uint32_t site;
};

struct branches {
	struct fr_func *f;
	struct fr_cfg cfg;
	struct fr_value_flow depend;
	FR_VEC(struct branch_nest) loop;
	unsigned *in;	      /* innermost loop of each block, or NONE */
	struct fr_map hooked; /* blocks whose terminator has a hook */
	struct fr_map ranges; /* headers of loops with a hook after them */
};

/* ---- loops ---- */

static void fill(struct branches *b, unsigned header, unsigned loop)
{
	FR_VEC(unsigned) todo = {0};
	struct fr_cfg *c = &b->cfg;

	b->in[header] = loop;
	for (unsigned i = c->pred_at[header]; i < c->pred_at[header + 1]; i++)
		if (fr_cfg_dominates(c, header, c->pred[i]))
			fr_vec_push(&todo, c->pred[i]);
	while (todo.n) {
		unsigned x = todo.v[--todo.n];

		if (b->in[x] == loop)
			continue;
		b->in[x] = loop;
		for (unsigned i = c->pred_at[x]; i < c->pred_at[x + 1]; i++)
			fr_vec_push(&todo, c->pred[i]);
	}
	fr_vec_free(&todo);
}

/* Natural loops, outer ones first: a header comes before the headers in its loop. */
static void find_loops(struct branches *b)
{
	struct fr_cfg *c = &b->cfg;

	b->in = fr_xcalloc(c->n, sizeof(*b->in));
	for (unsigned i = 0; i < c->n; i++)
		b->in[i] = NONE;
	for (unsigned h = 0; h < c->n; h++) {
		struct branch_nest l = {.header = h, .parent = b->in[h]};
		bool back = false;

		for (unsigned i = c->pred_at[h]; i < c->pred_at[h + 1]; i++)
			back |= fr_cfg_dominates(c, h, c->pred[i]);
		if (!back)
			continue;
		fr_assert(l.parent == NONE || l.parent < b->loop.n);
		l.depth = l.parent == NONE ? 1 : b->loop.v[l.parent].depth + 1;
		fr_vec_push(&b->loop, l);
		fill(b, h, (unsigned)b->loop.n - 1);
	}
}

static unsigned depth_of(const struct branches *b, unsigned loop)
{
	return loop == NONE ? 0 : b->loop.v[loop].depth;
}

/* The innermost loop that two blocks have in common, or NONE. */
static unsigned common(const struct branches *b, unsigned x, unsigned y)
{
	while (x != y) {
		fr_assert(x == NONE || x < b->loop.n);
		fr_assert(y == NONE || y < b->loop.n);
		if (depth_of(b, x) >= depth_of(b, y))
			x = b->loop.v[x].parent;
		else
			y = b->loop.v[y].parent;
	}
	return x;
}

/* ---- dependences of a branch ---- */

struct branch_source {
	struct branches *b;
	unsigned at;	/* innermost loop of the branch */
	bool any;	/* it depends on something */
	unsigned depth; /* depth of the innermost loop around it that contains a dependence */
	LLVMValueRef read;
};

static bool is_in(const struct branches *b, unsigned loop, LLVMBasicBlockRef header)
{
	for (; loop != NONE; loop = b->loop.v[loop].parent)
		if (b->cfg.block[b->loop.v[loop].header] == header)
			return true;
	return false;
}

static void found(void *ctx, LLVMBasicBlockRef at, LLVMValueRef read, const struct fr_access *plain)
{
	struct branch_source *s = ctx;
	unsigned n = at ? fr_cfg_number(&s->b->cfg, at) : NONE, loop = s->at;

	if (at && n == NONE)
		return; /* unreachable */
	if (read && !s->read)
		s->read = read;
	if (plain && plain->loop && is_in(s->b, s->at, plain->loop)) {
		*fr_map_put(&s->b->ranges, (uintptr_t)plain->loop) = 1;
		return;
	}
	if (at)
		loop = common(s->b, s->at, s->b->in[n]);
	s->any = true;
	if (depth_of(s->b, loop) > s->depth)
		s->depth = depth_of(s->b, loop);
}

static uint32_t site_of(struct branches *b, LLVMValueRef inst, LLVMValueRef read)
{
	struct fr_site_desc d = {
	    .fn = b->f->fn, .loc = LLVMInstructionGetDebugLoc(inst), .kind = FR_SITE_BRANCH};

	if (read)
		fr_lookup_name(b->f, read, LLVMGetOperand(read, 0), 0, &d.name, &d.type);
	return fr_site_add(b->f->u->sites, &d);
}

/* ---- hooks ---- */

static void hook(struct branches *b, LLVMValueRef before, uint32_t site, LLVMValueRef value,
		 enum fr_branch what)
{
	struct fr_pass_unit *u = b->f->u;

	fr_assert(!b->f->depth); /* before all other hooks */
	fr_before(u, before);
	if (!value)
		value = fr_i64(u, 0);
	else if (LLVMTypeOf(value) == u->ptr)
		value = LLVMBuildPtrToInt(u->b, value, u->i64, "");
	else if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
		value = LLVMBuildTrunc(u->b, value, u->i64, "");
	else if (LLVMTypeOf(value) != u->i64)
		value = LLVMBuildZExt(u->b, value, u->i64, "");
	fr_hook(u, FR_H_BRANCH, (LLVMValueRef[]){fr_site_value(u, site), value, fr_i32(u, what)});
	u->count[FR_PC_branches]++;
}

/* True if a hook can stand in front of the loop, after everything that happens before it. */
static bool has_front(struct branches *b, const struct branch_nest *l)
{
	struct fr_cfg *c = &b->cfg;

	for (unsigned i = c->pred_at[l->header]; i < c->pred_at[l->header + 1]; i++) {
		LLVMValueRef t = LLVMGetBasicBlockTerminator(c->block[c->pred[i]]);

		if (!fr_cfg_dominates(c, l->header, c->pred[i]) && !LLVMIsABranchInst(t) &&
		    !LLVMIsASwitchInst(t))
			return false;
	}
	return true;
}

/* The outermost loop around the branch that contains none of its dependences, or NULL. */
static struct branch_nest *outermost(struct branches *b, const struct branch_source *s)
{
	struct branch_nest *l;

	if (s->at == NONE || depth_of(b, s->at) == s->depth)
		return NULL;
	for (l = &b->loop.v[s->at]; l->depth > s->depth + 1;)
		l = &b->loop.v[l->parent];
	fr_assert(l->depth == s->depth + 1);
	return has_front(b, l) ? l : NULL;
}

static void one(struct branches *b, LLVMValueRef inst, unsigned block, LLVMValueRef cond,
		enum fr_branch what)
{
	struct branch_source s = {.b = b, .at = b->in[block]};
	struct branch_nest *l;

	fr_assert(block < b->cfg.n);
	fr_depend(&b->depend, cond, found, &s);
	if (!s.any) {
		b->f->u->count[FR_PC_branches_free]++;
		return;
	}
	l = outermost(b, &s);
	if (!l) {
		uint32_t site = site_of(b, inst, s.read);

		hook(b, inst, site, cond, what);
		if (LLVMIsATerminatorInst(inst))
			fr_influence_site(b->f->u, inst, site);
		if (LLVMIsATerminatorInst(inst))
			*fr_map_put(&b->hooked, (uintptr_t)b->cfg.block[block]) = 1;
	} else if (!l->hoisted) {
		l->hoisted = inst;
		l->site = site_of(b, inst, s.read);
	}
}

static void terminator(struct branches *b, unsigned block)
{
	LLVMValueRef t = LLVMGetBasicBlockTerminator(b->cfg.block[block]);

	if (LLVMIsABranchInst(t) && LLVMIsConditional(t))
		one(b, t, block, LLVMGetCondition(t), FR_BRANCH_IF);
	else if (LLVMIsASwitchInst(t))
		one(b, t, block, LLVMGetOperand(t, 0), FR_BRANCH_SWITCH);
	else if (LLVMIsAIndirectBrInst(t))
		one(b, t, block, LLVMGetOperand(t, 0), FR_BRANCH_INDIRECT);
}

/* Inserts the hook before the loop, unless a branch there already has its own. */
static void in_front(struct branches *b, const struct branch_nest *l)
{
	struct fr_cfg *c = &b->cfg;

	for (unsigned i = c->pred_at[l->header]; i < c->pred_at[l->header + 1]; i++) {
		LLVMBasicBlockRef p = c->block[c->pred[i]];

		if (fr_cfg_dominates(c, l->header, c->pred[i]))
			continue;
		if (fr_map_get(&b->hooked, (uintptr_t)p))
			continue;
		hook(b, LLVMGetBasicBlockTerminator(p), l->site, NULL, FR_BRANCH_LOOP);
		*fr_map_put(&b->hooked, (uintptr_t)p) = 1;
	}
}

void fr_branches(struct fr_func *f)
{
	struct branches b = {.f = f};

	fr_cfg_build(&b.cfg, f->fn);
	find_loops(&b);
	fr_depend_start(&b.depend, f);
	FR_VEC_FOREACH (c, &f->call) {
		unsigned n = fr_cfg_number(&b.cfg, LLVMGetInstructionParent(*c));
		LLVMValueRef callee = LLVMGetCalledValue(*c);

		if (n != NONE && (LLVMIsAInstruction(callee) || LLVMIsAArgument(callee)))
			one(&b, *c, n, callee, FR_BRANCH_INDIRECT);
	}
	for (unsigned i = 0; i < b.cfg.n; i++)
		terminator(&b, i);
	FR_VEC_FOREACH (l, &b.loop)
		if (l->hoisted)
			in_front(&b, l);
	FR_VEC_FOREACH (e, &f->left)
		if (fr_map_get(&b.ranges, (uintptr_t)e->header))
			hook(&b, e->term, site_of(&b, e->term, NULL), NULL, FR_BRANCH_RANGE);
	fr_depend_free(&b.depend);
	fr_cfg_free(&b.cfg);
	fr_vec_free(&b.loop);
	fr_map_free(&b.hooked);
	fr_map_free(&b.ranges);
	free(b.in);
}
