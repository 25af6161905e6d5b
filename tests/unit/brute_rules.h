/* What brute.c and brute_rules.c share. */
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

/* What a thread has done to the objects after some of its events. */
struct brute_past {
	uint8_t owns[BRUTE_OBJS], shares[BRUTE_OBJS]; /* by lock */
	int8_t sem[BRUTE_OBJS];
	uint8_t entered[BRUTE_OBJS], once[BRUTE_OBJS];
	uint8_t waits; /* condition + 1 */
};

struct brute_rules {
	const struct fr_model *m;
	const struct fr_candidate *what;
	bool blind; /* reads find anything; who wrote is forgotten, but where a read must see it */
	uint32_t relax;		    /* reads that may find another value */
	fr_ev fixed;		    /* a read that may not */
	const struct fr_mask *mask; /* of the events from `cut` on */
	fr_ev cut;
	struct brute_past *past[BRUTE_THREADS]; /* [events done] */
	uint8_t place[BRUTE_EVENTS];		/* of an event in its thread */
	uint8_t saw[BRUTE_EVENTS][8];	/* READ: event + 1 that wrote what it saw, 0: none */
	int16_t initial[BRUTE_LOCS][8]; /* value at the start, -1: not known */
};

/* Fills what can be known beforehand. */
void brute_rules_init(struct brute_rules *r, const struct fr_model *m,
		      const struct fr_candidate *what);
void brute_rules_destroy(struct brute_rules *r);
/* The states after the step with this head, at most BRUTE_THREADS + 1 each signal; 0: it cannot
   happen. */
#define BRUTE_NEXT 64
unsigned brute_step(const struct brute_rules *r, const struct brute_state *s, fr_ev head,
		    struct brute_state ret[BRUTE_NEXT]);
/* The next event of a thread that is there, FR_NO_EV if it has none. */
fr_ev brute_next(const struct brute_rules *r, const struct brute_state *s, unsigned thread);
/* Does memory hold what a read of the candidate must see? */
bool brute_sees(const struct brute_rules *r, const struct brute_state *s,
		const struct fr_candidate *what);
bool brute_done(const struct brute_rules *r, const struct brute_state *s, fr_ev e);

#endif
