/*
 * The findings of one run, and the entry to the module `findings`: the data that predict, confirm
 * and report share. Findings contain no pointers into a model or a trace, so findings read from a
 * file equal those that were written.
 *
 * Calls: predict fills struct fr_findings (predict/describe.c), writes findings.json and one
 * schedule file for each interleaving (predict/predict_save.c). confirm reads both, re-executes the
 * program, and sets verdicts and harms, which cmd/cmd_confirm.c writes. report only reads.
 *
 *   finding.h         struct fr_findings -> fr_finding -> fr_interleaving -> fr_finding_event;
 *                     findings_json.c writes and reads findings.json
 *   verdict.h         the verdicts and harms, and their names
 *   schedule_file.h   schedule files; schedule_read.c reads them
 *   ranking.h         the order of findings in reports, and which of them a report shows
 *   renumber.h        new numbers, at the end of a prediction and of forerun run
 *   merged.h          the findings of several runs
 *   same_bug.h        which findings of two runs are the same bug
 *   recorded_turns.h  the recorded order as turns of a schedule
 *   run_failure.h     whether the recorded run failed
 *   end_text.h        messages about the end of a program in its output
 *   explain_crash.h   sentences about source positions and crashes
 *
 * States: a finding is predicted; confirm makes its interleavings confirmed, refuted or unknown
 * (verdict.h). Findings that the recorded run itself shows are confirmed from the start: its
 * failure, and the deadlock in which it hung (predict/failure.c, failure_hang.c, describe.c). The
 * first interleaving stands for the finding.
 *
 * Failure: reading fails with an error that names file and member (or line) if a file is missing or
 * damaged.
 *
 * Strings belong to the findings (fr_findings_str) and live as long as they do. They are never NULL
 * unless a comment allows it; "" = not known.
 */
#ifndef FR_FINDINGS_FINDING_H
#define FR_FINDINGS_FINDING_H

#include "base/dir.h"
#include "base/err.h"
#include "base/mem.h"
#include "findings/verdict.h"
#include "model/candidate.h"
#include "model/meeting.h"
#include "model/region_kind.h"
#include "model/region_shape.h"
#include <stdbool.h>
#include <stdint.h>

/* The kind of a finding that nobody predicted: a run failed, either the recorded one or a
   re-execution that had left its schedule. */
#define FR_KIND_FAILURE "failure"

struct fr_position {
	const char *file, *function;
	uint32_t line, column; /* 0: not known */
};

/* A lock that is held, and the position where it was acquired. */
struct fr_finding_lock {
	const char *name;
	uint32_t object; /* see fr_finding_event */
	bool shared;
	struct fr_position at;
};

/* An event of an interleaving, or a step of its witness. A step has no stack and no locks. */
struct fr_finding_event {
	uint32_t thread;   /* number of the thread in the model; 0 = the main thread */
	const char *path;  /* the thread's path of creation */
	enum fr_role role; /* FR_ROLE_NONE for a step that is not an event of the finding */
	enum fr_op access;
	const char *name; /* variable, lock, condition, other thread */
	/* Number of the lock or similar object in the finding, because one object may have two
	   names, and two objects the same name; 0: none. */
	uint32_t object;
	bool atomic;
	bool known; /* the value is known */
	bool seen;  /* the value comes from the confirming re-execution, not the recorded run */
	uint64_t value;
	struct fr_position at;
	uint64_t hook;
	FR_VEC(struct fr_position) stack;    /* innermost first */
	FR_VEC(struct fr_finding_lock) lock; /* held while the event is pending, outermost first */
};

/* One interleaving that reaches the bug. */
struct fr_interleaving {
	FR_VEC(struct fr_finding_event) event; /* failure: where each thread was; may be empty */
	/* The last steps before the events, then the events. */
	FR_VEC(struct fr_finding_event) witness;
	uint64_t left_out; /* number of steps before the witness */
	enum fr_verdict verdict;
	enum fr_harm harm; /* if refuted: before the divergence */
	/* The same number for two failures at the same position of one program; 0: no failure. */
	uint64_t where;
	/* The same number also in another build of the program, by names; 0: not known. */
	uint64_t where_named;
	const char *detail; /* a sentence about harm or verdict; NULL: none */
	const char *end;    /* the part of detail about an end of the program before its
				 targets met; NULL: they met, or it did not end */
	bool swapped;	    /* the events happened in the opposite order of the schedule; `event`
				 has them as they happened */
	bool never_woken;   /* the program hangs: some threads wait for wake-ups, and all others
				 wait to join threads */
	bool others_first;  /* after the events, other threads than that of the last event ran
				 first */
	enum fr_good_order good; /* if the recorded run failed because of this */
	/* The program did not follow the predicted schedule, but the events happened on another
	   path. `schedule` leads along that path. */
	bool other_path;
	/* number of times that the oracle was asked again, because the program left the schedule */
	uint32_t again;
	const char *schedule; /* file name in the run folder (fr_schedule_name); NULL: none */
	uint32_t nth;	      /* its number among the schedules of the finding, from 1 */
};

