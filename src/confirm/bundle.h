/*
 * Bundles: several bugs in one re-execution, by schedules that do not interfere, one after another
 * (AVPredictor 3.3).
 *
 * Meaning:   a bundle is one schedule: the turns and targets of its first member, then the
 *            remaining turns and the targets of the second member, and so on. The targets of races
 *            happen in the order of the recorded run, so that all values stay as recorded and the
 *            next members remain possible. The targets of other bugs have one order, which is not
 *            the recorded one. These bugs form bundles of their own, and each member is about other
 *            memory. In a *safe* bundle no read sees another value than in the recorded run. Bugs
 *            that fit in no safe bundle form guesses: bundles in which reads may see other values,
 *            and the program may leave the schedule.
 * Others:    a bug with one order runs twice. In the second run, other threads continue first. So
 *            a bundle of such bugs has a second bundle: between two members, threads other than
 *            that of the last target run first, as far as the next member allows.
 * Reversed:  a race without harm runs in both orders, and in both orders with other threads first.
 *            So each bundle of races is followed by up to three variants: reversed, others first,
 *            and both. In the reversed ones, the targets happen in the other order than in the
 *            recorded run; each member is about other memory, and reads may see other values.
 * Invariant: a schedule is a member only if the model machine of the schedule checker has performed
 *            all steps of the bundle up to the member's pending targets.
 */
#ifndef FR_CONFIRM_BUNDLE_H
#define FR_CONFIRM_BUNDLE_H

#include "confirm/control_file_build.h"
#include "model/model.h"

struct fr_bundle_member {
	size_t sched; /* index of its schedule */
	bool swapped; /* the recorded order of the targets is not the schedule's */
};

struct fr_bundle {
	bool ordered;  /* bugs whose targets have only one order */
	bool others;   /* other threads than that of the last target continue first */
	bool reversed; /* races; the targets do not happen in the recorded order */
	size_t base;   /* index of the bundle that this one follows from; its own if from none */
	bool guess;    /* reads may see other values than in the recorded run */
	FR_VEC(struct fr_bundle_member) member; /* in the order in which they meet; at least 2 */
	struct fr_schedule_file s;		/* all turns; targets of the last member */
	FR_VEC(struct fr_control_file_stop_at) stop; /* targets of the other members */
};
struct fr_bundle_list {
	FR_VEC(struct fr_bundle) bundle;
	uint64_t work; /* steps and turns examined */
};
void fr_bundle_list_free(struct fr_bundle_list *l);

/* Makes bundles from schedules of the model's run. Leaves out deadlocks, schedules with more than
   two targets, and those that fit in no bundle of `least` (at least 2) members. `work` limits the
   effort; schedules that remain when it is used up stay alone. */
void fr_bundle_make(const struct fr_model *m, const struct fr_schedule_file *const *s, size_t n,
		    size_t least, uint64_t work, struct fr_bundle_list *ret);

#endif
