/*
 * Locks, failed try-locks, semaphores and conditions as clauses: see order_enc.h.
 *
 * Semaphores: each wait takes a unit of its own, from the count at the cut or from an earlier post.
 *             Then the count is never negative. Conversely, if it never is, the k-th wait can take
 *             the k-th unit. For a failed wait, every earlier unit was taken before it.
 * Conditions: GPredict III-B, without its demand that wait and signal hold a lock.
 */
#include "oracle/order_enc.h"
#include "base/assert.h"

static void add_pair(struct fr_enc *e, const struct fr_seg_section *a,
		     const struct fr_seg_section *b)
{
	fr_assert_slow(a->lock == b->lock && a->thread != b->thread && fr_seg_exclude(a, b));
	fr_enc_clause_of(e, -fr_enc_in(e, a->acq), -fr_enc_in(e, b->acq),
			 fr_enc_before(e, a->rel, b->acq), fr_enc_before(e, b->rel, a->acq));
}

static void add_try(struct fr_enc *e, uint32_t i)
{
	const struct fr_seg_try *f = &e->s->try.v[i];
	const uint32_t *first = e->s->lock.v[f->lock].first;
	FR_VEC(int) any = {0};

	if (e->try[i])
		return;
	e->try[i] = true;
	fr_vec_push(&any, -fr_enc_in(e, f->node));
	for (uint32_t k = first[0]; k < first[e->s->nthreads]; k++) {
		const struct fr_seg_section *a = &e->s->section.v[k];
		int begun, held, lit;

		if (f->shared && a->shared)
			continue;
		begun = fr_enc_before(e, a->acq, f->node);
		held = fr_enc_before(e, f->node, a->rel);
		if (begun == FR_LIT_FALSE || held == FR_LIT_FALSE)
			continue;
		lit = -fr_enc_new(e);
		fr_enc_clause_of(e, -lit, begun);
		fr_enc_clause_of(e, -lit, held);
		fr_vec_push(&any, lit);
	}
	fr_enc_clause(e, any.v, any.n);
	fr_vec_free(&any);
}

/* ---- semaphores ---- */

struct unit {
	uint32_t wait, post; /* indices; post = FR_SEG_CUT: a unit of the count at the cut */
	int lit;
};

/* The wait f fails. If the unit existed before f, a wait took it, and that came before f. */
static void add_failed(struct fr_enc *e, const struct fr_seg_sem *c, uint32_t f, const int *lit,
		       uint32_t unit, uint32_t units, uint32_t post)
{
	int there = post == FR_SEG_CUT ? FR_LIT_TRUE : fr_enc_before(e, post, f);
	FR_VEC(int) any = {0};

	fr_vec_push(&any, -fr_enc_in(e, f));
	fr_vec_push(&any, -there);
	for (size_t w = 0; w < c->wait.n; w++) {
		int take = lit[w * units + unit];

		if (take == FR_LIT_FALSE)
			continue;
		fr_vec_push(&any, take);
		fr_enc_clause_of(e, -fr_enc_in(e, f), -there, -take,
				 fr_enc_before(e, c->wait.v[w], f));
	}
	fr_enc_clause(e, any.v, any.n);
	fr_vec_free(&any);
}

/* Makes the variables `wait w takes unit u`. The first units come from the count at the cut. */
static void add_units(struct fr_enc *e, const struct fr_seg_sem *c, uint32_t there, uint32_t units,
		      int *lit)
{
	FR_VEC(int) any = {0};

	for (uint32_t w = 0; w < c->wait.n; w++) {
		int in = fr_enc_in(e, c->wait.v[w]);

		any.n = 0;
		for (uint32_t u = 0; u < units; u++) {
			int order = u < there
					? FR_LIT_TRUE
					: fr_enc_before(e, c->post.v[u - there], c->wait.v[w]);
			int *take = &lit[(size_t)w * units + u];

			*take = FR_LIT_FALSE;
			if (in == FR_LIT_FALSE || order == FR_LIT_FALSE ||
			    (u >= there && fr_enc_in(e, c->post.v[u - there]) == FR_LIT_FALSE))
				continue;
			*take = -fr_enc_new(e);
			fr_enc_clause_of(e, -*take, order);
			fr_enc_clause_of(e, -*take, in);
			fr_vec_push(&any, *take);
		}
		fr_enc_at_most_one(e, any.v, any.n);
		fr_vec_push(&any, -in);
		fr_enc_clause(e, any.v, any.n);
	}
	for (uint32_t u = 0; u < units; u++) {
		any.n = 0;
		for (uint32_t w = 0; w < c->wait.n; w++)
			if (lit[(size_t)w * units + u] != FR_LIT_FALSE)
				fr_vec_push(&any, lit[(size_t)w * units + u]);
		fr_enc_at_most_one(e, any.v, any.n);
	}
	fr_vec_free(&any);
}

