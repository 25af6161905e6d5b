/*
 * The model machine: the state of a reordering of a model, after some of each thread's events. The
 * schedule checker (oracle/check.c) runs every schedule on it before the schedule leaves the
 * oracle. confirm (bundle.c) uses it to try single steps.
 *
 * The state says where each thread stands, who holds each lock, which event last wrote each byte,
 * and which signals have not woken a wait yet. A caller initialises the machine, runs a prefix of
 * the recorded order with fr_machine_along, then takes steps with fr_machine_step. A step whose
 * precondition (model.h, FR_OPS) does not hold fails with -EINVAL.
 *
 * Layout: every piece of state is a 32-bit word of one array. Each change saves the old word in a
 *         journal. Undoing restores the old words; copying the array saves a state.
 * Memory: 4 bytes for a location whose accesses all touch the same bytes, 36 for any other
 *         location, and a few words for every other object.
 * Files:  machine_step.c has the rules, machine_memory.c reads and writes, machine_along.c the fast
 *         path along the recorded order, machine_state.c the layout and the journal.
 */
#ifndef FR_MODEL_MACHINE_H
#define FR_MODEL_MACHINE_H

#include "model/mask.h"
#include "model/model.h"

/*
 * Contents of a memory word: the last write; or FR_CELL_INITIAL with a read that returned the
 * initial value; or FR_CELL_UNKNOWN if the initial value is unknown. For a location whose accesses
 * touch different bytes, the word is FR_CELL_INITIAL | (number of events + k): its k-th group of
 * byte words. That word never changes.
 */
#define FR_CELL_INITIAL 0x80000000u
#define FR_CELL_UNKNOWN UINT32_MAX
_Static_assert(FR_MODEL_MAX < FR_CELL_INITIAL, "an event and the mark of a cell share a word");

struct fr_machine {
	const struct fr_model *m;
	uint32_t *w; /* the whole state */
	uint32_t nw;
	/* Index of the first word of each class. A THREAD has FR_TW_WORDS words, a LOCK has
	   FR_LW_WORDS. */
	uint32_t thread, lock, sem, barrier, once, loc;
	uint32_t bytes; /* 8 words for each location whose accesses touch different bytes */
	uint32_t *cond; /* first word of each condition */
	/* True while the machine has only followed the recorded order. Each read then sees the
	   write that it saw in the run. */
	bool recorded;
	bool quiet; /* do not write the journal */
	bool blind; /* accept every value read; `differ` counts the reads that find another value */
	uint32_t differ;
	/* READs that may find another value, ascending; `differ` counts those that do */
	const fr_ev *relaxed;
	uint32_t nrelaxed;
	/* After the recorded order: the reads that matter, and the cut at which that order ended.
	   The writes from the cut on are known only if the mask has them as reliable. NULL: all
	   are. */
	const struct fr_mask *mask;
	fr_ev cut;
	struct fr_old {
		uint32_t at, old;
		/* at == FR_OLD_CHECKPOINT: the first `old` events of the recorded order were done
		   here */
	} *journal;
	uint32_t njournal, cap;
};
#define FR_OLD_CHECKPOINT UINT32_MAX
#define FR_W_NOW 0 /* word that counts the events on conditions, as a clock */

/* Words of a thread: index of its next event, created, clock value at WAIT_BEGIN, condition. */
enum { FR_TW_NEXT, FR_TW_MADE, FR_TW_SINCE, FR_TW_COND, FR_TW_WORDS };
/* Words of a condition. The clock values of its unused signals follow, ascending. */
enum { FR_CW_WAITING, FR_CW_BROADCAST, FR_CW_FREE, FR_CW_WORDS };
/* Words of a lock. */
enum { FR_LW_OWNER, FR_LW_SHARED, FR_LW_WORDS };

/* Initialises the state before the first event. The model must outlive the machine. */
void fr_machine_init(struct fr_machine *x, const struct fr_model *m);
void fr_machine_destroy(struct fr_machine *x);

/* Takes the step with head e, all of its parts. Returns -EINVAL with the reason if the step cannot
   happen now; the state is then unchanged. e must be a head. */
int fr_machine_step(struct fr_machine *x, fr_ev e, struct fr_err *reterr);
/* Takes the events [from, to) of the recorded order. The machine must be `recorded` and stand at
   `from`; both ends are heads of steps. Returns -EINVAL if an event cannot happen; the state is
   then useless. */
int fr_machine_along(struct fr_machine *x, fr_ev from, fr_ev to, struct fr_err *reterr);
/* Restores the state at an earlier journal length. */
void fr_machine_undo(struct fr_machine *x, uint32_t njournal);
/* Marks in the journal that exactly the first `done` events of the recorded order were done. If the
   journal is long, drops its older half. */
void fr_machine_checkpoint(struct fr_machine *x, uint32_t done);
/* Goes back to the last checkpoint of at most `done` events and returns the number of events there.
   Returns FR_NO_EV, and changes nothing, if the journal does not reach back that far. */
fr_ev fr_machine_back(struct fr_machine *x, fr_ev done);

/* The next event of a thread; FR_NO_EV if the thread has finished or does not exist yet. */
fr_ev fr_machine_next(const struct fr_machine *x, uint32_t thread);
bool fr_machine_done(const struct fr_machine *x, fr_ev e);

/* ---- shared by the machine's files ---- */

/* Beginning of a message: "event 12 (read) of thread 0.1: ". */
#define STEP "event %u (%s) of thread %s: "
#define STEP_ARGS(x, e) \
	(e), fr_op_name[(x)->m->ev[(e)].op], (x)->m->thread[(x)->m->ev[(e)].thread].path

/* Does one event, which must be the next of its thread, without moving the thread on. */
int fr_machine_event(struct fr_machine *x, fr_ev e, struct fr_err *reterr);
/* Returns -EINVAL: the thread of e has not been created yet. */
int fr_machine_not_made(const struct fr_machine *x, fr_ev e, struct fr_err *reterr);
/* Returns 0 if the read finds the value that it returned in the run, else -EINVAL. */
int fr_machine_read(const struct fr_machine *x, fr_ev e, struct fr_err *reterr);
void fr_machine_write(struct fr_machine *x, fr_ev e);

/* Index of the words of a location's bytes; 0 if one word stands for all of them. */
static inline uint32_t fr_machine_bytes(const struct fr_machine *x, uint32_t loc)
{
	uint32_t w = x->w[x->loc + loc], beyond = FR_CELL_INITIAL | x->m->n;

	fr_assert_slow(loc < x->m->cls[FR_C_LOC].n);
	return w < beyond || w == FR_CELL_UNKNOWN ? 0 : x->bytes + (w - beyond) * 8;
}

static inline uint32_t fr_machine_thread(const struct fr_machine *x, uint32_t t)
{
	fr_assert_slow(t < x->m->nthreads);
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
	fr_assert_slow(at < x->nw);
	if (!x->quiet)
		fr_machine_note(x, at, x->w[at]);
	x->w[at] = value;
}

#endif
