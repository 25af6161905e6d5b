/*
 * The findings of several runs of a program: each bug once, as the run that proved most has it, and
 * its name in each run that has it.
 */
#ifndef FR_FINDINGS_MERGED_H
#define FR_FINDINGS_MERGED_H

#include "findings/ranking.h"

/* All zero at first. Refers to the findings that were added. */
struct fr_merged {
	FR_VEC(struct fr_ranked) item;
	struct fr_map at; /* fr_finding_bug -> index + 1 */
};
/* Adds the findings of one of n runs. Both pointers must stay valid. */
void fr_merged_add(struct fr_merged *m, const char *dir, struct fr_findings *f, size_t n);
/* Makes findings of the first run from the items, in their order, with schedules named by folder. A
   shallow copy: fr_merged_free frees it. */
void fr_merged_findings(const struct fr_merged *m, struct fr_findings *first,
			struct fr_findings *ret);
/* f: the result of fr_merged_findings. */
void fr_merged_free(struct fr_merged *m, struct fr_findings *f);

#endif
