/* Connects the prover (confirm/prove.h) with the properties of a run folder
   (predict/watch_properties.h), for the commands that re-execute. */
#ifndef FR_CMD_WATCH_H
#define FR_CMD_WATCH_H

#include "confirm/prove.h"
#include "predict/watch_properties.h"

/* w has `dir` and a lock, and outlives p. */
void fr_watch_by(struct fr_prover *p, struct fr_watched_properties *w);

#endif
