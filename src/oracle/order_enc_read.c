/*
 * Reads as clauses: see order_enc.h. A read that is in takes one of its sources. The source comes
 * before the read, and no write of another value comes between them (GPredict III-C; writes of the
 * same value may).
 *
 * The neighbours of source and read in their own threads are excluded at once. Other writes are
 * excluded if there are at most EAGER of them, or when a trial puts one of them in between.
 */
#include "oracle/order_enc.h"
#include "base/assert.h"
#include "oracle/order_force.h"

#define EAGER 0

/* Write b does not come between the chosen source and the read. */
static void exclude(struct fr_enc *e, const struct fr_seg_read *r, const struct fr_enc_choice *c,
		    uint32_t b)
{
	const struct fr_seg *s = e->s;
	uint32_t node;

	fr_assert_slow(b < s->write.n && c->write != b && s->write.v[b].cell == r->cell);
	node = s->write.v[b].node;
	if (node == r->node) /* a step's own write comes after its read */
		return;
	fr_enc_clause_of(e, -c->lit, fr_enc_before(e, r->node, node),
			 c->write == FR_SEG_CUT
			     ? FR_LIT_FALSE
			     : fr_enc_before(e, node, s->write.v[c->write].node));
}

/* The writes of thread t that may come between are at positions *from to *to - 1. */
static void window(const struct fr_enc *e, const struct fr_seg_read *r, uint32_t w, uint32_t t,
		   uint32_t *from, uint32_t *to)
{
	*from = fr_po_pred(e->po, e->s->write.v[w].node, t);
	*to = fr_min(fr_po_succ(e->po, r->node, t), e->po->hi[t]);
}

static uint32_t count_between(const struct fr_enc *e, const struct fr_seg_read *r, uint32_t w)
{
	const struct fr_seg *s = e->s;
	uint32_t n = 0, from, to;

	for (uint32_t t = 0; t < s->nthreads && n <= EAGER; t++) {
		window(e, r, w, t, &from, &to);
		for (uint32_t b = fr_force_bad_from(s, r, t, from);
		     b != FR_NODE_NONE && s->pos[s->write.v[b].node] < to && n <= EAGER;
		     b = fr_force_bad_from(s, r, t, s->pos[s->write.v[b].node] + 1))
			n++;
	}
	return n;
}

static void exclude_all(struct fr_enc *e, const struct fr_seg_read *r, struct fr_enc_choice *c)
{
	const struct fr_seg *s = e->s;
	uint32_t from, to;

	c->eager = true;
	for (uint32_t t = 0; t < s->nthreads; t++) {
		window(e, r, c->write, t, &from, &to);
		for (uint32_t b = fr_force_bad_from(s, r, t, from);
		     b != FR_NODE_NONE && s->pos[s->write.v[b].node] < to;
		     b = fr_force_bad_from(s, r, t, s->pos[s->write.v[b].node] + 1))
			exclude(e, r, c, b);
	}
}

/* Excludes the writes that certainly matter for a source. */
static void exclude_near(struct fr_enc *e, const struct fr_seg_read *r, struct fr_enc_choice *c)
{
	const struct fr_seg *s = e->s;
	uint32_t b, t;

	if (c->write == FR_SEG_CUT) {
		for (t = 0; t < s->nthreads; t++) {
			b = fr_force_bad_from(s, r, t, 0);
			if (b != FR_NODE_NONE)
				exclude(e, r, c, b);
		}
		c->eager = true;
		return;
	}
	if (count_between(e, r, c->write) <= EAGER) {
		exclude_all(e, r, c);
		return;
	}
	t = s->thread[s->write.v[c->write].node];
	b = fr_force_bad_from(s, r, t, s->pos[s->write.v[c->write].node] + 1);
	if (b != FR_NODE_NONE)
		exclude(e, r, c, b);
	t = s->thread[r->node];
	b = fr_force_bad_before(s, r, t, s->pos[r->node]);
	if (b != FR_NODE_NONE)
		exclude(e, r, c, b);
}

static void add_choices(struct fr_enc *e, uint32_t read)
{
	const struct fr_seg *s = e->s;
	const struct fr_seg_read *r = &s->read.v[read];
	const struct fr_seg_cell *cell = &s->cell.v[r->cell];
	uint32_t max = cell->wfirst[s->nthreads] - cell->wfirst[0] + 1;
	uint32_t *src = fr_xmalloc((size_t)max * sizeof(*src));
	uint32_t n = fr_force_sources(e->po, r, src, max);
	struct fr_enc_choice *c = fr_xmalloc(((size_t)n + 1) * sizeof(*c));
	int *any = fr_xmalloc(((size_t)n + 1) * sizeof(*any));

	fr_assert(!e->read[read].choice);
	e->read[read] = (struct fr_enc_read){c, n};
	for (uint32_t i = 0; i < n; i++) {
		c[i] = (struct fr_enc_choice){.write = src[i]};
		if (n == 1)
			c[i].lit = fr_enc_in(e, r->node);
		else
			c[i].lit = src[i] == r->saw ? fr_enc_new(e) : -fr_enc_new(e);
		any[i] = c[i].lit;
		if (src[i] != FR_SEG_CUT)
			fr_enc_clause_of(e, -c[i].lit,
					 fr_enc_before(e, s->write.v[src[i]].node, r->node));
		exclude_near(e, r, &c[i]);
	}
	any[n] = -fr_enc_in(e, r->node);
	fr_enc_clause(e, any, (size_t)n + 1);
	free(any);
	free(src);
}

void fr_enc_read_fault(struct fr_enc *e, uint32_t read, uint32_t write, const struct fr_trial *x)
{
	const struct fr_seg *s = e->s;
	const struct fr_seg_read *r = &s->read.v[read];
	struct fr_enc_read *er = &e->read[read];

	if (!er->choice) {
		add_choices(e, read);
		return;
	}
	/* The chosen source did not hold: another write came between. */
	for (uint32_t i = 0; i < er->n; i++) {
		struct fr_enc_choice *c = &er->choice[i];

		if (c->eager || !fr_enc_holds(e, c->lit))
			continue;
		exclude(e, r, c, write);
		for (uint32_t t = 0; t < s->nthreads; t++) {
			uint32_t from = fr_po_pred(e->po, s->write.v[c->write].node, t);

			for (uint32_t b = fr_force_bad_from(s, r, t, from); b != FR_NODE_NONE;
			     b = fr_force_bad_from(s, r, t, s->pos[s->write.v[b].node] + 1)) {
				uint32_t n = s->write.v[b].node;

				if (x->rank[n] == FR_NODE_NONE || x->rank[n] > x->rank[r->node])
					break;
				if (x->rank[n] > x->rank[s->write.v[c->write].node])
					exclude(e, r, c, b);
			}
		}
	}
}
