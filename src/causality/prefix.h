/*
 * A set of events that is a prefix of every thread, while it grows: what must be in it is said
 * event by event, and everything that gets in is handed out once, for the caller to say what that
 * needs in turn, the latest first: a target that gets in gets in by what
 * was shortly before another one, as a rule, and then nothing else need be looked at. Everything
 * below a floor is in from the start and not handed out. Creation is seen to here.
 */
#ifndef FR_CAUSALITY_PREFIX_H
#define FR_CAUSALITY_PREFIX_H

#include "causality/causality.h"
#include "model/candidate.h"

/* Places in a thread's list, and the event at the last of them. */
struct fr_front_span {
	uint32_t thread, from, end;
	fr_ev last;
};

struct fr_front {
	const struct fr_model *m;
	fr_ev floor;
	uint32_t epoch, events; /* events: handed out since the count was set to 0 */
	bool failed;		/* something that must stay out had to be in */
	struct fr_front_thread {
		uint32_t epoch;
		uint32_t from, end; /* places in its list: first at or above the floor; end */
		fr_ev want, limit;  /* below want is in; limit must stay out */
	} *thread;
	FR_VEC(uint32_t) touched;	   /* threads */
	FR_VEC(struct fr_front_span) todo; /* in and not handed out: a heap, the latest on top */
	uint32_t *barrier;		   /* epoch in which all that enter are in */
	struct fr_front_mark {		   /* how far an object's list has been gone through */
		uint32_t epoch, at;
	} *flag;
};

void fr_front_init(struct fr_front *f, const struct fr_model *m);
void fr_front_free(struct fr_front *f);
/* Starts again: [0, floor) is in; floor is the head of a step. */
void fr_front_begin(struct fr_front *f, fr_ev floor);
/* e must be in the set. */
void fr_front_need(struct fr_front *f, fr_ev e);
/* The same; FR_NO_EV: nothing. */
static inline void fr_front_need_some(struct fr_front *f, fr_ev e)
{
	if (e != FR_NO_EV)
		fr_front_need(f, e);
}
/* What the candidate demands: pending targets out, what is before them and the edges' events in. */
void fr_front_candidate(struct fr_front *f, const struct fr_candidate *what);
/* The next one that is in and was not handed out yet, FR_NO_EV: none, or it has failed. */
fr_ev fr_front_next(struct fr_front *f);
/* Puts in what must happen before e because of e itself: what it joins, the barrier's others, the
   once, what is released to it. */
void fr_front_order(struct fr_front *f, fr_ev e);
/* Is it in? */
static inline bool fr_front_has(const struct fr_front *f, fr_ev e)
{
	const struct fr_front_thread *x = &f->thread[f->m->ev[e].thread];

	return e < f->floor || (x->epoch == f->epoch && e < x->want);
}
/* Of a failed attempt at a lock: the section that was in its way, its acquisition; FR_NO_EV: it
   began below the floor. */
fr_ev fr_front_in_the_way(const struct fr_front *f, const struct fr_causality *c, fr_ev failed);
/* Puts in all events of kind `op` of e's object that were before e in the recorded order. */
void fr_front_list(struct fr_front *f, fr_ev e, struct fr_front_mark *mark, unsigned op);

#endif
