/* Findings as text for people: 80 columns, colour only if asked for. */
#ifndef FR_REPORT_TEXT_H
#define FR_REPORT_TEXT_H

#include "findings/finding.h"

struct fr_text {
	struct fr_buf *out;
	const char *dir; /* the run folder, as the user names it */
	bool colour;
	bool imported;	   /* threads have names */
	bool all;	   /* every interleaving, not the first alone */
	uint32_t number;   /* instead of the finding's own; 0 */
	const char *found; /* where it was found, a line; NULL */
};

void fr_text_finding(const struct fr_text *t, const struct fr_finding *f);
/* What became of the candidates, and everything that is missing. */
void fr_text_summary(const struct fr_text *t, const struct fr_findings *f);

/* The steps of an interleaving: two threads side by side, more below one another. (text_steps.c) */
void fr_text_steps(const struct fr_text *t, const struct fr_interleaving *w);
/* "bank.c:31" without folders; "?" if it is not known. */
void fr_text_short_place(struct fr_buf *b, const struct fr_place *p);
/* Columns that a text takes: characters of UTF-8. */
unsigned fr_text_width(const char *s, size_t n);
/* "T1", or its name in the trace that was imported. */
void fr_text_thread(const struct fr_text *t, const struct fr_find_event *e, struct fr_buf *out);
/* "withdraw" of T1: the outermost function of its stack that is not the system's; "" if it is not
 * known. */
const char *fr_text_thread_name(const struct fr_find_event *e);

#endif
