/*
 * The memory of the model machine: does a read find the value that it returned, and which event
 * wrote it last? Known values decide; otherwise the write must be the one seen in the run (READ in
 * model.h). A write that is not reliable under the mask decides nothing (model/mask.h).
 */
#include "model/machine.h"
#include <errno.h>
#include <stdio.h>

/* Is the cell's last write one whose value is unknown under the mask? */
static bool is_unknown(const struct fr_machine *x, uint32_t cell)
{
	return !(cell & FR_CELL_INITIAL) && x->mask && cell >= x->cut &&
	       !fr_mask_write(x->mask, cell);
}

static int read_failed(const struct fr_machine *x, fr_ev e, unsigned byte, uint32_t cell, fr_ev saw,
		       struct fr_err *reterr)
{
	const struct fr_mev *r = &x->m->ev[e];
	unsigned want = r->value >> (8 * byte) & 0xff;
	char found[64], wanted[64];

	fr_assert(byte < 8 && r->mask >> byte & 1);
	if (!reterr)
		return -EINVAL;
	if (cell == FR_CELL_UNKNOWN)
		snprintf(found, sizeof(found), "it was never written");
	else if (cell & FR_CELL_INITIAL)
		snprintf(found, sizeof(found), "it holds what it held at the start, 0x%02x",
			 (unsigned)(x->m->ev[cell & ~FR_CELL_INITIAL].value >> (8 * byte) & 0xff));
	else if (is_unknown(x, cell))
		snprintf(found, sizeof(found), "event %u, which is not reliable, wrote it", cell);
	else if (x->m->ev[cell].flags & FR_F_NOVALUE)
		snprintf(found, sizeof(found), "event %u wrote it", cell);
	else
		snprintf(found, sizeof(found), "event %u wrote 0x%02x", cell,
			 (unsigned)(x->m->ev[cell].value >> (8 * byte) & 0xff));
	if (!(r->flags & FR_F_NOVALUE))
		snprintf(wanted, sizeof(wanted), "0x%02x", want);
	else if (saw == FR_NO_EV)
		snprintf(wanted, sizeof(wanted), "what it held at the start");
	else
		snprintf(wanted, sizeof(wanted), "what event %u wrote", saw);
	return fr_err_say(reterr, -EINVAL, STEP "byte %u of location %u must hold %s, but %s",
			  STEP_ARGS(x, e), byte, r->obj, wanted, found);
}

/* Does the cell explain the bytes of the read? saw: NULL in the recorded order, else the write that
   the read saw there, for the first of these bytes. */
static bool explains(const struct fr_machine *x, const struct fr_mev *r, uint64_t bytes,
		     uint32_t cell, const fr_ev *saw)
{
	const struct fr_mev *w;

	if (is_unknown(x, cell))
		return false;
	if (r->flags & FR_F_NOVALUE)
		return !saw || (cell & FR_CELL_INITIAL ? *saw == FR_NO_EV : cell == *saw);
	if (cell == FR_CELL_UNKNOWN)
		return false;
	w = &x->m->ev[cell & ~FR_CELL_INITIAL];
	fr_assert_slow(w->obj == r->obj &&
		       w->op == (cell & FR_CELL_INITIAL ? FR_OP_READ : FR_OP_WRITE));
	if (!(cell & FR_CELL_INITIAL) && w->flags & FR_F_NOVALUE)
		return !saw || cell == *saw;
	return !((w->value ^ r->value) & bytes);
}

/* Do the values alone explain the whole read? Usually yes, which avoids the slow search for the
   write that the read saw. */
static bool values_suffice(const struct fr_machine *x, const struct fr_mev *r)
{
	uint32_t bytes = fr_machine_bytes(x, r->obj);

	if (r->flags & FR_F_NOVALUE)
		return false;
	for (unsigned i = 0; i < 8; i++) {
		uint32_t cell = x->w[bytes ? bytes + i : x->loc + r->obj];
		const struct fr_mev *w;

		if (!(r->mask >> i & 1))
			continue;
		if (cell == FR_CELL_UNKNOWN || is_unknown(x, cell))
			return false;
		w = &x->m->ev[cell & ~FR_CELL_INITIAL];
		if ((!(cell & FR_CELL_INITIAL) && w->flags & FR_F_NOVALUE) ||
		    (w->value ^ r->value) >> (8 * i) & 0xff)
			return false;
	}
	return true;
}

int fr_machine_read(const struct fr_machine *x, fr_ev e, struct fr_err *reterr)
{
	const struct fr_mev *r = &x->m->ev[e];
	uint32_t bytes = fr_machine_bytes(x, r->obj), one = x->loc + r->obj;
	fr_ev writers[8];
	const fr_ev *saw = NULL;
	unsigned low = r->mask ? (unsigned)__builtin_ctz(r->mask) : 0;

	fr_assert_slow(r->op == FR_OP_READ);
	if (values_suffice(x, r))
		return 0;
	if (!x->recorded) {
		fr_model_writers(x->m, e, writers);
		saw = writers;
	}
	if (!bytes && explains(x, r, fr_mask_bytes(r->mask), x->w[one], saw ? saw + low : NULL))
		return 0;
	for (unsigned i = 0; i < 8; i++) {
		uint32_t cell = x->w[bytes ? bytes + i : one];

		if (r->mask >> i & 1 &&
		    !explains(x, r, UINT64_C(0xff) << (8 * i), cell, saw ? saw + i : NULL))
			return read_failed(x, e, i, cell, saw ? saw[i] : FR_NO_EV, reterr);
	}
	return 0;
}

void fr_machine_write(struct fr_machine *x, fr_ev e)
{
	const struct fr_mev *w = &x->m->ev[e];
	uint32_t at = fr_machine_bytes(x, w->obj);

	fr_assert_slow(w->op == FR_OP_WRITE);
	if (!at) {
		fr_machine_set(x, x->loc + w->obj, e);
		return;
	}
	for (unsigned i = 0; i < 8; i++)
		if (w->mask >> i & 1)
			fr_machine_set(x, at + i, e);
}
