/*
 * forerun predict --explain: which reads on the way to a finding had to return their recorded
 * values, which could return anything, and why; and which reads stood in the way of an infeasible
 * candidate.
 */
#ifndef FR_PREDICT_EXPLAIN_READS_H
#define FR_PREDICT_EXPLAIN_READS_H

#include "predict/predict.h"

/* Adds the reads of the first schedule of a finding, each position once. */
void fr_explain_finding(struct fr_describer *d, const struct fr_slice *s,
			const struct fr_predicted *p, struct fr_finding *f);
/* Adds to the summary, for each infeasible job (up to a limit), the reads that would have to return
   another value. Asks the relaxed tier. */
void fr_explain_infeasible(struct fr_describer *d, const struct fr_work *w, struct fr_findings *f);

#endif
