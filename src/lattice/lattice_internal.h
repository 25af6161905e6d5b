/* Data shared by the files of the lattice engine: see lattice.h. */
#ifndef FR_LATTICE_LATTICE_INTERNAL_H
#define FR_LATTICE_LATTICE_INTERNAL_H

#include "lattice/lattice.h"
#include "model/machine.h"
#include <stddef.h>

#define FR_LANES 256 /* threads that take part, at most */

/* ---- scope: the sliced trace ---- */

/* A thread that takes part: the events [from, end) of its list. */
struct fr_lane {
	uint32_t thread, from, end;
	uint32_t done;	      /* events whose needs are known */
	uint32_t item, items; /* its first item, in `by_lane`, and their number */
	uint32_t *use;	      /* by event: index into fr_scope.object of its object + 1; 0: none */
};
/* How far a lane uses an object: for each kind of use, the position after the last one, or 0. */
enum { FR_SHARES_READ, FR_SHARES_WRITE, FR_SHARES_OTHER, FR_SHARES_COUNT };
struct fr_lane_use {
	uint32_t lane, last[FR_SHARES_COUNT];
};
struct fr_scope_object {
	FR_VEC(struct fr_lane_use) use;
};
struct fr_scope {
	const struct fr_model *m;
	const struct fr_causality *c;
	const struct fr_lattice_question *q;
	FR_VEC(struct fr_lane) lane;
	uint32_t *lane_of; /* thread -> lane + 1 */
	uint32_t *by_lane; /* items, by lane */
	FR_VEC(struct fr_scope_object) object;
	struct fr_map index; /* class << 32 | object -> index into `object` + 1 */
	struct fr_map asked; /* the same key -> needs that are known */
	bool to_end;	     /* the whole rest of the run takes part */
	bool too_large;
};
/* Finds the events. ret->too_large: there are too many. */
void fr_scope_find(struct fr_scope *ret, const struct fr_model *m, const struct fr_causality *c,
		   const struct fr_lattice_question *q, bool to_end);
void fr_scope_free(struct fr_scope *s);
/* Does the next step of a lane commute with everything that the other lanes may still do? */
bool fr_scope_indifferent(const struct fr_scope *s, const struct fr_machine *x, uint32_t lane);
/* And is no item in it? Then it can be taken at once. */
bool fr_scope_commutes(const struct fr_scope *s, const struct fr_machine *x, uint32_t lane);
/* May a lane still read the object, and does what it reads matter? object: index + 1. */
bool fr_scope_read_later(const struct fr_scope *s, const struct fr_machine *x, uint32_t object);
/* The head of the next step of a lane, or FR_NO_EV. */
fr_ev fr_scope_next(const struct fr_scope *s, const struct fr_machine *x, uint32_t lane);
/* The items of the step with this head, which is the next of the lane: their number, and in *ret
   the first one in by_lane. */
uint32_t fr_scope_items(const struct fr_scope *s, uint32_t lane, fr_ev head, uint32_t *ret);

/* ---- state: a cut as words ---- */

/* A word of the machine that the scope can change. */
struct fr_word {
	uint32_t at;
	bool is_cell;
	uint32_t object;	/* index into fr_scope.object + 1 */
	uint64_t bytes;		/* mask of the bytes of a value that the cell stands for */
	bool by_event;		/* a read asks for the write, not for its value */
	FR_VEC(uint32_t) alike; /* cells found so far, one of each value */
};
struct fr_words {
	const struct fr_scope *s;
	struct fr_machine *x;
	FR_VEC(struct fr_word) v; /* ascending by `at` */
	uint32_t *start;	  /* the values at the cut of the question */
	FR_VEC(uint32_t) cond;	  /* conditions: their first word and their end */
	FR_VEC(uint32_t) clock;
};
void fr_words_init(struct fr_words *w, const struct fr_scope *s, struct fr_machine *x);
void fr_words_free(struct fr_words *w);
/* Brings the machine's state into the common form of equal cuts, and copies it. */
void fr_words_save(struct fr_words *w, uint32_t *ret);
void fr_words_load(struct fr_words *w, const uint32_t *from);

/* ---- monitors ---- */

#define FR_IDLE UINT32_MAX /* state of a monitor that has not read an event yet */

