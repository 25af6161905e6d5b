/* Finds refuted findings that may be possible after all, because a confirmed finding changes a
   pointer that they use. */
#ifndef FR_CONFIRM_POINTER_DOUBT_H
#define FR_CONFIRM_POINTER_DOUBT_H

#include "findings/finding.h"
#include "model/model.h"

/* Makes the verdict of such findings `unknown`, with the reason. */
void fr_doubt_refuted(struct fr_findings *f, const struct fr_model *m);

#endif
