/*
 * Variables and clauses of the order encoding: see order_enc.h.
 *
 * A pair variable is true if the two nodes keep their recorded order. An `in` variable is true if
 * the node is out. The solver tries true first, so it stays close to the recorded run and takes few
 * steps. Variables of one node with different nodes of one other thread imply each other along that
 * thread. So no model has a cycle of two threads through a common node.
 */
#include "oracle/order_enc.h"
#include "base/assert.h"
#include <string.h>

struct fr_enc_row {
	FR_VEC(uint32_t) partner; /* nodes of one thread, ascending */
};

static void make_in(struct fr_enc *e);

void fr_enc_init(struct fr_enc *e, const struct fr_seg *s, const struct fr_po *po)
{
	*e = (struct fr_enc){.s = s, .po = po};
	e->sat = ccadical_init();
	ccadical_set_option(e->sat, "quiet", 1);
	e->in = fr_xcalloc((size_t)s->n + 1, sizeof(*e->in));
	e->read = fr_xcalloc(s->read.n + 1, sizeof(*e->read));
	e->sem = fr_xcalloc(s->sem.n + 1, sizeof(bool));
	e->cond = fr_xcalloc(s->cond.n + 1, sizeof(bool));
	e->try = fr_xcalloc(s->try.n + 1, sizeof(bool));
	fr_vec_push(&e->var, (struct fr_seg_edge){FR_NODE_NONE, 0});
	make_in(e);
}

void fr_enc_destroy(struct fr_enc *e)
{
	ccadical_release(e->sat);
	for (size_t i = 0; i < e->s->read.n; i++)
		free(e->read[i].choice);
	FR_VEC_FOREACH (r, &e->rows)
		fr_vec_free(&r->partner);
	free(e->in);
	free(e->read);
	free(e->sem);
	free(e->cond);
	free(e->try);
	fr_map_free(&e->pair);
	fr_map_free(&e->row);
	fr_vec_free(&e->var);
	fr_vec_free(&e->rows);
	fr_vec_free(&e->clause);
	fr_vec_free(&e->value);
	fr_vec_free(&e->edge);
}

/* ---- clauses ---- */

static bool is_order(const struct fr_enc *e, int lit)
{
	fr_assert_slow(lit && (size_t)abs(lit) < e->var.n);
	return e->var.v[abs(lit)].a != FR_NODE_NONE;
}

static void add(struct fr_enc *e, const int *lit, size_t n, bool keep)
{
	bool order = false;
	size_t left = 0;

	for (size_t i = 0; i < n; i++) {
		if (lit[i] == FR_LIT_TRUE)
			return;
		if (lit[i] == FR_LIT_FALSE)
			continue;
		left++;
		order |= is_order(e, lit[i]);
	}
	if (!left)
		e->contradiction = true;
	for (size_t i = 0; i < n; i++) {
		if (lit[i] == FR_LIT_FALSE)
			continue;
		ccadical_add(e->sat, lit[i]);
		if (keep && order)
			fr_vec_push(&e->clause, lit[i]);
	}
	if (keep && order)
		fr_vec_push(&e->clause, 0);
	ccadical_add(e->sat, 0);
}

void fr_enc_clause(struct fr_enc *e, const int *lit, size_t n)
{
	e->nclauses++;
	add(e, lit, n, true);
}

void fr_enc_lemma(struct fr_enc *e, const int *lit, size_t n)
{
	e->nlemmas++;
	add(e, lit, n, false);
}

void fr_enc_at_most_one(struct fr_enc *e, const int *lit, size_t n)
{
	int before = FR_LIT_FALSE; /* is one of the literals up to here true? */

	if (n <= 5) {
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k < i; k++)
				fr_enc_lemma_of(e, -lit[i], -lit[k]);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		int next = -fr_enc_new(e);

		fr_enc_lemma_of(e, -before, -lit[i]);
		fr_enc_lemma_of(e, -before, next);
		fr_enc_lemma_of(e, -lit[i], next);
		before = next;
	}
}

/* ---- variables ---- */

int fr_enc_new(struct fr_enc *e)
{
	fr_vec_push(&e->var, (struct fr_seg_edge){FR_NODE_NONE, 0});
	fr_assert(e->var.n == (size_t)e->nvars + 2);
	return ++e->nvars;
}

/* Makes the variables of all nodes that are neither certainly in nor certainly out. */
static void make_in(struct fr_enc *e)
{
	const struct fr_seg *s = e->s;

	for (uint32_t t = 0; t < s->nthreads; t++)
		for (uint32_t i = e->po->lo[t]; i < e->po->hi[t]; i++)
			e->in[fr_seg_at(s, t, i)] = fr_enc_new(e);
	for (uint32_t t = 0; t < s->nthreads; t++) {
		for (uint32_t i = e->po->lo[t]; i < e->po->hi[t]; i++) {
			uint32_t n = fr_seg_at(s, t, i);

			for (uint32_t u = 0; u < s->nthreads; u++) {
				uint32_t p = fr_po_pred(e->po, n, u) - (u == t);

				if (p > e->po->lo[u])
					fr_enc_lemma_of(e, e->in[n],
							-e->in[fr_seg_at(s, u, p - 1)]);
			}
		}
	}
}

