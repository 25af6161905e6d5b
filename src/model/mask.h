/*
 * A mask: the reads that matter to a candidate, and the writes whose values are then known.
 *
 * causality/slice.h computes masks from the dependences that the compiler pass stored. The oracle's
 * tier `sliced` reads them. In this tier a reordering is feasible if these rules hold instead of
 * the rule for READ in model.h:
 * - A byte of a location is *unknown* if its last write is a step of the reordering, not of the
 *   prefix before the cut, and is not reliable. Every other byte is known: it follows the rules of
 *   model.h.
 * - A READ that matters finds only known bytes, and they explain it as in model.h.
 * - Any other READ finds anything, unknown bytes included.
 *
 * A mask is *consistent* with the program if the following holds; the slices see to it, and the
 * tier is sound only then. The oracle itself accepts any mask.
 * - If all reads that matter return their recorded values, then each thread executes its recorded
 *   events up to the targets, and each reliable write stores its recorded value there.
 * - The write that a candidate wants a read to see (`sees.write`) is reliable. The oracle does not
 *   ask.
 * - Writes that the loader inserted (FR_F_SYNTH) are reliable.
 *
 * NULL stands for the mask of which everything matters and is reliable.
 */
#ifndef FR_MODEL_MASK_H
#define FR_MODEL_MASK_H

#include "model/model.h"

/* One bit per event of the model, in words of 64; the bits of other events than READs (reads) and
   WRITEs (writes) have no meaning. Masks with one id are equal; equal masks should share one id,
   because the oracle keeps its tables for each id. An id is never 0. */
struct fr_mask {
	uint32_t id;
	const uint64_t *reads;	/* this READ must return its recorded value */
	const uint64_t *writes; /* this WRITE stores its recorded value */
};

/* Number of words of `reads`, and of `writes`. */
static inline size_t fr_mask_words(const struct fr_model *m)
{
	return ((size_t)m->n + 63) / 64;
}

/* Does the READ matter? */
static inline bool fr_mask_read(const struct fr_mask *mask, fr_ev e)
{
	return !mask || mask->reads[e / 64] >> (e % 64) & 1;
}

/* Is the WRITE reliable? */
static inline bool fr_mask_write(const struct fr_mask *mask, fr_ev e)
{
	return !mask || mask->writes[e / 64] >> (e % 64) & 1;
}

/* Do all READs in [from, to) matter, and are all WRITEs there reliable? */
bool fr_mask_all(const struct fr_model *m, const struct fr_mask *mask, fr_ev from, fr_ev to);
/* The same for the step that begins at `head`. */
bool fr_mask_step(const struct fr_model *m, const struct fr_mask *mask, fr_ev head);
/* Do two masks say the same about the events in [from, to)? May say no if they differ only in bits
   without meaning. */
bool fr_mask_same(const struct fr_model *m, const struct fr_mask *a, const struct fr_mask *b,
		  fr_ev from, fr_ev to);

#endif
