/*
 * Findings: what prediction found in one run, as people and scripts see it. Nothing in here points
 * into a model or a trace, so that a finding that was read back is the same as one that was made.
 *
 * Strings belong to the findings (fr_findings_str), live as long as they do, and are never NULL
 * unless said; "" is not known.
 */
#ifndef FR_FINDINGS_FINDING_H
#define FR_FINDINGS_FINDING_H

#include "base/dir.h"
#include "base/err.h"
#include "base/mem.h"
#include "findings/verdict.h"
#include <stdbool.h>
#include <stdint.h>

struct fr_place {
	const char *file, *function;
	uint32_t line, column; /* 0: not known */
};

/* A lock that is held, since this place. */
struct fr_find_lock {
	const char *name;
	uint32_t object; /* see fr_find_event */
	bool shared;
	struct fr_place at;
};

/* An event, or a step of a witness, which has no role, stack and locks. */
struct fr_find_event {
	uint32_t thread;  /* number of the thread in the model; 0 is the main thread */
	const char *path; /* its path of creation */
	const char *role; /* NULL in a witness unless it is an event of the finding */
	const char *access;
	const char *name; /* variable, lock, condition, other thread */
	/* Of a lock and the like: its number in the finding, because one object may have two names,
	   and two objects one; 0: none. */
	uint32_t object;
	bool atomic;
	bool known; /* the value is */
	bool seen;  /* it is that of the run that confirmed it, not of the recorded one */
	uint64_t value;
	struct fr_place at;
	uint64_t hook;			  /* the n-th of its thread */
	FR_VEC(struct fr_place) stack;	  /* innermost first */
	FR_VEC(struct fr_find_lock) lock; /* held when it is next, outermost first */
};

/* One way to reach the bug. */
struct fr_interleaving {
	FR_VEC(struct fr_find_event) event;
	/* The last steps before the events, then the events. What was left out in front is counted.
	 */
	FR_VEC(struct fr_find_event) witness;
	uint64_t left_out;
	enum fr_verdict verdict;
	enum fr_harm harm;    /* if refuted: before the divergence */
	const char *detail;   /* of harm or verdict, a sentence; NULL: none */
	const char *end;      /* the part of detail that says how the program ended before its
				 targets met; NULL: they met, or it did not end */
	bool swapped;	      /* the events happened in the other order than the schedule has them;
				 they stand here as they happened */
	bool others_first;    /* afterwards the thread of the last event was not the first */
	const char *schedule; /* in the run folder */
};

struct fr_finding {
	uint32_t id;
	const char *kind, *tier;
	uint32_t reads_relaxed;
	double solver_s;
	const char *subject;
	const char *region;		    /* what says that it should be atomic; NULL: nothing */
	const char *shape;		    /* "R-W-R"; NULL: there is but one */
	struct fr_place allocated;	    /* line 0: no heap object */
	uint64_t seen;			    /* how often the run came by */
	FR_VEC(struct fr_interleaving) way; /* at least one */
	/* Of several runs together: what it is called in each that has it, "DIR/ID". Not kept in
	   files. */
	FR_VEC(const char *) found;
};

struct fr_count {
	const char *name, *text;
	uint64_t n;
};

/* What became of the candidates. A candidate is a set of places that may have many instances. */
struct fr_summary {
	bool complete;
	const char *reason; /* why not; NULL */
	uint64_t candidates, predicted, refuted, undecided, untried;
	uint64_t instances;		 /* that were asked about */
	uint64_t excluded;		 /* instances that were not worth asking */
	FR_VEC(struct fr_count) why;	 /* of undecided ones */
	FR_VEC(struct fr_count) missing; /* what the model counted, what the trace lacks */
	double solver_s;
};

struct fr_find_words {
	const char **v;
	size_t n, cap;
};

struct fr_findings {
	/* of the run */
	const char *version, *program;
	struct fr_find_words args;
	struct fr_find_words named; /* options that name something to be looked for */
	int exit, signal;	    /* -1, 0: none */
	bool imported;
	uint64_t threads, events;
	double record_s, predict_s, confirm_s;
	uint64_t confirm_runs;	/* of the program, to confirm them */
	uint64_t confirm_saved; /* that were not needed, because others showed the same */
	uint64_t control_runs; /* executions for comparison: of the recorded schedule, and of serial
				  orders */
	const char *control_reason; /* why one did not end as the recorded run did; NULL */
	bool serial; /* executions came one after the other: they share something outside */
	struct fr_summary summary;
	FR_VEC(struct fr_finding) finding;
	FR_VEC(char *) string;
	struct fr_map strings; /* hash -> number + 1 */
};

void fr_findings_free(struct fr_findings *f);
/* A copy that lives as long as f. NULL stays NULL. */
const char *fr_findings_str(struct fr_findings *f, const char *s);
const char *fr_findings_printf(struct fr_findings *f, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* In a header of the system or of the compiler: says nothing to the reader. */
bool fr_place_of_system(const struct fr_place *p);
void fr_find_event_free(struct fr_find_event *e);
/* The same accesses at the same places, in the same order. */
bool fr_interleaving_same(const struct fr_interleaving *a, const struct fr_interleaving *b);
void fr_interleaving_free(struct fr_interleaving *w);
/* The events, and the steps of the witness that they are, the other way round. */
void fr_interleaving_swap(struct fr_interleaving *w);
/* Adds to a list of counts. */
#define fr_count_add(f, list, na, te, k) \
	fr_vec_push(list, ((struct fr_count){fr_findings_str(f, na), fr_findings_str(f, te), (k)}))

/* Another one may stand in its place in other interleavings of the same bug. */
bool fr_find_event_varies(const struct fr_find_event *e);
/* It is confirmed, but nothing says that the accesses belong together except that they, or their
   lock regions, are neighbours, or a lock around what are all atomics, and no harm was seen: not
   shown unless asked for. */
bool fr_finding_folded(const struct fr_finding *f);

/* It was refuted because the program came to harm on its way there: that was seen. */
bool fr_finding_harmed(const struct fr_finding *f);
/* The harm is the same, and done in the same place. */
bool fr_finding_harm_same(const struct fr_finding *a, const struct fr_finding *b);

/* What is known to be feasible before guesses; worst first, then by place; numbers them from 1. */
void fr_findings_sort(struct fr_findings *f);

/* One object; all: as in findings.json of a run folder, else what is folded is only counted. `out`
   is only a part of it at a time if there is a file descriptor to write to, not -1. 0 or -errno. */
int fr_findings_json(const struct fr_findings *f, bool all, int fd, struct fr_buf *out);
/* Replaces findings.json in two steps: there is a new file, under another name; it takes the place
   of the old one. */
int fr_findings_write(const char *dir, const struct fr_findings *f, struct fr_dir_new *ret,
		      struct fr_err *reterr);
int fr_findings_publish(const char *dir, struct fr_dir_new *n, struct fr_err *reterr);
/* -ENOENT: there is none. */
int fr_findings_read(const char *dir, struct fr_findings *ret, struct fr_err *reterr);

#endif
