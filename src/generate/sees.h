/*
 * Candidates of the form "a read sees a write", or the initial value: the search that the kinds
 * null-dereference (null.c) and order-violation (order.c, failing.c) share.
 *
 * The search takes the locations one by one, and walks along the list of each. Accesses of one
 * thread from one site are alike: only the last one, and the last one with another value, are kept
 * (recent.h). So for each value the last access that has not this value is known. A read is
 * compared with the last write of each class before it, and a write with the last read of each
 * class before it. So the cost is linear in the accesses. This loses nothing to must-happen-before:
 * if the last read of a class must happen before a write, all earlier ones must; if the value of
 * the last write of a class cannot reach a read, because another write must come between, no
 * earlier one can.
 *
 * There is one group for each pair of sites. Of all groups, the most likely ones are kept.
 */
#ifndef FR_GENERATE_SEES_H
#define FR_GENERATE_SEES_H

#include "generate/generate.h"

/* Which pairs a kind wants. */
struct fr_sees {
	/* Can the read be the one that sees another value? */
	bool (*reads)(const struct fr_model *m, fr_ev read);
	/* Can a read at this site be? Asked last. NULL: all can. */
	bool (*reads_at)(const struct fr_model *m, uint32_t site);
	/* Can the write be the one that it sees, whichever read it is? */
	bool (*writes)(const struct fr_model *m, fr_ev write);
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

#endif
