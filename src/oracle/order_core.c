/*
 * The clauses know little about orders. A model of them is a set of choices: a node is in or out, a
 * read takes a source, an edge holds. Forced orders (order_force.h) refute most models. A
 * refutation becomes a clause over as few incompatible choices as possible: the last choice of the
 * shortest refuted prefix, then the last choice of the shortest prefix that is refuted together
 * with the first one, and so on (Junker's QuickXplain, simplified). Choices that differ from the
 * recorded run come first, so that the clauses are about those.
 *
 * The search then leaves out one choice of a refutation and examines the rest again: one model
 * yields several clauses.
 */
#include "oracle/order_core.h"
#include "base/assert.h"
#include "oracle/order_force.h"

#define CORES 8 /* clauses from one model, at most */

struct fr_choice {
	enum { CHOICE_IN, CHOICE_OUT, CHOICE_SOURCE, CHOICE_EDGE } kind;
	uint32_t a, b; /* the node; the read and write; or the edge */
	int lit;
};

static bool apply(struct fr_po *po, const struct fr_choice *h)
{
	const struct fr_seg *s = po->s;

	switch (h->kind) {
	case CHOICE_IN:
		if (po->lo[s->thread[h->a]] <= s->pos[h->a])
			fr_po_raise(po, s->thread[h->a], s->pos[h->a] + 1);
		return po->lo[s->thread[h->a]] <= po->hi[s->thread[h->a]];
	case CHOICE_OUT:
		if (po->hi[s->thread[h->a]] > s->pos[h->a])
			fr_po_lower(po, s->thread[h->a], s->pos[h->a]);
		return po->lo[s->thread[h->a]] <= po->hi[s->thread[h->a]];
	case CHOICE_SOURCE:
		if (po->source[h->a] != FR_NODE_NONE)
			return po->source[h->a] == h->b;
		fr_po_set(po, &po->source[h->a], h->b);
		fr_po_touch(po, s->read.v[h->a].node);
		return true;
	default:
		fr_assert_slow(h->kind == CHOICE_EDGE);
		return fr_po_add(po, h->a, h->b);
	}
}

/* Are the choices of the core compatible with the first n of the list? */
static bool check(struct fr_core *c, const struct fr_choice *core, size_t ncore,
		  const struct fr_choice *list, size_t n)
{
	c->checks++;
	fr_po_undo(c->po, c->root);
	for (size_t i = 0; i < ncore; i++)
		if (!apply(c->po, &core[i]))
			return false;
	for (size_t i = 0; i < n; i++)
		if (!apply(c->po, &list[i]))
			return false;
	return fr_force(c->po);
}

/* The choices are incompatible: finds a small incompatible subset and forbids it. Returns the index
   of one of its choices. */
static size_t refute(struct fr_core *c)
{
	FR_VEC(struct fr_choice) core = {0};
	FR_VEC(int) lit = {0};
	size_t n = c->choice.n, last = n - 1;

	while (n && check(c, core.v, core.n, NULL, 0)) {
		/* The shortest refuted prefix has lo to hi choices. */
		size_t lo = 1, hi = n;

		while (lo < hi) {
			size_t mid = lo + (hi - lo) / 2;

			if (check(c, core.v, core.n, c->choice.v, mid))
				lo = mid + 1;
			else
				hi = mid;
		}
		if (!core.n)
			last = lo - 1;
		fr_vec_push(&core, c->choice.v[lo - 1]);
		n = lo - 1;
		if (c->is_late(c->arg))
			break;
	}
	if (!c->is_late(c->arg)) {
		FR_VEC_FOREACH (h, &core)
			fr_vec_push(&lit, -h->lit);
		fr_enc_lemma(c->e, lit.v, lit.n);
		c->cores++;
	}
	fr_assert_slow(last < c->choice.n || !c->choice.n);
	fr_vec_free(&lit);
	fr_vec_free(&core);
	return last;
}

/* ---- the choices of a model ---- */

static void add(struct fr_core *c, int kind, uint32_t a, uint32_t b, int lit)
{
	fr_assert_slow(lit != FR_LIT_FALSE); /* the model has chosen it */
	if (lit != FR_LIT_TRUE)
		fr_vec_push(&c->choice, (struct fr_choice){kind, a, b, lit});
}

static void collect_sources(struct fr_core *c, bool recorded)
{
	const struct fr_seg *s = c->e->s;

	for (uint32_t r = 0; r < s->read.n; r++) {
		const struct fr_enc_read *k = &c->e->read[r];
		const struct fr_enc_choice *best = NULL;

		for (uint32_t i = 0; k->n > 1 && i < k->n; i++)
			if (fr_enc_holds(c->e, k->choice[i].lit) &&
			    (!best || k->choice[i].write == s->read.v[r].saw))
				best = &k->choice[i];
		if (best && fr_enc_holds(c->e, fr_enc_in(c->e, s->read.v[r].node)) &&
		    (best->write == s->read.v[r].saw) == recorded)
			add(c, CHOICE_SOURCE, r, best->write, best->lit);
	}
}

static void collect(struct fr_core *c)
{
	const struct fr_seg *s = c->e->s;

	c->choice.n = 0;
	for (uint32_t t = 0; t < s->nthreads; t++) {
		uint32_t i = c->po->lo[t];

		while (i < c->po->hi[t] && c->e->in[fr_seg_at(s, t, i)] &&
		       fr_enc_holds(c->e, -c->e->in[fr_seg_at(s, t, i)]))
			i++;
		if (i > c->po->lo[t])
			add(c, CHOICE_IN, fr_seg_at(s, t, i - 1), 0,
			    fr_enc_in(c->e, fr_seg_at(s, t, i - 1)));
		if (i < c->po->hi[t])
			add(c, CHOICE_OUT, fr_seg_at(s, t, i), 0,
			    -fr_enc_in(c->e, fr_seg_at(s, t, i)));
	}
	collect_sources(c, false);
	for (int recorded = 0; recorded < 2; recorded++) {
		if (recorded)
			collect_sources(c, true);
		FR_VEC_FOREACH (d, &c->e->edge)
			if ((d->a < d->b) == recorded)
				add(c, CHOICE_EDGE, d->a, d->b, fr_enc_before(c->e, d->a, d->b));
	}
}

bool fr_core_try(struct fr_core *c)
{
	bool ok;

	c->root = fr_po_mark(c->po);
	collect(c);
	ok = check(c, NULL, 0, c->choice.v, c->choice.n);
	if (ok)
		return true;
	for (unsigned i = 0; i < CORES && !ok && !c->is_late(c->arg); i++) {
		size_t one = refute(c);

		for (size_t k = one; k + 1 < c->choice.n; k++)
			c->choice.v[k] = c->choice.v[k + 1];
		c->choice.n -= !!c->choice.n;
		ok = check(c, NULL, 0, c->choice.v, c->choice.n);
	}
	fr_core_undo(c);
	return false;
}

void fr_core_undo(struct fr_core *c)
{
	fr_po_undo(c->po, c->root);
}

void fr_core_destroy(struct fr_core *c)
{
	fr_vec_free(&c->choice);
}
