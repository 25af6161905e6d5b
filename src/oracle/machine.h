/*
 * The model machine under the schedule checker: what a reordering has done so far.
 *
 * Meaning:   the state of a reordering of a model, after some of each thread's events: where each
 *            thread stands, who holds each lock, who wrote each byte last, which signals are still
 *            free.
 * Layout:    every piece of state is a 32-bit word of one array, written through one function which
 *            notes the old word in a journal. To undo is to put old words back; to keep a state is
 *            to copy the array.
 * Memory:    8 bytes a location whose accesses all touch the same bytes, 36 the others; the rest is
 *            a few words an object.
 */
#ifndef FR_ORACLE_MACHINE_H
#define FR_ORACLE_MACHINE_H

#include "trace/model.h"

/* What a memory word says: the write; or initial, with the read whose value is the initial one; or
   initial and not known. */
#define FR_CELL_INITIAL 0x80000000u
#define FR_CELL_UNKNOWN UINT32_MAX

struct fr_machine {
	const struct fr_model *m;
	uint32_t *w; /* all the state */
	uint32_t nw;
	/* Where the words of each class begin. THREAD: FR_TW_* words each, LOCK: 2. */
	uint32_t thread, lock, sem, barrier, once;
	uint32_t *cond; /* nconds: where each begins */
	uint32_t *cell; /* nlocs: where each begins, FR_CELL_BYTES: one for each byte */
	/* Everything that was done from the beginning on is the recorded order: a read sees what it
	   saw. */
	bool recorded;
	bool quiet; /* nothing is noted in the journal */
	struct fr_old {
		uint32_t at, old;
	} *journal; /* at == FR_OLD_MARK: `old` events of the recorded order were done here */
	uint32_t njournal, cap;
};
#define FR_CELL_BYTES 0x80000000u
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

static inline void fr_machine_note(struct fr_machine *x, uint32_t at, uint32_t old)
{
	if (x->njournal == x->cap) {
		x->cap = x->cap ? x->cap * 2 : 1024;
		x->journal = fr_xrealloc(x->journal, x->cap, sizeof(*x->journal));
	}
	x->journal[x->njournal++] = (struct fr_old){at, old};
}

#endif
