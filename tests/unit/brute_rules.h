/* Shared by brute.c and brute_rules.c. */
#ifndef FR_TESTS_BRUTE_RULES_H
#define FR_TESTS_BRUTE_RULES_H

#include "brute.h"

#define BRUTE_THREADS 8
#define BRUTE_LOCS 8
#define BRUTE_OBJS 64

struct brute_state {
	uint8_t pos[BRUTE_THREADS];    /* events that each thread has done */
	uint8_t woken;		       /* bit t */
	uint8_t differ;		       /* reads that found another value */
	uint8_t memory[BRUTE_LOCS][8]; /* event + 1 that wrote it, 0: none */
};

/* The actions of a thread on the objects, after some of its events. */
struct brute_past {
	uint8_t owns[BRUTE_OBJS], shares[BRUTE_OBJS]; /* by lock */
	int8_t sem[BRUTE_OBJS];
	uint8_t entered[BRUTE_OBJS], once[BRUTE_OBJS];
	uint8_t waits; /* condition + 1 */
};

struct brute_rules {
	const struct fr_model *m;
	const struct fr_candidate *what;
	/* Reads find any value. The writer is forgotten, except where a read must see it. */
	bool blind;
	uint32_t relax;		    /* reads that may find another value */
	fr_ev fixed;		    /* a read that may not */
	const struct fr_mask *mask; /* of the events from `cut` on */
	fr_ev cut;
	struct brute_past *past[BRUTE_THREADS]; /* [events done] */
	uint8_t place[BRUTE_EVENTS];		/* of an event in its thread */
	uint8_t saw[BRUTE_EVENTS][8];	/* READ: event + 1 that wrote what it saw, 0: none */
	int16_t initial[BRUTE_LOCS][8]; /* value at the start, -1: not known */
};

/* Fills the parts that are known beforehand. */
void brute_rules_init(struct brute_rules *r, const struct fr_model *m,
		      const struct fr_candidate *what);
void brute_rules_destroy(struct brute_rules *r);
/* The states after the step with this head, at most BRUTE_THREADS + 1 each signal; 0: it cannot
   happen. */
#define BRUTE_NEXT 64
unsigned brute_step(const struct brute_rules *r, const struct brute_state *s, fr_ev head,
		    struct brute_state ret[BRUTE_NEXT]);
/* The next event of a thread in the run, FR_NO_EV if it has none. */
fr_ev brute_next(const struct brute_rules *r, const struct brute_state *s, unsigned thread);
/* Does memory hold the value that a read of the candidate must see? */
bool brute_sees(const struct brute_rules *r, const struct brute_state *s,
		const struct fr_candidate *what);
bool brute_done(const struct brute_rules *r, const struct brute_state *s, fr_ev e);

#endif