/* A read on the way to a finding, or in the way of an infeasible candidate (predict --explain). */
struct fr_finding_read {
	const char *name, *path; /* variable; path of creation of the thread */
	struct fr_position at;
	bool matters;
	const char *why;
};

/* Why a candidate is infeasible: these reads would have to return other values. */
struct fr_obstacle {
	const char *kind;
	struct fr_position event[2]; /* the first events of the candidate; line 0: none */
	FR_VEC(struct fr_finding_read) reads;
};

struct fr_finding_words {
	const char **v;
	size_t n, cap;
};

struct fr_finding {
	uint32_t id;
	const char *kind;
	enum fr_needs needs;
	unsigned rank;	/* struct fr_generator; for fr_findings_sort only, not in findings.json */
	uint32_t doubt; /* struct fr_group; likewise */
	enum fr_tier tier;			 /* that decided it */
	uint32_t reads_relaxed;			 /* reads that return another value than recorded */
	FR_VEC(struct fr_finding_event) relaxed; /* relaxed tier: these reads */
	FR_VEC(struct fr_finding_read) reads;	 /* --explain: the reads of its schedule */
	double solver_s;
	const char *subject;
	enum fr_region region; /* kind of atomic region */
	enum fr_shape shape;
	struct fr_position allocated; /* of the heap object; line 0: no heap object */
	uint64_t seen;		      /* instances in the recorded run */
	bool failure;		      /* its kind is FR_KIND_FAILURE */
	bool recorded;		      /* the bug itself happened in the recorded run */
	bool unscheduled;	      /* recorded: replay repeats the run; not in findings.json */
	/* recorded failure: id of the finding that caused it; other findings: id of a more
	   specific finding with the same harm (fr_need_explain); 0: none known */
	uint32_t explained_by;
	FR_VEC(struct fr_interleaving) interleaving; /* at least one */
	/* Several runs combined: its name "DIR/ID" in each run that has it. Not in findings.json
	   of a run folder. */
	struct fr_finding_words found;
};

struct fr_count {
	const char *name, *text;
	uint64_t n;
};

struct fr_tier_stats {
	enum fr_tier tier; /* FR_TIER_NONE: the refuter */
	uint64_t asked;
	uint64_t yes; /* feasible; of the refuter: excluded */
	double seconds;
};

/* The work of slicing (causality/slice.h). */
struct fr_slicing_stats {
	bool known;
	double prepare_s, mask_s;   /* mask_s: for all masks */
	uint64_t sites, free_sites; /* read sites */
	uint64_t reads, free_reads; /* READs of the model */
	uint64_t masks, asked;	    /* different masks; candidates that asked for one */
};

/* The work of the lattice engine (lattice/lattice.h). */
struct fr_lattice_stats {
	bool known; /* false: it was not used */
	uint64_t walks, complete, found, cuts, levels, widest;
	double time_s;
};

/* The work of prediction. */
struct fr_predict_stats {
	bool known;  /* false: findings of an older forerun, or of an interrupted one */
	bool pruned; /* false: --no-prune */
	double read_s, causality_s, generate_s, ask_s;
	uint64_t events;     /* of the model: the segment without pruning */
	uint64_t segments;   /* candidates for which a solver searched a segment */
	double segment_mean; /* events of the first segment of each */
	uint64_t segment_max;
	uint64_t enlarged; /* of them: those that needed a larger segment */
	uint64_t solver_calls;
	FR_VEC(struct fr_tier_stats) tier;
	struct fr_slicing_stats slicing;
	struct fr_lattice_stats lattice;
};

/* The results for all candidates. Here a candidate is a set of positions, with many instances. */
struct fr_summary {
	bool complete;
	const char *reason; /* why it is not complete; NULL */
	uint64_t candidates, predicted, infeasible, undecided, untried;
	uint64_t instances;		     /* instances given to the oracle */
	uint64_t excluded;		     /* instances not worth giving to the oracle */
	FR_VEC(struct fr_count) why;	     /* reasons for undecided candidates */
	FR_VEC(struct fr_count) missing;     /* counters of the model; losses of the trace */
	FR_VEC(struct fr_obstacle) obstacle; /* --explain */
	double solver_s;
	struct fr_predict_stats stats;
};

struct fr_findings {
	/* the run */
	const char *version, *program;
	struct fr_finding_words args;
	/* options --atomic=, --atomic-set= and --pattern= of predict */
	struct fr_finding_words named;
	int exit, signal; /* -1, 0: none */
	bool imported;
	uint64_t threads, events;
	double record_s, predict_s, confirm_s;
	uint64_t confirm_runs;	    /* re-executions for confirmation */
	uint64_t confirm_saved;	    /* re-executions not needed, because others showed the same */
	uint64_t control_runs;	    /* controls, of the recorded schedule and of serial orders */
	const char *control_reason; /* why a control ended unlike the recorded run; NULL */
	bool boxed;  /* each re-execution ran in a box, with the files as they were */
	bool serial; /* re-executions ran one at a time, because they share something outside */
	struct fr_summary summary;
	FR_VEC(struct fr_finding) finding;
	FR_VEC(char *) string;
	struct fr_map strings; /* hash -> number + 1 */
};