void fr_enc_sem(struct fr_enc *e, uint32_t i)
{
	const struct fr_seg_sem *c = &e->s->sem.v[i];
	uint32_t there = (uint32_t)fr_min((size_t)c->count, c->wait.n);
	uint32_t units = there + (uint32_t)c->post.n;
	int *lit;

	if (e->sem[i])
		return;
	e->sem[i] = true;
	if (c->count > c->wait.n) { /* never empty */
		FR_VEC_FOREACH (f, &c->failed)
			fr_enc_clause_of(e, -fr_enc_in(e, *f));
		return;
	}
	lit = fr_xmalloc((c->wait.n * units + 1) * sizeof(*lit));
	add_units(e, c, there, units, lit);
	FR_VEC_FOREACH (f, &c->failed)
		for (uint32_t u = 0; u < units; u++)
			add_failed(e, c, *f, lit, u, units,
				   u < there ? FR_SEG_CUT : c->post.v[u - there]);
	free(lit);
}

/* ---- conditions ---- */

void fr_enc_cond(struct fr_enc *e, uint32_t i)
{
	const struct fr_seg_cond *c = &e->s->cond.v[i];
	FR_VEC(int) any = {0};
	int *lit;

	if (e->cond[i])
		return;
	e->cond[i] = true;
	lit = fr_xmalloc((c->wait.n * c->signal.n + 1) * sizeof(*lit));
	for (size_t w = 0; w < c->wait.n; w++) {
		const struct fr_seg_wait *x = &c->wait.v[w];
		int in = fr_enc_in(e, x->node);

		any.n = 0;
		fr_vec_push(&any, -in);
		for (size_t g = 0; g < c->signal.n; g++) {
			const struct fr_seg_signal *y = &c->signal.v[g];
			int *take = &lit[w * c->signal.n + g], from, to;

			*take = FR_LIT_FALSE;
			if (in == FR_LIT_FALSE || !fr_seg_serves(y, x))
				continue;
			/* If the cut lies between them, fr_seg_serves has decided. */
			from = y->node == FR_SEG_CUT ? FR_LIT_TRUE
						     : fr_enc_before(e, x->begin, y->node);
			to = x->node == FR_SEG_CUT ? FR_LIT_TRUE
						   : fr_enc_before(e, y->node, x->node);
			if (from == FR_LIT_FALSE || to == FR_LIT_FALSE ||
			    fr_enc_in(e, y->node) == FR_LIT_FALSE)
				continue;
			*take = -fr_enc_new(e);
			fr_enc_clause_of(e, -*take, from);
			fr_enc_clause_of(e, -*take, to);
			fr_vec_push(&any, *take);
		}
		fr_enc_clause(e, any.v, any.n);
	}
	for (size_t g = 0; g < c->signal.n; g++) {
		any.n = 0;
		for (size_t w = 0; w < c->wait.n && !c->signal.v[g].broadcast; w++)
			if (lit[w * c->signal.n + g] != FR_LIT_FALSE)
				fr_vec_push(&any, lit[w * c->signal.n + g]);
		fr_enc_at_most_one(e, any.v, any.n);
	}
	fr_vec_free(&any);
	free(lit);
}

void fr_enc_fault(struct fr_enc *e, const struct fr_fault *f, const struct fr_trial *x)
{
	const struct fr_seg *s = e->s;

	switch (f->kind) {
	case FR_FAULT_LOCK:
		add_pair(e, &s->section.v[f->a], &s->section.v[f->b]);
		break;
	case FR_FAULT_READ:
		fr_enc_read_fault(e, f->a, f->b, x);
		break;
	case FR_FAULT_TRY:
		add_try(e, f->a);
		break;
	case FR_FAULT_SEM:
		fr_enc_sem(e, f->a);
		break;
	case FR_FAULT_COND:
		fr_enc_cond(e, f->a);
		break;
	case FR_FAULT_AFTER: {
		const struct fr_seg_after *a = &s->after.v[f->a];
		FR_VEC(int) any = {0};

		fr_assert(a->any.n != 1); /* that is a plain edge */
		fr_vec_push(&any, -fr_enc_in(e, a->node));
		FR_VEC_FOREACH (n, &a->any)
			fr_vec_push(&any, fr_enc_before(e, *n, a->node));
		fr_enc_clause(e, any.v, any.n);
		fr_vec_free(&any);
		break;
	}
	}
}
