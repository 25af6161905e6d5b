/*
 * Control flow. A depth-first walk gives the reverse postorder. The iteration of Cooper, Harvey and
 * Kennedy ("A Simple, Fast Dominance Algorithm") gives the dominators, and back edges give the
 * natural loops.
 */
#include "cfg.h"
#include "base/assert.h"

unsigned fr_cfg_number(const struct fr_cfg *c, LLVMBasicBlockRef b)
{
	uint64_t *slot = fr_map_get(&c->number, (uintptr_t)b);

	return slot ? (unsigned)(*slot - 1) : UINT32_MAX;
}

static unsigned successors(LLVMBasicBlockRef b)
{
	LLVMValueRef t = LLVMGetBasicBlockTerminator(b);

	return t ? LLVMGetNumSuccessors(t) : 0;
}

static LLVMBasicBlockRef successor(LLVMBasicBlockRef b, unsigned i)
{
	return LLVMGetSuccessor(LLVMGetBasicBlockTerminator(b), i);
}

/* Numbers the blocks, with an explicit stack because functions can be long. */
static void number_blocks(struct fr_cfg *c, LLVMValueRef fn)
{
	struct cfg_frame {
		LLVMBasicBlockRef b;
		unsigned next;
	};
	FR_VEC(struct cfg_frame) stack = {0};
	FR_VEC(LLVMBasicBlockRef) post = {0};
	struct cfg_frame f = {LLVMGetEntryBasicBlock(fn), 0};

	*fr_map_put(&c->number, (uintptr_t)f.b) = 1;
	fr_vec_push(&stack, f);
	while (stack.n) {
		struct cfg_frame *top = &stack.v[stack.n - 1];

		if (top->next < successors(top->b)) {
			struct cfg_frame g = {successor(top->b, top->next++), 0};
			uint64_t *seen = fr_map_put(&c->number, (uintptr_t)g.b);

			if (!*seen) {
				*seen = 1;
				fr_vec_push(&stack, g);
			}
		} else {
			fr_vec_push(&post, top->b);
			stack.n--;
		}
	}
	fr_assert(post.n && post.v[post.n - 1] == LLVMGetEntryBasicBlock(fn));
	c->n = (unsigned)post.n;
	c->block = fr_xcalloc(c->n, sizeof(*c->block));
	for (unsigned i = 0; i < c->n; i++) {
		c->block[i] = post.v[c->n - 1 - i];
		*fr_map_put(&c->number, (uintptr_t)c->block[i]) = i + 1;
	}
	fr_vec_free(&stack);
	fr_vec_free(&post);
}

static void link_blocks(struct fr_cfg *c)
{
	unsigned edges = 0, *fill;

	c->succ_at = fr_xcalloc(c->n + 1, sizeof(unsigned));
	c->pred_at = fr_xcalloc(c->n + 1, sizeof(unsigned));
	for (unsigned b = 0; b < c->n; b++) {
		c->succ_at[b] = edges;
		edges += successors(c->block[b]);
	}
	c->succ_at[c->n] = edges;
	c->succ = fr_xcalloc(edges, sizeof(unsigned));
	c->pred = fr_xcalloc(edges, sizeof(unsigned));
	for (unsigned b = 0; b < c->n; b++)
		for (unsigned i = c->succ_at[b]; i < c->succ_at[b + 1]; i++) {
			c->succ[i] = fr_cfg_number(c, successor(c->block[b], i - c->succ_at[b]));
			fr_assert(c->succ[i] < c->n); /* reachable, as its predecessor is */
			c->pred_at[c->succ[i] + 1]++;
		}
	for (unsigned b = 0; b < c->n; b++)
		c->pred_at[b + 1] += c->pred_at[b];
	fill = fr_xcalloc(c->n, sizeof(unsigned));
	for (unsigned b = 0; b < c->n; b++)
		for (unsigned i = c->succ_at[b]; i < c->succ_at[b + 1]; i++) {
			unsigned s = c->succ[i];

			c->pred[c->pred_at[s] + fill[s]++] = b;
		}
	free(fill);
}

static unsigned meet(const unsigned *idom, unsigned a, unsigned b)
{
	while (a != b) {
		while (a > b)
			a = idom[a];
		while (b > a)
			b = idom[b];
	}
	return a;
}

static void dominators(struct fr_cfg *c)
{
	bool changed = true;

	c->idom = fr_xcalloc(c->n, sizeof(unsigned));
	for (unsigned b = 1; b < c->n; b++)
		c->idom[b] = UINT32_MAX;
	while (changed) {
		changed = false;
		for (unsigned b = 1; b < c->n; b++) {
			unsigned d = UINT32_MAX;

			for (unsigned i = c->pred_at[b]; i < c->pred_at[b + 1]; i++) {
				unsigned p = c->pred[i];

				if (c->idom[p] != UINT32_MAX)
					d = d == UINT32_MAX ? p : meet(c->idom, p, d);
			}
			fr_assert(d < b); /* reverse postorder: one predecessor comes before */
			if (c->idom[b] != d) {
				c->idom[b] = d;
				changed = true;
			}
		}
	}
}

