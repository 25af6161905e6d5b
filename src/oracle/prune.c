/*
 * Chooses the segment that the solver searches. The cut is a nearby event at which no lock is held,
 * if there is one, because then nothing in the prefix constrains the segment. The segment extends
 * past the last target, because a read or a wait may need later events. A small run is searched
 * whole at once, or at the last level. Only a search of the whole run proves infeasibility.
 *
 * Both ends are rounded outwards, so that neighbouring candidates share a solver.
 *
 * Not handled: leaving out events inside the segment on which no target depends.
 */
#include "oracle/prune.h"
#include "base/assert.h"
#include "causality/prefix.h"

#define WHOLE_AT_ONCE 256
#define WHOLE_MAX 262144 /* events */
/* events times threads; the memory of an order is a small multiple of this */
#define WHOLE_ENTRIES 4194304
#define ROUND 128

/* Events taken before and after the targets, and the greatest length of a segment. */
static const struct {
	uint32_t before, after, longest;
} level_of[] = {{128, 0, 32768}, {1024, 256, 32768}, {8192, 2048, 49152}};

_Static_assert(WHOLE_AT_ONCE <= WHOLE_MAX, "a small run is not too long");

static bool targets(const struct fr_model *m, const struct fr_causality *c,
		    const struct fr_candidate *what, fr_ev *ret_first, fr_ev *ret_last)
{
	fr_ev first = FR_NO_EV, last = 0;

#define SEE(e)                              \
	do {                                \
		first = fr_min(first, (e)); \
		last = fr_max(last, (e));   \
	} while (0)
	for (uint32_t i = 0; i < what->npending; i++)
		SEE(what->pending[i]);
	for (uint32_t i = 0; i < what->nedges; i++) {
		SEE(what->edge[i].before);
		SEE(what->edge[i].after);
	}
	if (what->napart) /* must move, or stay out */
		SEE(what->apart[0]);
#undef SEE
	/* Writes that may have to move or to stay out. The write that the read sees may be far away
	   before them, and then it is not in the segment. */
	first = fr_min(first, fr_sees_first(c, m, what));
	if (what->sees.on && what->sees.write != FR_NO_EV)
		last = fr_max(last, what->sees.write);
	if (first == FR_NO_EV)
		return false;
	fr_assert(first <= last && last < m->n);
	*ret_first = fr_head(m, first);
	*ret_last = last;
	return true;
}

static fr_ev cut_for(const struct fr_model *m, const struct fr_causality *c, fr_ev first,
		     uint32_t before)
{
	fr_ev want = first > before ? (first - before) / ROUND * ROUND : 0;
	fr_ev quiet = fr_cut_before(c, want, 0);

	fr_assert(quiet <= want);
	if (want - quiet <= before)
		return quiet;
	/* There is no such cut close before `want`: look between `want` and the target. */
	quiet = fr_cut_before(c, first, 0);
	return quiet > want ? quiet : fr_head(m, want);
}

bool fr_prune_whole(const struct fr_model *m, struct fr_range *ret)
{
	*ret = (struct fr_range){0, m->n};
	return m->n <= WHOLE_MAX && (uint64_t)m->n * m->nthreads <= WHOLE_ENTRIES;
}

bool fr_prune_choose(const struct fr_model *m, const struct fr_causality *c,
		     const struct fr_candidate *what, unsigned level, struct fr_range *ret)
{
	struct fr_range s;
	fr_ev first, last;

	*ret = (struct fr_range){0, m->n};
	if (level > fr_array_size(level_of) || !targets(m, c, what, &first, &last))
		return false;
	if (m->n <= WHOLE_AT_ONCE || level == fr_array_size(level_of))
		return fr_prune_whole(m, ret);
	/* The nearest quiet cut may lie after the cut of an earlier level, and a segment grows. */
	s.cut = m->n;
	for (unsigned i = 0; i <= level; i++)
		s.cut = fr_min(s.cut, cut_for(m, c, first, level_of[i].before));
	s.end = (last + level_of[level].after) / ROUND * ROUND + ROUND;
	s.end = fr_min(s.end, m->n);
	while (s.end < m->n && m->ev[s.end].flags & FR_F_PART)
		s.end++;
	fr_assert(s.cut <= first && last < s.end);
	fr_assert(!(m->ev[s.cut].flags & FR_F_PART));
	if (s.end - s.cut > level_of[level].longest) {
		if (fr_prune_whole(m, ret))
			return true;
		*ret = s;
		return false;
	}
	*ret = s;
	return true;
}

bool fr_prune_serves(const struct fr_range *have, const struct fr_range *want)
{
	fr_assert(have->cut <= have->end && want->cut <= want->end);
	return have->cut <= want->cut && have->end >= want->end &&
	       have->end - have->cut <= 2 * (want->end - want->cut);
}