/* What a monitor remembers beside the automaton's state. All zero: nothing. */
struct fr_monitor_context {
	uint32_t named[FR_SPEC_VARIABLES];  /* lane + 1 of each thread name */
	uint32_t closes[FR_SPEC_VARIABLES]; /* of each region: item that closes it + 1; or CLOSED */
	uint32_t group;			    /* the || that is being read + 1 */
	uint32_t pad;
	uint64_t waiting;		  /* lanes that could still have a part in it */
	uint64_t nameless[FR_LANES / 64]; /* lanes that have been read without a name */
};
#define FR_REGION_CLOSED UINT32_MAX
_Static_assert(FR_LANES % 64 == 0, "a bit of `nameless` for each lane");
_Static_assert(offsetof(struct fr_monitor_context, nameless) + FR_LANES / 8 ==
		   sizeof(struct fr_monitor_context),
	       "compared as bytes");

struct fr_monitors {
	const struct fr_auto *a;
	const struct fr_scope *s;
	uint32_t outside; /* threads without items */
	FR_VEC(struct fr_monitor_context) context;
	struct fr_map index;
	FR_VEC(uint32_t) same;
};
void fr_monitors_init(struct fr_monitors *k, const struct fr_scope *s);
void fr_monitors_free(struct fr_monitors *k);

struct fr_reading {
	uint32_t state, context;
	uint32_t group; /* of the last letter, or FR_NO_NAME */
};
typedef FR_VEC(struct fr_reading) fr_readings;
/* Appends what a monitor can become when it reads the items [first, first + n) of by_lane, all of
   one step. A bad state ends the reading. pending: the step is only pending, so no acquisition is
   read unless it is in a ||. waiting: the lanes whose next step has an item. */
void fr_monitors_read(struct fr_monitors *k, uint32_t state, uint32_t context, uint32_t lane,
		      uint32_t first, uint32_t n, bool pending, uint64_t waiting, fr_readings *ret);

/* ---- the walk ---- */

#define FR_LATTICE_NONE UINT32_MAX

struct fr_lattice_entry {
	uint32_t parent; /* FR_LATTICE_NONE: the start */
	uint32_t state, context, group;
	uint32_t next; /* of the cut's list */
	uint32_t lane; /* whose step led here */
	uint32_t skip; /* items of that step before the first one of the match */
};

struct fr_lattice_cut {
	uint32_t slot; /* of its words */
	uint32_t steps, first, distance;
	uint32_t same; /* the next with this hash + 1 */
};

/* A step that is read after the last cut. */
struct fr_lattice_tail {
	uint32_t lane, state, group, skip;
};

struct fr_lattice_walk {
	struct fr_lattice *l;
	const struct fr_lattice_question *q;
	struct fr_lattice_answer *ret;
	struct fr_scope scope;
	struct fr_words words;
	struct fr_monitors monitors;
	FR_VEC(struct fr_lattice_entry) entry;
	FR_VEC(struct fr_lattice_cut) cut;
	FR_VEC(uint32_t) heap, level;
	struct fr_map index; /* hash of words -> cut + 1 */
	uint32_t *store;     /* slots of the words */
	FR_VEC(uint32_t) spare;
	uint32_t slots, most; /* most: slots that the budget allows */
	uint32_t *distance;   /* of each state of the automaton to a violation */
	uint32_t *now;	      /* words of the cut whose steps are taken */
	uint32_t begins;      /* set of events of the property that can begin a match */
	uint8_t *unread;      /* of each item: 0 not known yet, 1 no, 2 yes */
	bool cut_off;
	/* A violation: the monitor, the lanes of the steps that are read after it, and how. */
	uint32_t found;
	struct fr_lattice_tail tail[FR_SPEC_AT_ONCE];
	uint32_t ntail;
	bool at_end;
};

struct fr_lattice {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_machine x;
	fr_ev done; /* events of the recorded order that the machine has taken */
};

/* Takes a step, if it is possible. */
bool fr_lattice_step(struct fr_lattice *l, fr_ev head);
/* Takes all steps that commute, and appends them to *ret (NULL: does not). */
void fr_lattice_run_ahead(struct fr_lattice_walk *w, struct fr_schedule *ret);
/* Fills the answer for the violation that was found. */
void fr_lattice_describe(struct fr_lattice_walk *w);

#endif
