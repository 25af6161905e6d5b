/*
 * The graph of influence of a unit (influence.h): numbers the nodes of all functions, learns the
 * sites of their instructions, and writes the graph into the site table.
 *
 * Instructions that share a site (copies that the optimiser made) share its nodes. FR_SITE_FIXED
 * holds for a site if all its accesses have one address and one size; an influence that relied on
 * it goes to USED or BRANCH if it does not hold. A read without a node matters always, so that
 * reads whose hooks are not simple (loop.c) need none.
 */
#include "influence_unit.h"
#include "base/assert.h"
#include <string.h>

#define INSTRUCTIONS_MAX 100000 /* in larger functions all reads matter */

/* ---- the unit's nodes and edges ---- */

uint32_t fr_inf_out(struct fr_pass_unit *u, struct fr_inf_out x)
{
	struct fr_influence *k = u->influence;
	/* Addresses have 47 bits, and an argument has 8. */
	uint64_t key = ((uint64_t)x.ref << 4 | x.kind) ^ (uint64_t)x.arg << 52, *slot;

	fr_assert(x.arg < 256 && x.kind < 16);
	slot = fr_map_put(&k->id, key & INT64_MAX);
	if (!*slot) {
		fr_vec_push(&k->out, x);
		*slot = k->out.n;
	}
	fr_assert(k->out.v[*slot - 1].ref == x.ref);
	return (uint32_t)(*slot - 1);
}

unsigned fr_inf_kind(const struct fr_pass_unit *u, uint32_t out)
{
	fr_assert(out < u->influence->out.n);
	return u->influence->out.v[out].kind;
}

size_t fr_inf_edge(struct fr_pass_unit *u, uint32_t from, uint32_t to, unsigned where)
{
	fr_assert(from < u->influence->out.n && to < u->influence->out.n);
	fr_vec_push(&u->influence->link, ((struct fr_inf_link){from, to, (uint8_t)where}));
	return u->influence->link.n - 1;
}

void fr_inf_near(struct fr_pass_unit *u, LLVMValueRef fn, size_t edge, LLVMValueRef read,
		 LLVMValueRef write)
{
	struct fr_influence *k = u->influence;
	uint64_t *part = fr_map_put(&k->nears, (uintptr_t)fn);

	if (!*part) {
		fr_vec_push(&k->part, ((struct fr_inf_part){k->near.n, 0}));
		*part = k->part.n;
	}
	k->part.v[*part - 1].n++; /* functions come one after the other */
	fr_vec_push(&k->near, ((struct fr_inf_near){edge, read, write}));
}

void fr_inf_block(struct fr_pass_unit *u, LLVMBasicBlockRef b, const uintptr_t *key, size_t n)
{
	struct fr_influence *k = u->influence;

	fr_vec_push(&k->part, ((struct fr_inf_part){k->key.n, n}));
	*fr_map_put(&k->blocks, (uintptr_t)b) = k->part.n;
	for (size_t i = 0; i < n; i++)
		fr_vec_push(&k->key, key[i]);
}

void fr_inf_waits(struct fr_pass_unit *u, LLVMValueRef read)
{
	*fr_map_put(&u->influence->waits, (uintptr_t)read) = 1;
}

uint32_t fr_inf_join(struct fr_pass_unit *u)
{
	/* An odd number is no address. */
	return fr_inf_out(
	    u, (struct fr_inf_out){.kind = FR_NODE_JOIN, .ref = u->influence->out.n * 2 + 1});
}

/* ---- a function's nodes and edges ---- */

static uint32_t param_of(LLVMValueRef fn, LLVMValueRef arg)
{
	uint32_t n = 0;

	while (LLVMGetParam(fn, n) != arg)
		n++;
	return n;
}

