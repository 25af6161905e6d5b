/*
 * Order violations: a thread reads a location before the write that it saw in the recorded run, or
 * after a write that came later there: it uses something before it is initialised, or after it was
 * taken away. Candidates are reads that see another value. Pairs that race come last, because
 * race.c tries both of their orders.
 *
 * Correct programs allow most of these orders. So a finding counts only if the program then fails,
 * and only the likely ones are kept. Pairs with which the program surely takes the side of a branch
 * that fails are those of failing.c, which have a need and a limit of their own.
 */
#include "generate/failing.h"
#include "generate/guard.h"
#include "generate/sees.h"

#define GROUPS 64

static bool reads(const struct fr_model *m, fr_ev e)
{
	return !(m->ev[e].flags & (FR_NO_TARGET | FR_F_NOVALUE | FR_F_RANGE));
}

static bool writes(const struct fr_model *m, fr_ev e)
{
	uint16_t flags = m->ev[e].flags;

	return !(flags & FR_F_BENIGN) &&
	       (flags & (FR_F_RANGE | FR_F_NOVALUE)) != (FR_F_RANGE | FR_F_NOVALUE);
}

static bool fits(const struct fr_model *m, fr_ev read, fr_ev write)
{
	const struct fr_mev *r = &m->ev[read];
	const struct fr_mobj *loc = &m->cls[FR_C_LOC].obj[r->obj];

	if (write == FR_NO_EV ? !(r->value & fr_mask_bytes(r->mask)) && !(r->mask & ~loc->count)
			      : !(m->ev[write].flags & FR_F_NOVALUE) &&
				    fr_sees_same(r, m->ev[write].value, m->ev[write].mask))
		return false;
	return !fr_failing_sure(m, read, write);
}

/* Uses before the initialisation come first, then values that were not there before, such as
   zero. */
static uint32_t doubt(const struct fr_model *m, fr_ev read, fr_ev write)
{
	const struct fr_mev *r = &m->ev[read], *w;
	uint32_t d = r->flags & FR_F_PART || r->origin ? 8 : 0;

	if (write == FR_NO_EV)
		return d;
	w = &m->ev[write];
	return d + (w->flags & FR_F_NOVALUE ? 4 : w->value ? 2 : 1);
}

static void generate(const struct fr_generator *self, const struct fr_model *m,
		     const struct fr_causality *c, const struct fr_generate_opt *opt,
		     struct fr_groups *ret)
{
	static const struct fr_sees want = {.reads = reads,
					    .writes = writes,
					    .fits = fits,
					    .doubt = doubt,
					    .races = 16,
					    .max = GROUPS};

	struct fr_groups failing;

	(void)self;
	(void)opt;
	fr_sees_generate(&want, m, c, ret);
	fr_failing_generate(m, c, &failing);
	FR_VEC_FOREACH (g, &failing.group)
		fr_vec_push(&ret->group, *g);
	ret->excluded += failing.excluded;
	ret->cut_off += failing.cut_off;
	ret->left_out += failing.left_out;
	fr_vec_free(&failing.group);
	fr_groups_sort(ret);
}

const struct fr_generator fr_generator_order = {
    .name = "order-violation",
    .summary = "a thread uses something too early or too late, and the program fails",
    .meeting = FR_MEETING_IN_ORDER,
    .needs = FR_NEEDS_FAILURE,
    .guess = true,
    .rank = 70,
    .generate = generate,
};
