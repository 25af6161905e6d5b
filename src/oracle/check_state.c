/*
 * The state of the model machine: its layout, its beginning, its journal.
 *
 * The value of a byte at the start is what the first read returned that saw it there in the
 * recorded order; found in one pass over the events, so that a reordering in which another read
 * comes first knows it too.
 */
#include "oracle/machine.h"
#include <string.h>

#define JOURNAL_MAX (1u << 20)

/* Which locations need a word for each byte: those with accesses of different masks. */
static void lay_out_cells(struct fr_machine *x)
{
	const struct fr_model *m = x->m;
	uint32_t n = m->cls[FR_C_LOC].n;
	FR_CLEANUP(fr_freep) uint8_t *mask = fr_xcalloc(n + 1, 1);
	FR_CLEANUP(fr_freep) uint8_t *differ = fr_xcalloc(n + 1, 1);

	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];

		if (!fr_is_access(v))
			continue;
		if (!mask[v->obj])
			mask[v->obj] = v->mask;
		differ[v->obj] |= mask[v->obj] != v->mask;
	}
	x->cell = fr_xmalloc(((size_t)n + 1) * sizeof(*x->cell));
	for (uint32_t i = 0; i < n; i++) {
		x->cell[i] = x->nw | (differ[i] ? FR_CELL_BYTES : 0);
		x->nw += differ[i] ? 8 : 1;
	}
	assert(x->nw < FR_CELL_BYTES);
}

/* Finds the values at the start. A cell is FR_CELL_UNKNOWN until a read or a write meets it. */
static void initial_cells(struct fr_machine *x)
{
	const struct fr_model *m = x->m;
	uint32_t first = m->cls[FR_C_LOC].n ? x->cell[0] & ~FR_CELL_BYTES : x->nw;

	for (uint32_t i = first; i < x->nw; i++)
		x->w[i] = FR_CELL_UNKNOWN;
	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];
		uint32_t at, n;

		if (!fr_is_access(v) || (v->op == FR_OP_READ && v->flags & FR_F_NOVALUE))
			continue;
		at = x->cell[v->obj];
		n = at & FR_CELL_BYTES ? 8 : 1;
		at &= ~FR_CELL_BYTES;
		for (uint32_t i = 0; i < n; i++)
			if ((n == 1 || v->mask >> i & 1) && x->w[at + i] == FR_CELL_UNKNOWN)
				x->w[at + i] = v->op == FR_OP_READ ? e | FR_CELL_INITIAL : e;
	}
	for (uint32_t i = first; i < x->nw; i++)
		if (!(x->w[i] & FR_CELL_INITIAL)) /* written before it was read */
			x->w[i] = FR_CELL_UNKNOWN;
}

/* A condition has room for as many signals as threads can wait for it. */
static void lay_out_conds(struct fr_machine *x)
{
	const struct fr_mclass *c = &x->m->cls[FR_C_COND];

	x->cond = fr_xmalloc(((size_t)c->n + 1) * sizeof(*x->cond));
	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t waits = 0;

		for (uint32_t k = c->first[i]; k < c->first[i + 1]; k++)
			waits += x->m->ev[c->list[k]].op == FR_OP_WAIT_BEGIN;
		x->cond[i] = x->nw;
		x->nw += FR_CW_WORDS + fr_min(waits, x->m->nthreads);
	}
}

void fr_machine_init(struct fr_machine *x, const struct fr_model *m)
{
	*x = (struct fr_machine){.m = m, .nw = FR_W_NOW + 1, .recorded = true};
	assert(m->n < FR_CELL_INITIAL);
	x->thread = x->nw;
	x->nw += m->nthreads * FR_TW_WORDS;
	x->lock = x->nw;
	x->nw += m->cls[FR_C_LOCK].n * FR_LW_WORDS;
	x->sem = x->nw;
	x->nw += m->cls[FR_C_SEM].n;
	x->barrier = x->nw;
	x->nw += m->cls[FR_C_BARRIER].n;
	x->once = x->nw;
	x->nw += m->cls[FR_C_ONCE].n;
	lay_out_conds(x);
	lay_out_cells(x);
	x->w = fr_xcalloc(x->nw, sizeof(*x->w));
	for (uint32_t i = 0; i < m->nthreads; i++)
		x->w[x->thread + i * FR_TW_WORDS + FR_TW_MADE] = m->thread[i].create == FR_NO_EV;
	for (uint32_t i = 0; i < m->cls[FR_C_SEM].n; i++)
		x->w[x->sem + i] = m->cls[FR_C_SEM].obj[i].count;
	initial_cells(x);
}

void fr_machine_destroy(struct fr_machine *x)
{
	free(x->w);
	free(x->cond);
	free(x->cell);
	free(x->journal);
}

void fr_machine_undo(struct fr_machine *x, uint32_t njournal)
{
	assert(njournal <= x->njournal);
	while (x->njournal > njournal) {
		const struct fr_old *o = &x->journal[--x->njournal];

		if (o->at != FR_OLD_MARK)
			x->w[o->at] = o->old;
	}
}

/* Drops the older half. What is before the first mark then is of no use and does no harm. */
static void forget(struct fr_machine *x)
{
	uint32_t from = x->njournal / 2;

	memmove(x->journal, x->journal + from, (x->njournal - from) * sizeof(*x->journal));
	x->njournal -= from;
}

void fr_machine_mark(struct fr_machine *x, uint32_t done)
{
	if (x->njournal > JOURNAL_MAX)
		forget(x);
	fr_machine_note(x, FR_OLD_MARK, done);
}

fr_ev fr_machine_back(struct fr_machine *x, fr_ev done)
{
	uint32_t i = x->njournal;

	while (i && (x->journal[i - 1].at != FR_OLD_MARK || x->journal[i - 1].old > done))
		i--;
	if (!i)
		return FR_NO_EV;
	fr_machine_undo(x, i);
	return x->journal[i - 1].old;
}