uint32_t fr_inf_node(struct fr_inf *g, unsigned kind, uintptr_t ref, unsigned arg)
{
	uint32_t out = fr_inf_out(
	    g->u, (struct fr_inf_out){.kind = (uint8_t)kind, .ref = ref, .arg = (uint16_t)arg});
	uint64_t *slot = fr_map_put(&g->outs, out);

	if (!*slot) {
		fr_vec_push(&g->node, ((struct fr_inf_node){out}));
		*slot = g->node.n;
	}
	return (uint32_t)(*slot - 1);
}

uint32_t fr_inf_value(struct fr_inf *g, LLVMValueRef v)
{
	uint64_t *slot = fr_map_get(&g->id, (uintptr_t)v);
	uint32_t n;

	if (slot)
		return (uint32_t)(*slot - 1);
	n = LLVMIsAArgument(v) ? param_of(g->f->fn, v) : 0;
	if (LLVMIsAArgument(v) && n < 255)
		n = fr_inf_node(g, FR_NODE_PARAM, (uintptr_t)g->f->fn, n);
	else if (fr_map_get(&g->recorded, fr_inf_key(v, false)))
		n = fr_inf_node(g, FR_NODE_VALUE, fr_inf_key(v, false), 0);
	else {
		fr_vec_push(&g->node, ((struct fr_inf_node){FR_INF_INNER}));
		n = (uint32_t)g->node.n - 1;
	}
	*fr_map_put(&g->id, (uintptr_t)v) = n + 1;
	return n;
}

uint32_t fr_inf_contents(struct fr_inf *g, LLVMValueRef local)
{
	uint64_t *slot = fr_map_put(&g->id, (uintptr_t)local | 1);

	if (!*slot) {
		fr_vec_push(&g->node, ((struct fr_inf_node){FR_INF_INNER}));
		*slot = g->node.n;
	}
	return (uint32_t)(*slot - 1);
}

void fr_inf_add(struct fr_inf *g, uint32_t from, uint32_t to)
{
	fr_assert(from < g->node.n && to < g->node.n);
	if (from != to)
		fr_vec_push(&g->edge, ((struct fr_inf_edge){.from = from, .to = to}));
}

void fr_inf_flow(struct fr_inf *g, LLVMValueRef v, uint32_t to)
{
	if ((LLVMIsAInstruction(v) && !LLVMIsAAllocaInst(v)) || LLVMIsAArgument(v))
		fr_inf_add(g, fr_inf_value(g, v), to);
}

/* ---- before the hooks ---- */

static bool too_large(LLVMValueRef fn)
{
	size_t n = 0;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (++n > INSTRUCTIONS_MAX)
				return true;
	return false;
}

static void of_function(struct fr_pass_unit *u, struct fr_func *f)
{
	struct fr_inf g = {.u = u, .f = f};

	if (f->funclets || too_large(f->fn)) {
		u->count[FR_PC_uninfluenced]++;
		return;
	}
	*fr_map_put(&u->influence->defined, (uintptr_t)f->fn) = 1;
	FR_VEC_FOREACH (a, &f->access)
		*fr_map_put(&g.recorded, fr_inf_key(a->inst, a->write)) = 1;
	FR_VEC_FOREACH (a, &f->atomic)
		*fr_map_put(&g.recorded, fr_inf_key(*a, false)) = 1;
	fr_cfg_build(&g.cfg, f->fn);
	fr_postdom_build(&g.post, &g.cfg);
	fr_inf_data(&g);
	fr_inf_control(&g);
	fr_inf_reduce(&g);
	fr_inf_wait(&g);
	fr_postdom_free(&g.post);
	fr_cfg_free(&g.cfg);
	fr_vec_free(&g.node);
	fr_vec_free(&g.edge);
	fr_map_free(&g.id);
	fr_map_free(&g.outs);
	fr_map_free(&g.recorded);
	fr_map_free(&g.tracked);
	free(g.execute);
	free(g.bad);
}

