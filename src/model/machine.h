/*
 * The model machine under the schedule checker: what a reordering has done so far.
 *
 * Meaning:   the state of a reordering of a model, after some of each thread's events: where each
 *            thread stands, who holds each lock, who wrote each byte last, which signals are still
 *            free.
 * Layout:    every piece of state is a 32-bit word of one array. A reordering notes old words in a
 *            journal; to undo is to put them back; to keep a state is to copy the array.
 * Memory:    4 bytes a location whose accesses all touch the same bytes, 36 the others; the rest is
 *            a few words an object.
 */
#ifndef FR_MODEL_MACHINE_H
#define FR_MODEL_MACHINE_H

#include "model/model.h"

/*
 * What a memory word says: the write; or initial, with the read whose value is the initial one; or
 * initial and not known. The word of a location whose accesses differ in their bytes says where the
 * words of its bytes are, and never changes: beyond FR_CELL_INITIAL | the number of events.
 */
#define FR_CELL_INITIAL 0x80000000u
#define FR_CELL_UNKNOWN UINT32_MAX

struct fr_machine {
	const struct fr_model *m;
	uint32_t *w; /* all the state */
	uint32_t nw;
	/* Where the words of each class begin. THREAD: FR_TW_* words each, LOCK: 2. */
	uint32_t thread, lock, sem, barrier, once, loc;
	uint32_t bytes; /* 8 for each location whose accesses differ */
	uint32_t *cond; /* nconds: where each begins */
	/* Everything that was done from the beginning on is the recorded order: a read sees what it
	   saw. */
	bool recorded;
	bool quiet; /* nothing is noted in the journal */
	bool blind; /* reads may find anything; `differ` counts those that find something else */
	uint32_t differ;
	struct fr_old {
		uint32_t at, old;
	} *journal; /* at == FR_OLD_MARK: `old` events of the recorded order were done here */
	uint32_t njournal, cap;
};
#define FR_OLD_MARK UINT32_MAX
#define FR_W_NOW 0 /* the word that counts what happens to conditions */

/* Words of a thread. */
enum { FR_TW_NEXT, FR_TW_MADE, FR_TW_SINCE, FR_TW_COND, FR_TW_WORDS };
/* Words of a condition: then `room` times of signals that are free, ascending. */
enum { FR_CW_WAITING, FR_CW_BROADCAST, FR_CW_FREE, FR_CW_WORDS };
/* Words of a lock. */
enum { FR_LW_OWNER, FR_LW_SHARED, FR_LW_WORDS };

void fr_machine_init(struct fr_machine *x, const struct fr_model *m);
void fr_machine_destroy(struct fr_machine *x);

/* Does the step whose head is e, all of its parts. -EINVAL with what it found if it cannot happen
   now; then nothing has changed. e must be a head. */
int fr_machine_step(struct fr_machine *x, fr_ev e, struct fr_err *reterr);
/*
 * Does the events of the recorded order from `from`, up to where the machine has done it, to `to`;
 * both are where a step begins. If one cannot happen: -EINVAL, and the state is worth nothing. The
 * machine is `recorded`.
 */
int fr_machine_along(struct fr_machine *x, fr_ev from, fr_ev to, struct fr_err *reterr);
/* Back to the place in the journal. */
void fr_machine_undo(struct fr_machine *x, uint32_t njournal);
/* Notes that the first `done` events of the recorded order, and nothing else, were done. Forgets
   what lies far back when the journal is long. */
void fr_machine_mark(struct fr_machine *x, uint32_t done);
/* Back to the last mark of at most `done` events; returns how many they are, FR_NO_EV if the
   journal does not reach that far: then nothing has changed. */
fr_ev fr_machine_back(struct fr_machine *x, fr_ev done);

/* The next event of a thread, FR_NO_EV if it has done all or was not made yet. */
fr_ev fr_machine_next(const struct fr_machine *x, uint32_t thread);
/* Has the event been done? */
bool fr_machine_done(const struct fr_machine *x, fr_ev e);

/* ---- for the parts of the machine ---- */

/* "event 12 (read) of thread 0.1" for the beginning of a message. */
#define STEP "event %u (%s) of thread %s: "
#define STEP_ARGS(x, e) \
	(e), fr_op_name[(x)->m->ev[(e)].op], (x)->m->thread[(x)->m->ev[(e)].thread].path

/* Does one event, the next of its thread, which is there; the thread does not move on yet. */
int fr_machine_event(struct fr_machine *x, fr_ev e, struct fr_err *reterr);
int fr_machine_not_made(const struct fr_machine *x, fr_ev e, struct fr_err *reterr);
int fr_machine_read(const struct fr_machine *x, fr_ev e, struct fr_err *reterr);
void fr_machine_write(struct fr_machine *x, fr_ev e);

/* Where the words of a location's bytes begin, 0: it has one word for all of them. */
static inline uint32_t fr_machine_bytes(const struct fr_machine *x, uint32_t loc)
{
	uint32_t w = x->w[x->loc + loc], beyond = FR_CELL_INITIAL | x->m->n;

	return w < beyond || w == FR_CELL_UNKNOWN ? 0 : x->bytes + (w - beyond) * 8;
}

/* Where the words of a thread begin. */
static inline uint32_t fr_machine_thread(const struct fr_machine *x, uint32_t t)
{
	return x->thread + t * FR_TW_WORDS;
}

static inline void fr_machine_note(struct fr_machine *x, uint32_t at, uint32_t old)
{
	if (x->njournal == x->cap) {
		x->cap = x->cap ? x->cap * 2 : 1024;
		x->journal = fr_xrealloc(x->journal, x->cap, sizeof(*x->journal));
	}
	x->journal[x->njournal++] = (struct fr_old){at, old};
}

static inline void fr_machine_set(struct fr_machine *x, uint32_t at, uint32_t value)
{
	if (!x->quiet)
		fr_machine_note(x, at, x->w[at]);
	x->w[at] = value;
}

#endif
