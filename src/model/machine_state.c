/*
 * The state of the model machine: its layout, its initial values, its journal.
 *
 * The initial value of a byte is the value of the first read that saw it in the recorded order. It
 * is found beforehand, so that it is also known in a reordering in which another read comes first.
 */
#include "model/machine.h"
#include <string.h>

#define JOURNAL_MAX (1u << 17)

/* Finds the locations that need a word for each byte: those whose accesses have different masks. */
static bool *find_divided(const struct fr_model *m)
{
	const struct fr_mclass *k = &m->cls[FR_C_LOC];
	bool *divided = fr_xcalloc((size_t)k->n + 1, sizeof(*divided));
	FR_CLEANUP(fr_freep) uint8_t *mask = fr_xcalloc((size_t)k->n + 1, 1);

	for (uint32_t i = 0; i < k->n; i++)
		if (k->first[i] < k->first[i + 1])
			mask[i] = m->ev[k->list[k->first[i]]].mask;
	for (fr_ev e = 0; e < m->n; e++)
		if (fr_is_access(&m->ev[e]) && m->ev[e].mask != mask[m->ev[e].obj])
			divided[m->ev[e].obj] = true;
	return divided;
}

/* The initial cell for the bytes of a mask: known from their first access if that is a read. */
static uint32_t at_start(const struct fr_machine *x, uint32_t loc, unsigned mask)
{
	const struct fr_mclass *k = &x->m->cls[FR_C_LOC];

	for (uint32_t i = k->first[loc]; i < k->first[loc + 1]; i++) {
		const struct fr_mev *v = &x->m->ev[k->list[i]];

		if (!(v->mask & mask))
			continue;
		if (v->op == FR_OP_WRITE)
			break;
		if (!(v->flags & FR_F_NOVALUE))
			return k->list[i] | FR_CELL_INITIAL;
	}
	return FR_CELL_UNKNOWN;
}

/* Sets the initial cells of all locations. */
static void initial_cells(struct fr_machine *x, const bool *divided)
{
	uint32_t bytes = 0;

	for (uint32_t i = 0; i < x->m->cls[FR_C_LOC].n; i++) {
		if (!divided[i]) {
			x->w[x->loc + i] = at_start(x, i, 0xff);
			continue;
		}
		x->w[x->loc + i] = (FR_CELL_INITIAL | x->m->n) + bytes;
		for (unsigned k = 0; k < 8; k++)
			x->w[x->bytes + 8 * bytes + k] = at_start(x, i, 1u << k);
		bytes++;
	}
	fr_assert(x->bytes + 8 * bytes == x->nw);
}

/* Reserves room in each condition for as many signals as threads can wait for it. */
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
	FR_CLEANUP(fr_freep) bool *divided = find_divided(m);

	*x = (struct fr_machine){.m = m, .nw = FR_W_NOW + 1, .recorded = true};
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
	x->loc = x->nw;
	x->nw += m->cls[FR_C_LOC].n;
	x->bytes = x->nw;
	for (uint32_t i = 0; i < m->cls[FR_C_LOC].n; i++)
		x->nw += divided[i] ? 8 : 0;
	fr_assert(x->nw >= x->bytes && x->nw < FR_OLD_CHECKPOINT); /* no entry of the journal is a
								      checkpoint */
	/* keeps all cell values distinct */
	fr_assert(m->n + (x->nw - x->bytes) / 8 < FR_CELL_INITIAL - 1);
	x->w = fr_xcalloc(x->nw, sizeof(*x->w));
	for (uint32_t i = 0; i < m->nthreads; i++)
		x->w[x->thread + i * FR_TW_WORDS + FR_TW_MADE] = m->thread[i].create == FR_NO_EV;
	for (uint32_t i = 0; i < m->cls[FR_C_SEM].n; i++)
		x->w[x->sem + i] = m->cls[FR_C_SEM].obj[i].count;
	initial_cells(x, divided);
}

void fr_machine_destroy(struct fr_machine *x)
{
	free(x->w);
	free(x->cond);
	free(x->journal);
}

void fr_machine_undo(struct fr_machine *x, uint32_t njournal)
{
	fr_assert(njournal <= x->njournal);
	while (x->njournal > njournal) {
		const struct fr_old *o = &x->journal[--x->njournal];

		fr_assert_slow(o->at == FR_OLD_CHECKPOINT || o->at < x->nw);
		if (o->at != FR_OLD_CHECKPOINT)
			x->w[o->at] = o->old;
	}
}

/* Drops the older half of the journal. The entries left before the first checkpoint are useless but
   harmless. */
static void forget(struct fr_machine *x)
{
	uint32_t from = x->njournal / 2;

	memmove(x->journal, x->journal + from, (x->njournal - from) * sizeof(*x->journal));
	x->njournal -= from;
}

void fr_machine_checkpoint(struct fr_machine *x, uint32_t done)
{
	fr_assert(done <= x->m->n && !x->quiet);
	if (x->njournal > JOURNAL_MAX)
		forget(x);
	fr_machine_note(x, FR_OLD_CHECKPOINT, done);
}

fr_ev fr_machine_back(struct fr_machine *x, fr_ev done)
{
	uint32_t i = x->njournal;

	while (i && (x->journal[i - 1].at != FR_OLD_CHECKPOINT || x->journal[i - 1].old > done))
		i--;
	if (!i)
		return FR_NO_EV;
	fr_machine_undo(x, i);
	return x->journal[i - 1].old;
}