/* Is the address of the function used, and not only called? */
static bool is_taken(LLVMValueRef fn)
{
	for (LLVMUseRef x = LLVMGetFirstUse(fn); x; x = LLVMGetNextUse(x)) {
		LLVMValueRef i = LLVMGetUser(x);
		unsigned args;

		if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i))
			return true;
		args = LLVMGetNumArgOperands(i);
		for (unsigned k = 0; k < args; k++)
			if (LLVMGetOperand(i, k) == fn)
				return true;
	}
	return false;
}

static void edge(struct fr_pass_unit *u, unsigned kind, LLVMValueRef from, unsigned arg,
		 unsigned to_kind, LLVMValueRef to, unsigned to_arg)
{
	uint32_t a =
	    fr_inf_out(u, (struct fr_inf_out){
			      .kind = (uint8_t)kind, .ref = (uintptr_t)from, .arg = (uint16_t)arg});
	uint32_t b = fr_inf_out(u, (struct fr_inf_out){.kind = (uint8_t)to_kind,
						       .ref = (uintptr_t)to,
						       .arg = (uint16_t)to_arg});

	fr_inf_edge(u, a, b, 0);
}

/* Another name of a function (constructors of C++ have several). */
static void of_alias(struct fr_pass_unit *u, LLVMValueRef alias)
{
	LLVMValueRef fn = LLVMAliasGetAliasee(alias);

	if (!LLVMIsAFunction(fn) || !fr_map_get(&u->influence->defined, (uintptr_t)fn))
		return;
	*fr_map_put(&u->influence->defined, (uintptr_t)alias) = 1;
	edge(u, FR_NODE_CALLED, alias, 0, FR_NODE_CALLED, fn, 0);
	edge(u, FR_NODE_RESULT, fn, 0, FR_NODE_RESULT, alias, 0);
	for (unsigned k = 0; k < LLVMCountParams(fn) && k < 255; k++)
		edge(u, FR_NODE_PARAM, alias, k, FR_NODE_PARAM, fn, k);
}

void fr_influence_find(struct fr_pass_unit *u, struct fr_func *f, size_t n)
{
	u->influence = fr_xcalloc(1, sizeof(*u->influence));
	if (!u->opt.influence)
		return;
	for (size_t i = 0; i < n; i++)
		of_function(u, &f[i]);
	for (LLVMValueRef a = LLVMGetFirstGlobalAlias(u->mod); a; a = LLVMGetNextGlobalAlias(a))
		of_alias(u, a);
	for (LLVMValueRef fn = LLVMGetFirstFunction(u->mod); fn; fn = LLVMGetNextFunction(fn))
		if (!LLVMGetIntrinsicID(fn) &&
		    LLVMGetReturnType(LLVMGlobalGetValueType(fn)) != u->tvoid && is_taken(fn))
			edge(u, FR_NODE_RESULT, fn, 0, FR_NODE_USED, NULL, FR_USE_RETURNED);
}

/* ---- while the hooks are inserted ---- */

static void add_access(struct fr_influence *k, LLVMValueRef inst, LLVMValueRef ptr, uint64_t size,
		       uint32_t site, bool write)
{
	fr_vec_push(&k->access, ((struct fr_inf_access){.inst = inst,
							.ptr = fr_inf_fixed(ptr) ? ptr : NULL,
							.size = size,
							.site = site,
							.write = write,
							.block = LLVMGetInstructionParent(inst)}));
}

void fr_influence_site(struct fr_pass_unit *u, LLVMValueRef inst, uint32_t site)
{
	bool store = LLVMIsAStoreInst(inst),
	     write = store || LLVMIsAAtomicRMWInst(inst) || LLVMIsAAtomicCmpXchgInst(inst);

	*fr_map_put(&u->influence->sites, (uintptr_t)inst) = (uint64_t)site + 1;
	if (write || LLVMIsALoadInst(inst))
		add_access(
		    u->influence, inst, LLVMGetOperand(inst, store ? 1 : 0),
		    fr_store_size(u, LLVMTypeOf(LLVMGetOperand(inst, write && !store ? 1 : 0))),
		    site, write);
	else if (fr_map_get(&u->influence->waits, (uintptr_t)inst)) {
		fr_site_bits(u->sites, site, FR_SITE_WAITS);
		u->count[FR_PC_waits]++;
	}
}