int fr_enc_in(struct fr_enc *e, uint32_t node)
{
	if (node == FR_SEG_CUT || fr_po_is_in(e->po, node))
		return FR_LIT_TRUE;
	if (node == FR_NODE_NONE || fr_po_is_out(e->po, node))
		return FR_LIT_FALSE;
	fr_assert_slow(e->in[node]);
	return -e->in[node];
}

static int pair_lit(const struct fr_enc *e, uint32_t a, uint32_t b)
{
	const uint64_t *v =
	    fr_map_get(&e->pair, a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a);

	fr_assert_slow(v && *v);
	return a < b ? (int)*v : -(int)*v;
}

/* Records that (a, b) has a variable, and adds its implications along b's thread. */
static void link_row(struct fr_enc *e, uint32_t a, uint32_t b, int lit)
{
	uint64_t *v = fr_map_put(&e->row, (uint64_t)a << 32 | e->s->thread[b]);
	struct fr_enc_row *r;
	size_t i;

	if (!*v) {
		fr_vec_push(&e->rows, (struct fr_enc_row){0});
		*v = e->rows.n;
	}
	r = &e->rows.v[*v - 1];
	fr_vec_push(&r->partner, b);
	for (i = r->partner.n - 1; i && r->partner.v[i - 1] > b; i--)
		r->partner.v[i] = r->partner.v[i - 1];
	r->partner.v[i] = b;
	fr_assert_slow(!i || r->partner.v[i - 1] < b);
	if (i)
		fr_enc_lemma_of(e, -pair_lit(e, a, r->partner.v[i - 1]), lit);
	if (i + 1 < r->partner.n)
		fr_enc_lemma_of(e, -lit, pair_lit(e, a, r->partner.v[i + 1]));
}

int fr_enc_before(struct fr_enc *e, uint32_t a, uint32_t b)
{
	uint64_t *v;
	int lit;

	if (a == FR_NODE_NONE || b == FR_SEG_CUT)
		return FR_LIT_FALSE;
	if (b == FR_NODE_NONE || a == FR_SEG_CUT)
		return FR_LIT_TRUE;
	if (fr_po_le(e->po, b, a))
		return FR_LIT_FALSE;
	if (fr_po_le(e->po, a, b) || fr_po_is_out(e->po, b))
		return FR_LIT_TRUE;
	if (fr_po_is_out(e->po, a)) {
		lit = fr_enc_in(e, b);
		return -lit;
	}
	v = fr_map_put(&e->pair, a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a);
	if (*v)
		return a < b ? (int)*v : -(int)*v;
	fr_vec_push(&e->var, a < b ? (struct fr_seg_edge){a, b} : (struct fr_seg_edge){b, a});
	*v = (uint64_t)++e->nvars;
	fr_assert_slow(e->var.n == (size_t)e->nvars + 1);
	lit = a < b ? e->nvars : -e->nvars;
	link_row(e, a, b, lit);
	link_row(e, b, a, -lit);
	fr_enc_lemma_of(e, -lit, -fr_enc_in(e, b), fr_enc_in(e, a));
	fr_enc_lemma_of(e, lit, -fr_enc_in(e, a), fr_enc_in(e, b));
	return lit;
}

/* ---- models ---- */

static void need(struct fr_enc *e, int lit)
{
	struct fr_seg_edge p = e->var.v[abs(lit)];

	if (e->value.v[abs(lit)] & 2) /* noted already */
		return;
	fr_assert_slow(p.a < p.b && p.b < e->s->n);
	e->value.v[abs(lit)] |= 2;
	fr_vec_push(&e->edge, lit > 0 ? p : (struct fr_seg_edge){p.b, p.a});
}

void fr_enc_model(struct fr_enc *e, struct fr_trial *x)
{
	const struct fr_seg *s = e->s;

	fr_vec_reserve(&e->value, (size_t)e->nvars + 1);
	e->value.n = (size_t)e->nvars + 1;
	for (int v = 1; v <= e->nvars; v++) /* 1 or -3: bit 1 is free */
		e->value.v[v] = ccadical_val(e->sat, v) > 0 ? 1 : -3;
	for (uint32_t t = 0; t < s->nthreads; t++) {
		uint32_t i = e->po->lo[t];

		while (i < e->po->hi[t] && e->in[fr_seg_at(s, t, i)] &&
		       fr_enc_holds(e, -e->in[fr_seg_at(s, t, i)]))
			i++;
		x->count[t] = i;
	}
	e->edge.n = 0;
	for (size_t i = 0; i < e->clause.n; i++) {
		int found = 0;
		bool free = false;

		for (; e->clause.v[i]; i++) {
			int lit = e->clause.v[i];

			if (free || !fr_enc_holds(e, lit))
				continue;
			if (!is_order(e, lit))
				free = true;
			else if (!found || e->value.v[abs(lit)] & 2)
				found = lit;
		}
		fr_assert_slow(free || found); /* the model satisfies every clause */
		if (!free && found)
			need(e, found);
	}
}
