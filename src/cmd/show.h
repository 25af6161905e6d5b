/* Prints findings on standard output, for report, confirm and run, and derives the exit status. */
#ifndef FR_CMD_SHOW_H
#define FR_CMD_SHOW_H

#include "findings/finding.h"

/* Checks the options' words. Returns what is wrong, or NULL. */
const char *fr_show_check(const char *format, const char *fail_on);

struct fr_show {
	const char *dir;
	bool json;
	bool all; /* every verdict and interleaving, not only confirmed findings */
};
/* Prints the findings, worst first. Returns an exit status, after a message if not FR_EXIT_OK. */
int fr_show_findings(const struct fr_show *s, const struct fr_findings *f);
/* The same for findings of several folders, as text, without the summary of each folder. */
struct fr_show_item {
	const char *dir;
	const struct fr_finding *x;
	bool imported; /* from a trace with names for threads */
	/* Findings of several runs, numbered anew: the number of runs, and the finding's name
	   "DIR/ID" in each run that has it. */
	size_t runs;
	FR_VEC(const char *) found;
	const void *last; /* for the caller: the run that was added last */
};
struct fr_hidden {
	size_t unproved, folded;
	const char *untried; /* why one of them could not be tried; NULL */
};
/* Sorts and prints the items. Returns how many were not shown. */
struct fr_hidden fr_show_items(struct fr_show_item *v, size_t n, bool all, struct fr_buf *out);
/* Prints a line about the hidden ones. */
void fr_show_hidden(struct fr_hidden h, struct fr_buf *out);

/* Is there a finding of this verdict or above that is not folded? */
bool fr_show_fails(const struct fr_findings *f, const char *fail_on);

/* Finds the named run folder, or the newest one, and removes slashes at the end. Returns an exit
   status, after a message if not FR_EXIT_OK. */
int fr_show_folder(const char *given, char **ret);

#endif