/* Frees the findings with all their parts, and zeroes f. */
void fr_findings_free(struct fr_findings *f);
/* Returns a copy that lives as long as f; NULL for NULL. */
const char *fr_findings_str(struct fr_findings *f, const char *s);
const char *fr_findings_printf(struct fr_findings *f, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Returns whether the position is in a header of the system or compiler, which tells a reader
   nothing. */
bool fr_position_of_system(const struct fr_position *p);
void fr_finding_event_free(struct fr_finding_event *e);
/* Returns whether both have the same accesses at the same positions, in the same order. */
bool fr_interleaving_same(const struct fr_interleaving *a, const struct fr_interleaving *b);
/* Returns the number of events that its schedule has: all but those that come too late
   (fr_role_too_late), which are last. */
size_t fr_interleaving_events(const struct fr_interleaving *w);
void fr_interleaving_free(struct fr_interleaving *w);
/* Names the file of its schedule: it is the nth of the finding with this id, from 1. */
void fr_interleaving_name(struct fr_findings *f, struct fr_interleaving *w, uint32_t id,
			  uint32_t nth);
/* Returns the file name in the run folder of a schedule: ID/schedule, ID/schedule.2, ... The caller
   frees it. */
char *fr_schedule_name(uint32_t id, uint32_t nth);
/* Reverses the order of the events, also in the witness. */
void fr_interleaving_swap(struct fr_interleaving *w);
/* Adds to a list of counts. */
#define fr_count_add(f, list, na, te, k) \
	fr_vec_push(list, ((struct fr_count){fr_findings_str(f, na), fr_findings_str(f, te), (k)}))

/* Names a finding that needs a failure: a lost wakeup if a thread is then never woken, an order
   violation otherwise. Its schedules keep the name of the generator. */
void fr_finding_name(struct fr_finding *f);
/* Are the kinds the same, but for such a name? */
bool fr_finding_same_kind(const struct fr_finding *a, const struct fr_finding *b);
/* Returns whether there is only weak evidence that the accesses belong together: they or their lock
   regions are neighbours, or a lock is around accesses that are all atomic; or it only loses a
   write. */
bool fr_finding_is_guess(const struct fr_finding *f);
/* Returns whether reports hide the finding unless asked for all: it is a guess or needs harm, and
   was confirmed without harm; or it needs a failure, which was not seen; or another finding
   explains it. */
bool fr_finding_folded(const struct fr_finding *f);
/* Returns whether reports do not even count it among those that they fold: it needs harm, or
   another finding explains it. */
bool fr_finding_left_out(const struct fr_finding *f);

/* Returns whether it is the failure (FR_KIND_FAILURE) of the recorded run. */
bool fr_finding_recorded_failure(const struct fr_finding *f);
/* Returns whether it is the failure of a re-execution that had left its schedule. Its only event is
   the position where the program failed. */
bool fr_finding_later_failure(const struct fr_finding *f);
/* Returns whether it was refuted because the program came to harm before its events. */
bool fr_finding_harmed(const struct fr_finding *f);
/* Returns whether both findings have the same failure, at the same position. */
bool fr_finding_harm_same(const struct fr_finding *a, const struct fr_finding *b);
/* Returns whether x is a race of the read with which the null dereference `of` begins, and ends in
   the same crash: one bug, which reports show as the null dereference, with x listed under it. */
bool fr_finding_under(const struct fr_finding *x, const struct fr_finding *of);

/* Sorts by certainty (tiers that guess last, and unlikely ones that need harm after all others),
   rank, doubt, then source position. Accesses that are only neighbours come last. confirm tries
   findings in this order. Numbers them from 1 in the same order, but those that reports hide after
   all others. */
void fr_findings_sort(struct fr_findings *f);

/* Writes the findings as one JSON object. all: as in findings.json; else folded findings are only
   counted. With fd >= 0, the text goes to fd in pieces and `out` is their buffer; with fd -1, `out`
   receives all of it. Returns 0 or -errno. */
int fr_findings_json(const struct fr_findings *f, bool all, int fd, struct fr_buf *out);
/* Replace findings.json in two steps: fr_findings_write makes a new file under a temporary name,
   fr_findings_publish renames it. */
int fr_findings_write(const char *dir, const struct fr_findings *f, struct fr_dir_new *ret,
		      struct fr_err *reterr);
int fr_findings_publish(const char *dir, struct fr_dir_new *n, struct fr_err *reterr);
/* Returns 0, -ENOENT if there is no findings.json, or another -errno. */
int fr_findings_read(const char *dir, struct fr_findings *ret, struct fr_err *reterr);

#endif
