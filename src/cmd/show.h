/* Findings on standard output, as report, confirm and run print them, and what they mean for the
 * exit status. */
#ifndef FR_CMD_SHOW_H
#define FR_CMD_SHOW_H

#include "findings/finding.h"

/* The words of an option, for people: what is wrong with it, or NULL. */
const char *fr_show_check(const char *format, const char *fail_on);

struct fr_show {
	const char *dir;
	bool json;
	bool all; /* every verdict and every interleaving, not confirmed findings alone */
};
/* Worst first. An exit status: a message was printed if it is not FR_EXIT_OK. */
int fr_show_findings(const struct fr_show *s, const struct fr_findings *f);
/* The same for findings of several folders, as text, without what is said of each folder. */
struct fr_show_item {
	const char *dir;
	const struct fr_finding *x;
	bool imported; /* it is of a trace with names for threads */
	/* Findings of several runs, that are numbered anew: how many runs there are, and what it is
	   called in each that has it, "DIR/ID". */
	size_t runs;
	FR_VEC(const char *) found;
	const void *last; /* of whoever fills it: the run that was added last */
};
struct fr_hidden {
	size_t unproved, folded;
	const char *untried; /* why one of them could not be tried; NULL */
};
/* Reorders the items. Returns how many were not shown. */
struct fr_hidden fr_show_items(struct fr_show_item *v, size_t n, bool all, struct fr_buf *out);
/* A line about those. */
void fr_show_hidden(struct fr_hidden h, struct fr_buf *out);

/* Whether there is a finding of this verdict or above that is not folded. */
bool fr_show_fails(const struct fr_findings *f, const char *fail_on);

/* The run folder that is named, or the newest one; slashes at the end are taken off. An exit
   status: a message was printed if it is not FR_EXIT_OK. */
int fr_show_folder(const char *given, char **ret);

#endif
