/*
 * Candidates of the form "a read sees a write", or the initial value: the search that the
 * generators null.c, order.c and failing_branch.c share.
 *
 * The search takes the locations one by one, and walks along the list of each. Accesses of one
 * thread from one site are alike: only the last one, and the last one with another value, are kept
 * (recent_accesses.h). So for each value the last access that has not this value is known. A read
 * is compared with the last write of each class before it, and a write with the last read of each
 * class before it. So the cost is linear in the accesses. This loses nothing to must-happen-before:
 * if the last read of a class must happen before a write, all earlier ones must; if the value of
 * the last write of a class cannot reach a read, because another write must come between, no
 * earlier one can.
 *
 * There is one group for each pair of sites. Of all groups, the most likely ones are kept.
 */
#ifndef FR_GENERATE_READ_SEES_WRITE_H
#define FR_GENERATE_READ_SEES_WRITE_H

#include "generate/generate.h"
#include "generate/unguarded.h"

/* The accesses that a generator wants. No function: the search tests every access of the run. */
struct fr_sees_access {
	uint16_t without;     /* it has none of these flags, */
	uint16_t unlike;      /* not exactly these of FR_F_RANGE and FR_F_NOVALUE, */
	uint8_t mask;	      /* all of these bytes, */
	uint64_t least, most; /* and a value from least to most */
};

static inline bool fr_sees_wants(const struct fr_sees_access *a, const struct fr_mev *v)
{
	/* without branches, which processors could not predict */
	return !(v->flags & a->without) & ((v->flags & (FR_F_RANGE | FR_F_NOVALUE)) != a->unlike) &
	       !(a->mask & ~v->mask) & (v->value - a->least <= a->most - a->least);
}

/* Which pairs a generator wants. */
struct fr_sees {
	/* The read that sees another value. */
	struct fr_sees_access reads;
	/* Can a read at this site be that read? Asked last. NULL: yes. */
	bool (*reads_at)(const struct fr_model *m, uint32_t site);
	/* The write that it sees, whichever read it is. */
	struct fr_sees_access writes;
	/* Is the pair worth a candidate? write: FR_NO_EV for the initial value. */
	bool (*fits)(const struct fr_model *m, fr_ev read, fr_ev write);
	/* How unlikely is it that this pair does harm? The likely ones, with a low number, come
	   first. */
	uint32_t (*doubt)(const struct fr_model *m, fr_ev read, fr_ev write);
	bool values;	 /* whether a pair fits depends on more than that the values differ */
	uint32_t races;	 /* added to the doubt of pairs that probably race: race.c finds them too */
	size_t max;	 /* groups to keep */
	bool one_reader; /* all groups with the same site of the read are one bug */
	enum fr_needs needs; /* struct fr_group */
	/* Bit s: reads at site s; all others are not wanted. NULL: all are. */
	const uint64_t *sites;
};

void fr_sees_generate(const struct fr_sees *s, const struct fr_model *m,
		      const struct fr_causality *c, struct fr_groups *ret);

/* Does the read find the value v in its bytes, in the recorded run? */
static inline bool fr_sees_same(const struct fr_mev *read, uint64_t v, uint8_t mask)
{
	return !((read->value ^ v) & fr_mask_bytes((uint8_t)(read->mask & mask)));
}

/* For `reads`: a single access with a value, which may be a target. */
#define FR_SEES_VALUED_READ                                   \
	{.without = FR_NO_TARGET | FR_F_NOVALUE | FR_F_RANGE, \
	 .unlike = FR_F_NOVALUE,                              \
	 .most = UINT64_MAX}
/* For `writes`: not of a range with unknown values. */
#define FR_SEES_KNOWN_WRITE \
	{.without = FR_F_BENIGN, .unlike = FR_F_RANGE | FR_F_NOVALUE, .most = UINT64_MAX}

#endif