void fr_influence_sites(struct fr_pass_unit *u, LLVMValueRef fn, uint32_t first, uint32_t end)
{
	if (first < end)
		*fr_map_put(&u->influence->ranges, (uintptr_t)fn) = first | (uint64_t)end << 32;
}

/* The number of hooks from a read to a write in its block; 0: not always the same, or too far. */
static unsigned distance(const struct fr_func *f, const struct fr_inf_near *x)
{
	size_t k = 0;
	unsigned d = 0;

	while (k < f->access.n && f->access.v[k].inst != x->read)
		k++;
	if (k == f->access.n)
		return 0;
	if (f->access.v[k].stands)
		k = f->access.v[k].stands - 1;
	if (f->access.v[k].done || f->access.v[k].range || f->access.v[k].size > 8)
		return 0;
	for (LLVMValueRef i = LLVMGetNextInstruction(f->access.v[k].inst); i;
	     i = LLVMGetNextInstruction(i)) {
		if (k + 1 < f->access.n && f->access.v[k + 1].inst == i) {
			const struct fr_access *a = &f->access.v[++k];

			if (a->range || a->size > 8 || a->loop)
				return 0;
			d += !a->done;
		} else if (fr_may_write(i) && !LLVMIsAStoreInst(i)) {
			return 0;
		}
		if (i == x->write)
			return f->access.v[k].inst == i && !f->access.v[k].done && d < FR_WHERE_SAME
				   ? d
				   : 0;
	}
	return 0;
}

static void settle_near(struct fr_func *f)
{
	struct fr_influence *k = f->u->influence;
	const uint64_t *part = fr_map_get(&k->nears, (uintptr_t)f->fn);
	struct fr_inf_part p = part ? k->part.v[*part - 1] : (struct fr_inf_part){0};

	for (size_t i = p.first; i < p.first + p.n; i++) {
		const struct fr_inf_near *x = &k->near.v[i];
		unsigned d = distance(f, x);

		k->link.v[x->link].where = (uint8_t)d;
		if (!d)
			k->link.v[x->link].to =
			    fr_inf_out(f->u, (struct fr_inf_out){.kind = FR_NODE_USED,
								 .arg = FR_USE_STORED,
								 .ref = (uintptr_t)x->write});
	}
}

void fr_influence_settle(struct fr_func *f)
{
	struct fr_influence *k = f->u->influence;

	FR_VEC_FOREACH (a, &f->access) {
		const struct fr_access *b = a->stands ? &f->access.v[a->stands - 1] : a;

		add_access(k, a->inst, a->ptr, a->size, b->site, a->write);
		/* Accesses of loops are recorded in another way. Their values are not followed. */
		*fr_map_put(&k->sites, fr_inf_key(a->inst, a->write)) =
		    ((uint64_t)b->site + 1) | (b->loop ? FR_INF_NO_VALUE : 0);
	}
	settle_near(f);
}

void fr_influence_free(struct fr_pass_unit *u)
{
	struct fr_influence *k = u->influence;

	fr_vec_free(&k->out);
	fr_vec_free(&k->link);
	fr_vec_free(&k->near);
	fr_vec_free(&k->part);
	fr_vec_free(&k->key);
	fr_vec_free(&k->access);
	fr_map_free(&k->id);
	fr_map_free(&k->nears);
	fr_map_free(&k->blocks);
	fr_map_free(&k->sites);
	fr_map_free(&k->ranges);
	fr_map_free(&k->defined);
	fr_map_free(&k->waits);
	free(k);
	u->influence = NULL;
}
