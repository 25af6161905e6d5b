/* Postdominators: cfg.c's iteration on the reversed graph. See postdom.h. */
#include "postdom.h"
#include "base/assert.h"

#define NONE UINT32_MAX

unsigned fr_flow_successors(const struct fr_cfg *c, unsigned block)
{
	if (LLVMIsAInvokeInst(LLVMGetBasicBlockTerminator(c->block[block])))
		return 1; /* the normal destination comes first */
	return c->succ_at[block + 1] - c->succ_at[block];
}

struct postdom_walk {
	const struct fr_cfg *c;
	unsigned
	    *order; /* postorder number of each block in the reversed graph; NONE: not visited */
	FR_VEC(unsigned) post, exits;
};

/* Is there an edge from a to b that counts? */
static bool flows(const struct fr_cfg *c, unsigned a, unsigned b)
{
	for (unsigned i = 0; i < fr_flow_successors(c, a); i++)
		if (c->succ[c->succ_at[a] + i] == b)
			return true;
	return false;
}

/* Visits everything that leads to this block, with an explicit stack. */
static void visit(struct postdom_walk *w, unsigned from)
{
	struct postdom_frame {
		unsigned b, next;
	};
	FR_VEC(struct postdom_frame) stack = {0};

	w->order[from] = 0;
	fr_vec_push(&stack, ((struct postdom_frame){from, w->c->pred_at[from]}));
	while (stack.n) {
		struct postdom_frame *top = &stack.v[stack.n - 1];

		if (top->next < w->c->pred_at[top->b + 1]) {
			unsigned p = w->c->pred[top->next++];

			if (w->order[p] == NONE && flows(w->c, p, top->b)) {
				w->order[p] = 0;
				fr_vec_push(&stack, ((struct postdom_frame){p, w->c->pred_at[p]}));
			}
		} else {
			w->order[top->b] = (unsigned)w->post.n;
			fr_vec_push(&w->post, top->b);
			stack.n--;
		}
	}
	fr_vec_free(&stack);
	fr_vec_push(&w->exits, from);
}

static unsigned meet(const unsigned *ipdom, const unsigned *order, unsigned a, unsigned b)
{
	while (a != b) {
		while (order[a] < order[b])
			a = ipdom[a];
		while (order[b] < order[a])
			b = ipdom[b];
	}
	return a;
}

static void iterate(struct fr_postdom *p, const struct postdom_walk *w, const bool *is_exit)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t k = w->post.n; k-- > 0;) {
			unsigned b = w->post.v[k], d = is_exit[b] ? p->cfg->n : NONE;

			for (unsigned i = 0; i < fr_flow_successors(p->cfg, b); i++) {
				unsigned s = p->cfg->succ[p->cfg->succ_at[b] + i];

				if (p->ipdom[s] != NONE)
					d = d == NONE ? s : meet(p->ipdom, w->order, s, d);
			}
			fr_assert(d != NONE); /* its parent in the walk comes before it */
			if (p->ipdom[b] != d) {
				p->ipdom[b] = d;
				changed = true;
			}
		}
	}
}

void fr_postdom_build(struct fr_postdom *p, const struct fr_cfg *c)
{
	struct postdom_walk w = {.c = c, .order = fr_xcalloc(c->n + 1, sizeof(unsigned))};
	bool *is_exit = fr_xcalloc(c->n + 1, sizeof(bool));

	*p = (struct fr_postdom){.cfg = c, .ipdom = fr_xcalloc(c->n + 1, sizeof(unsigned))};
	for (unsigned b = 0; b < c->n; b++)
		w.order[b] = p->ipdom[b] = NONE;
	for (unsigned b = 0; b < c->n; b++)
		if (!fr_flow_successors(c, b))
			visit(&w, b);
	for (unsigned b = c->n; b-- > 0;) /* endless loops: the last block of each */
		if (w.order[b] == NONE)
			visit(&w, b);
	fr_assert(w.post.n == c->n);
	w.order[c->n] = c->n;
	p->ipdom[c->n] = c->n;
	FR_VEC_FOREACH (e, &w.exits)
		is_exit[*e] = true;
	iterate(p, &w, is_exit);
	fr_vec_free(&w.post);
	fr_vec_free(&w.exits);
	free(w.order);
	free(is_exit);
}

void fr_postdom_free(struct fr_postdom *p)
{
	free(p->ipdom);
	p->ipdom = NULL;
}
