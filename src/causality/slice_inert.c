/*
 * Reads without consequence: whatever value they return, no thread takes another path.
 *
 * Meaning: a free read is inert if its value reaches no read that matters always, through any
 *          number of writes and reads. It may change numbers that the program prints.
 * Method:  at first all free reads are inert. A write that an inert read reaches, to a location
 *          that another read makes matter, ends that. Repeats until nothing changes.
 */
#include "causality/slice_internal.h"

#define ROUNDS 16 /* if more are needed, no read is inert */

/* Marks the locations with a READ that is not inert. */
static void mark_locations(const struct fr_slice *s, bool *matters)
{
	for (fr_ev e = 0; e < s->m->n; e++) {
		const struct fr_mev *v = &s->m->ev[e];

		if (v->op == FR_OP_READ && !fr_slice_inert(s, e))
			matters[v->obj] = true;
	}
}

/* Ends the inertia of the reads that reach a write to such a location. */
static bool spread(struct fr_slice *s, const bool *matters)
{
	bool changed = false;

	FR_VEC_FOREACH (e, &s->open) {
		struct fr_slice_set v = fr_slice_reach_set(s->reach, fr_slice_support(s, *e));

		for (uint32_t i = 0; i < v.n && matters[s->m->ev[*e].obj]; i++) {
			changed |= s->inert[v.v[i]];
			s->inert[v.v[i]] = false;
		}
	}
	return changed;
}

void fr_slice_find_inert(struct fr_slice *s)
{
	uint32_t n = fr_slice_reach_count(s->reach);
	bool *matters = fr_xcalloc(s->m->cls[FR_C_LOC].n + 1, sizeof(*matters)), more = true;

	s->inert = fr_xcalloc(n + 1, sizeof(*s->inert));
	for (uint32_t i = 0; i < n; i++)
		s->inert[i] = true;
	for (unsigned round = 0; more && round < ROUNDS; round++) {
		mark_locations(s, matters);
		more = spread(s, matters);
	}
	for (uint32_t i = 0; i < n && more; i++)
		s->inert[i] = false;
	free(matters);
}

bool fr_slice_inert(const struct fr_slice *s, fr_ev read)
{
	uint32_t number;

	if (!s || !s->inert)
		return false;
	number = fr_slice_reach_free_read(s->reach, s->m->ev[read].site);
	return number != UINT32_MAX && s->inert[number];
}
