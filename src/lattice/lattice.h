/*
 * The lattice engine: walks the reorderings of a run level by level, with the states of a
 * property's automaton attached (jPredictor, Chen, Serbanuta and Rosu, ICSE 2008, section 2.4).
 *
 * A *cut* of the lattice says how far each thread has come, and what that decides: locks, signals,
 * memory. A level holds the cuts after the same number of steps. Each step that the model machine
 * (model/machine.h) allows leads from a cut to a cut of a later level. At each cut stand the states
 * that the automaton can be in after some order of the steps before it.
 *
 *   lattice.c          the walk: cuts by level, budgets
 *   lattice_order.c    the order that leads to a violation, as a short schedule
 *   lattice_scope.c    the sliced trace: the events that can matter, and the steps that commute
 *   lattice_state.c    a cut as words of the machine, in a form that is equal for equal cuts
 *   lattice_monitor.c  the states of the automaton: threads, regions and || of a pattern
 *   lattice_internal.h data shared by these files
 *
 * Caller: generate/property_lattice.c, for instances of properties that have too many orders for
 * candidates.
 *
 * Found:    an order of steps after which the automaton has seen a violation. The last events may
 *           only be the next steps of their threads (doc/properties.md).
 * Complete: no violation was found and there is none: no reordering that keeps everything before
 *           `cut` as recorded violates the property. Only a walk that no budget stopped says so.
 * Failure:  none. A walk that is stopped says `complete` = false.
 */
#ifndef FR_LATTICE_LATTICE_H
#define FR_LATTICE_LATTICE_H

#include "causality/causality.h"
#include "model/mask.h"
#include "model/schedule.h"
#include "spec/spec_auto.h"

/* An event of the instance. */
struct fr_lattice_item {
	fr_ev ev;
	uint32_t event;	  /* of the property */
	uint32_t partner; /* of an event that opens a region: the item that closes it + 1 */
};

struct fr_lattice_question {
	const struct fr_auto *a;
	const struct fr_lattice_item *item; /* ascending; none is before the cut */
	uint32_t n;
	const struct fr_mask *mask; /* the reads that matter (model/mask.h); NULL: all */
	fr_ev cut;		    /* from fr_cut_before: no lock is held, no thread waits */
	uint32_t width;		    /* cuts of one level, at most */
	uint64_t states;	    /* states of the automaton at all cuts, at most */
	double until;		    /* CLOCK_MONOTONIC seconds; 0: no limit */
};

struct fr_lattice_event {
	uint32_t item;
	uint32_t state; /* of the automaton, after it */
	uint32_t group; /* the || that it is in, or FR_NO_NAME */
};
struct fr_lattice_answer {
	bool found, complete;
	struct fr_schedule schedule;
	FR_VEC(struct fr_lattice_event) match; /* in the order of the violation */
	uint32_t npending;     /* of the match: the last ones are pending, not in the schedule */
	bool at_end;	       /* it is one because the run ends there */
	uint64_t cuts, states; /* the work */
	uint32_t levels, widest;
};

struct fr_lattice;
struct fr_lattice *fr_lattice_new(const struct fr_model *m, const struct fr_causality *c);
void fr_lattice_free(struct fr_lattice *x);
/* Walks. Questions in ascending order of cuts are cheapest: the machine runs forward only. */
void fr_lattice_ask(struct fr_lattice *x, const struct fr_lattice_question *q,
		    struct fr_lattice_answer *ret);
void fr_lattice_answer_free(struct fr_lattice_answer *v);

#endif
