/*
 * The events of a recorded run that a property is about: each event of the model that a pointcut of
 * the property selects, with the values that it binds to parameters.
 *
 * Values:   a number is itself. A pointer into the heap is the block that it points into, as the
 *           recorded run allocated it, and the offset; so memory that was freed and allocated again
 *           is another object. The trace has all blocks, the model only those that threads share.
 *           Any other pointer is its address.
 * Left out: accesses that the model leaves out (model/model.h), above all those to memory that only
 *           one thread uses.
 * Reading:  arguments and results are not in the model, so this reads the trace again. A part that
 *           cannot be read has no events.
 */
#ifndef FR_SPEC_OCCURRENCE_H
#define FR_SPEC_OCCURRENCE_H

#include "model/model.h"
#include "spec/spec.h"

struct fr_occurrence {
	fr_ev ev;
	uint16_t event; /* of the property */
	uint16_t bound; /* set of the property's parameters */
	uint32_t
	    value; /* index of the values of the bound ones into `value`, ascending by parameter */
};
/* A block of memory that the program allocated. */
struct fr_spec_block {
	uint64_t addr, size, stamp, reach; /* reach: the largest end of all blocks up to this one */
	uint64_t hook;
	uint32_t thread, site; /* thread: index into the model's */
};
struct fr_occurrences {
	/* Ascending by event. An event of the run that matches several of the property is in the
	   list several times, in the order of the property. */
	FR_VEC(struct fr_occurrence) v;
	FR_VEC(uint64_t) value;
	FR_VEC(struct fr_spec_block) block; /* ascending by address, then by stamp */
	struct fr_map by_hook;		    /* thread << 48 ^ hook -> index into block + 1 */
};

/* The values of pointer parameters: FR_IDENTITY_OBJECT | index into `block` << 24 | offset, or an
   address. */
#define FR_IDENTITY_OBJECT (UINT64_C(1) << 63)
static inline const struct fr_spec_block *fr_identity_block(const struct fr_occurrences *o,
							    uint64_t value)
{
	return value & FR_IDENTITY_OBJECT ? &o->block.v[(uint32_t)(value >> 24)] : NULL;
}

/* Finds the events of a property. */
void fr_occurrences_find(const struct fr_model *m, const struct fr_property *p,
			 struct fr_occurrences *ret);
void fr_occurrences_free(struct fr_occurrences *o);
/* If an event selects calls or executions, and none of its functions was instrumented: one of its
   globs. NULL if there is no such event. A function without a body in the program counts as
   instrumented if a call was recorded. With `asked`, also if the compiler was asked to instrument
   it, although the program may have no such function. */
const char *fr_occurrences_missing(const struct fr_model *m, const struct fr_property *p,
				   bool asked);

#endif
