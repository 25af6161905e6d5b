/*
 * Order violations: a thread reads a location before the write that it saw in the recorded run, or
 * after a write that came later there: it uses something before it is initialised, or after it was
 * taken away. Candidates are reads that see another value. Pairs that race come last, because
 * race.c tries both of their orders.
 *
 * Correct programs allow most of these orders. So a finding counts only if the program then fails,
 * and only the likely ones are kept. failing_branch.c handles pairs that surely lead into a failing
 * branch; it requires another kind of harm and has its own limit on candidates. refused_lock.c adds
 * attempts to take a lock.
 *
 * If a thread is then never woken, the finding is shown as a lost wakeup (fr_finding_name).
 */
#include "generate/failing_branch.h"
#include "generate/refused_lock.h"
#include "generate/unguarded.h"
#include "generate/read_sees_write.h"

#define GROUPS 64

static bool fits(const struct fr_model *m, fr_ev read, fr_ev write)
{
	const struct fr_mev *r = &m->ev[read];
	const struct fr_mobj *loc = &m->cls[FR_C_LOC].obj[r->obj];

	fr_assert_slow(write == FR_NO_EV || m->ev[write].obj == r->obj);
	if (r->flags & FR_F_RANGE)
		return write != FR_NO_EV || !(r->mask & ~loc->count);
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
	uint32_t d = r->flags & (FR_F_PART | FR_F_RANGE) || r->origin ? 8 : 0;

	if (write == FR_NO_EV)
		return d;
	w = &m->ev[write];
	return d + (w->flags & FR_F_NOVALUE ? 4 : w->value ? 2 : 1);
}

static void generate(const struct fr_generator *self, const struct fr_model *m,
		     const struct fr_causality *c, const struct fr_generate_opt *opt,
		     struct fr_groups *ret)
{
	/* The loop of a range read is the target as a whole. Its values are not known. */
	static const struct fr_sees want = {
	    .reads = {.without = FR_NO_TARGET, .unlike = FR_F_NOVALUE, .most = UINT64_MAX},
	    .writes = FR_SEES_KNOWN_WRITE,
	    .fits = fits,
	    .doubt = doubt,
	    .races = 16,
	    .max = GROUPS};

	struct fr_groups failing, refused;

	(void)self;
	(void)opt;
	fr_sees_generate(&want, m, c, ret);
	fr_failing_generate(m, c, &failing);
	FR_VEC_FOREACH (g, &failing.group)
		fr_vec_push(&ret->group, *g);
	ret->excluded += failing.excluded;
	ret->cut_off += failing.cut_off;
	ret->left_out += failing.left_out;
	fr_assert(!failing.unmatched.n);
	fr_vec_free(&failing.group);
	fr_refused_generate(m, c, &refused);
	FR_VEC_FOREACH (g, &refused.group)
		fr_vec_push(&ret->group, *g);
	ret->left_out += refused.left_out;
	fr_vec_free(&refused.group);
	fr_groups_sort(ret);
}

const struct fr_generator fr_generator_order = {
    .name = FR_KIND_ORDER,
    .summary = "a thread uses something too early or too late, and the program fails",
    .meeting = FR_MEETING_IN_ORDER,
    .needs = FR_NEEDS_FAILURE,
    .guess = true,
    .rank = 70,
    .generate = generate,
};
