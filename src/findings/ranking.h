/*
 * The order of findings in reports, and which of them a report shows without --all.
 *
 * Order: the failure of the recorded run first, then by verdict, then harm, then number. Shown
 *        findings come before hidden ones.
 */
#ifndef FR_FINDINGS_RANKING_H
#define FR_FINDINGS_RANKING_H

#include "findings/finding.h"

/* Why a report without --all does not show a finding. */
enum fr_hides {
	FR_HIDES_NOT,
	/* It needs harm, which was not seen, or another finding explains it. */
	FR_HIDES_HARMLESS,
	FR_HIDES_UNPROVED, /* it is not confirmed */
	FR_HIDES_FOLDED,   /* a guess that does no harm */
	FR_HIDES_LISTED,   /* another one names it (fr_finding_under) */
};
/* A finding of a report, which may show those of several folders. */
struct fr_ranked {
	const char *dir;
	const struct fr_finding *x;
	enum fr_hides hides; /* set by fr_ranked_sort */
	bool imported;	     /* from a trace with names for threads */
	/* Findings of several runs, numbered anew: the number of runs, and the finding's name
	   "DIR/ID" in each run that has it. */
	size_t runs;
	FR_VEC(const char *) found;
	const void *last; /* for merged.c: the run that was added last */
};

/* Returns whether the finding counts only with harm, which forerun has not seen, or another one
   explains it. */
bool fr_finding_lacks_harm(const struct fr_finding *x);
/* Sorts findings shown without --all before hidden ones. Within each group, the worst comes
   first. */
void fr_ranked_sort(struct fr_ranked *v, size_t n);
/* Numbers the findings of one folder in the order of fr_ranked_sort (fr_findings_renumber). */
int fr_ranked_number(const char *dir, struct fr_findings *f, struct fr_err *reterr);

#endif
