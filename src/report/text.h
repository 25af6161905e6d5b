/*
 * The text report of findings, and the entry to the module `report`, which shows findings and
 * decides nothing. cmd/show.c and cmd/cmd_predict.c call fr_text_finding for each finding and
 * fr_text_summary at the end, and print the buffer.
 *
 *   text.c        headline, source positions, locks held, call stacks, commands to replay
 *   text_stats.c  the work of prediction (--stats)
 *   text_steps.c  the steps of an interleaving, in columns of threads
 *   escaped.c     escapes control characters in all texts of a finding before it is shown
 *
 * Lines have at most 80 columns, except for long names. Nothing here can fail.
 */
#ifndef FR_REPORT_TEXT_H
#define FR_REPORT_TEXT_H

#include "findings/finding.h"

struct fr_text {
	struct fr_buf *out;
	const char *dir; /* the run folder, as the user named it */
	bool colour;
	bool imported;	   /* an imported trace: threads have names */
	bool all;	   /* show every interleaving, not only the first */
	uint32_t number;   /* number to print; 0: the finding's own */
	const char *found; /* a line about the runs that have it; NULL: none */
	const char *also;  /* a line about findings that are listed under it; NULL: none */
};

/* Prints a finding with its first interleaving, or with all of them. */
void fr_text_finding(const struct fr_text *t, const struct fr_finding *f);
/* Prints the results for all candidates, and everything that is missing. */
void fr_text_summary(const struct fr_text *t, const struct fr_findings *f);

/* In text_stats.c: the work of prediction. */
void fr_text_stats(struct fr_buf *out, const struct fr_findings *f);

/* In text_steps.c: the steps of an interleaving, two threads side by side, more in one column. */
void fr_text_steps(const struct fr_text *t, const struct fr_interleaving *w);
/* In text_steps.c: the events in the order that failed, and in the good order beside it. */
void fr_text_orders(const struct fr_text *t, const struct fr_interleaving *w);
/* Adds "bank.c:31" without folders; "?" if it is not known. */
void fr_text_short_position(struct fr_buf *b, const struct fr_position *p);
/* Returns the number of columns of a text: its UTF-8 characters. */
unsigned fr_text_width(const char *s, size_t n);
/* Adds "T1", or the thread's name in an imported trace. */
void fr_text_thread(const struct fr_text *t, const struct fr_finding_event *e, struct fr_buf *out);
/* Returns a name for the thread, such as "withdraw": the outermost function of its stack outside
   system headers; "" if none is known. */
const char *fr_text_thread_name(const struct fr_finding_event *e);

#endif
