/*
 * Walks of the lattice engine (lattice/lattice.h) for instances of a property whose search for
 * candidates a limit stopped, or which have more candidates than are kept.
 *
 * For each instance: first a part of the run that begins shortly before its first event, with all
 * reads; then with only the reads that matter to its events (causality/slice.h); then, if it is
 * short enough, the whole run. A walk that covers the whole run without a violation settles the
 * instance: nothing was cut off. All walks of a property share budgets for states and time.
 */
#ifndef FR_GENERATE_PROPERTY_LATTICE_H
#define FR_GENERATE_PROPERTY_LATTICE_H

#include "generate/property.h"
#include "generate/property_instance.h"
#include "lattice/lattice.h"

/* An instance that waits for a walk. */
struct fr_walk_note {
	const struct fr_binding *instance;
	uint64_t cut_off; /* number of limits that stopped its search */
	fr_ev first;
};
/* A violation. */
struct fr_walked {
	const struct fr_binding *instance;
	const struct fr_lattice_item *item;
	uint32_t n;
	struct fr_lattice_answer answer; /* the callback may take the schedule */
	const struct fr_mask *mask;
};
struct fr_walker {
	const struct fr_property_kind *kind;
	const struct fr_model *m;
	const struct fr_causality *c;
	const struct fr_generate_opt *opt; /* NULL: the default */
	struct fr_groups *ret;
	FR_VEC(struct fr_walk_note) note;
};
void fr_walker_note(struct fr_walker *w, const struct fr_binding *instance, uint64_t cut_off);
/* Walks all noted instances, in the order of the run, and calls `found` for each violation. Adds
   the limits of those that stay open to ret->cut_off. Frees the notes. */
void fr_walker_run(struct fr_walker *w, const struct fr_instances *x,
		   void (*found)(void *arg, struct fr_walked *v), void *arg);
/* Matches the events that open and close regions, by nesting in their threads. */
void fr_walker_partners(const struct fr_auto *a, const struct fr_model *m,
			struct fr_lattice_item *item, uint32_t n);

#endif
