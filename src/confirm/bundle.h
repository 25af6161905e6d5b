/*
 * Several races in one execution: schedules that do not interfere, one after the other
 * (AVPredictor 3.3).
 *
 * Meaning:   a bundle is one schedule. It has the turns and the targets of its first member; then
 *            what is left of the turns of the second, and its targets; and so on. The targets of
 *            races happen in the order of the recorded run, so that all values stay what they
 *            were, and what comes next can. Those of other bugs have one order, which is none of
 *            the recorded run; they are in bundles of their own, as far as nothing that was read
 *            on the way to the next member has another value by that, and each is about other
 *            memory.
 * Invariant: a member is in a bundle because the model machine of the schedule checker has done all
 *            of the bundle's steps up to the brink of its targets, never for less.
 */
#ifndef FR_CONFIRM_BUNDLE_H
#define FR_CONFIRM_BUNDLE_H

#include "confirm/control.h"
#include "model/model.h"

struct fr_bundle_member {
	size_t sched; /* which of the schedules */
	bool swapped; /* the order of the recorded run is not the order of the schedule's targets */
};

struct fr_bundle {
	bool ordered;				/* of bugs that have one order of their targets */
	FR_VEC(struct fr_bundle_member) member; /* in the order in which they meet; at least 2 */
	struct fr_sched s;			/* all turns; the targets of the last member */
	FR_VEC(struct fr_control_stop_at) stop; /* the targets of the others */
};
struct fr_bundle_list {
	FR_VEC(struct fr_bundle) bundle;
	uint64_t work; /* steps and turns that were looked at */
};
void fr_bundle_list_free(struct fr_bundle_list *l);

/*
 * Schedules of the model's run. Deadlocks, those with other than two targets, and those that fit in
 * no bundle of `least` members, which are at least 2, are in none. `work`: how much may be done;
 * what is left when it is used up stays alone.
 */
void fr_bundle_make(const struct fr_model *m, const struct fr_sched *const *s, size_t n,
		    size_t least, uint64_t work, struct fr_bundle_list *ret);

#endif
