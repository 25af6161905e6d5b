/*
 * Verdict and harm of a re-execution, compared with the recorded run and controls (controls.h).
 */
#ifndef FR_CONFIRM_JUDGE_H
#define FR_CONFIRM_JUDGE_H

#include "base/io.h"
#include "confirm/controls.h"
#include "confirm/execution.h"
#include "findings/end_text.h"
#include "findings/explain_crash.h"
#include "findings/verdict.h"
#include "symbols/sites.h"

struct fr_judge {
	const char *dir; /* the run folder, with the output of the recorded run */
	const struct fr_run *run;
	const struct fr_sites *sites;
	struct fr_pcsites *pcs;
	struct fr_controls controls;
	enum fr_harm failure; /* of the recorded run; FR_HARM_NONE: it did not fail */
	/* Reasons why a run cannot be repeated exactly, counted when the trace was read. */
	uint64_t handlers;    /* handlers of signals from elsewhere */
	uint64_t unexplained; /* reads of a value that no recorded write stored */
};
/* dir, run and sites must outlive j. */
void fr_judge_init(struct fr_judge *j, const char *dir, const struct fr_run *run,
		   const struct fr_sites *sites);
void fr_judge_free(struct fr_judge *j);

/* The thread and the source position at which a program failed. Strings are new. */
struct fr_judged_position {
	char *thread, *file, *function;
	uint32_t line, column;
};

struct fr_judgement {
	enum fr_verdict verdict;
	enum fr_harm harm; /* if confirmed; if refuted, the harm before that */
	bool outside;	   /* unknown because the world outside the program has changed */
	bool never_woken;  /* struct fr_interleaving */
	/* The recorded run failed, and this re-execution ends in the same failure, or ends well. */
	bool fails, well;
	bool fails_so; /* `fails`, and that failure is harm of this kind of bug (needs_harm.h) */
	char *detail;  /* a new string, or NULL */
	/* length of the part of `detail` about an end of the program before its targets met; 0 =
	   they met, or it did not end */
	size_t end;
	/* The same numbers for two failures at the same position, in any thread; 0 = no failure.
	   See struct fr_interleaving. */
	uint64_t where, where_named;
	struct fr_judged_position at; /* schedules that lead to harm: of the failure */
};
void fr_judgement_clear(struct fr_judgement *j);

/* Judges a re-execution whose time limit was `limit` seconds. The caller frees ret->detail. */
void fr_judge(struct fr_judge *j, const struct fr_execution *r, double limit,
	      struct fr_judgement *ret);

/* ---- parts ---- */

/* Returns fr_judgement.where of a program that failed, before or after its targets; 0: it did
   not. */
uint64_t fr_judge_where(struct fr_judge *j, const struct fr_execution *r, double limit);

/* Makes a number for a place of a hash: JSON readers keep all its bits. */
static inline uint64_t fr_judge_number(uint64_t hash)
{
	return hash >> 12 | 1;
}

/* Maps the content of a file; empty if there is none. */
struct fr_mapped fr_judge_text(int fd);

/* Did the targets meet? Each happened, or blocks, in the order of the schedule. */
bool fr_judge_met(const struct fr_execution *r);
/* Were all targets pending at once? */
bool fr_judge_at_brink(const struct fr_execution *r);
/* Sentences without a full stop (explain.c). */
void fr_explain_divergence(const struct fr_judge *j, const struct fr_execution *r,
			   struct fr_buf *out);
/* ": thread 0.1 was to come to thread-create at bank.c:31 in main()"; nothing after all turns. */
void fr_explain_due(const struct fr_judge *j, const struct fr_execution *r, struct fr_buf *out);
/* Has the world outside the program changed since the recording? */
bool fr_judge_outside(const struct fr_execution *r);
/* Says how it has changed, and where the program first noticed. */
void fr_explain_world(const struct fr_judge *j, const struct fr_execution *r, struct fr_buf *out);
/* "; " and that sentence, or one about another input that differs from the recording; or "". */
void fr_explain_outside(const struct fr_judge *j, const struct fr_execution *r, struct fr_buf *out);
/* Whole lines: the actions of the targets, and the progress of each thread. */
void fr_explain_seen(const struct fr_judge *j, const struct fr_execution *r, struct fr_buf *out);
/* "thread 0.1 reads 3 from `n` at d.c:29:21 in walk(), but 0 in the recorded run". */
void fr_explain_read(const struct fr_judge *j, const struct fr_execution *r,
		     const struct fr_control_file_read *read, uint64_t recorded,
		     struct fr_buf *out);
/* No thread could run, but something outside could still have ended a wait. */
void fr_explain_waits(const struct fr_execution *r, struct fr_buf *out);
void fr_explain_hang(const struct fr_judge *j, const struct fr_execution *r, struct fr_buf *out);
/* Finds the source position of a crash or hang. False: unknown. */
bool fr_explain_failure(struct fr_judge *j, const struct fr_execution *r,
			struct fr_judged_position *ret);

/* How two texts differ (compare_output.c). */
enum fr_differ { FR_SAME, FR_OTHER_ORDER, FR_OTHER_ADDRESSES, FR_VARIES, FR_DIFFERENT };
/* *ret_line is the first line that differs, from 1. */
enum fr_differ fr_output_compare(const char *a, size_t na, const char *b, size_t nb,
				 uint64_t *ret_line);
struct fr_output_text {
	const char *s;
	size_t n;
};
/* Does `now` differ from the references only where these differ from each other (varying_output.c)?
   */
bool fr_output_varies(const struct fr_output_text *ref, size_t nrefs,
		      const struct fr_output_text *now);
/* Returns a new string with @ instead of each address. */
char *fr_output_without_addresses(const char *s, size_t n, size_t *ret_n);
/* Returns a new string: terminal output without the echo of the typed input. */
char *fr_output_without_echo(const char *s, size_t n, const char *typed, size_t ntyped,
			     size_t *ret_n);

#endif
