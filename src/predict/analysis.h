/*
 * The facts about a recorded run that exist before the first question: its model, its causality,
 * and the slice of its reads. Prediction makes it (predict.h). In `forerun run`, confirmation asks
 * again with the same one (ask_again.h).
 */
#ifndef FR_PREDICT_ANALYSIS_H
#define FR_PREDICT_ANALYSIS_H

#include "causality/causality.h"
#include "causality/slice.h"
#include "model/model.h"
#include "oracle/oracle.h"

struct fr_pure;

/* All zero at first. */
struct fr_analysis {
	struct fr_model *m;
	struct fr_causality *c;
	struct fr_slice *slice; /* NULL: not made, or not possible: all reads matter */
	double read_s, causality_s, slice_s;
};

/* Loads the model of a run folder. Another thread may watch the progress. */
int fr_analysis_load(struct fr_analysis *a, const char *dir, struct fr_load_progress *progress,
		     struct fr_err *reterr);
/* Compute the causality of m, then the slice of its reads, unless they exist. m: a->m, or the model
   that was, if it now has another owner. pure: library functions that do no harm. */
void fr_analysis_causality(struct fr_analysis *a, const struct fr_model *m);
void fr_analysis_slice(struct fr_analysis *a, const struct fr_model *m, const struct fr_pure *pure);
/* Lets an oracle ask which reads matter. */
void fr_analysis_give_masks(const struct fr_analysis *a, struct fr_oracle_opt *ret);
/* Frees the parts that exist, and zeroes a. */
void fr_analysis_free(struct fr_analysis *a);

#endif