bool fr_cfg_dominates(const struct fr_cfg *c, unsigned a, unsigned b)
{
	fr_assert(a < c->n && b < c->n);
	while (b > a)
		b = c->idom[b];
	return a == b;
}

void fr_cfg_build(struct fr_cfg *c, LLVMValueRef fn)
{
	*c = (struct fr_cfg){0};
	number_blocks(c, fn);
	link_blocks(c);
	dominators(c);
}

void fr_cfg_free(struct fr_cfg *c)
{
	free(c->block);
	free(c->idom);
	free(c->succ_at);
	free(c->succ);
	free(c->pred_at);
	free(c->pred);
	fr_map_free(&c->number);
}

static int ascending(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

/* Collects all blocks that reach a latch without passing the header. */
static void collect_body(struct fr_cfg *c, struct fr_loop_cfg *l)
{
	*fr_map_put(&l->in, l->header) = 1;
	fr_vec_push(&l->body, l->header);
	for (unsigned i = c->pred_at[l->header]; i < c->pred_at[l->header + 1]; i++) {
		uint64_t *in;

		if (!fr_cfg_dominates(c, l->header, c->pred[i]))
			continue;
		in = fr_map_put(&l->in, c->pred[i]);
		if (!*in)
			fr_vec_push(&l->body, c->pred[i]);
		*in = 1;
	}
	for (size_t k = 1; k < l->body.n; k++) {
		unsigned b = l->body.v[k];

		for (unsigned i = c->pred_at[b]; i < c->pred_at[b + 1]; i++) {
			uint64_t *in = fr_map_put(&l->in, c->pred[i]);

			if (!*in) {
				*in = 1;
				fr_vec_push(&l->body, c->pred[i]);
			}
		}
	}
	qsort(l->body.v, l->body.n, sizeof(unsigned), ascending);
	fr_assert(l->body.v[0] == l->header); /* it dominates the others */
}

/* True if only the back edge (and that of the inner loop) goes against
   the order: no other cycle. */
static bool is_simple(struct fr_cfg *c, struct fr_loop_cfg *l)
{
	for (size_t k = 0; k < l->body.n; k++) {
		unsigned b = l->body.v[k];

		for (unsigned i = c->succ_at[b]; i < c->succ_at[b + 1]; i++) {
			unsigned s = c->succ[i];

			if (!fr_loop_has(l, s) || s > b || (b == l->latch && s == l->header))
				continue;
			if (!l->inner || b != l->inner->latch || s != l->inner->header)
				return false;
		}
	}
	return true;
}

unsigned fr_cfg_loop_any(struct fr_cfg *c, unsigned header, struct fr_loop_cfg *l)
{
	unsigned latches = 0;

	fr_assert(header < c->n);
	*l = (struct fr_loop_cfg){.header = header};
	for (unsigned i = c->pred_at[header]; i < c->pred_at[header + 1]; i++)
		if (fr_cfg_dominates(c, header, c->pred[i])) {
			l->latch = c->pred[i];
			latches++;
		}
	if (latches)
		collect_body(c, l);
	return latches;
}

bool fr_cfg_loop(struct fr_cfg *c, unsigned header, struct fr_loop_cfg *l)
{
	return fr_cfg_loop_any(c, header, l) == 1;
}

void fr_cfg_loop_free(struct fr_loop_cfg *l)
{
	fr_vec_free(&l->body);
	fr_map_free(&l->in);
}

void fr_cfg_loops(struct fr_cfg *c, void (*each)(void *, struct fr_loop_cfg *), void *ctx)
{
	for (unsigned h = 0; h < c->n; h++) {
		struct fr_loop_cfg l;

		if (fr_cfg_loop(c, h, &l) && is_simple(c, &l))
			each(ctx, &l);
		fr_cfg_loop_free(&l);
	}
}

void fr_cfg_nests(struct fr_cfg *c, void (*each)(void *, struct fr_loop_cfg *), void *ctx)
{
	for (unsigned h = 0; h < c->n; h++) {
		struct fr_loop_cfg outer, inner;
		bool found = false;

		if (fr_cfg_loop(c, h, &outer) && !is_simple(c, &outer))
			for (size_t k = 1; k < outer.body.n && !found; k++) {
				found =
				    fr_cfg_loop(c, outer.body.v[k], &inner) && is_simple(c, &inner);
				if (!found)
					fr_cfg_loop_free(&inner);
			}
		if (found) {
			fr_assert(fr_loop_has(&outer, inner.header));
			outer.inner = &inner;
			if (is_simple(c, &outer))
				each(ctx, &outer);
			fr_cfg_loop_free(&inner);
		}
		fr_cfg_loop_free(&outer);
	}
}
