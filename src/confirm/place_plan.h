/*
 * Schedules by place. A program that takes another branch executes other hooks than its schedule
 * names, but often still comes to the places that matter. If a re-execution leaves its schedule,
 * prove.c runs a *plan*: the controller follows the turns by place (runtime/control/ctl_place.c)
 * and notes the turns that the threads took. From those, fr_place_schedule makes a schedule with
 * the hooks of that execution. Only an exact execution of the new schedule can confirm the finding.
 */
#ifndef FR_CONFIRM_PLACE_PLAN_H
#define FR_CONFIRM_PLACE_PLAN_H

#include "confirm/execution.h"
#include "model/model.h"

struct fr_place_plan {
	enum fr_by_place how;
	struct fr_schedule_file s; /* the schedule, with a turn that ends where the places begin */
	uint64_t from, bound;
	FR_VEC(struct fr_control_file_place) place;
	struct fr_control_file_milestone milestone[FR_CONTROL_FILE_MILESTONES];
	uint32_t nmilestones;
	bool swapped;
	uint64_t *hold; /* by thread */
};
/* Makes the plan of a schedule whose targets are swapped or not. MILESTONES, OTHERS: after the
   first event, its thread lets the others run first. FIRST: the plan has no turns. False: the
   schedule has no targets, too many events, or, for MILESTONES and OTHERS, no events. */
bool fr_place_plan(const struct fr_schedule_file *s, const struct fr_model *m, bool swapped,
		   enum fr_by_place how, struct fr_place_plan *ret);
/* Does a thread come to the place of an event more than once in the recorded run? Then the events
   may also happen at another time. */
bool fr_place_repeats(const struct fr_schedule_file *s, const struct fr_model *m);
void fr_place_plan_free(struct fr_place_plan *p);
struct fr_control_file_by_place fr_place_how(const struct fr_place_plan *p, bool goes_on);
/* A thread of this execution came to its milestone too early. In the next execution it waits before
   it. False: it waited there already. */
bool fr_place_hold(struct fr_place_plan *p, const struct fr_execution *r);
/* The result of an execution by place. */
enum fr_place_result {
	FR_PLACE_NOTHING,
	FR_PLACE_ALL,	   /* all events happened in order */
	FR_PLACE_BUT_LAST, /* all but the last, and then another thread crashed */
	FR_PLACE_HARM,	   /* the program failed, or may have */
};
enum fr_place_result fr_place_result(const struct fr_place_plan *p, const struct fr_execution *r,
				     const struct fr_run *run);
/* Makes the schedule of an execution with this result, which is not FR_PLACE_NOTHING. */
void fr_place_schedule(const struct fr_place_plan *p, const struct fr_execution *r,
		       enum fr_place_result result, struct fr_schedule_file *ret);

/* Finds the read that made the first thread leave the path of the recorded run: the last one before
   that whose value is not the recorded one. False: there is none. */
bool fr_place_cause(const struct fr_execution *r, const struct fr_trace *t,
		    struct fr_control_file_read *ret, uint64_t *ret_recorded);

#endif
