/*
 * A growing set of events that is a prefix of every thread. The caller adds events that must be in
 * the set; fr_prefix_next hands out each new event once, and the caller then adds the events that
 * this one needs. Creation is handled here. Everything below a floor is in the set from the start
 * and is not handed out.
 *
 * Events are handed out latest first. If a pending target gets into the set, it is mostly because
 * of events shortly before another target, and then no other event need be examined.
 */
#ifndef FR_CAUSALITY_PREFIX_H
#define FR_CAUSALITY_PREFIX_H

#include "causality/causality.h"
#include "model/candidate.h"

/* A range of a thread's list, and its last event. */
struct fr_prefix_span {
	uint32_t thread, from, end;
	fr_ev last;
};

struct fr_prefix {
	const struct fr_model *m;
	fr_ev floor;
	uint32_t epoch, events; /* events: number handed out since it was set to 0 */
	uint32_t size;		/* events in the set, from the floor on */
	bool failed;		/* an event that must stay out had to be in */
	struct fr_prefix_thread {
		uint32_t epoch;
		/* indices into its list: first at or above the floor; end of the set */
		uint32_t from, end;
		/* events below want are in; limit and later events must stay out */
		fr_ev want, limit;
	} *thread;
	FR_VEC(uint32_t) touched; /* threads */
	/* events in the set, not handed out yet: a heap, latest on top */
	FR_VEC(struct fr_prefix_span) todo;
	uint32_t *barrier;	/* epoch in which all events that enter it were added */
	struct fr_prefix_mark { /* how far an object's list has been processed */
		uint32_t epoch, at;
	} *flag;
};

void fr_prefix_init(struct fr_prefix *f, const struct fr_model *m);
void fr_prefix_free(struct fr_prefix *f);
/* Starts a new set that contains [0, floor). The floor is the head of a step. */
void fr_prefix_begin(struct fr_prefix *f, fr_ev floor);
/* Adds e, and everything before it in its thread, to the set. */
void fr_prefix_need(struct fr_prefix *f, fr_ev e);
/* The same, but ignores FR_NO_EV. */
static inline void fr_prefix_need_some(struct fr_prefix *f, fr_ev e)
{
	if (e != FR_NO_EV)
		fr_prefix_need(f, e);
}
/* Applies a candidate: its pending targets must stay out; the events before them, those of its
   edges, and the write that a read must see are added. */
void fr_prefix_candidate(struct fr_prefix *f, const struct fr_candidate *what);
/* e, and everything after it in its thread, must stay out. */
void fr_prefix_limit(struct fr_prefix *f, fr_ev e);
/* The first write at or after `from` that must not follow the write that the candidate's read sees;
   FR_NO_EV if there is none, or the candidate does not ask for that. */
fr_ev fr_sees_from(const struct fr_causality *c, const struct fr_model *m,
		   const struct fr_candidate *what, fr_ev from);
/* The same, from the write that the read must see on, or from the start of the run. */
fr_ev fr_sees_first(const struct fr_causality *c, const struct fr_model *m,
		    const struct fr_candidate *what);
/* Is `other` (fr_sees_other) after the write that the read must see, in every reordering that
   contains it? */
bool fr_sees_hidden(const struct fr_causality *c, const struct fr_model *m,
		    const struct fr_candidate *what, fr_ev other);
/* The next new event of the set; FR_NO_EV if there is none or the set has failed. */
fr_ev fr_prefix_next(struct fr_prefix *f);
/* Adds the events that must happen before e because of e's operation: the joined thread, the other
   threads of the barrier, the end of the once, or the releases. */
void fr_prefix_order(struct fr_prefix *f, fr_ev e);
/* Is the event in the set? */
static inline bool fr_prefix_has(const struct fr_prefix *f, fr_ev e)
{
	const struct fr_prefix_thread *x = &f->thread[f->m->ev[e].thread];

	return e < f->floor || (x->epoch == f->epoch && e < x->want);
}
/* The acquisition whose critical section made this attempt at a lock fail; FR_NO_EV if that section
   began below the floor. */
fr_ev fr_prefix_blocker(const struct fr_prefix *f, const struct fr_causality *c, fr_ev failed);
/* Adds all events with operation `op` on e's object before e in the recorded order. */
void fr_prefix_list(struct fr_prefix *f, fr_ev e, struct fr_prefix_mark *mark, unsigned op);

#endif
